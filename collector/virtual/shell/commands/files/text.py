"""``head``, ``tail``, ``wc``, ``sort`` and other filters over lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.kernel_files.endless_files import EndlessReader, endless_file
from collector.virtual.shell.options import read_options
from collector.virtual.shell.pipes import BytesReader, LineReader
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.process_table import Interrupted
from collector.virtual.shell.registry import command

_BLOCK = 1 << 16


def _inputs(process: Process, names: list[str]) -> Iterator[tuple[str, LineReader]]:
    """The lines of each named file, or of stdin; unreadable files are reported on stderr."""
    for name in names or ["-"]:
        if name == "-":
            yield "(standard input)", LineReader(process.stdin)
            continue
        try:
            path = process.path(name)
            endless = endless_file(path)
            yield (
                name,
                LineReader(
                    EndlessReader(endless) if endless else BytesReader(process.machine.files.read(path))
                ),
            )
        except OSError as error:
            process.err(f"{process.name}: {name}: {reason(error)}")


def read_lines(process: Process, names: list[str]) -> list[bytes]:
    """The lines of all named files, or of stdin, with their line ends."""
    return [line for _name, lines in _inputs(process, names) for line in lines]


def _with_count(arguments: list[str]) -> list[str]:
    """Rewrite ``-5`` to ``-n 5``."""
    return [f"-n{word[1:]}" if re.fullmatch(r"-\d+", word) else word for word in arguments]


@command("head")
def head(process: Process) -> int:
    """The first ten lines, or ``-n`` lines, or ``-c`` bytes."""
    options = read_options("head", _with_count(process.arguments), "qv", "nc")
    for name, lines in _inputs(process, options.operands):
        if "c" in options:
            left = options.number("c", 0, "head")
            read = endless_file(process.path(name)) or lines.read
            while left > 0 and (part := read(min(left, _BLOCK))):
                process.stdout.write(part)
                left -= len(part)
            continue
        for number, line in enumerate(lines, 1):
            process.stdout.write(line)
            if number >= options.number("n", 10, "head"):
                break
    return 0


@command("tail")
def tail(process: Process) -> int:
    """The last ten lines, or ``-n`` lines (from the start with ``+``), or ``-c`` bytes."""
    options = read_options("tail", _with_count(process.arguments), "fqv", "nc")
    for _name, lines in _inputs(process, options.operands):
        rest = list(lines)
        if "c" in options:
            process.stdout.write(b"".join(rest)[-options.number("c", 0, "tail") :])
        elif options.get("n").startswith("+"):
            process.stdout.write(b"".join(rest[options.number("n", 1, "tail") - 1 :]))
        else:
            count = options.number("n", 10, "tail")
            process.stdout.write(b"".join(rest[-count:] if count else []))
    return 0


@command("wc")
def wc(process: Process) -> int:
    """Count lines, words and bytes."""
    options = read_options("wc", process.arguments, "lwcm")
    letters = [letter for letter in "lwcm" if letter in options] or ["l", "w", "c"]
    rows: list[list[int]] = []
    for name, lines in _inputs(process, options.operands):
        data = b"".join(lines)
        counts = {"l": data.count(b"\n"), "w": len(data.split()), "c": len(data)}
        counts["m"] = len(data.decode("utf-8", "replace"))
        rows.append([counts[letter] for letter in letters])
        label = f" {name}" if options.operands else ""
        process.line(" ".join(str(counts[letter]) for letter in letters) + label)
    if len(rows) > 1:
        process.line(" ".join(str(sum(column)) for column in zip(*rows, strict=True)) + " total")
    return 0


@command("sort")
def sort(process: Process) -> int:
    """Sort lines: ``-n`` numerically, ``-r`` in reverse, ``-u`` without duplicates."""
    options = read_options("sort", process.arguments, "nrufgbdiV", "kto")
    lines = [line.rstrip(b"\n") for line in read_lines(process, options.operands)]

    def key(line: bytes) -> tuple[float, bytes]:
        column = re.match(r"\d+", options.get("k"))
        fields = line.split(options.get("t").encode() or None)
        text = fields[int(column[0]) - 1] if column and 0 < int(column[0]) <= len(fields) else line
        number = re.match(rb"\s*(-?\d+(?:\.\d+)?)", text) if "n" in options or "g" in options else None
        return (float(number[1]) if number else 0.0, text.lower() if "f" in options else text)

    lines.sort(key=key, reverse="r" in options)
    for line in dict.fromkeys(lines) if "u" in options else lines:
        process.stdout.write(line + b"\n")
    return 0


@command("uniq")
def uniq(process: Process) -> int:
    """Drop repeated lines; ``-c`` counts them."""
    options = read_options("uniq", process.arguments, "cdui")
    runs: list[tuple[bytes, int]] = []
    for line in read_lines(process, options.operands):
        content = line.rstrip(b"\n")
        if runs and runs[-1][0] == content:
            runs[-1] = (content, runs[-1][1] + 1)
        else:
            runs.append((content, 1))
    for content, count in runs:
        if ("d" in options and count == 1) or ("u" in options and count > 1):
            continue
        process.stdout.write((b"%7d " % count if "c" in options else b"") + content + b"\n")
    return 0


@command("cut")
def cut(process: Process) -> int:
    """Print selected fields (``-d`` ``-f``) or characters (``-c``) of each line."""
    options = read_options("cut", process.arguments, "sn", "dfcb")
    ranges = _ranges(options.get("f") or options.get("c") or options.get("b"))
    delimiter = (options.get("d") or "\t").encode()
    for line in read_lines(process, options.operands):
        content = line.rstrip(b"\n")
        if "f" not in options:
            text = content.decode("utf-8", "surrogateescape")
            chosen = "".join(line for number, line in enumerate(text, 1) if ranges(number))
            process.line(chosen)
        elif delimiter in content:
            fields = content.split(delimiter)
            process.stdout.write(
                delimiter.join(field for number, field in enumerate(fields, 1) if ranges(number)) + b"\n"
            )
        elif "s" not in options:
            process.stdout.write(content + b"\n")
    return 0


def _ranges(text: str) -> Callable[[int], bool]:
    spans: list[tuple[int, float]] = []
    for piece in text.split(","):
        first, dash, last = piece.partition("-")
        if not (first or last) or not (first + last).isdecimal():
            raise CommandError(f"cut: bad list '{text}'")
        spans.append((int(first or 1), float(last or "inf") if dash else int(first)))
    return lambda number: any(first <= number <= last for first, last in spans)


@command("tr")
def tr(process: Process) -> int:
    """Replace characters, or with ``-d`` delete them."""
    options = read_options("tr", process.arguments, "dsc")
    sets = [_characters(word) for word in options.operands]
    if not sets:
        raise CommandError('tr: Needs 1 argument (see "tr --help")')
    text = process.input().decode("utf-8", "surrogateescape")
    if "d" in options:
        process.out(text.translate({ord(letter): None for letter in sets[0]}))
    elif len(sets) > 1 and sets[1]:
        second = sets[1].ljust(len(sets[0]), sets[1][-1])
        process.out(text.translate({ord(letter): second[number] for number, letter in enumerate(sets[0])}))
    else:
        process.out(re.sub(f"([{re.escape(sets[0])}])\\1+", r"\1", text) if "s" in options else text)
    return 0


def _characters(text: str) -> str:
    from collector.virtual.shell.commands.builtins.printing import unescape

    text = (
        unescape(text)[0].replace("[:upper:]", "A-Z").replace("[:lower:]", "a-z").replace("[:digit:]", "0-9")
    )
    return re.sub(r"(.)-(.)", lambda match: "".join(map(chr, range(ord(match[1]), ord(match[2]) + 1))), text)


@command("xargs")
def xargs(process: Process) -> int:
    """Run a command with stdin as arguments."""
    from collector.virtual.shell.pipes import NullPipe, Streams

    options = read_options("xargs", process.arguments, "0rt", "nI")
    words = process.input().decode("utf-8", "surrogateescape").split()
    argv = options.operands or ["echo"]
    streams = Streams(NullPipe(), process.stdout, process.stderr)
    if "I" in options:
        status = 0
        for word in words:
            arguments = [part.replace(options.get("I"), word) for part in argv]
            status |= process.shell.execute(arguments, streams, process.environment)
        return status
    size = max(1, options.number("n", len(words) or 1, "xargs"))
    status = 0
    for start in range(0, len(words), size):
        code = process.shell.execute([*argv, *words[start : start + size]], streams, process.environment)
        status = 123 if code and len(words) > size else code
    return status


@command("yes")
def yes(process: Process) -> int:
    """Print a line without end."""
    line = (" ".join(process.arguments) or "y").encode("utf-8", "surrogateescape") + b"\n"
    while not process.interruption.is_set:
        process.stdout.write(line * 256)
    raise Interrupted
