"""What Sphinx gets: every page in the navigation, and no link that leads out of the site by accident."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from tests.helpers.offenders import offenders
from tests.helpers.scripts import ROOT, script

build_site = script("packaging", "build_site")
CONTENTS = """# Contents

## First

- [One](guide/one.md#a-heading), [its picture](images/one.png), [One again](guide/one.md), [Two](../TWO.md)

## Second

- [One](guide/one.md), [Three](three.md)
"""


def test_headings_and_links_of_the_contents_are_the_navigation() -> None:
    first, second = build_site.parts(CONTENTS)
    assert first == ("First", ["guide/one.md", "../TWO.md"])
    assert second == ("Second", ["three.md"])


def test_every_page_is_in_the_navigation() -> None:
    contents = build_site.CONTENTS
    linked = {
        (contents.parent / page).resolve()
        for _, pages in build_site.parts(contents.read_text(encoding="utf-8"))
        for page in pages
    }
    decisions = {page for page in build_site.pages() if page.parent == build_site.DECISIONS.parent}
    below = {*decisions - {build_site.DECISIONS}, contents, ROOT / "README.md"}
    assert {page.relative_to(ROOT) for page in build_site.pages() if page not in linked | below} == set()


@pytest.mark.parametrize(
    ("target", "there"),
    [
        ("https://example.com/a", True),
        ("guide/devices.md", True),
        ("../SECURITY.md", True),
        ("images/studio.png", True),
        ("schema", False),
        ("../packaging/build_site.py", False),
        ("guide/no-such-page.md", False),
    ],
)
def test_only_pages_files_of_docs_and_addresses_are_linked(target: str, there: bool) -> None:
    assert build_site.is_part(ROOT / "docs" / "README.md", target) == there


def test_what_is_no_part_of_the_site_is_only_named(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("See [the source](code.py#L3) and [us](https://example.com/a#b).\n", encoding="utf-8")
    assert build_site.text_of(page) == "See the source and [us](https://example.com/a#b).\n"


def test_the_first_page_has_the_whole_navigation() -> None:
    text = build_site.text_of(ROOT / "README.md")
    assert ":caption: Reference" in text
    assert "\ndocs/guide/settings.md\n" in text
    assert "\nSECURITY.md\n" in text


def check_headings(page: Path) -> None:
    """A heading that is two levels below the one before it is a warning of Sphinx, and so an error."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    levels = [len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_headings_go_down_by_one_level() -> None:
    assert offenders(check_headings, build_site.pages(), lambda page: page.name) == []
