"""The columns of ``ps`` and ``top``: names, widths and values, as in toybox."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from collector.virtual.shell.kernel_files.cpu_usage import CpuTime, process_time
from collector.virtual.shell.kernel_files.memory_usage import (
    TOTAL_KB,
    ProcessMemory,
    human_size,
    process_memory,
)
from collector.virtual.shell.kernel_files.proc_files import priority
from collector.virtual.shell.proc import ProcessRow
from collector.virtual.shell.process import CommandError, Process


@dataclass(frozen=True, slots=True)
class ProcessSample:
    """A process with what it has used; ``percent`` of one core since the sample before, or ever."""

    row: ProcessRow
    memory: ProcessMemory
    time: CpuTime
    percent: float
    age_ns: int
    started: str
    """The phone's time when the process started, as HH:MM."""


def take_sample(
    process: Process, row: ProcessRow, at_ns: int, before: tuple[int, dict[int, CpuTime]] | None = None
) -> ProcessSample:
    """Sample a process; ``before`` holds the uptime and the CPU times of an earlier sample."""
    phone = process.machine.phone
    time, age = process_time(phone, row, at_ns), max(1, at_ns - row.started_ns)
    # A process of a moment ago has not used a whole second yet.
    spent, passed = time, max(age, 1_000_000_000)
    if before is not None and row.pid in before[1]:
        spent, passed = time - before[1][row.pid], max(1, at_ns - before[0])
    started = phone.clock.now - dt.timedelta(microseconds=age // 1000)
    return ProcessSample(
        row, process_memory(phone, row), time, spent.total * 1e8 / passed, age,
        f"{started:%H:%M}",
    )  # fmt: skip


def _clock(milliseconds: float, hundredths: bool) -> str:
    seconds = int(milliseconds / 1000)
    if hundredths:
        return f"{seconds // 60}:{seconds % 60:02}.{int(milliseconds / 10) % 100:02}"
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _elapsed(nanoseconds: int) -> str:
    seconds = nanoseconds // 1_000_000_000
    clock = f"{seconds // 60 % 60:02}:{seconds % 60:02}"
    return clock if seconds < 3600 else f"{seconds // 3600:02}:{clock}"


def _nice(sample: ProcessSample) -> str:
    return str(priority(sample.row) - 20)


def _label(sample: ProcessSample) -> str:
    row = sample.row
    domain = "untrusted_app" if row.package else "shell" if row.uid == 2000 else row.command
    return f"u:r:{domain}:s0"


Value = Callable[[ProcessSample], str]
_NAME: Value = lambda sample: sample.row.name  # noqa: E731
_ARGUMENTS: Value = lambda sample: " ".join(sample.row.arguments)  # noqa: E731
_PID: Value = lambda sample: str(sample.row.pid)  # noqa: E731

_COLUMNS: dict[str, tuple[int, Value]] = {
    "PID": (5, _PID),
    "TID": (5, _PID),
    "PGID": (5, _PID),
    "PPID": (5, lambda sample: str(sample.row.parent)),
    "USER": (-12, lambda sample: sample.row.user),
    "RUSER": (-12, lambda sample: sample.row.user),
    "GROUP": (-12, lambda sample: sample.row.user),
    "UID": (5, lambda sample: str(sample.row.uid)),
    "GID": (5, lambda sample: str(sample.row.uid)),
    "PR": (2, lambda sample: str(priority(sample.row))),
    "PRI": (3, lambda sample: str(39 - priority(sample.row))),
    "NI": (3, _nice),
    "VSZ": (10, lambda sample: str(sample.memory.virtual)),
    "RSS": (6, lambda sample: str(sample.memory.rss)),
    "VIRT": (4, lambda sample: human_size(sample.memory.virtual * 1024)),
    "RES": (4, lambda sample: human_size(sample.memory.rss * 1024)),
    "SHR": (4, lambda sample: human_size(1024 * (sample.memory.rss - sample.memory.sum("private_dirty")))),
    "SWAP": (4, lambda _sample: "0"),
    "WCHAN": (-16, lambda _sample: "0"),
    "ADDR": (4, lambda _sample: "0"),
    "S": (-1, lambda sample: sample.row.state),
    "STAT": (-5, lambda sample: sample.row.state),
    "PCY": (3, lambda sample: "bg" if sample.row.adjustment >= 700 else "fg"),
    "%CPU": (4, lambda sample: f"{sample.percent:.1f}"),
    "C": (1, lambda sample: str(int(sample.percent) % 100)),
    "%MEM": (5, lambda sample: f"{100 * sample.memory.rss / TOTAL_KB:.1f}"),
    "TIME+": (9, lambda sample: _clock(sample.time.total, hundredths=True)),
    "TIME": (8, lambda sample: _clock(sample.time.total, hundredths=False)),
    "ELAPSED": (11, lambda sample: _elapsed(sample.age_ns)),
    "STIME": (5, lambda sample: sample.started),
    "TTY": (-8, lambda sample: "pts/0" if sample.row.uid == 2000 else "?"),
    "LABEL": (-30, _label),
    "NAME": (-27, _NAME),
    "ARGS": (-27, _ARGUMENTS),
    "CMD": (-27, lambda sample: sample.row.command[-15:]),
    "COMM": (-27, lambda sample: sample.row.command[-15:]),
    "CMDLINE": (-27, _ARGUMENTS),
}
_ALIASES = {"ETIME": "ELAPSED", "CPU": "C", "PCPU": "%CPU", "PMEM": "%MEM", "VSIZE": "VSZ", "COMMAND": "CMD"}
_OWN_TITLES = {"PCPU": "%CPU", "PMEM": "%MEM"}


@dataclass(frozen=True, slots=True)
class Column:
    """A column as it was asked for: ``NAME=Title``, ``PID:8`` or a plain name."""

    name: str
    title: str
    width: int
    """Negative for text at the left."""

    def show(self, text: str) -> str:
        return f"{text:<{-self.width}}" if self.width < 0 else f"{text:>{self.width}}"

    def value(self, sample: ProcessSample) -> str:
        return _COLUMNS[self.name][1](sample)


def columns(process: Process, text: str) -> list[Column]:
    """The columns of ``-o``; CommandError with toybox's message for unknown ones."""
    parsed = []
    for word in text.replace(" ", ",").split(","):
        wanted, equals, title = word.partition("=")
        wanted, _colon, width = wanted.partition(":")
        name = _ALIASES.get(wanted.upper(), wanted.upper())
        if name not in _COLUMNS:
            raise CommandError(f"{process.name}: bad -o {wanted}@1")
        title = title if equals else _OWN_TITLES.get(wanted.upper(), wanted.upper())
        usual = _COLUMNS[name][0]
        size = int(width) if width.isdecimal() else max(abs(usual), len(title))
        parsed.append(Column(name, title, -size if usual < 0 else size))
    return parsed
