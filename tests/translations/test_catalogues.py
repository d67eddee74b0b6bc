"""Every text a person reads has its translation, with the same placeholders.

That the catalogues are so is a check of its own: ``packaging/translations.py check``.
"""

from __future__ import annotations

import gettext
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages import Catalog

from collector.model import i18n
from collector.model.resources import asset
from studio.settings import SETTINGS
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


def test_a_folder_with_a_catalogue_is_a_language_to_choose() -> None:
    known = i18n.languages(asset("translations"))
    assert set(known) == {"en", *translations.LANGUAGES}
    (setting,) = (setting for setting in SETTINGS if setting.key == "appearance.language")
    assert [code for code, _label in setting.choices] == list(known)


def catalogue_of(language: str, **texts: str) -> Catalog:
    catalogue = Catalog(locale=language)
    catalogue.add("Tap", texts.get("tap", ""), [("a.py", 1)])
    forms = tuple(texts.get(form, "") for form in ("one", "few", "many")[: catalogue.num_plurals])
    catalogue.add(("{count} step", "{count} steps"), forms, [("a.py", 1)])
    return catalogue


def compiled(catalogue: Catalog) -> gettext.GNUTranslations:
    return gettext.GNUTranslations(BytesIO(translations.rendered(catalogue)[1]))


def test_what_a_catalogue_lacks_is_english_with_its_plural() -> None:
    loaded = compiled(catalogue_of("de", one="{count} Schritt"))
    assert loaded.gettext("Tap") == "Tap"
    said = [loaded.ngettext("{count} step", "{count} steps", count) for count in (1, 2)]
    assert said == ["{count} step", "{count} steps"]
    assert loaded.info()["language"] == "de"


def test_a_language_has_its_own_plural_forms() -> None:
    loaded = compiled(
        catalogue_of("pl", tap="Dotknij", one="{count} krok", few="{count} kroki", many="{count} kroków")
    )
    forms = [loaded.ngettext("{count} step", "{count} steps", count) for count in (1, 2, 5, 22)]
    assert forms == ["{count} krok", "{count} kroki", "{count} kroków", "{count} kroki"]


def test_only_a_complete_language_must_not_have_gaps() -> None:
    for language, found in (("zh_CN", ["untranslated"] * 2), ("de", [])):
        assert [fault.what for fault in translations.faults(language, catalogue_of(language))] == found
    wrong = catalogue_of("de", tap="Tippe {name}")
    assert [fault.what for fault in translations.faults("de", wrong)] == ["placeholders differ"]


def test_a_copied_file_gets_the_header_of_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A translator starts with a copy of another language's file."""
    monkeypatch.setattr(translations, "FOLDER", tmp_path)
    path = translations.catalogue_path("pl")
    path.parent.mkdir(parents=True)
    path.write_bytes(translations.rendered(catalogue_of("zh_CN", tap="点击", one="{count} 个步骤"))[0])
    loaded = translations.load("pl")
    assert (str(loaded.locale), loaded.num_plurals) == ("pl", 3)
    assert loaded.get("Tap").string == "点击"
    assert loaded.get(("{count} step", "{count} steps")).string == ("{count} 个步骤", "", "")


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


def test_each_of_two_forms_needs_the_placeholders_of_its_own_source() -> None:
    sources = ("{count} run: {mean} %", "{count} runs: mean {mean} %, deviation {std}")
    german = ("{count} Lauf: {mean} %", "{count} Läufe: Mittel {mean} %, Abweichung {std}")
    assert errors_of(sources, german) == []
    assert errors_of(sources, (german[0], german[0])) == ["placeholders differ"]
    assert errors_of(sources, ("{mean} %",)) == ["placeholders differ"]


def test_translations_keep_their_place_when_sources_change() -> None:
    source = Catalog()
    source.add("Tap", None, [("a.py", 1)])
    catalogue = translations.merged("zh_CN", source)
    assert [message.id for message in catalogue if message.id] == ["Tap"]
    assert not catalogue.obsolete
