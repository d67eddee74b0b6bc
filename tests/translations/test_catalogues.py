"""Every text a person reads has its translation, with the same placeholders.

That the catalogues are so is a check of its own: ``packaging/translations.py check``.
"""

from __future__ import annotations

import gettext

import pytest
from babel.messages import Catalog

from tests.helpers.scripts import script

translations = script("packaging", "translations")


@pytest.mark.parametrize("language", translations.LANGUAGES)
def test_the_product_can_load_the_catalogue(language: str) -> None:
    loaded = gettext.translation("waymark", translations.FOLDER, languages=[language])
    assert loaded.info()["language"] == language


@pytest.mark.parametrize(("source", "found"), [
    ('_("Tap")', ["Tap"]),
    ('f"{_(\'Tap\')}: {step}"', ["Tap"]),
    ('_("Tap "\n  "here")', ["Tap here"]),
    ('_("Tap {name}", name=_("a node"))', ["Tap {name}", "a node"]),
    ('ngettext("{count} step", "{count} steps", len(steps), task=task)', [("{count} step", "{count} steps")]),
    ('N_("Tap")', ["Tap"]),
    ('_(GROUPS["shortcuts"])', []),
    ('show("Tap")', []),
])  # fmt: skip
def test_marked_texts_are_found_wherever_they_stand(source: str, found: list[str | tuple[str, str]]) -> None:
    assert sorted(str(text) for _line, text in translations.marked_texts(source)) == sorted(map(str, found))


def errors_of(source: str | tuple[str, str], translation: str | tuple[str, ...], **more: bool) -> list[str]:
    catalogue = Catalog(locale="zh_CN")
    catalogue.add(source, translation, flags=("fuzzy",) if more.get("fuzzy") else ())
    return [error.what for error in translations.errors("zh_CN", catalogue)]


def test_a_missing_translation_is_a_problem() -> None:
    assert errors_of("Tap", "") == ["untranslated"]


def test_a_guess_is_a_problem() -> None:
    assert errors_of("Tap", "点击", fuzzy=True) == ["marked fuzzy"]


@pytest.mark.parametrize("translation", ["点击 {nmae}", "点击", "点击 {name", "{name} {more}"])
def test_other_placeholders_are_a_problem(translation: str) -> None:
    assert errors_of("Tap {name}", translation) == ["placeholders differ"]


def test_a_plural_may_leave_out_the_count() -> None:
    assert errors_of(("one step", "{count} steps"), ("{count} 个步骤",)) == []
    assert errors_of(("{count} step", "{count} steps"), ("{count} 个步骤",)) == []


def test_translations_keep_their_place_when_sources_change() -> None:
    source = Catalog()
    source.add("Tap", None, [("a.py", 1)])
    catalogue = translations.merged("zh_CN", source)
    assert [message.id for message in catalogue if message.id] == ["Tap"]
    assert not catalogue.obsolete
