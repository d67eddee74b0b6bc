"""``top``: what the processes do, again and again."""

from __future__ import annotations

from collector.virtual.shell.commands.processes.process_columns import (
    Column,
    ProcessSample,
    columns,
    take_sample,
)
from collector.virtual.shell.kernel_files.cpu_usage import (
    CORES,
    CpuTime,
    MachineTime,
    machine_time,
    process_time,
)
from collector.virtual.shell.kernel_files.memory_usage import SWAP_KB, TOTAL_KB, system_memory
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.proc import ProcessRow, process_rows
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.terminal.terminal import Terminal

_USUAL = "PID,USER,PR,NI,VIRT,RES,SHR,S,%CPU,%MEM,TIME+,ARGS"
_DELAY_S = 3.0
_WIDTH = 80
_ENDLESS = -1
_QUIT = (b"q", b"Q", b"\x03", b"\x04", b"")
_HOME_AND_ERASE, _REVERSE, _NORMAL = "\x1b[H\x1b[J", "\x1b[7m", "\x1b[0m"


@command("top")
def top(process: Process) -> int:
    """Show processes by their use of the processor: ``-b`` to a file, ``-n`` times, ``-d`` seconds apart."""
    options = read_options("top", process.arguments, "bHq", "ndmopuskO")
    times = options.number("n", _ENDLESS, "top")
    if "n" in options and times < 1:
        raise CommandError(f"top: {times} < 1")
    delay = _seconds(options)
    listing = _Listing(process, options)
    terminal = process.stdout if isinstance(process.stdout, Terminal) and "b" not in options else None
    if terminal is None:
        while True:
            process.out(listing.text(_WIDTH if "b" not in options else 0))
            times -= 1
            if times == 0:
                return 0
            process.sleep(delay)
            process.line()
    with terminal.raw():
        while True:
            process.out(_HOME_AND_ERASE + listing.text(terminal.columns, terminal.rows, styled=True))
            times -= 1
            if times == 0:
                return 0
            if terminal.read_key(delay) in _QUIT or process.interruption.is_set:
                process.line()
                return 0


def _seconds(options: CommandOptions) -> float:
    text = options.get("d") or str(_DELAY_S)
    try:
        return max(0.0, float(text))
    except ValueError:
        raise CommandError(f"top: not integer: {text}") from None


class _Listing:
    """Pages of ``top``; from the second on they show what happened since the one before."""

    def __init__(self, process: Process, options: CommandOptions) -> None:
        self._process = process
        self._options = options
        names = options.get("o") or _USUAL + (f",{options.get('O')}" if "O" in options else "")
        self._columns = columns(process, names.upper())
        self._sorted_by = self._sort_column()
        self._machine: MachineTime | None = None
        self._before: tuple[int, dict[int, CpuTime]] | None = None

    def _sort_column(self) -> int:
        keys = [column.name for column in self._columns]
        wanted = self._options.get("k").lstrip("+-").upper() or "%CPU"
        number = self._options.get("s")
        if number.isdecimal() and 1 <= int(number) <= len(keys):
            return int(number) - 1
        return keys.index(wanted) if wanted in keys else -1

    def text(self, width: int, height: int = 0, *, styled: bool = False) -> str:
        """One page; ``width`` 0 cuts nothing, ``height`` 0 shows all processes."""
        phone = self._process.machine.phone
        now, rows = phone.clock.uptime_ns, self._rows()
        samples = [take_sample(self._process, row, now, self._before) for row in rows]
        lines = [] if "q" in self._options else self._summary(rows, now)
        self._before = (now, {row.pid: process_time(phone, row, now) for row in rows})
        title = self._title()
        body = [self._line(sample) for sample in self._ordered(samples)]
        most = self._options.number("m", len(body), "top")
        if height:
            most = min(most, max(1, height - len(lines) - 2))
        lines = [_cut(line, width) for line in lines]
        title = title[:width].ljust(width) if width else title
        shown = [f"{_REVERSE}{title}{_NORMAL}" if styled else title] if "q" not in self._options else []
        return "\n".join([*lines, *shown, *(_cut(line, width) for line in body[:most])]) + "\n"

    def _rows(self) -> list[ProcessRow]:
        machine = self._process.machine
        rows = process_rows(machine.phone, machine.processes)
        if "p" in self._options:
            rows = [row for row in rows if str(row.pid) in self._options.get("p").split(",")]
        if "u" in self._options:
            users = self._options.get("u").split(",")
            rows = [row for row in rows if row.user in users or str(row.uid) in users]
        return rows

    def _summary(self, rows: list[ProcessRow], now: int) -> list[str]:
        phone = self._process.machine.phone
        states = [row.state for row in rows]
        counts = ", ".join(
            f"{states.count(state):>3} {name}"
            for state, name in (("R", "running"), ("S", "sleeping"), ("T", "stopped"), ("Z", "zombie"))
        )
        everything = process_rows(phone, self._process.machine.processes)
        memory = system_memory(phone, everything)
        used = TOTAL_KB - memory.free
        lines = [
            f"Tasks: {len(rows)} total, {counts}",
            f"  Mem: {TOTAL_KB:>9}K total, {used:>9}K used, {memory.free:>9}K free, "
            f"{memory.buffers:>9}K buffers",
            f" Swap: {SWAP_KB:>9}K total, {0:>9}K used, {SWAP_KB:>9}K free, {memory.cached:>9}K cached",
        ]
        time = machine_time(phone, now)
        spent = time if self._machine is None else time - self._machine
        passed = max(1.0, (now - (self._before[0] if self._before else 0)) / 1e6)
        self._machine = time
        parts = {"user": spent.user, "nice": 0.0, "sys": spent.system, "iow": spent.iowait}
        parts |= {"irq": spent.irq, "sirq": spent.softirq, "host": 0.0}
        percent = {name: int(100 * value / passed) for name, value in parts.items()}
        percent["idle"] = 100 * CORES - sum(percent.values())
        order = ("user", "nice", "sys", "idle", "iow", "irq", "sirq", "host")
        cells = "".join(f"{percent[name]:>4}%{name}" for name in order)
        return [*lines, f"{100 * CORES}%cpu{cells}"]

    def _title(self) -> str:
        """The names of the columns; the one that sorts stands in brackets."""
        text = ""
        for number, column in enumerate(self._columns):
            opened, closed = number == self._sorted_by, number == self._sorted_by + 1
            gap = "[" if opened and number else "]" if closed and self._sorted_by >= 0 else " "
            text += (gap if number else "") + column.show(column.title)
        return text

    def _line(self, sample: ProcessSample) -> str:
        cells = [column.show(_short(column, column.value(sample))) for column in self._columns]
        return " ".join([*cells[:-1], cells[-1].rstrip()])

    def _ordered(self, samples: list[ProcessSample]) -> list[ProcessSample]:
        if self._sorted_by < 0:
            return sorted(samples, key=lambda sample: -sample.percent)
        column = self._columns[self._sorted_by]
        rising = self._options.get("k").startswith("+")

        def rank(sample: ProcessSample) -> tuple[float, str]:
            if column.name == "%CPU":
                return sample.percent, ""
            text = column.value(sample)
            try:
                return float(text), ""
            except ValueError:
                return 0.0, text

        return sorted(samples, key=rank, reverse=not rising)


def _short(column: Column, text: str) -> str:
    """A user's name is cut at its column, with a sign that more follows."""
    width = -column.width
    return f"{text[: width - 1]}+" if column.name == "USER" and len(text) > width else text


def _cut(line: str, width: int) -> str:
    return line if not width or len(line) <= width else f"{line[: width - 1]}+"
