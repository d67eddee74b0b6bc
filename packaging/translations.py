"""Update and check the catalogues of ``assets/translations`` against the sources.

translations.py update    extract, merge and compile; new texts are untranslated
translations.py missing   list untranslated texts and errors
translations.py check     fail when a catalogue is stale, incomplete or has wrong placeholders
"""

from __future__ import annotations

import ast
import datetime as dt
import io
import json
import re
import string
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from babel.messages import Catalog
from babel.messages.catalog import Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "assets" / "translations"
LANGUAGES = ("zh_CN",)
LIBRARY = "assets/anomalies/library.yaml"
DESCRIBED = ("assets/variations", "assets/judges", "assets/phones")
"""Folders of files whose ``description`` the program shows."""
SOURCES = ("collector", "rule_editor", "studio")
REASONS = FOLDER / "reasons.json"
REASON_ROOMS = (
    "collector/judge/ending_verdict.py", "collector/judge/evaluation/", "collector/judge/rule_judge.py",
    "collector/judge/state_judge.py", "collector/model_judges/", "collector/rules/conditions/",
    "collector/rules/evaluation/", "collector/run/cycle/", "collector/targets/",
    "collector/run/offline/",
)  # fmt: skip
"""What composes the reasons that judgements and outcomes store."""
KEYWORDS = {"_": 1, "N_": 1, "ngettext": 2}
"""The functions that mark texts, and how many of their arguments are texts."""
_MARK = re.compile(rf"\b(?:{'|'.join(KEYWORDS)})\(")
"""A source without one of them need not be parsed."""
AUTHORS = "The Waymark Studio authors"
HEADER = "# Texts of Waymark Studio. Edit the translations here, then run make translations."
EPOCH = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True)
class CatalogueError:
    """An error in one text of a catalogue."""

    language: str
    text: str
    what: str

    def __str__(self) -> str:
        return f"{self.language}: {self.what}: {self.text!r}"


def catalogue_path(language: str) -> Path:
    """Path of the .po file that translators edit."""
    return FOLDER / language / "LC_MESSAGES" / "waymark.po"


def template() -> Catalog:
    """All marked texts of the sources, with the files that hold them."""
    catalogue = Catalog(project="Waymark Studio", charset="utf-8")
    for package in SOURCES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            for _line, text in marked_texts(path.read_text("utf-8")):
                catalogue.add(text, None, [(name, 0)])
    for text in _library_texts():
        catalogue.add(text, None, [(LIBRARY, 0)])
    for folder in DESCRIBED:
        for file in sorted((ROOT / folder).glob("*.yaml")):
            description = yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)["description"]
            catalogue.add(description, None, [(f"{folder}/{file.name}", 0)])
    return catalogue


def marked_texts(source: str) -> Iterator[tuple[int, str | tuple[str, ...]]]:
    """Each text that a source marks for translation, with its line; one with its plural as a pair."""
    if not _MARK.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS:
            arguments = node.args[: KEYWORDS[node.func.id]]
            texts = [each.value for each in arguments if isinstance(each, ast.Constant)]
            words = tuple(text for text in texts if isinstance(text, str) and text)
            if words and len(words) == len(arguments):
                yield node.lineno, words if len(words) > 1 else words[0]


def _library_texts() -> Iterator[str]:
    """Texts of native anomalies of the built-in library; its dialogs exist in each language."""
    library = yaml.load((ROOT / LIBRARY).read_text("utf-8"), yaml.CSafeLoader)
    for anomaly in library["interference_library"]:
        if anomaly.get("kind") == "native":
            yield anomaly["description"]
            descriptions = (value.get("description") for value in anomaly.get("params", {}).values())
            yield from (text for text in descriptions if text)


def load(language: str) -> Catalog:
    """Read the catalogue of a language; return an empty one when the file does not exist."""
    path = catalogue_path(language)
    if path.exists():
        catalogue = read_po(io.BytesIO(path.read_bytes()), locale=language)
    else:
        catalogue = Catalog(locale=language)
    catalogue.project, catalogue.version, catalogue.fuzzy = "Waymark Studio", "0", False
    catalogue.header_comment = HEADER
    # Fixed dates, so that a run without changes writes the same bytes.
    catalogue.creation_date = catalogue.revision_date = EPOCH
    catalogue.last_translator = catalogue.language_team = AUTHORS
    catalogue.msgid_bugs_address = ""
    return catalogue


def merged(language: str, source: Catalog) -> Catalog:
    """The catalogue of a language with exactly the texts of the sources, without fuzzy matches."""
    catalogue = load(language)
    catalogue.update(source, no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    return catalogue


def rendered(catalogue: Catalog) -> tuple[bytes, bytes]:
    """The bytes of the .po and the .mo file of a catalogue."""
    readable, compiled = io.BytesIO(), io.BytesIO()
    write_po(readable, catalogue, width=100, sort_output=True, include_lineno=False)
    write_mo(compiled, catalogue)
    return readable.getvalue(), compiled.getvalue()


def messages(catalogue: Catalog) -> Iterator[tuple[Message, list[str], list[str]]]:
    """Each message with its source texts and its translations."""
    for message in catalogue:
        if message.id:
            sources = [message.id] if isinstance(message.id, str) else list(message.id)
            strings = message.string
            translations = [strings or ""] if isinstance(strings, str | None) else list(strings)
            yield message, sources, translations


def placeholders(text: str) -> set[str]:
    """Names of the ``{name}`` fields of a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def errors(language: str, catalogue: Catalog) -> Iterator[CatalogueError]:
    """The errors of a catalogue, text by text."""
    for message, sources, translations in messages(catalogue):
        if not all(translations):
            yield CatalogueError(language, sources[0], "untranslated")
        elif message.fuzzy:
            yield CatalogueError(language, sources[0], "marked fuzzy")
        elif any(_placeholders_differ(sources, text) for text in translations):
            yield CatalogueError(language, sources[0], "placeholders differ")


def _placeholders_differ(sources: list[str], translation: str) -> bool:
    """Whether placeholders differ; a translation may omit only the count, as in "one step"."""
    expected = set().union(*(placeholders(source) for source in sources))
    try:
        actual = placeholders(translation)
    except ValueError:
        return True
    return bool(actual - expected) or bool(expected - actual - {"count"})


def reasons(source: Catalog) -> bytes:
    """The sentences that stored reasons are composed of, as pairs of a text and its plural."""
    listed = sorted(
        (message.id, "") if isinstance(message.id, str) else tuple(message.id)
        for message in source
        if message.id and any(file.startswith(REASON_ROOMS) for file, _line in message.locations)
    )
    lines = (json.dumps(pair, ensure_ascii=False) for pair in listed)
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode()


def update() -> int:
    """Write every catalogue from the sources."""
    source = template()
    REASONS.write_bytes(reasons(source))
    for language in LANGUAGES:
        catalogue = merged(language, source)
        path = catalogue_path(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        readable, compiled = rendered(catalogue)
        path.write_bytes(readable)
        path.with_suffix(".mo").write_bytes(compiled)
        lacking = len(list(errors(language, catalogue)))
        print(f"{language}: {len(catalogue)} texts, {lacking} to do")
    return 0


def missing(source: Catalog | None = None) -> int:
    """Print errors and untranslated texts of the catalogues, merged with the current sources."""
    source = source or template()
    all_errors = [error for language in LANGUAGES for error in errors(language, merged(language, source))]
    for error in all_errors:
        print(error)
    return 1 if all_errors else 0


def check() -> int:
    """Like ``missing``, and check that the files are what ``update`` would write."""
    source = template()
    status = missing(source)
    if not REASONS.exists() or REASONS.read_bytes() != reasons(source):
        print("reasons.json: out of step with the sources; run make translations")
        status = 1
    for language in LANGUAGES:
        path = catalogue_path(language)
        readable, compiled = rendered(merged(language, source))
        files = (path, readable), (path.with_suffix(".mo"), compiled)
        if any(not file.exists() or file.read_bytes() != content for file, content in files):
            print(f"{language}: out of step with the sources; run make translations")
            status = 1
    return status


VERBS = {"update": update, "missing": missing, "check": check}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in VERBS:
        sys.exit(__doc__)
    sys.exit(VERBS[sys.argv[1]]())
