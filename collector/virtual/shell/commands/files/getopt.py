"""``getopt``: options of a script, in order and quoted for ``eval set --``."""

from __future__ import annotations

from dataclasses import dataclass, field

from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_TEST = 4


@dataclass(slots=True)
class _Wanted:
    """What a script knows: letters and long names, each with 0, 1 or 2 colons (2 is an optional value)."""

    name: str
    letters: dict[str, int]
    words: dict[str, int]
    single_dash: bool
    quoted: bool
    in_order: bool
    parts: list[str] = field(default_factory=list)
    operands: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def quote(self, text: str) -> str:
        if not self.quoted:
            return text
        return "'" + text.replace("'", "'\\''") + "'"


@command("getopt")
def getopt(process: Process) -> int:
    """``getopt OPTSTRING PARAMETERS``, or ``-o OPTSTRING [-l LONG,...] [-n NAME] -- PARAMETERS``."""
    words = process.arguments
    if words and not words[0].startswith("-"):
        wanted = _Wanted("getopt", _letters(words[0]), {}, False, False, words[0].startswith("+"))
        rest = words[1:]
    else:
        options = read_options("getopt", words, "aTu", "l:n:o:".replace(":", ""), until_operand=True)
        if "T" in options:
            return _TEST
        rest = options.operands
        text = options.get("o")
        if "o" not in options:
            if not rest:
                raise CommandError('getopt: Needs 1 argument (see "getopt --help")')
            text, rest = rest[0], rest[1:]
        wanted = _Wanted(
            options.get("n", "getopt"), _letters(text), _long(options.get("l")), "a" in options,
            "u" not in options, text.startswith("+"),
        )  # fmt: skip
    _sort(wanted, rest)
    for error in wanted.errors:
        process.err(f"{wanted.name}: {error}")
    process.line("".join(f" {part}" for part in (*wanted.parts, "--", *map(wanted.quote, wanted.operands))))
    return int(bool(wanted.errors))


def _letters(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    last = ""
    for letter in text.lstrip("+-"):
        if letter == ":" and last:
            found[last] += 1
        else:
            last, found[letter] = letter, 0
    return found


def _long(text: str) -> dict[str, int]:
    names = [name for name in text.replace(" ", ",").split(",") if name]
    return {name.rstrip(":"): len(name) - len(name.rstrip(":")) for name in names}


def _sort(wanted: _Wanted, words: list[str]) -> None:
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            wanted.operands += rest
            return
        if word.startswith("--") or (wanted.single_dash and word.startswith("-") and len(word) > 2):
            _take_word(wanted, word.lstrip("-"), rest)
        elif word.startswith("-") and len(word) > 1:
            _take_letters(wanted, word[1:], rest)
        else:
            wanted.operands.append(word)
            if wanted.in_order:
                wanted.operands += rest
                return


def _take_word(wanted: _Wanted, word: str, rest: list[str]) -> None:
    """A long name, which may be shortened."""
    given, equals, value = word.partition("=")
    fits = [name for name in wanted.words if name.startswith(given)]
    name = given if given in wanted.words else fits[0] if len(fits) == 1 else ""
    if not name:
        wanted.errors.append(f"ambiguous option -- {given}" if fits else f"unknown option -- {given}")
        return
    colons = wanted.words[name]
    if equals and not colons:
        wanted.errors.append(f"option doesn't take an argument -- {name}")
        return
    if colons == 1 and not equals:
        if not rest:
            wanted.errors.append(f"option requires an argument -- {name}")
            return
        value = rest.pop(0)
    wanted.parts.append(f"--{name}")
    if colons:
        wanted.parts.append(wanted.quote(value))


def _take_letters(wanted: _Wanted, letters: str, rest: list[str]) -> None:
    while letters:
        letter, letters = letters[0], letters[1:]
        colons = wanted.letters.get(letter)
        if colons is None:
            wanted.errors.append(f"unknown option -- {letter}")
            continue
        if colons == 1 and not letters and not rest:
            wanted.errors.append(f"option requires an argument -- {letter}")
            return
        wanted.parts.append(f"-{letter}")
        if colons:
            value = letters or (rest.pop(0) if colons == 1 else "")
            wanted.parts.append(wanted.quote(value))
            return
