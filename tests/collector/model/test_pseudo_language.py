"""Languages made of the English texts: longer, in brackets, with every field as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.model import i18n
from collector.model.pseudo_language import ACCENTED, CLOSING, MIRRORED, OPENING, accented


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    i18n.use_language("en", Path())


@pytest.mark.parametrize(
    "text", ["Tap", "Open project...", " s", "{count} steps in {place:.0f}", "Files of &type:"]
)
def test_a_text_is_longer_in_brackets_and_keeps_its_fields(text: str) -> None:
    said = accented(text)
    assert said.count(OPENING) == said.count(CLOSING) == 1
    assert len(said) >= 1.2 * len(text.strip())
    assert all(field in said for field in ("{count}", "{place:.0f}", "&t") if field in text)
    assert said[: len(said) - len(said.lstrip())] == text[: len(text) - len(text.lstrip())]


@pytest.mark.parametrize("text", [", ", "{archive}: {what}", "{percent} %"])
def test_what_only_joins_others_stays(text: str) -> None:
    assert accented(text) == text


def test_patterns_of_files_stay_and_plurals_are_chosen() -> None:
    assert "(*.png)" in accented("Picture (*.png)")
    assert i18n.use_language(ACCENTED, Path())
    one, many = (i18n.ngettext("{count} step", "{count} steps", count) for count in (1, 2))
    assert (one.count("1"), many.count("2")) == (1, 1)
    assert len(one) < len(many)
    assert i18n.is_translated("Tap")


def test_the_mirrored_one_is_read_from_the_right() -> None:
    assert i18n.use_language(MIRRORED, Path())
    assert i18n._("Tap").startswith("\N{RIGHT-TO-LEFT MARK}")
    assert accented("Tap") in i18n._("Tap")
