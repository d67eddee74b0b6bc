"""Find texts of a window that nobody can translate: in a pseudo-language they stand without brackets.

What a project, a file or a phone holds is in no language of the window: words that are in the files of the
project on show, or in the library of anomalies, are not counted, nor are names in code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QWidget

from collector.model.pseudo_language import CLOSING, OPENING
from collector.model.resources import asset

_BRACKETED = re.compile(f"{OPENING}[^{OPENING}{CLOSING}]*{CLOSING}?")
_CODE = re.compile(r"\S*[_./=]\S*|\w*…")
"""Names in code, paths, and the beginning of a word that was cut."""
_WORD = re.compile(r"[A-Za-z]{4,}")
_NAMES = {"ctrl", "shift", "enter", "space", "yaml", "waymark", "home", "delete", "backspace"}
"""Keys and names, the same in every language."""


def shown_words(window: QWidget) -> Iterator[tuple[str, str]]:
    """Each text of the widgets on show, with the kind of the widget; names and tooltips too."""
    for widget in window.findChildren(QWidget):
        if not widget.isVisible():
            continue
        texts = [widget.toolTip(), widget.accessibleName(), widget.accessibleDescription()]
        if isinstance(widget, QLabel | QAbstractButton):
            texts.append(widget.text())
        elif isinstance(widget, QLineEdit):
            texts.append(widget.placeholderText())
        elif isinstance(widget, QComboBox):
            texts.extend(widget.itemText(place) for place in range(widget.count()))
        yield from ((type(widget).__name__, text) for text in texts if text)


def untranslated(texts: Iterable[tuple[str, str]], project: Path) -> list[str]:
    """The texts with words outside of brackets that are none of the project's."""
    known = _words_of(project) | _words_of(asset("anomalies")) | _NAMES
    return [f"{kind}: {text!r}" for kind, text in texts if set(_words(without_brackets(text))) - known]


def without_brackets(text: str) -> str:
    """What of a text was not translated."""
    while (shorter := _BRACKETED.sub(" ", text)) != text:
        text = shorter
    return _CODE.sub(" ", text)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


@cache
def _words_of(project: Path) -> frozenset[str]:
    files = [path for path in project.rglob("*") if path.suffix in (".yaml", ".json", ".jsonl", ".xml")]
    return frozenset(word for path in files for word in _words(f"{path} {path.read_text('utf-8')}"))
