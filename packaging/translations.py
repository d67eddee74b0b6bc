"""Update and check the catalogues of ``assets/translations`` against the sources.

translations.py update    extract, merge and compile; new texts are untranslated
translations.py missing   list untranslated texts and errors
translations.py check     fail when a catalogue is stale or wrong, or is one of COMPLETE and lacks texts

A language is a folder of ``assets/translations``; one that is not of COMPLETE may have gaps.
"""

from __future__ import annotations

import ast
import datetime as dt
import io
import json
import re
import string
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from babel.core import UnknownLocaleError
from babel.messages import Catalog
from babel.messages.catalog import Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "assets" / "translations"
LANGUAGES = tuple(sorted(folder.parent.name for folder in FOLDER.glob("*/LC_MESSAGES")))
COMPLETE = ("zh_CN",)
"""Languages without gaps. In the others the window shows what is not translated in English."""
LIBRARY = "assets/anomalies/library.yaml"
DESCRIBED = ("assets/variations", "assets/judges", "assets/phones")
"""Folders of files whose ``description`` the program shows."""
SOURCES = ("collector", "rule_editor", "studio")
REASONS = FOLDER / "reasons.json"
REASON_ROOMS = (
    "collector/judge/ending_verdict.py", "collector/judge/evaluation/", "collector/judge/rule_judge.py",
    "collector/judge/state_judge.py", "collector/model_judges/", "collector/rules/conditions/",
    "collector/rules/evaluation/", "collector/run/cycle/",
    "collector/run/offline/", "collector/run/recomputation/", "collector/targets/",
)  # fmt: skip
"""What composes the reasons that judgements and outcomes store."""
KEYWORDS = {"_": 1, "N_": 1, "ngettext": 2}
"""The functions that mark texts, and how many of their arguments are texts."""
_MARK = re.compile(rf"\b(?:{'|'.join(KEYWORDS)})\(")
"""A source without one of them need not be parsed."""
_LEAVES = frozenset({ast.Name, ast.Constant, ast.Load, ast.Store, ast.Del, ast.alias, ast.Pass})
"""Nodes in which no call can be."""
UNTRANSLATED = "untranslated"
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
    # In order: babel sorts what it writes, which takes little when it is sorted.
    for text, name in sorted(_texts_of_files(), key=lambda each: _first(each[0])):
        catalogue.add(text, None, [(name, 0)])
    return catalogue


def _texts_of_files() -> Iterator[tuple[str | tuple[str, ...], str]]:
    """Each text that the program shows, and the file that holds it."""
    for package in SOURCES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            yield from ((text, name) for _line, text in marked_texts(path.read_text("utf-8")))
    yield from ((text, LIBRARY) for text in _library_texts())
    for folder in DESCRIBED:
        for file in sorted((ROOT / folder).glob("*.yaml")):
            description = yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)["description"]
            yield description, f"{folder}/{file.name}"


def _first(text: str | tuple[str, ...]) -> str:
    return text if isinstance(text, str) else text[0]


def marked_texts(source: str) -> Iterator[tuple[int, str | tuple[str, ...]]]:
    """Each text that a source marks for translation, with its line; one with its plural as a pair."""
    if not _MARK.search(source):
        return
    for node in _calls(ast.parse(source)):
        if isinstance(node.func, ast.Name) and node.func.id in KEYWORDS:
            arguments = node.args[: KEYWORDS[node.func.id]]
            texts = [each.value for each in arguments if isinstance(each, ast.Constant)]
            words = tuple(text for text in texts if isinstance(text, str) and text)
            if words and len(words) == len(arguments):
                yield node.lineno, words if len(words) > 1 else words[0]


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    """The calls in a tree, as :func:`ast.walk` finds them, in a quarter of its time."""
    left = [tree]
    while left:
        node = left.pop()
        kind = type(node)
        if kind in _LEAVES:
            continue
        if isinstance(node, ast.Call):
            yield node
        for value in vars(node).values():
            if type(value) is list:
                left += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST):
                left.append(value)


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
    catalogue = _empty(language)
    if path.exists():
        for message in read_po(io.BytesIO(path.read_bytes())):
            if message.id:
                forms = _forms(message.string, catalogue.num_plurals)
                catalogue.add(
                    message.id, forms, message.locations, message.flags, user_comments=message.user_comments
                )
    return catalogue


def _forms(strings: str | Iterable[str] | None, count: int) -> str | tuple[str, ...] | None:
    """A translation with as many plural forms as its language has."""
    return strings if isinstance(strings, str | None) else (*strings, *[""] * count)[:count]


def _empty(language: str) -> Catalog:
    """A catalogue whose header, with the rule of plurals, is that of the language, whatever a file says."""
    try:
        catalogue = Catalog(locale=language)
    except UnknownLocaleError:
        sys.exit(
            f"{FOLDER.name}/{language}: there is no language {language}; name the folder as in de or pt_BR"
        )
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
    """The bytes of the .po and the .mo file of a catalogue; the .mo has no text that lacks a form."""
    readable, compiled = io.BytesIO(), io.BytesIO()
    write_po(readable, catalogue, width=100, sort_output=True, include_lineno=False)
    shown = _empty(str(catalogue.locale_identifier))
    for message, _sources, translations in messages(catalogue):
        if all(translations):
            shown.add(message.id, message.string)
    write_mo(compiled, shown)
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
            yield CatalogueError(language, sources[0], UNTRANSLATED)
        elif message.fuzzy:
            yield CatalogueError(language, sources[0], "marked fuzzy")
        elif any(_placeholders_differ(*pair) for pair in _counterparts(sources, translations)):
            yield CatalogueError(language, sources[0], "placeholders differ")


def _counterparts(sources: list[str], translations: list[str]) -> Iterator[tuple[set[str], str]]:
    """Each translation with the placeholders it needs: the first of several forms is the singular.

    A language with one form says in it what both sources say.
    """
    both = set().union(*map(placeholders, sources))
    for form, translation in enumerate(translations):
        yield (placeholders(sources[min(form, 1)]) if len(translations) > 1 else both), translation


def _placeholders_differ(expected: set[str], translation: str) -> bool:
    """Whether placeholders differ; a translation may omit only the count, as in "one step"."""
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


def missing() -> int:
    """Print errors and untranslated texts of the catalogues, merged with the current sources."""
    source = template()
    return _printed(error for language in LANGUAGES for error in errors(language, merged(language, source)))


def _printed(found: Iterable[CatalogueError]) -> int:
    lines = list(map(str, found))
    print("\n".join(lines), end="\n" if lines else "")
    return 1 if lines else 0


def faults(language: str, catalogue: Catalog) -> Iterator[CatalogueError]:
    """The errors that no release may have: gaps only where a language has to be complete."""
    for error in errors(language, catalogue):
        if error.what != UNTRANSLATED or language in COMPLETE:
            yield error


def check() -> int:
    """Print what is wrong with the catalogues, also where they are not what ``update`` would write."""
    source = template()
    catalogues = {language: merged(language, source) for language in LANGUAGES}
    status = _printed(fault for name, catalogue in catalogues.items() for fault in faults(name, catalogue))
    if not REASONS.exists() or REASONS.read_bytes() != reasons(source):
        print("reasons.json: out of step with the sources; run make translations")
        status = 1
    for language, catalogue in catalogues.items():
        path = catalogue_path(language)
        readable, compiled = rendered(catalogue)
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
