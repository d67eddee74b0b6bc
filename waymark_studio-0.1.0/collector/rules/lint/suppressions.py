"""Read comments that suppress diagnostics: ``# waymark: ignore W403`` on a line or the line above it.

A name does as well as a code, and several are parted by commas. ``# waymark: ignore-file W206`` holds
for the whole file. That a text is no YAML cannot be silenced.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from collector.located_yaml.codes import CODES, diagnostic
from collector.located_yaml.diagnostics import Diagnostic, QuickFix, TextEdit
from collector.located_yaml.line_index import LineIndex
from collector.located_yaml.nearest_word import nearest
from collector.located_yaml.source import YamlSource
from collector.model.i18n import _
from collector.rules.grammar.rule_text import walk

_COMMENT = re.compile(r"(?:^|(?<=\s))#[ \t]*waymark:[ \t]*(ignore-file|ignore)\b([^\n#]*)", re.MULTILINE)
_WORD = re.compile(r"[^\s,]+")
_NEVER = "W101"


@dataclass(slots=True)
class Suppressions:
    """Codes that are suppressed in one file: everywhere, and by line."""

    everywhere: set[str] = field(default_factory=set)
    by_line: dict[int, set[str]] = field(default_factory=dict)
    unknown: list[Diagnostic] = field(default_factory=list)

    def hides(self, diagnosed: Diagnostic) -> bool:
        here = self.by_line.get(diagnosed.place.line, ())
        return diagnosed.code != _NEVER and (diagnosed.code in self.everywhere or diagnosed.code in here)


def suppressions_of(source: YamlSource) -> Suppressions:
    """The codes that the comments of a text suppress."""
    text, suppressions = source.text, Suppressions()
    comments = list(_COMMENT.finditer(text))
    if not comments:
        return suppressions
    lines = _Lines(text)
    inside = _within(source, [comment.start() for comment in comments])
    codes = {spec.code: spec.code for spec in CODES.values()} | {
        spec.name: spec.code for spec in CODES.values()
    }
    for comment in comments:
        if comment.start() in inside:
            continue
        words = list(_WORD.finditer(text, comment.start(2), comment.end(2)))
        unsuppressed = {codes[word[0]] for word in words if word[0] in codes}
        suppressions.unknown += [_unknown(word, lines.index, codes) for word in words if word[0] not in codes]
        if comment[1] == "ignore-file":
            suppressions.everywhere |= unsuppressed
        else:
            suppressions.by_line.setdefault(lines.meant(comment.start()), set()).update(unsuppressed)
    return suppressions


def unsuppressed(diagnostics: Iterable[Diagnostic], source: YamlSource) -> list[Diagnostic]:
    """``diagnostics`` without the suppressed ones, and with those on the comments themselves."""
    suppressions = suppressions_of(source)
    return [shown for shown in diagnostics if not suppressions.hides(shown)] + suppressions.unknown


def _within(source: YamlSource, starts: Sequence[int]) -> set[int]:
    """Those of ``starts``, in ascending order, that lie inside a scalar and so begin no comment."""
    inside: set[int] = set()
    for node in walk(source.root) if source.root is not None else ():
        if node.kind == "scalar":
            first = bisect_right(starts, node.place.start)
            inside.update(starts[first : bisect_left(starts, node.place.end)])
    return inside


class _Lines:
    """The lines of a text, and which of them a comment is about."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.index = LineIndex(text)
        lines = re.split(r"\r\n?|\n", text)
        meant = len(lines)
        self._meant = [meant] * len(lines)
        """For each line, the number of the next one with content, or of the last when there is none."""
        for at in range(len(lines) - 1, -1, -1):
            line = lines[at].lstrip()
            if line and not line.startswith("#"):
                meant = at + 1
            self._meant[at] = meant

    def meant(self, at: int) -> int:
        """The line a comment is about: its own, or the next one with content when it is alone on its line."""
        place = self.index.place(at, at)
        is_alone = not self._text[at - place.column + 1 : at].strip()
        return self._meant[place.line - 1] if is_alone else place.line


def _unknown(word: re.Match[str], lines: LineIndex, codes: Collection[str]) -> Diagnostic:
    place = lines.place(word.start(), word.end())
    better = nearest(word[0], codes)
    edit = TextEdit(word.start(), word.end(), better)
    fixes = (QuickFix(_("Change to {word}", word=better), (edit,)),) if better else ()
    return diagnostic("unknown-silence", place, _("There is no finding {word}", word=word[0]), fixes=fixes)
