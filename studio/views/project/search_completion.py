"""Completion of the search for trajectories: the keys, and the values of those that have few."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QLineEdit

from collector.model.essential_state import STATUSES
from collector.model.i18n import _
from collector.model.trajectory import GOLDEN, RUN, UNFINISHED
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED, UNDECIDED
from collector.store.catalogue.query import FLAG_KEYS, KEYS, NUMBER_KEYS, TEXT_KEYS
from studio.widgets.controls.fields import dress_completer

_VALUES = {
    "kind": (GOLDEN, RUN, UNFINISHED),
    "status": ("recording", "finished", "recovered", "imported", "damaged"),
    "outcome": (SUCCESS, FAILURE, UNCOMPLETED, "none"),
    "claimed": ("complete", "answer", "impossible", "none"),
    "verdict": (SUCCESS, FAILURE, UNCOMPLETED, UNDECIDED, "none"),
    "states": (*STATUSES, "none", "any"),
    "modality": ("screenshot", "screenshot+tree", "tree"),
    **dict.fromkeys(FLAG_KEYS, ("yes", "no")),
}
_WORD = Qt.ItemDataRole.UserRole


def search_help() -> str:
    """Every key of the search, and how parts of it are written."""
    keys = ", ".join(_keys())
    how = _("Quotes keep spaces, a minus turns a part round, and numbers take < and >")
    return f"{keys}\n{how}"


class SearchCompletion(QObject):
    """Completes the word before the cursor of a search field; the words around it stay."""

    def __init__(self, field: QLineEdit) -> None:
        super().__init__(field)
        self._field = field
        self._words = QStandardItemModel(self)
        self.completer = QCompleter(self._words, self)
        self.completer.setCompletionRole(_WORD)
        self.completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.completer.setWidget(field)
        dress_completer(self.completer)
        self.completer.activated.connect(self._complete)
        field.textEdited.connect(self._offer)

    @property
    def _start(self) -> int:
        """Where the word before the cursor begins, behind its minus."""
        before = self._field.text()[: self._field.cursorPosition()]
        start = before.rfind(" ") + 1
        return start + before[start:].startswith("-")

    @Slot()
    def _offer(self) -> None:
        word = self._field.text()[self._start : self._field.cursorPosition()]
        key, colon, _value = word.partition(":")
        words = [f"{key}:{known}" for known in _VALUES.get(key.lower(), ())] if colon else _keys()
        # What is typed in full needs no offer.
        words = [known for known in words if known.lower().startswith(word.lower()) and known != word]
        if not word or not words:
            if (popup := self.completer.popup()) is not None:
                popup.hide()
            return
        # Not clear(): PySide's destroys what Python knows at the address of the root, whatever that is.
        self._words.removeRows(0, self._words.rowCount())
        for known in words:
            item = QStandardItem(f"{known}  {_meaning(known)}".rstrip())
            item.setData(known, _WORD)
            self._words.appendRow(item)
        self.completer.setCompletionPrefix(word)
        self.completer.complete()

    @Slot(str)
    def _complete(self, word: str) -> None:
        text, start, cursor = self._field.text(), self._start, self._field.cursorPosition()
        space = "" if word.endswith(":") else " "
        self._field.setText(f"{text[:start]}{word}{space}{text[cursor:].lstrip()}")
        self._field.setCursorPosition(start + len(word) + len(space))


def _keys() -> list[str]:
    return [f"{key}:" for key in KEYS]


def _meaning(word: str) -> str:
    """What a key searches; empty for a value."""
    return _({**TEXT_KEYS, **NUMBER_KEYS, **FLAG_KEYS}.get(word.removesuffix(":"), ""))
