"""``patch``: apply a unified diff to files, as toybox does."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_NOTHING = "/dev/null"
_FUZZ = 2
"""Lines around a change that may differ."""


@dataclass(slots=True)
class _Hunk:
    old_line: int
    new_line: int
    lines: list[str] = field(default_factory=list)
    """Each begins with a space, ``-`` or ``+``."""

    def side(self, sign: str) -> list[str]:
        """What is expected (``-``), or stands there afterwards (``+``)."""
        return [line[1:] for line in self.lines if line[:1] in (" ", sign)]

    def applied(self, lines: list[str], place: int) -> list[str]:
        """What stands there afterwards; an unchanged line is that of the file, which may differ a little."""
        result, at = [], place
        for line in self.lines:
            if line[0] == "+":
                result.append(line[1:])
                continue
            if line[0] == " ":
                result.append(lines[at])
            at += 1
        return result

    @property
    def context(self) -> tuple[int, int]:
        """Unchanged lines before and after the change."""
        marks = "".join(line[:1] for line in self.lines)
        return len(marks) - len(marks.lstrip(" ")), len(marks) - len(marks.rstrip(" "))


@dataclass(slots=True)
class _FileDiff:
    old: str
    new: str
    hunks: list[_Hunk] = field(default_factory=list)


class _HunkError(Exception):
    """A hunk does not fit; the text says which."""


@command("patch")
def patch(process: Process) -> int:
    """``patch [-Rls] [-d DIR] [-i PATCH] [-p DEPTH] [--dry-run] [FILE [PATCH]]``."""
    options = read_options("patch", process.arguments, "Rlsux", "dipF")
    words, folder = options.operands, process.shell.directory
    if options.get("d"):
        folder = process.path(options.get("d"))
        if not process.machine.files.exists(folder):
            raise CommandError(f"patch: chdir '{options.get('d')}': No such file or directory")
    source = options.get("i") or (words[1] if len(words) > 1 else "")
    try:
        data = process.machine.files.read(_below(folder, source)) if source else process.input()
    except OSError as error:
        raise CommandError(f"patch: {source}: {reason(error)}") from None
    status = 0
    for diff in _read(data.decode("utf-8", "surrogateescape"), is_reversed="R" in options):
        name = words[0] if words else _name(diff, options)
        try:
            _apply(process, options, diff, name, folder)
        except _HunkError as error:
            process.err(str(error))
            status = 1
    return status


def _below(folder: str, name: str) -> str:
    return name if name.startswith("/") else f"{folder.rstrip('/')}/{name}"


def _read(text: str, *, is_reversed: bool) -> list[_FileDiff]:
    diffs: list[_FileDiff] = []
    lines, place = text.splitlines(), 0
    while place < len(lines):
        line = lines[place]
        place += 1
        if line.startswith("--- ") and place < len(lines) and lines[place].startswith("+++ "):
            names = [found[4:].partition("\t")[0].strip() for found in (line, lines[place])]
            diffs.append(_FileDiff(*(reversed(names) if is_reversed else names)))
            place += 1
        elif diffs and (match := _HUNK.match(line)):
            hunk = _Hunk(*((int(match[3]), int(match[1])) if is_reversed else (int(match[1]), int(match[3]))))
            old, new = (int(size if size is not None else 1) for size in (match[2], match[4]))
            while place < len(lines) and (old > 0 or new > 0):
                found = lines[place] or " "
                place += 1
                old -= found[0] in " -"
                new -= found[0] in " +"
                if found[0] != "\\":
                    sign = {"-": "+", "+": "-"}.get(found[0], found[0]) if is_reversed else found[0]
                    hunk.lines.append(sign + found[1:])
            diffs[-1].hunks.append(hunk)
    return diffs


def _name(diff: _FileDiff, options: CommandOptions) -> str:
    """The file that is changed; all folders before its name are left out without ``-p``."""
    name = diff.old if diff.new == _NOTHING else diff.new
    parts = [part for part in name.split("/") if part]
    depth = options.number("p", len(parts), "patch")
    return "/".join(parts[depth:] if depth < len(parts) else parts[-1:])


def _apply(process: Process, options: CommandOptions, diff: _FileDiff, name: str, folder: str) -> None:
    files, path = process.machine.files, _below(folder, name)
    makes, removes = diff.old == _NOTHING, diff.new == _NOTHING
    if "s" not in options:
        process.line(f"{'creating' if makes else 'removing' if removes else 'patching'} {name}")
    try:
        text = "" if makes else files.read(path).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise CommandError(f"patch: {name}: {reason(error)}") from None
    lines, start, fuzz = text.splitlines(), 0, options.number("F", _FUZZ, "patch")
    for number, hunk in enumerate(diff.hunks, 1):
        place = _place(lines, hunk, start, fuzz, is_loose="l" in options)
        if place is None:
            shown = "\n".join((f"Hunk {number} FAILED {hunk.old_line}/{hunk.new_line}.", *hunk.lines))
            raise _HunkError(shown)
        new = hunk.applied(lines, place)
        lines[place : place + len(hunk.side("-"))] = new
        start = place + len(new)
    if "--dry-run" in options:
        return
    if removes:
        files.remove(path)
        return
    if makes:
        files.make_directory(path.rpartition("/")[0], parents=True)
    files.write(path, "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))


def _place(lines: list[str], hunk: _Hunk, start: int, fuzz: int, *, is_loose: bool) -> int | None:
    """Where a hunk fits. Fewer lines of context on one side mean that the file begins or ends there."""
    before, after = hunk.context
    wanted = hunk.side("-")
    last = len(lines) - len(wanted)
    places = range(start, last + 1)
    if before < after:
        places = range(start, min(start, last) + 1) if start == 0 else range(0)
    if after < before:
        places = range(last, last + 1) if last >= start else range(0)

    def same(one: str) -> str:
        return re.sub(r"\s+", " ", one.strip()) if is_loose else one

    inner = range(before, len(wanted) - after)
    expected = [same(line) for line in wanted]
    for place in places:
        differ = [at for at, line in enumerate(expected) if same(lines[place + at]) != line]
        if len(differ) <= fuzz and not any(at in inner for at in differ):
            return place
    return None
