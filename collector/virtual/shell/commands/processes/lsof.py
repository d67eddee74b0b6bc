"""``lsof``: the open files of processes; those of other users are refused, as on a user build."""

from __future__ import annotations

from collector.virtual.shell.options import read_options
from collector.virtual.shell.proc import SHELL_UID, ProcessRow, process_rows
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_HEAD = "COMMAND     PID       USER   FD      TYPE             DEVICE  SIZE/OFF       NODE NAME"
_LINKS = {"cwd": "cwd", "rtd": "root", "txt": "exe"}
_STREAMS = ("pipe:[40961]", "pipe:[40962]", "pipe:[40963]")
_FIRST_NODE = 40961


@command("lsof")
def lsof(process: Process) -> int:
    """``lsof [-lt] [-p PID,...] [NAME...]``, as toybox prints it."""
    options = read_options("lsof", process.arguments, "lt", "p")
    rows = process_rows(process.machine.phone, process.machine.processes)
    if "p" in options:
        wanted = options.given["p"].split(",")
        if unknown := [word for word in wanted if not word.isdecimal()]:
            raise CommandError(f"lsof: bad -p '{unknown[0]}'")
        rows = [row for row in rows if str(row.pid) in wanted]
    names = options.operands
    if "t" in options:
        process.out("".join(f"{row.pid}\n" for row in rows if not names or _opened(process, row, names)))
        return 0
    process.line(_HEAD)
    for row in rows:
        for line in _lines(process, row):
            if not names or line.endswith(tuple(f" {name}" for name in names)):
                process.line(line)
    return 0


def _opened(process: Process, row: ProcessRow, names: list[str]) -> bool:
    return any(line.endswith(f" {name}") for line in _lines(process, row) for name in names)


def _lines(process: Process, row: ProcessRow) -> list[str]:
    """The files of one process."""
    owner = str(row.uid) if "-l" in process.arguments else row.user
    head = f"{row.command[:9]:<9} {row.pid:>5} {owner:>10}"
    if row.uid != SHELL_UID:
        refused = [
            f"{head} {name:>4}   {'unknown':>7} {'':>18} {'':>9} {'':>10} /proc/{row.pid}/{link} "
            "(readlink: Permission denied)"
            for name, link in _LINKS.items()
        ]
        return [
            *refused,
            f"{head} NOFD   {'unknown':>7} {'':>18} {'':>9} {'':>10} "
            f"/proc/{row.pid}/fd (opendir: Permission denied)",
        ]
    place = process.shell.directory
    paths = {"cwd": ("DIR", place), "rtd": ("DIR", "/"), "txt": ("REG", f"/system/bin/{row.command}")}
    lines = [
        f"{head} {name:>4}   {kind:>7} {'254,0':>18} {4096:>9} {7 + number:>10} {path}"
        for number, (name, (kind, path)) in enumerate(paths.items())
    ]
    return lines + [
        f"{head} {number:>4}{'r' if number == 0 else 'w'}  {'FIFO':>7} {'0,12':>18} {'0t0':>9} "
        f"{_FIRST_NODE + number:>10} {name}"
        for number, name in enumerate(_STREAMS)
    ]
