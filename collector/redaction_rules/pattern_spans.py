"""Find where a text has a pattern, in bounded time."""

from __future__ import annotations

from collector.rules.grammar.patterns import compile_pattern
from collector.store.redaction.text_forms import merged


def pattern_spans(pattern: str, text: str) -> list[tuple[int, int]]:
    """Where ``text`` has the pattern, as start and end. A match lies on one line.

    A line that is too long to be searched in a few milliseconds is searched in pieces that overlap by half:
    of a match that is longer than a piece every part is found.
    """
    compiled = compile_pattern(pattern)
    piece = max(2, compiled.longest)
    found: list[tuple[int, int]] = []
    begin = 0
    for line in text.splitlines(keepends=True):
        for start in range(0, max(1, len(line) - piece // 2), max(1, piece // 2)):
            matches = compiled.compiled.finditer(line[start : start + piece])
            at = begin + start
            found += ((at + match.start(), at + match.end()) for match in matches if match.group())
        begin += len(line)
    return merged(found)


def pattern_words(pattern: str, text: str) -> list[str]:
    """The parts of ``text`` that match the pattern."""
    return [text[start:stop].strip() for start, stop in pattern_spans(pattern, text)]
