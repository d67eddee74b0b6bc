"""The phone's processes: those of the system, of apps and of shells, with what ``ps`` shows of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collector.virtual.shell.system_processes import SYSTEM_PROCESSES, ZYGOTE, SystemProcess
from collector.virtual.shell.system_processes import SYSTEM_SERVER as SYSTEM_SERVER

if TYPE_CHECKING:
    from collector.virtual.shell.process_table import ProcessTable, RunningProcess
    from collector.virtual.system.phone import Phone

SHELL_UID = 2000
_FOREGROUND, _PREVIOUS, _HOME, _CACHED = 0, 700, 600, 900


@dataclass(frozen=True, slots=True)
class ProcessRow:
    """One process. ``adjustment`` is its ``oom_score_adj``: the lower, the later Android ends it."""

    pid: int
    parent: int
    uid: int
    user: str
    name: str
    state: str
    """``R`` runs, ``S`` sleeps, ``T`` is stopped by a signal."""
    started_ns: int
    adjustment: int
    package: str = ""
    """Set for apps."""
    system: SystemProcess | None = None
    words: tuple[str, ...] = ()
    """The command line of a process that a shell started."""

    @property
    def kernel(self) -> bool:
        """Whether it is a thread of the kernel, which has no memory of its own."""
        return self.name.startswith("[")

    @property
    def arguments(self) -> tuple[str, ...]:
        """The command line; of most processes only the name is known."""
        return self.words or (self.name,)

    @property
    def command(self) -> str:
        """The name without the brackets of a kernel thread."""
        return self.name.strip("[]")


def app_processes(phone: Phone) -> dict[int, str]:
    """Packages with a running process, by process id."""
    running = ((phone.pid_of(package.package), package.package) for package in phone.packages)
    return {pid: package for pid, package in running if pid is not None}


def user_name(uid: int) -> str:
    """The system's name for an app's user."""
    return f"u0_a{uid % 10000}"


def process_rows(phone: Phone, processes: ProcessTable) -> list[ProcessRow]:
    """All processes, by process id."""
    rows = [
        ProcessRow(entry.pid, entry.parent, entry.uid, entry.user, entry.name, "S", 0, entry.adjustment,
                   system=entry)
        for entry in SYSTEM_PROCESSES
    ]  # fmt: skip
    rows += _app_rows(phone)
    rows += [_shell_row(running) for running in processes]
    return sorted(rows, key=lambda row: row.pid)


def _shell_row(running: RunningProcess) -> ProcessRow:
    state = "S" if running.name in ("sh", "-/bin/sh") else "R"
    return ProcessRow(running.pid, running.parent, SHELL_UID, running.user, running.name, state,
                      running.started_ns, -1000, words=running.arguments)  # fmt: skip


def _app_rows(phone: Phone) -> list[ProcessRow]:
    order = list(dict.fromkeys(record.component.package for record in phone.stack()))
    services = phone.services.processes
    rows = []
    for package in phone.packages:
        name, pid = package.package, phone.pid_of(package.package)
        if pid is None:
            continue
        if order[:1] == [name]:
            adjustment = _FOREGROUND
        elif package.is_home:
            adjustment = _HOME
        else:
            adjustment = _PREVIOUS if order[1:2] == [name] else _CACHED
        state = "T" if services.stopped(name) else "S"
        rows.append(
            ProcessRow(pid, ZYGOTE, package.uid, user_name(package.uid), name, state,
                       services.started_ns(name), adjustment, name)
        )  # fmt: skip
    return rows


def all_processes(phone: Phone, processes: ProcessTable) -> list[tuple[int, str, str]]:
    """Process id, user and name of all processes."""
    return [(row.pid, row.user, row.name) for row in process_rows(phone, processes)]
