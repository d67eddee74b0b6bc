"""Search the guide: sections that have every word, those with the words in their headings first."""

from __future__ import annotations

import re
from dataclasses import dataclass

from collector.guide.contents import LINK
from collector.guide.guide import Guide, GuidePage, anchor_of

_REASONS = ("CHANGELOG", "docs/decisions", "docs/architecture")
_MOST = 60
_AROUND = 60
"""Letters of an excerpt on each side of the first word that is found."""


@dataclass(frozen=True, slots=True)
class GuideSection:
    """A heading of a page, with the text up to the next one."""

    page: GuidePage
    heading: str
    text: str
    plain: str
    """Heading and text in small letters."""

    @property
    def anchor(self) -> str:
        """The name by which links lead to the heading."""
        return anchor_of(self.heading)


@dataclass(frozen=True, slots=True)
class GuideHit:
    """A section that was found."""

    section: GuideSection
    excerpt: str


class GuideIndex:
    """The sections of a guide, ready to be searched."""

    def __init__(self, guide: Guide) -> None:
        listed = [path for _title, paths in guide.parts for path in paths]
        others = [path for path in guide.pages if path not in {*listed, guide.contents.path}]
        self.sections = [part for path in (*listed, *others) for part in _sections(guide.pages[path])]

    def find(self, words: str) -> list[GuideHit]:
        """The sections that have all the words, the best first."""
        wanted = words.casefold().split()
        if not wanted:
            return []
        found = [part for part in self.sections if all(word in part.plain for word in wanted)]
        found.sort(key=lambda part: -_worth(part, wanted))
        return [GuideHit(part, _excerpt(part.text, wanted)) for part in found[:_MOST]]


def _sections(page: GuidePage) -> list[GuideSection]:
    found, heading, lines, is_code = [], page.title, list[str](), False
    for line in (*page.text.splitlines(), "# "):
        is_code ^= line.startswith("```")
        if not line.startswith("#") or is_code:
            lines.append(line)
            continue
        text = _plain(lines)
        if text or heading != page.title:
            found.append(GuideSection(page, heading, text, f"{heading} {text}".casefold()))
        heading, lines = line.lstrip("#").strip().replace("`", ""), []
    return found


def _plain(lines: list[str]) -> str:
    """The words of some lines of Markdown."""
    rows = (line for line in lines if not re.fullmatch(r"[\s|:-]+|```\w*", line))
    text = LINK.sub(lambda link: link["text"], " ".join(rows))
    return " ".join(re.sub(r"[`*|]|\[|\]\(#[^)]*\)|<br>", " ", text).split())


def _worth(part: GuideSection, wanted: list[str]) -> int:
    heading, title = part.heading.casefold(), part.page.title.casefold()
    in_heads = sum(20 * (word in heading) + 10 * (word in title) for word in wanted)
    # They say why, not how.
    is_why = part.page.path.startswith(_REASONS)
    return in_heads + min(9, sum(part.plain.count(word) for word in wanted)) - 100 * is_why


def _excerpt(text: str, wanted: list[str]) -> str:
    small = text.casefold()
    places = [place for word in wanted if (place := small.find(word)) >= 0]
    start = max(0, min(places, default=0) - _AROUND)
    start = text.find(" ", start) + 1 if start else 0
    return text[start : start + 2 * _AROUND]
