"""``fc``, ``history`` and ``r``: the lines typed at the prompt, as mksh lists and repeats them."""

from __future__ import annotations

from collector.virtual.shell.language.control_flow import NAME
from collector.virtual.shell.pipes import Streams
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_SHOWN = 16


@command("fc", "history", "r")
def fc(process: Process) -> int:
    """List lines with ``-l`` (``history``); run one again with ``-s`` or ``-e -`` (``r``)."""
    history = process.shell.history
    if history is None:
        raise CommandError(f"{NAME}: {process.name}: history functions not available")
    words = {"history": ["-l"], "r": ["-s"]}.get(process.name, []) + process.arguments
    flags = ""
    while words and words[0].startswith("-") and words[0][1:] and not words[0][1:].isdecimal():
        word = words.pop(0)
        if word == "-e":
            if words[:1] != ["-"]:
                raise CommandError(f"{NAME}: fc: no editor on this phone")
            words.pop(0)
            word = "-s"
        flags += word[1:]
    # The line that is running now is the newest and no part of what it lists.
    older = history[:-1]
    if "s" in flags:
        return _repeat(process, history, older, words)
    if "l" not in flags:
        raise CommandError(f"{NAME}: fc: no editor on this phone")
    first = _place(process, older, words[0]) if words else max(0, len(older) - _SHOWN)
    last = _place(process, older, words[1]) if len(words) > 1 else len(older) - 1
    if not older:
        raise CommandError(f"{NAME}: fc: no history (yet)")
    places = list(range(first, last + 1) if first <= last else range(first, last - 1, -1))
    for place in reversed(places) if "r" in flags else places:
        text = older[place].replace("\n", "\n\t")
        process.line(f"\t{text}" if "n" in flags else f"{place + 1}\t{text}")
    return 0


def _place(process: Process, history: list[str], word: str) -> int:
    """The index of a line: by number, by distance from the end, or by how it begins."""
    if word.lstrip("-").isdecimal():
        number = int(word)
        place = number - 1 if number > 0 else len(history) + (number or -1)
        return min(max(place, 0), max(0, len(history) - 1))
    for place in range(len(history) - 1, -1, -1):
        if history[place].startswith(word):
            return place
    raise CommandError(f"{NAME}: {process.name}: {word}: not in history")


def _repeat(process: Process, history: list[str], older: list[str], words: list[str]) -> int:
    """Print and run a line again, with ``OLD=NEW`` replaced; the history holds it instead of the call."""
    changes = [words.pop(0).partition("=")] if words and "=" in words[0] else []
    if not older:
        raise CommandError(f"{NAME}: {process.name}: no history (yet)")
    text = older[_place(process, older, words[0] if words else "-1")]
    for before, _equals, after in changes:
        if before not in text:
            raise CommandError(f"{NAME}: {process.name}: bad substitution")
        text = text.replace(before, after, 1)
    history[-1] = text
    process.line(text)
    return process.shell.run_text(text, Streams(process.stdin, process.stdout, process.stderr))
