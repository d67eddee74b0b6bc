"""``head``, ``tail``, ``wc``, ``sort`` and other filters over lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.kernel_files.endless_files import EndlessReader, endless_file
from collector.virtual.shell.options import CommandOptions, read_options
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


def _headed(process: Process, options: CommandOptions, names: list[str]) -> Iterator[tuple[str, LineReader]]:
    """Each input, below its name where there are several."""
    shows = ("v" in options or len(names) > 1) and "q" not in options
    for number, (name, lines) in enumerate(_inputs(process, names)):
        if shows:
            process.line(("\n" if number else "") + f"==> {name} <==")
        yield name, lines


@command("head")
def head(process: Process) -> int:
    """The first ten lines, or ``-n`` lines, or ``-c`` bytes."""
    options = read_options("head", _with_count(process.arguments), "qv", "nc")
    seen = 0
    if options.get("n").startswith("-"):
        raise CommandError('head: -n < 0 (see "head --help")')
    for name, lines in _headed(process, options, options.operands):
        seen += 1
        if "c" in options:
            left = options.number("c", 0, "head")
            read = endless_file(process.path(name)) or lines.read
            while left > 0 and (part := read(min(left, _BLOCK))):
                process.stdout.write(part)
                left -= len(part)
            continue
        count = options.number("n", 10, "head")
        for number, line in enumerate(lines, 1):
            if number > count:
                break
            process.stdout.write(line)
            if number == count:
                break
    return int(seen < len(options.operands))


@command("tail")
def tail(process: Process) -> int:
    """The last ten lines, or ``-n`` lines (from the start with ``+``), or ``-c`` bytes."""
    options = read_options("tail", _with_count(process.arguments), "fqv", "nc")
    seen = 0
    for _name, lines in _headed(process, options, options.operands):
        seen += 1
        rest = list(lines)
        letter = "c" if "c" in options else "n"
        parts = [bytes((byte,)) for byte in b"".join(rest)] if letter == "c" else rest
        count, is_from_start = options.number(letter, 10, "tail"), options.get(letter).startswith("+")
        shown = parts[max(0, count - 1) :] if is_from_start else parts[-abs(count) :] if count else []
        process.stdout.write(b"".join(shown))
    return int(seen < len(options.operands))


@command("wc")
def wc(process: Process) -> int:
    """Count lines, words and bytes; ``-m`` letters."""
    options = read_options("wc", process.arguments, "lwcm")
    letters = [letter for letter in "lwcm" if letter in options] or ["l", "w", "c"]
    names = options.operands
    width = 0 if len(letters) == 1 or len(names) == 1 else 7
    rows: list[list[int]] = []

    def show(row: list[int], name: str) -> None:
        label = f" {name}" if name else ""
        process.line(" ".join(f"{count:{width}}" if width else str(count) for count in row) + label)

    for name, lines in _inputs(process, names):
        data = b"".join(lines)
        text = data.decode("utf-8", "replace")
        counts = {
            "l": data.count(b"\n"),
            "w": len(data.split()),
            "c": len(data),
            "m": len(text),
        }
        rows.append([counts[letter] for letter in letters])
        show(rows[-1], name if names else "")
    if len(names) > 1:
        show([sum(column) for column in zip(*rows, strict=True)], "total")
    return int(len(rows) < len(names))


@command("uniq")
def uniq(process: Process) -> int:
    """Drop repeated lines; ``-c`` counts, ``-d`` and ``-u`` choose, the others say what is compared."""
    options = read_options("uniq", process.arguments, "cduiz", "fsw")
    fields, letters = options.number("f", 0, "uniq"), options.number("s", 0, "uniq")
    wide = options.number("w", 1 << 30, "uniq")

    def key(line: bytes) -> bytes:
        rest = re.sub(rb"\A(?:\s*\S+){0,%d}" % fields, b"", line) if fields else line
        rest = rest[letters : letters + wide]
        return rest.lower() if "i" in options else rest

    runs: list[tuple[bytes, int]] = []
    for line in read_lines(process, options.operands[:1]):
        content = line.rstrip(b"\n")
        if runs and key(runs[-1][0]) == key(content):
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((content, 1))
    chosen = [
        (b"%7d " % count if "c" in options else b"") + content + b"\n"
        for content, count in runs
        if not (("d" in options and count == 1) or ("u" in options and count > 1))
    ]
    if len(options.operands) > 1:
        process.machine.files.write(process.path(options.operands[1]), b"".join(chosen))
    else:
        process.stdout.write(b"".join(chosen))
    return 0


@command("tr")
def tr(process: Process) -> int:
    """Replace characters, or with ``-d`` delete them; ``-s`` leaves one of several, ``-c`` all but those."""
    options = read_options("tr", process.arguments, "dsc")
    sets = [_characters(word) for word in options.operands]
    if not sets:
        raise CommandError('tr: Needs 1 argument (see "tr --help")')
    text = process.input().decode("utf-8", "surrogateescape")
    first, squeezed = sets[0], sets[-1]
    inverted = "c" in options
    if "d" in options:
        text = "".join(letter for letter in text if (letter in first) == inverted)
        squeezed = sets[1] if len(sets) > 1 else ""
    elif len(sets) > 1 and sets[1]:
        if inverted:
            text = "".join(letter if letter in first else sets[1][-1] for letter in text)
        else:
            second = sets[1].ljust(len(first), sets[1][-1])
            table = {ord(letter): second[number] for number, letter in enumerate(first)}
            text = text.translate(table)
        inverted = False
    if "s" in options and squeezed:
        mark = "^" if inverted and len(sets) == 1 else ""
        text = re.sub(f"([{mark}{re.escape(squeezed)}])\\1+", r"\1", text)
    process.out(text)
    return 0


def _characters(text: str) -> str:
    from collector.virtual.shell.commands.builtins.printing import unescape

    text = (
        unescape(text)[0]
        .replace("[:upper:]", "A-Z")
        .replace("[:lower:]", "a-z")
        .replace("[:digit:]", "0-9")
        .replace("[:alpha:]", "A-Za-z")
        .replace("[:alnum:]", "A-Za-z0-9")
        .replace("[:space:]", " \t\n\r\f\v")
        .replace("[:blank:]", " \t")
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
