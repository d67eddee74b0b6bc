"""Every text a person reads has its translation, with the same placeholders."""

from __future__ import annotations

import ast
import gettext
from collections.abc import Iterator

import pytest
from babel.messages import Catalog

from tests.helpers.scripts import script

translations = script("packaging", "translations")


@pytest.fixture(scope="module")
def template() -> Catalog:
    """All texts of the sources: they take five seconds to extract."""
    return translations.template()


@pytest.mark.parametrize("language", translations.LANGUAGES)
def test_the_catalogue_is_complete_and_agrees_with_the_sources(language: str, template: Catalog) -> None:
    catalogue = translations.merged(language, template)
    errors = [str(error) for error in translations.errors(language, catalogue)]
    assert not errors, "make untranslated lists them"


@pytest.mark.parametrize("language", translations.LANGUAGES)
def test_the_files_are_what_an_update_would_write(language: str, template: Catalog) -> None:
    path = translations.catalogue_path(language)
    readable, compiled = translations.rendered(translations.merged(language, template))
    # Compared outside the assert: a difference of whole files would fill the screen.
    fresh = path.read_bytes() == readable and path.with_suffix(".mo").read_bytes() == compiled
    assert fresh, "run make translations"


@pytest.mark.parametrize("language", translations.LANGUAGES)
def test_the_product_can_load_the_catalogue(language: str) -> None:
    loaded = gettext.translation("waymark", translations.FOLDER, languages=[language])
    assert loaded.info()["language"] == language


def asked_for() -> Iterator[tuple[str, str]]:
    """Where the sources ask for the translation of a text, and the text."""
    for room in translations.SOURCES:
        for path in sorted((translations.ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id in ("_", "N_")
                ):
                    for text in node.args[:1]:
                        if isinstance(text, ast.Constant) and isinstance(text.value, str):
                            yield f"{path.relative_to(translations.ROOT)}:{node.lineno}", text.value


def test_every_text_that_is_asked_for_is_found_in_the_sources(template: Catalog) -> None:
    """The extraction sees no text within an f-string, which was shown in English in every language."""
    lost = [f"{place}: {text!r}" for place, text in asked_for() if text and template.get(text) is None]
    assert not lost, "ask for it outside the f-string"


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
