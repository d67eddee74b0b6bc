"""How soon processes run, and what they have: ``renice``, ``iorenice``, ``prlimit``, ``pwdx``, ``pmap``."""

from __future__ import annotations

import re

from collector.virtual.shell.options import read_options
from collector.virtual.shell.proc import SHELL_UID, ProcessRow, process_rows
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_CLASSES = ("none", "rt", "be", "idle")
_NOT_PERMITTED, _DENIED = "Operation not permitted", "Permission denied"


def _rows(process: Process) -> dict[str, ProcessRow]:
    rows = process_rows(process.machine.phone, process.machine.processes)
    return {str(row.pid): row for row in rows}


def _whole(command_name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise CommandError(f"{command_name}: not integer: {text}") from None


@command("renice")
def renice(process: Process) -> int:
    """Let processes run later: ``renice -n INCREMENT PID...``; sooner, and those of others, is denied."""
    options = read_options("renice", process.arguments, "gpu", "n")
    if not options.operands:
        raise CommandError('renice: Needs 1 argument (see "renice --help")')
    if "n" not in options:
        raise CommandError('renice: Needs -n (see "renice --help")')
    increment, rows, status = _whole("renice", options.get("n")), _rows(process), 0
    for word in options.operands:
        if not word.isdecimal() or int(word) == 0:
            process.err(f"renice: bad '{word}'")
        elif word not in rows:
            process.err(f"renice: getpriority {word}: No such process")
        elif rows[word].uid != SHELL_UID or increment < 0:
            refused = _NOT_PERMITTED if rows[word].uid != SHELL_UID else _DENIED
            process.err(f"renice: setpriority {word}: {refused}")
        else:
            continue
        status = 1
    return status


@command("iorenice")
def iorenice(process: Process) -> int:
    """Print or set when a process may read and write: ``iorenice PID [CLASS] [PRIORITY]``."""
    words = process.arguments
    if not words:
        raise CommandError('iorenice: Needs 1 argument (see "iorenice --help")')
    row = _rows(process).get(words[0])
    if row is None:
        raise CommandError("iorenice: read priority: No such process")
    if len(words) == 1:
        process.line(f"Pid {row.pid}, class none (0), prio 0")
        return 0
    name = words[1]
    if name not in _CLASSES:
        _whole("iorenice", name)
        raise CommandError("iorenice: set: Invalid argument")
    if len(words) > 2:
        _whole("iorenice", words[2])
    if row.uid != SHELL_UID or name == "rt":
        raise CommandError(f"iorenice: set: {_NOT_PERMITTED}")
    return 0


@command("pwdx")
def pwdx(process: Process) -> int:
    """Print the folders in which processes work; those of others are denied."""
    if not process.arguments:
        raise CommandError('pwdx: Needs 1 argument (see "pwdx --help")')
    rows, status = _rows(process), 0
    for word in process.arguments:
        row = rows.get(word)
        if row is not None and row.uid == SHELL_UID:
            process.line(f"{word}: {process.shell.directory}")
            continue
        process.line(f"{word}: {'No such file or directory' if row is None else _DENIED}")
        status = 1
    return status


@command("pmap")
def pmap(process: Process) -> int:
    """Print what a process has in memory; the maps of every process are denied to the shell."""
    words = read_options("pmap", process.arguments, "pqx").operands
    if not words:
        raise CommandError('pmap: Needs 1 argument (see "pmap --help")')
    rows = _rows(process)
    for word in words:
        row = rows.get(word)
        if row is None:
            process.err(f"pmap: no /proc/{word}/cmdline")
            continue
        process.line(f"{word}: {row.command}")
        process.err(f"pmap: no /proc/{word}/maps")
    return 1


@command("prlimit")
def prlimit(process: Process) -> int:
    """Print or set a limit of the shell, as ``ulimit`` does."""
    words = list(process.arguments)
    if "-P" in words:
        place = words.index("-P")
        row = _rows(process).get("".join(words[place + 1 : place + 2]))
        if row is None or row.uid != SHELL_UID:
            refused = "No such process" if row is None else _NOT_PERMITTED
            raise CommandError(f"prlimit: prlimit: {refused}")
        del words[place : place + 2]
    return process.shell.execute(["ulimit", *words], process.streams, process.environment)


@command("nice", "ionice", "taskset", "chrt", "uclampset")
def with_priority(process: Process) -> int:
    """Run a command, as it would run without; ``-p`` prints what a process has."""
    words, named = list(process.arguments), ""
    takes_value = {"nice": ("-n",), "ionice": ("-c", "-n", "-p"), "uclampset": ("-m", "-M", "-p")}
    mine = takes_value.get(process.name, ("-p",))
    while words and words[0].startswith("-"):
        word = words.pop(0)
        if process.name == "chrt" and word == "-m":
            return _print_policies(process)
        if word in mine and words:
            value = words.pop(0)
            named = value if word == "-p" else named
        elif word == "-p":
            refusal = "Needs 1 argument" if process.name == "taskset" else "Missing argument to -p"
            raise CommandError(f'{process.name}: {refusal} (see "{process.name} --help")')
    if named:
        return _print_priority(process, named)
    if not words and process.name != "nice":
        raise CommandError(_WANTS[process.name])
    if process.name == "taskset" and not re.fullmatch("(0x)?[0-9a-fA-F]+", words[0]):
        raise CommandError(f"taskset: bad mask '{words[0]}'")
    if process.name in ("taskset", "chrt"):
        words.pop(0)
    return process.shell.execute(words, process.streams, process.environment) if words else 0


_WANTS = {
    "ionice": "ionice: Need -p or COMMAND",
    "taskset": 'taskset: Needs 1 argument (see "taskset --help")',
    "chrt": 'chrt: no PRIORITY (see "chrt --help")',
    "uclampset": "uclampset: Need -p PID or CMD [ARG...]",
}
_POLICIES = (("OTHER", "0/0"), ("FIFO", "1/99"), ("RR", "1/99"), ("BATCH", "0/0"), ("IDLE", "0/0"))


def _print_policies(process: Process) -> int:
    for name, span in _POLICIES:
        process.line(f"SCHED_{name} min/max priority\t: {span}")
    return 0


def _print_priority(process: Process, text: str) -> int:
    """What a running process has: the usual of everything."""
    pid = _whole(process.name, text)
    row = _rows(process).get(str(pid))
    if row is None:
        missing = {
            "taskset": f"failed to get pid {pid}'s affinity",
            "chrt": f"pid {pid}",
            "uclampset": "sched_getattr",
        }.get(process.name, "read priority")
        raise CommandError(f"{process.name}: {missing}: No such process")
    if process.name == "ionice":
        process.line("unknown: prio 0")
    elif process.name == "taskset":
        process.line(f"pid {pid}'s current affinity mask: ff")
    elif process.name == "chrt":
        process.line(f"pid {pid}'s current scheduling policy: SCHED_OTHER")
        process.line(f"pid {pid}'s current scheduling priority: 0")
    else:
        process.line(f"{row.command} ({pid}) util_clamp: min: 0 max: 1024")
    return 0
