"""``killall`` and ``pkill``, and the searches of toybox: ``pgrep`` and ``pidof``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from collector.virtual.shell.commands.processes.sending import MISSING, send
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.proc import all_processes, app_processes
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.signal_names import NUMBERS, signal_name

_COMM = 15
"""The kernel keeps this many characters of a name; of an app's, the last ones."""


@dataclass(frozen=True, slots=True)
class _Target:
    """A process by which it can be searched for."""

    pid: int
    user: str
    comm: str
    """The kernel's short name."""
    command_line: str

    @property
    def program(self) -> str:
        """The file name of the program, which ``pidof`` compares."""
        return self.command_line.partition(" ")[0].rpartition("/")[2]


def _targets(process: Process) -> Iterator[_Target]:
    """Every process except the caller, by process id."""
    machine = process.machine
    apps = app_processes(machine.phone)
    for pid, user, name in all_processes(machine.phone, machine.processes):
        if pid == process.pid:
            continue
        running = machine.processes.get(pid)
        comm = name[-_COMM:] if pid in apps else name.strip("[]").rpartition("/")[2][:_COMM]
        yield _Target(pid, user, comm, running.command_line if running else name)


# ---- signals -----------------------------------------------------------------------------------


def _required_signal(process: Process, text: str) -> str:
    signal = signal_name(text)
    if signal is None:
        raise CommandError(f"{process.name}: Unknown signal '{text}'")
    return signal


def _split_signal(words: list[str]) -> tuple[str, list[str]]:
    """Take ``-9`` or ``-KILL`` out of the arguments; the first is ``TERM`` when there is none."""
    for place, word in enumerate(words):
        if word == "--":
            break
        signal = signal_name(word[1:]) if re.fullmatch(r"-(\d+|[A-Z][A-Z0-9]+)", word) else None
        if signal is not None:
            return signal, [*words[:place], *words[place + 1 :]]
    return "TERM", words


def _list_signals(process: Process) -> int:
    process.line(" ".join(f"{number} {name}" for name, number in NUMBERS.items()))
    return 0


@command("killall")
def killall(process: Process) -> int:
    """Signal every process of a program: ``killall [-iqv] [-SIGNAL|-s SIGNAL] NAME...``."""
    signal, words = _split_signal(list(process.arguments))
    options = read_options("killall", words, "liqv", "s")
    if "l" in options:
        return _list_signals(process)
    if "s" in options:
        signal = _required_signal(process, options.get("s"))
    if not options.operands:
        raise CommandError('killall: Needs 1 argument (see "killall --help")')
    status = 0
    for name in options.operands:
        failures = [send(process, target.pid, signal) for target in _named(process, name)] or [MISSING]
        for failed in filter(None, failures[-1:]):
            if "q" not in options:
                process.err(f"killall: {name}: {failed}")
            status = 1
    return status


# ---- searches ----------------------------------------------------------------------------------


@command("pidof")
def pidof(process: Process) -> int:
    """Print the ids of a program's processes: ``pidof [-s] [-o PID,...] [-x] NAME...``."""
    options = read_options("pidof", process.arguments, "sx", "o")
    omitted = options.get("o").split(",")
    pids = [
        str(target.pid)
        for name in options.operands
        for target in _named(process, name)
        if str(target.pid) not in omitted
    ]
    if not pids:
        return 1
    process.line(" ".join(pids[:1] if "s" in options else pids))
    return 0


def _named(process: Process, name: str) -> Iterator[_Target]:
    """The processes of a program, which may be named with its path."""
    short = name.rpartition("/")[2]
    return (target for target in _targets(process) if target.program == short)


@command("pgrep")
def pgrep(process: Process) -> int:
    """Print the ids of processes whose name, with ``-f`` whose command line, matches a pattern."""
    options = read_options("pgrep", process.arguments, "cflnovx", "dLUuPGgst")
    signal = signal_name(options.get("L")) if "L" in options else ""
    if signal is None:
        raise CommandError(f"pgrep: bad -L '{options.get('L')}'")
    found = _matching(process, options)
    if "c" in options:
        process.line(str(len(found)))
    for target in found:
        if signal:
            send(process, target.pid, signal)
        elif "c" not in options:
            name = target.command_line if "f" in options else target.comm
            process.out(f"{target.pid}{f' {name}' if 'l' in options else ''}{options.get('d', chr(10))}")
    if "d" in options:
        process.line()
    return 0 if found else 1


@command("pkill")
def pkill(process: Process) -> int:
    """Signal processes whose name, with ``-f`` whose command line, matches a pattern."""
    signal, words = _split_signal(list(process.arguments))
    options = read_options("pkill", words, "fnovx", "lUuPGgst")
    if "l" in options:
        signal = _required_signal(process, options.get("l"))
    found = _matching(process, options)
    status = 0 if found else 1
    for target in found:
        failed = send(process, target.pid, signal)
        if failed:
            process.err(f"pkill: {signal}->{target.pid}: {failed}")
            status = 1
    return status


def _matching(process: Process, options: CommandOptions) -> list[_Target]:
    """The processes that a pattern of ``pgrep`` selects, by process id."""
    owners = [name for letter in "Uu" for name in options.get(letter).split(",") if name]
    if not options.operands and ("x" in options or "f" in options or not owners):
        raise CommandError(f'{process.name}: No PATTERN (see "{process.name} --help")')
    try:
        patterns = [re.compile(pattern) for pattern in options.operands]
    except re.error:
        raise CommandError(f"{process.name}: bad regex '{options.operands[0]}'") from None

    def selected(target: _Target) -> bool:
        text = target.command_line if "f" in options else target.comm
        search = re.Pattern.fullmatch if "x" in options else re.Pattern.search
        matches = not patterns or any(search(pattern, text) for pattern in patterns)
        return (matches and (not owners or target.user in owners)) != ("v" in options)

    found = [target for target in _targets(process) if selected(target)]
    if "n" in options:
        return found[-1:]
    return found[:1] if "o" in options else found
