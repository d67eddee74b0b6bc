"""``ps``: the phone's processes."""

from __future__ import annotations

from collector.virtual.shell.commands.processes.process_columns import (
    Column,
    ProcessSample,
    columns,
    take_sample,
)
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.proc import ProcessRow, process_rows
from collector.virtual.shell.process import Process
from collector.virtual.shell.registry import command

_USUAL = "USER,PID,PPID,VSZ,RSS,WCHAN,ADDR,S,NAME"
_FULL = "USER=UID,PID,PPID,C,STIME,TTY,TIME,ARGS=CMD"
_LONG = "S,UID,PID,PPID,C,PRI,NI,ADDR,VSZ=SZ,WCHAN,TTY,TIME,CMD"


@command("ps")
def ps(process: Process) -> int:
    """List processes: ``-A`` all, ``-p`` by id, ``-u`` by user, ``-o`` selected columns, ``-k`` sorted."""
    options = read_options("ps", process.arguments, "AeadfTZlwMn", "opOukUtGg")
    selected = columns(process, _chosen(options))
    now = process.machine.phone.clock.uptime_ns
    rows = process_rows(process.machine.phone, process.machine.processes)
    samples = [take_sample(process, row, now) for row in rows if _wanted(row, options)]
    for key in reversed(options.get("k").split(",") if options.get("k") else []):
        samples = _sorted(process, samples, key)
    _print(process, selected, samples, padded="o" not in options)
    return 0 if samples or "p" not in options else 1


def _chosen(options: CommandOptions) -> str:
    names = options.get("o") or (_FULL if "f" in options else _LONG if "l" in options else _USUAL)
    if "T" in options and "o" not in options:
        names = names.replace("PID,", "PID,TID,", 1)
    if "Z" in options:
        names = f"LABEL,{names}"
    return f"{names},{options.get('O')}" if "O" in options else names


def _wanted(row: ProcessRow, options: CommandOptions) -> bool:
    if "p" in options:
        return str(row.pid) in options.get("p").split(",")
    users = options.get("u") or options.get("U")
    if users:
        return bool({row.user, str(row.uid)} & set(users.split(",")))
    # Unlike toybox, plain `ps` lists all: tools of older phones ask so.
    return "A" in options or "e" in options or not options.given or row.user == "shell"


def _sorted(process: Process, samples: list[ProcessSample], key: str) -> list[ProcessSample]:
    (column,) = columns(process, key.lstrip("+-"))

    def rank(sample: ProcessSample) -> tuple[float, str]:
        text = column.value(sample)
        try:
            return float(text), ""
        except ValueError:
            return 0.0, text

    return sorted(samples, key=rank, reverse=key.startswith("-"))


def _print(process: Process, selected: list[Column], samples: list[ProcessSample], *, padded: bool) -> None:
    """Print a table; the last column of a row is not padded."""
    if any(column.title for column in selected):
        heads = [column.show(column.title) for column in selected]
        heads[-1] = heads[-1] if padded else heads[-1].rstrip()
        process.line(" ".join(heads))
    for sample in samples:
        cells = [column.show(column.value(sample)) for column in selected]
        process.line(" ".join([*cells[:-1], cells[-1].rstrip()]))
