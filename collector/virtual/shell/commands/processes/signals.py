"""``kill``, ``killall`` and ``pkill``, and the searches of toybox: ``pgrep`` and ``pidof``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.proc import all_processes, app_processes
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_SIGNALS = {1: "HUP", 2: "INT", 3: "QUIT", 9: "KILL", 10: "USR1", 12: "USR2", 15: "TERM", 18: "CONT",
            19: "STOP", 20: "TSTP"}  # fmt: skip
_NUMBERS = {name: number for number, name in _SIGNALS.items()}
_STOPS, _CONTINUES = {"STOP", "TSTP"}, {"CONT"}
_ENDS = {"HUP", "INT", "QUIT", "KILL", "USR1", "USR2", "TERM"}
_CHECK = "0"
"""The signal that only asks whether a process exists."""
_COMM = 15
"""The kernel keeps this many characters of a name; of an app's, the last ones."""
_MISSING, _REFUSED = "No such process", "Operation not permitted"


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


def signal_name(text: str) -> str | None:
    """``9``, ``KILL`` or ``SIGKILL`` as ``KILL``; None for an unknown signal."""
    if text.isdecimal():
        return _CHECK if int(text) == 0 else _SIGNALS.get(int(text))
    name = text.upper().removeprefix("SIG")
    return name if name in _NUMBERS else None


def _required_signal(process: Process, text: str) -> str:
    signal = signal_name(text)
    if signal is None:
        raise CommandError(f"{process.name}: Unknown signal '{text}'")
    return signal


def _send(process: Process, pid: int, signal: str) -> str:
    """Signal a process; return why that failed, empty when it did not."""
    running = process.machine.processes.get(pid)
    if running is not None:
        if signal in _ENDS and not (pid == process.shell.pid and _trapped(process, signal)):
            running.interruption.set()
        return ""
    processes = process.machine.phone.services.processes
    package = processes.package_of(pid)
    if package and package == process.shell.owner:
        _signal_app(process, package, signal)
        return ""
    exists = any(pid == row[0] for row in all_processes(process.machine.phone, process.machine.processes))
    return _REFUSED if exists else _MISSING


def _trapped(process: Process, signal: str) -> bool:
    """Run what the calling shell's ``trap`` says of a signal; False when it says nothing."""
    text = process.shell.traps.get(signal)
    if text is None or signal == "KILL":
        return False
    if text:
        status = process.shell.status
        process.shell.evaluate(text, process.streams)
        process.shell.status = status
    return True


def _signal_app(process: Process, package: str, signal: str) -> None:
    """Signal an app as the app itself, which ``run-as`` allows."""
    processes = process.machine.phone.services.processes
    if signal in _STOPS:
        processes.stop(package)
    elif signal in _CONTINUES:
        processes.resume(package)
    elif signal in _ENDS:
        processes.kill(package)


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
    process.line(" ".join(f"{number} {name}" for number, name in _SIGNALS.items()))
    return 0


@command("kill")
def kill(process: Process) -> int:
    """Signal processes; signal 0 only checks that they exist."""
    words = list(process.arguments)
    if words[:1] == ["-l"] and words[1:]:
        for word in words[1:]:
            number = int(word) & 0x7F if word.isdecimal() else 0
            process.line(
                _SIGNALS.get(number, word) if word.isdecimal() else str(_NUMBERS.get(word.upper(), 0))
            )
        return 0
    if words[:1] == ["-l"]:
        return _list_signals(process)
    signal = "TERM"
    if words and words[0].startswith("-") and words[0] != "--":
        word = words.pop(0)[1:]
        word = words.pop(0) if word == "s" and words else word
        signal = signal_name(word) or ""
        if not signal:
            raise CommandError(f"/system/bin/sh: kill: bad signal '{word}'")
    status = 0
    for word in words:
        failed = _send(process, int(word), signal) if word.isdecimal() else _MISSING
        if failed:
            process.err(f"/system/bin/sh: kill: {word}: {failed}")
            status = 1
    return status


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
        failures = [_send(process, target.pid, signal) for target in _named(process, name)] or [_MISSING]
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
            _send(process, target.pid, signal)
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
        failed = _send(process, target.pid, signal)
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
