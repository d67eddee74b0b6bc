"""Start what ``&`` and ``|&`` put into the background."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, Self

from collector.virtual.shell.language.arithmetic import ExpansionError
from collector.virtual.shell.language.jobs import Coprocess, Job
from collector.virtual.shell.language.stages import run_quietly
from collector.virtual.shell.language.syntax import AndOr, Script
from collector.virtual.shell.machine import Machine
from collector.virtual.shell.pipes import NullPipe, Pipe, Streams
from collector.virtual.shell.process_table import CancelScope

_COPROCESS = "|&"
_GROUPS = ("{", "(", "\\")


class _Forking(Protocol):
    """A shell that can run commands in a copy of itself."""

    machine: Machine
    interruption: CancelScope
    jobs: list[Job]
    job_pid: int
    coprocess: Coprocess | None
    pid: int
    status: int

    def fork(self) -> Self: ...

    def guard(self, body: Callable[[], int], streams: Streams) -> int: ...

    def run(self, script: Script, streams: Streams) -> int: ...


def start_background(shell: _Forking, item: AndOr, streams: Streams) -> None:
    """Run a list in a copy of the shell; ExpansionError when a coprocess runs already."""
    is_coprocess = item.background == _COPROCESS
    if is_coprocess and shell.coprocess and not shell.coprocess.job.ended.is_set():
        raise ExpansionError("coprocess already exists")
    child = shell.fork()
    # It goes on when its shell ends: tools start their servers on the phone so.
    parent = shell.machine.background
    child.interruption = CancelScope(parent)
    entry = shell.machine.processes.start("sh", child.interruption, parent=shell.pid, in_background=True)
    text = item.text if item.text.startswith(_GROUPS) else f"\\{item.text}"
    job = Job(entry.pid, text)
    shell.jobs.append(job)
    shell.job_pid = job.pid
    to_it, from_it = Pipe(), Pipe()
    if is_coprocess:
        shell.coprocess = Coprocess(job, to_it, from_it)
        child.interruption.on_set(to_it.close_writing)
    connected = {"stdin": to_it, "stdout": from_it} if is_coprocess else {"stdin": NullPipe()}
    quiet = replace(streams, **connected)
    script = Script((AndOr(item.first, item.rest),))

    def work() -> None:
        status = run_quietly(lambda: child.guard(lambda: child.run(script, quiet), quiet))
        job.signal = child.interruption.signal
        job.status = 128 + job.signal if job.signal else status
        to_it.close_reading()
        from_it.close_writing()
        parent.leave(child.interruption)
        shell.machine.processes.end(entry)
        job.ended.set()

    threading.Thread(target=work, name="shell background", daemon=True).start()
    shell.status = 0
