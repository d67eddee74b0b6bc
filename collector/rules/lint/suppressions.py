"""Read comments that suppress diagnostics: ``# waymark: ignore W403`` on a line or the line above it.

A name does as well as a code, and several are parted by commas. ``# waymark: ignore-file W206`` holds
for the whole file. That a text is no YAML cannot be silenced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from collector.located_yaml.codes import CODES, diagnostic
from collector.located_yaml.diagnostics import Diagnostic, Place, QuickFix, TextEdit
from collector.located_yaml.nearest_word import nearest
from collector.located_yaml.source import YamlSource
from collector.model.i18n import _
from collector.rules.lint.rule_text import walk

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
    scalars = (
        [node.place for node in walk(source.root) if node.kind == "scalar"]
        if comments and source.root
        else []
    )
    codes = {spec.code: spec.code for spec in CODES.values()} | {
        spec.name: spec.code for spec in CODES.values()
    }
    for comment in comments:
        if any(place.start < comment.start() < place.end for place in scalars):
            continue
        words = list(_WORD.finditer(text, comment.start(2), comment.end(2)))
        unsuppressed = {codes[word[0]] for word in words if word[0] in codes}
        suppressions.unknown += [_unknown(word, text, codes) for word in words if word[0] not in codes]
        if comment[1] == "ignore-file":
            suppressions.everywhere |= unsuppressed
        else:
            suppressions.by_line.setdefault(_line_meant(text, comment.start()), set()).update(unsuppressed)
    return suppressions


def unsuppressed(diagnostics: Iterable[Diagnostic], source: YamlSource) -> list[Diagnostic]:
    """``diagnostics`` without the suppressed ones, and with those on the comments themselves."""
    suppressions = suppressions_of(source)
    return [shown for shown in diagnostics if not suppressions.hides(shown)] + suppressions.unknown


def _line_meant(text: str, at: int) -> int:
    """The line a comment is about: its own, or the next line with content when it is alone on its line."""
    lines = text.split("\n")
    line = text.count("\n", 0, at)
    start = text.rfind("\n", 0, at) + 1
    if not text[start:at].strip():
        while line < len(lines) - 1 and (not lines[line].strip() or lines[line].lstrip().startswith("#")):
            line += 1
    return line + 1


def _unknown(word: re.Match[str], text: str, codes: Iterable[str]) -> Diagnostic:
    line = text.count("\n", 0, word.start())
    column = word.start() - (text.rfind("\n", 0, word.start()) + 1)
    place = Place(word.start(), word.end(), line + 1, column + 1)
    better = nearest(word[0], codes)
    edit = TextEdit(word.start(), word.end(), better)
    fixes = (QuickFix(_("Change to {word}", word=better), (edit,)),) if better else ()
    return diagnostic("unknown-silence", place, _("There is no finding {word}", word=word[0]), fixes=fixes)
