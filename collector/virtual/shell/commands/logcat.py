"""``logcat`` and ``log``: the phone's log in the formats tools read."""

from __future__ import annotations

import datetime as dt
import re
import threading
from collections.abc import Callable

from collector.virtual.shell.commands.logcat_binary import binary_layout
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.proc import process_rows
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.system.phone_state.logcat import CRASH, EVENTS, MAIN, PRIORITIES, SYSTEM, LogLine

Shows = Callable[[LogLine], bool]
Layout = Callable[[LogLine], str]
Write = Callable[[LogLine], None]

_SILENCE_POLL_S = 0.1
"""Seconds between two checks whether a silenced log may continue."""
_FORMATS = frozenset({"brief", "long", "process", "raw", "tag", "thread", "threadtime", "time"})
_MODIFIERS = frozenset(
    {"color", "descriptive", "epoch", "monotonic", "printable", "uid", "usec", "UTC", "year", "zone"}
)
_BUFFERS = (MAIN, SYSTEM, CRASH)
_EMPTY_BUFFERS = frozenset(("kernel", "radio", "security", "stats"))
_SYSTEM_UID = 1000


_USAGE = """Usage: logcat [options] [filterspecs]

General options:
  -b, --buffer=<buffer>       Request alternate ring buffer(s): main, system, crash, default, all
  -c, --clear                 Clear the log and exit
  -d                          Dump the log and then exit (don't block)
  -e, --regex=<expr>          Only print lines where the log message matches <expr>
  --pid=<pid>                 Only print logs from the given pid
  -t <count or time>          Print only the most recent lines, and exit
  -T <count or time>          Print the most recent lines, and follow
  -g, --buffer-size           Get the size of the ring buffers
  -B, --binary                Output the log in binary
  -S, --statistics            Output statistics
  -v, --format=<format>       Set the format: brief, long, process, raw, tag, thread, threadtime, time
  -s                          Set the default filter to silent

Filterspecs are <tag>[:priority], with V, D, I, W, E, F or S (silent).
"""


@command("log")
def log(process: Process) -> int:
    """Write to the log: ``-p`` priority, ``-t`` tag."""
    options = read_options("log", process.arguments, "", "pt")
    priority = (options.get("p") or "i")[0].upper()
    text = " ".join(options.operands)
    process.machine.phone.log(priority, options.get("t") or "log", text, process.pid)
    return 0


@command("logcat")
def logcat(process: Process) -> int:
    """Print the log and follow it; ``-d`` stops at the end, ``-c`` clears it."""
    options = read_options("logcat", _with_one_format(process.arguments), "dcCgsSDLnBp", "vbtTefmrGP")
    answer = _without_lines(process, options)
    if answer is not None:
        return answer
    while "silent-logcat" in process.machine.faults:
        process.sleep(_SILENCE_POLL_S)
    write = _writer(process, options.get("v"), binary="B" in options)
    accepts = _filters(options.operands, silent="s" in options)
    pattern = re.compile(options.get("e")) if options.get("e") else None
    pid = int(options.get("--pid") or 0)
    buffers = _chosen_buffers(options.get("b") or "default")

    def shows(line: LogLine) -> bool:
        return (
            accepts(line)
            and line.buffer in buffers
            and (not pid or line.pid == pid)
            and (pattern is None or bool(pattern.search(line.text)))
        )

    lines = [line for line in process.machine.phone.logcat.read() if shows(line)]
    last = options.get("t") or options.get("T")
    if last:
        lines = lines[-int(last) :] if last.isdecimal() else _since(lines, last)
    for line in lines:
        write(line)
    if "d" in options or "t" in options:
        return 0
    return _follow(process, lines[-1].number if lines else 0, shows, write)


def _without_lines(process: Process, options: CommandOptions) -> int | None:
    """Do what prints no lines of the log; None for a call that prints them."""
    if "c" in options or "--clear" in options:
        process.machine.phone.logcat.clear()
        return 0
    if "g" in options:
        for buffer in _BUFFERS:
            process.line(
                f"{buffer}: ring buffer is 256 KiB (16 KiB consumed, 256 KiB readable), max entry is 5120 B, "
                "max payload is 4068 B"
            )
        return 0
    if "G" in options or ("--buffer-size" in options and options.get("--buffer-size")):
        return _resize(options.get("G") or options.get("--buffer-size"))
    if "p" in options or "P" in options:
        return _prune(process, options.get("P"))
    if "L" in options:
        raise CommandError("logcat: Logcat read failure: No such file or directory")
    if "--help" in options:
        process.out(_USAGE)
        return 0
    if "S" in options or "--statistics" in options:
        _print_statistics(process)
        return 0
    return None


def _resize(size: str) -> int:
    """``-G SIZE[KMG]``: the phone keeps what it keeps; a size that cannot be read is refused."""
    if not re.fullmatch(r"\d+[BKMGbkmg]?", size):
        raise CommandError(f"logcat: Invalid parameter '{size}' to -G")
    return 0


def _prune(process: Process, rules: str) -> int:
    """``-p`` prints whose lines go first when a buffer is full; ``-P`` sets it."""
    if not rules:
        process.line("\n")
    return 0


def _chosen_buffers(text: str) -> set[str]:
    """The buffers that ``-b`` names. Raises CommandError for one that there is not."""
    chosen: set[str] = set()
    for name in text.split(","):
        if name in ("default", "all"):
            chosen.update(_BUFFERS if name == "default" else (*_BUFFERS, EVENTS))
        elif name in (*_BUFFERS, EVENTS, *_EMPTY_BUFFERS):
            chosen.add(name)
        else:
            raise CommandError(f"logcat: Unknown buffer '{name}'")
    return chosen


def _with_one_format(words: list[str]) -> list[str]:
    """The arguments with the words of every ``-v`` and ``--format=`` in one: each adds to the others."""
    formats, others = [], []
    rest = iter(words)
    for word in rest:
        if word == "-v":
            formats.append(next(rest, ""))
        elif word.startswith(("-v", "--format=")):
            formats.append(word.removeprefix("--format=").removeprefix("-v"))
        else:
            others.append(word)
    return [*(["-v", ",".join(formats)] if formats else []), *others]


_OVERHEAD = 39
"""Bytes that the log daemon needs for a line besides its text."""


def _print_statistics(process: Process) -> None:
    """Print the sizes of the buffers, and who wrote most, as ``-S``."""
    log_ = process.machine.phone.logcat
    lines, written = log_.read(), log_.written
    groups = [[line for line in lines if line.buffer == buffer] for buffer in _BUFFERS]
    groups.append(lines)
    totals = [written.get(buffer, (0, 0)) for buffer in _BUFFERS]
    totals.append((sum(size for size, _lines in totals), sum(count for _size, count in totals)))
    table = [
        ["size/num", *_BUFFERS, "Total"],
        ["Total", *(f"{size}/{count}" for size, count in totals)],
        ["Now", *(f"{_size(group)}/{len(group)}" for group in groups)],
        ["Logspan", *(_span(group) for group in groups)],
        ["Overhead", *(str(_size(group) + _OVERHEAD * len(group)) if group else "" for group in groups)],
    ]
    for name, *cells in table:
        process.line(f"{name:<9}{''.join(f'{cell:<19}' for cell in cells)}".rstrip())
    rows = process_rows(process.machine.phone, process.machine.processes)
    users = {row.pid: (row.uid, "system" if row.uid == _SYSTEM_UID else row.name) for row in rows}
    for buffer, group in zip(_BUFFERS, groups[:-1], strict=True):
        if group:
            process.out(
                f"\n\n{f'Chattiest UIDs in {buffer} log buffer:':<61}Size   +/-  Pruned\n"
                f"{'UID   PACKAGE':<60}BYTES           NUM\n"
            )
        sizes: dict[tuple[int, str], int] = {}
        for line in group:
            user = users.get(line.pid, (2000, "shell"))
            sizes[user] = sizes.get(user, 0) + _size([line])
        for (uid, name), size in sorted(sizes.items(), key=lambda item: -item[1]):
            process.line(f"{uid:<5} {name:<50.50} {size:>8}")


def _size(lines: list[LogLine]) -> int:
    return sum(len(line.text.encode()) for line in lines)


def _span(lines: list[LogLine]) -> str:
    """Seconds from the first to the last line."""
    return f"{(lines[-1].time - lines[0].time).total_seconds():.3f}" if lines else ""


def _since(lines: list[LogLine], text: str) -> list[LogLine]:
    match = re.search(r"(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{3})", text)
    if match is None:
        raise CommandError(f'logcat: -t "{text}" not in time format')
    since = tuple(map(int, match.groups()))
    return [line for line in lines if _moment(line.time) >= since]


def _moment(time: dt.datetime) -> tuple[int, ...]:
    return (time.month, time.day, time.hour, time.minute, time.second, time.microsecond // 1000)


def _writer(process: Process, text: str, *, binary: bool) -> Write:
    """The function that prints a line in a format of ``-v``, or as a record."""
    layout = _layout(text)
    encode = binary_layout(process.machine.phone)
    begun: set[str] = set()

    def write(line: LogLine) -> None:
        if line.buffer not in begun:
            begun.add(line.buffer)
            process.line(f"--------- beginning of {line.buffer}")
        process.line(layout(line))

    def write_record(line: LogLine) -> None:
        process.stdout.write(encode(line))

    return write_record if binary else write


def _follow(process: Process, after: int, shows: Shows, write: Write) -> int:
    stop = threading.Event()
    process.interruption.on_set(stop.set)
    for line in process.machine.phone.logcat.follow(after, stop):
        if shows(line):
            write(line)
    process.sleep(0)
    return 0


def _filters(expressions: list[str], *, silent: bool) -> Shows:
    """Combine ``TAG:W`` and ``*:S`` into one predicate for lines."""
    levels: dict[str, int] = {}
    for expression in expressions:
        tag, colon, letter = expression.rpartition(":")
        if not colon:
            tag, letter = expression, "V"
        letter = letter[:1].upper() or "V"
        levels[tag] = len(PRIORITIES) if letter == "S" else max(0, PRIORITIES.find(letter))
    default = levels.pop("*", len(PRIORITIES) if silent else 0)
    return lambda line: PRIORITIES.index(line.priority) >= levels.get(line.tag, default)


def _layout(text: str) -> Layout:
    words = text.replace(",", " ").split()
    unknown = [word for word in words if word not in _FORMATS | _MODIFIERS]
    if unknown:
        raise CommandError(f'logcat: Invalid parameter "{unknown[0]}" to -v')
    name = next((word for word in words if word in _FORMATS), "threadtime")
    year = "%Y-" if "year" in words else ""

    def show(line: LogLine) -> str:
        seconds = f"{line.time:{year}%m-%d %H:%M:%S}"
        if "epoch" in words:
            seconds = f"{line.time.replace(tzinfo=dt.UTC, microsecond=0).timestamp():13.0f}"
        stamp = f"{seconds}.{line.time.microsecond // 1000:03d}"
        return {
            "brief": f"{line.priority}/{line.tag:<8}({line.pid:5}): {line.text}",
            "long": f"[ {stamp} {line.pid:5}:{line.tid:5} {line.priority}/{line.tag:<8} ]\n{line.text}\n",
            "process": f"{line.priority}({line.pid:5}) {line.text}  ({line.tag})",
            "raw": line.text,
            "tag": f"{line.priority}/{line.tag:<8}: {line.text}",
            "thread": f"{line.priority}({line.pid:5}:{line.tid:5}) {line.text}",
            "threadtime": f"{stamp} {line.pid:5} {line.tid:5} {line.priority} {line.tag:<8}: {line.text}",
            "time": f"{stamp} {line.priority}/{line.tag:<8}({line.pid:5}): {line.text}",
        }[name]

    return show
