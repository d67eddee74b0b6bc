"""Keeps the catalogues of ``assets/translations`` in step with the sources.

translations.py update    extract, merge, compile; new texts are listed as untranslated
translations.py missing   list what a catalogue lacks
translations.py check     fail when a catalogue is out of step, incomplete or breaks a placeholder
"""

from __future__ import annotations

import datetime as dt
import io
import string
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from babel.messages import Catalog
from babel.messages.catalog import Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "assets" / "translations"
LANGUAGES = ("zh_CN",)
LIBRARY = "assets/anomalies/library.yaml"
SOURCES = ("collector", "rule_editor", "studio")
KEYWORDS: dict[str, tuple[int, ...] | None] = {"_": None, "N_": None, "ngettext": (1, 2)}
AUTHORS = "The Waymark Studio authors"
HEADER = "# Texts of Waymark Studio. Edit the translations here, then run make translations."
EPOCH = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True)
class Problem:
    """Something wrong with one text of a catalogue."""

    language: str
    text: str
    what: str

    def __str__(self) -> str:
        return f"{self.language}: {self.what}: {self.text!r}"


def catalogue_path(language: str) -> Path:
    """The catalogue people edit."""
    return FOLDER / language / "LC_MESSAGES" / "waymark.po"


def template() -> Catalog:
    """Every marked text of the sources, with the files it stands in."""
    catalogue = Catalog(project="Waymark Studio", charset="utf-8")
    for package in SOURCES:
        folder = ROOT / package
        for name, _, text, comments, context in extract_from_dir(folder, keywords=KEYWORDS):
            catalogue.add(text, None, [(f"{package}/{name}", 0)], auto_comments=comments, context=context)
    for text in _library_texts():
        catalogue.add(text, None, [(LIBRARY, 0)])
    return catalogue


def _library_texts() -> Iterator[str]:
    """What our library says of changes of the phone; dialogs are written in each language by themselves."""
    library = yaml.safe_load((ROOT / LIBRARY).read_text("utf-8"))
    for one in library["interference_library"]:
        if one.get("kind") == "native":
            yield one["description"]
            told = (value.get("description") for value in one.get("params", {}).values())
            yield from (text for text in told if text)


def load(language: str) -> Catalog:
    """The catalogue of a language; an empty one when there is none yet."""
    path = catalogue_path(language)
    known = path.exists()
    catalogue = read_po(io.BytesIO(path.read_bytes()), locale=language) if known else Catalog(locale=language)
    catalogue.project, catalogue.version, catalogue.fuzzy = "Waymark Studio", "0", False
    catalogue.header_comment = HEADER
    # A date that moves with every run would make every run a change.
    catalogue.creation_date = catalogue.revision_date = EPOCH
    catalogue.last_translator = catalogue.language_team = AUTHORS
    catalogue.msgid_bugs_address = ""
    return catalogue


def merged(language: str, source: Catalog) -> Catalog:
    """The language's catalogue with exactly the texts of the sources; no guessed translations."""
    catalogue = load(language)
    catalogue.update(source, no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    return catalogue


def rendered(catalogue: Catalog) -> tuple[bytes, bytes]:
    """The .po and the .mo of a catalogue, the same bytes for the same texts."""
    readable, compiled = io.BytesIO(), io.BytesIO()
    write_po(readable, catalogue, width=100, sort_output=True, include_lineno=False)
    write_mo(compiled, catalogue)
    return readable.getvalue(), compiled.getvalue()


def messages(catalogue: Catalog) -> Iterator[tuple[Message, list[str], list[str]]]:
    """Each message with its source texts and its translations."""
    for message in catalogue:
        if message.id:
            sources = [message.id] if isinstance(message.id, str) else list(message.id)
            done = [message.string or ""] if isinstance(message.string, str | None) else list(message.string)
            yield message, sources, done


def placeholders(text: str) -> set[str]:
    """Names of the ``{name}`` fields of a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def problems(language: str, catalogue: Catalog) -> Iterator[Problem]:
    """What is wrong inside a catalogue, text by text."""
    for message, sources, translations in messages(catalogue):
        if not all(translations):
            yield Problem(language, sources[0], "untranslated")
        elif message.fuzzy:
            yield Problem(language, sources[0], "marked fuzzy")
        elif any(_placeholders_differ(sources, text) for text in translations):
            yield Problem(language, sources[0], "placeholders differ")


def _placeholders_differ(sources: list[str], translation: str) -> bool:
    """A translation may leave out the count (as in "one step"), and nothing else."""
    wanted = set().union(*(placeholders(source) for source in sources))
    try:
        found = placeholders(translation)
    except ValueError:
        return True
    return bool(found - wanted) or bool(wanted - found - {"count"})


def update() -> int:
    """Write every catalogue anew from the sources."""
    source = template()
    for language in LANGUAGES:
        catalogue = merged(language, source)
        path = catalogue_path(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        readable, compiled = rendered(catalogue)
        path.write_bytes(readable)
        path.with_suffix(".mo").write_bytes(compiled)
        lacking = len(list(problems(language, catalogue)))
        print(f"{language}: {len(catalogue)} texts, {lacking} to do")
    return 0


def missing() -> int:
    """List what is wrong or untranslated, the sources of this moment counted in."""
    source = template()
    found = [problem for language in LANGUAGES for problem in problems(language, merged(language, source))]
    for problem in found:
        print(problem)
    return 1 if found else 0


def check() -> int:
    """Like ``missing``, and the files must be what ``update`` would write."""
    source = template()
    status = missing()
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
