"""Labels, sentences and keys that README and guide quote are those of the program."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from babel.messages.mofile import read_mo

from studio.commands.keys import normalise
from studio.commands.registry import Registry
from tests.helpers.scripts import ROOT, script

translations = script("packaging", "translations")
build_site = script("packaging", "build_site")

DOCS = ROOT / "docs"
PAGES = [
    ROOT / "README.md",
    *(page for folder in ("guide", "tutorials", "papers") for page in sorted((DOCS / folder).glob("*.md"))),
]
CHINESE = sorted((DOCS / "tutorials" / "zh").glob("*.md"))
# Words of phones, of Qt and of other programs.
OTHERS = {
    "1:1", "Allow", "could not get idle state", "has stopped", "isn't responding",
    "keeps stopping", "xcb",
}  # fmt: skip
# States of phones and sources, which the program shows as adb and Android call them.
TERMS = {"offline", "screencap", "unauthorized"}
# Emphasis of the text itself.
EMPHASIS = {
    "Act.", "Correct.", "Look.", "always", "dismissed", "i", "step", "unclear",
}  # fmt: skip
KNOWN = OTHERS | TERMS | EMPHASIS
# Keys of text fields and trees, of the YAML editor and of the rows of compared proposals.
OF_TEXTS = {"Shift+Enter", "Ctrl+A", "C", "Ctrl+Space", "V", "X", "D", "E", "U", "Shift+F10"}
CHORD = re.compile(r"`((?:(?:Ctrl|Shift|Alt)\+)+(?:[A-Z0-9]|F\d+|Enter|Space|\.|\+|-|=|,)|F\d+|[A-Z?,.])`")


def prose(page: Path) -> str:
    """The text of a page without generated parts and code blocks, in one line."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"<!-- generated:.*?<!-- end:\S+ -->", "", text, flags=re.DOTALL)
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"\s+", " ", text)


def emphasised(page: Path) -> set[str]:
    """Texts in asterisks and quotation marks."""
    text = re.sub(r"`[^`]*`", "`", prose(page))
    patterns = (r"(?<![*\w])\*([^*]+)\*(?!\*)", r"\*\*([^*]+)\*\*", r'"([^"]+)"')
    return {match.strip() for pattern in patterns for match in re.findall(pattern, text)}


@cache
def messages() -> tuple[str, ...]:
    """Every message of the program and of its bootstrap, in lower case.

    A catalogue has exactly the messages of the sources: ``make check`` proves it, and needs seconds for that.
    """
    with translations.catalogue_path(translations.COMPLETE[0]).with_suffix(".mo").open("rb") as file:
        catalogue = read_mo(file)
    texts = [
        text
        for message in catalogue
        if message.id
        for text in ([message.id] if isinstance(message.id, str) else message.id)
    ]
    scripts = ("fetch_uv", "locked_files", "scrcpy_server")
    texts += [(ROOT / "packaging" / f"{name}.py").read_text(encoding="utf-8") for name in scripts]
    return tuple(text.lower() for text in texts)


@cache
def chinese_messages() -> frozenset[str]:
    """Every text of the window in Chinese."""
    with translations.catalogue_path("zh_CN").with_suffix(".mo").open("rb") as file:
        return frozenset(str(message.string) for message in read_mo(file) if message.id)


@cache
def pieces_of_messages() -> list[list[str]]:
    """What stands around the values of each message that is a sentence or a label with values in it."""
    return [
        re.split(r"\{\w+(?::[^}]*)?\}", message)
        for message in messages()
        if "{" in message and len(message) < 200
    ]


def is_shown(text: str) -> bool:
    """Whether the program shows a text: a whole message, or several words of one."""
    plain = text.lower().rstrip(".")
    if " " in plain:
        whole = re.compile(rf"\b{re.escape(plain)}\b")
        return any(plain in message and whole.search(message) for message in messages()) or any(
            all(piece in plain for piece in pieces) and re.fullmatch(".+".join(map(re.escape, pieces)), plain)
            for pieces in pieces_of_messages()
        )
    return any(message.rstrip(".") == plain or message.startswith(f"{plain} {{") for message in messages())


def test_names_and_sentences_of_the_window_are_those_of_the_program() -> None:
    # "File > Import..." names a menu and its entry.
    quoted = {(page.name, part) for page in PAGES for text in emphasised(page) for part in text.split(" > ")}
    assert [(page, text) for page, text in sorted(quoted) if text not in KNOWN and not is_shown(text)] == []


def test_names_in_chinese_are_those_of_the_window_in_chinese() -> None:
    quoted = {(page.name, text) for page in CHINESE for text in emphasised(page)}
    known = chinese_messages() | KNOWN
    assert [(page, text) for page, text in sorted(quoted) if text not in known] == []


def test_every_exception_is_needed() -> None:
    used = set().union(*map(emphasised, PAGES))
    assert used >= KNOWN


def test_chords_are_keys_of_a_command() -> None:
    registry = Registry()
    chords = {
        normalise(keys)
        for command in registry
        for keys in (*registry.keys(command.id), *registry.anywhere_keys(command.id))
    }
    shown = {
        (page.name, normalise(keys))
        for page in build_site.pages()
        if page.name != "CHANGELOG.md"  # which tells of earlier keys
        for keys in CHORD.findall(prose(page))
    }
    assert [(page, keys) for page, keys in sorted(shown) if keys not in chords | OF_TEXTS] == []
