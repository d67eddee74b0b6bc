"""The guide of this checkout: its pages, where their links lead, and what a search finds."""

from __future__ import annotations

import re

import pytest

from collector.guide.contents import ADDRESS, LINK
from collector.guide.guide import CONTENTS, Guide, anchor_of, read_guide
from collector.guide.search import GuideIndex
from collector.model.resources import guide_folder
from tests.helpers.scripts import ROOT, script

guide_files = script("packaging", "guide_files")


@pytest.fixture(scope="module")
def guide() -> Guide:
    return read_guide(guide_folder())


@pytest.fixture(scope="module")
def index(guide: Guide) -> GuideIndex:
    return GuideIndex(guide)


def test_every_link_of_a_page_leads_to_a_page_a_heading_a_picture_or_an_address(guide: Guide) -> None:
    for page in guide.pages.values():
        for link in LINK.finditer(page.text):
            if ADDRESS.match(link["target"]):
                continue
            path, _anchor = page.target(link["target"])
            assert path in guide.pages or (guide.root / path).is_file(), (page.path, link[0])


def test_what_is_no_page_is_only_named_and_marks_of_the_generator_are_gone(guide: Guide) -> None:
    text = guide.pages["docs/architecture.md"].text
    assert "<!--" not in text
    contributing = guide.contents.text
    assert "Contributing" in contributing
    assert "CONTRIBUTING.md" not in contributing


def test_the_parts_are_those_of_the_contents_and_tutorials_of_the_language_are_first(guide: Guide) -> None:
    titles = [title for title, _pages in guide.parts]
    assert titles[:2] == ["Start", "Tutorials"]
    title, pages = read_guide(ROOT, "zh_CN").parts[0]
    assert title == "教程"
    assert all(page.startswith("docs/tutorials/zh/") for page in pages)


def test_a_link_has_a_page_and_a_heading(guide: Guide) -> None:
    page = guide.pages["docs/guide/recording.md"]
    assert page.target("#phones") == (page.path, "phones")
    assert page.target("../rules.md#keys") == ("docs/rules.md", "keys")
    assert anchor_of("`waymark run`: start") == "waymark-run-start"


def test_a_search_finds_sections_with_every_word_and_headings_first(index: GuideIndex) -> None:
    found = index.find("Redaction AUDIT")
    assert found
    assert found[0].section.page.path == "docs/guide/redaction.md"
    assert all("redaction" in hit.section.plain and "audit" in hit.section.plain for hit in found)
    assert index.find("  ") == []
    assert index.find("no-such-word-anywhere") == []


def test_an_excerpt_has_words_and_no_marks(index: GuideIndex) -> None:
    excerpts = [hit.excerpt for hit in index.find("waymark record")]
    assert any("record" in excerpt for excerpt in excerpts)
    assert not re.search(r"[`*]|\]\(", "".join(excerpts))


def test_what_is_shipped_is_a_whole_guide(tmp_path, guide: Guide) -> None:
    guide_files.copy(ROOT, tmp_path)
    shipped = read_guide(tmp_path)
    assert shipped.pages == guide.pages
    assert shipped.parts == guide.parts
    links = [(page, link) for page in shipped.pages.values() for link in LINK.finditer(page.text)]
    pictures = {page.target(link["target"])[0] for page, link in links if link["picture"]}
    assert pictures
    assert all((tmp_path / picture).is_file() for picture in pictures)
    assert CONTENTS in shipped.pages
