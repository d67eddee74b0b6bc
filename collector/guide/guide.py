"""Read the guide: all pages with their titles, and the parts in which they stand."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from pathlib import Path

from collector.guide.contents import ADDRESS, LINK, parts

CONTENTS = "docs/README.md"
_TUTORIALS = "docs/tutorials/"
_OF_THE_GENERATOR = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_AT_TOP = ("SECURITY.md", "CHANGELOG.md")
_PICTURES = (".png", ".webp")


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page, named by its path in the checkout, as ``docs/guide/recording.md``."""

    path: str
    title: str
    text: str
    """Markdown. What it links is a page, a picture or an address; anything else is only named."""

    def target(self, link: str) -> tuple[str, str]:
        """The page and the heading that a link of this page leads to."""
        path, _, anchor = link.partition("#")
        return (resolved(self.path, path) if path else self.path), anchor


@dataclass(frozen=True, slots=True)
class Guide:
    """All pages of the guide."""

    root: Path
    """The folder that the paths of pages and pictures are in."""
    pages: Mapping[str, GuidePage]
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    """The headings of the contents, each with the paths of its pages."""

    @property
    def contents(self) -> GuidePage:
        """The first page."""
        return self.pages[CONTENTS]


def resolved(page: str, target: str) -> str:
    """The path that a link of a page leads to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), target))


def anchor_of(heading: str) -> str:
    """The name by which links lead to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def read_guide(root: Path, language: str = "en") -> Guide:
    """Read every page below ``root``. Tutorials in the language of the person come first, others last."""
    files = [root / name for name in _AT_TOP] + sorted((root / "docs").rglob("*.md"))
    there = [file for file in files if file.is_file()]
    texts = {file.relative_to(root).as_posix(): file.read_text(encoding="utf-8") for file in there}
    pages = {path: _page(path, text, texts.keys(), root) for path, text in texts.items()}
    of_contents = []
    for title, linked in parts(texts.get(CONTENTS, "")):
        paths = tuple(path for target in linked if (path := resolved(CONTENTS, target)) in pages)
        if paths:
            of_contents.append((title, paths))
    of_contents.sort(key=lambda part: _rank(part[1][0], language))
    return Guide(root, pages, tuple(of_contents))


def _rank(page: str, language: str) -> int:
    """Where a part stands, by its first page."""
    folder = posixpath.dirname(page.removeprefix(_TUTORIALS))
    if not page.startswith(_TUTORIALS) or not folder:
        return 1
    return 0 if language.startswith(folder) else 2


def _page(path: str, text: str, pages: Container[str], root: Path) -> GuidePage:
    def shown(link: re.Match[str]) -> str:
        target = resolved(path, link["target"])
        is_picture = target.endswith(_PICTURES) and (root / target).is_file()
        if ADDRESS.match(link["target"]) or target in pages or is_picture:
            return link[0]
        return link["text"]

    text = LINK.sub(shown, _OF_THE_GENERATOR.sub("", text))
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    return GuidePage(path, title[1].replace("`", "") if title else path, text)
