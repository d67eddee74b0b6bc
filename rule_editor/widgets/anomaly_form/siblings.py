"""The other languages and the other form of an anomaly: to go to them, and to make those there are not."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.anomalies.model import Anomaly
from collector.model.words import _
from rule_editor.document.anomaly_edits import FORMS
from rule_editor.document.anomaly_templates import LANGUAGES, is_form, other_form, siblings
from rule_editor.widgets.kit import Kit


class Siblings(QWidget):
    """``shown_wanted(id)`` goes to one; ``language_wanted(language)`` and ``form_wanted`` make one.

    ``buttons_wanted(activity)`` gives this very anomaly one button instead of two, or two.
    """

    shown_wanted = Signal(str)
    language_wanted = Signal(str)
    form_wanted = Signal()
    buttons_wanted = Signal(str)

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        self._shape: tuple[object, ...] = ()
        self.languages: Any = None
        self.buttons: Any = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._rows: list[QWidget] = []

    def show_siblings(self, anomaly: Anomaly, every: Collection[Anomaly]) -> None:
        """Show what there is of its family; a family that did not change is left as it is."""
        same, other = siblings(anomaly, every), other_form(anomaly, every)
        shape = (
            anomaly.id, anomaly.activity, tuple((one.id, one.language) for one in same),
            other.id if other is not None else "",
        )  # fmt: skip
        if shape == self._shape:
            return
        self._shape = shape
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._rows = [self._languages_row(anomaly, same)] if anomaly.activity else []
        if is_form(anomaly):
            self._rows.append(self._form_row(anomaly, other))
        for row in self._rows:
            self._column.addWidget(row)
        self.setVisible(bool(self._rows))

    def _languages_row(self, anomaly: Anomaly, same: Sequence[Anomaly]) -> QWidget:
        made, row = self._row(_("Language"))
        by_language = {one.language: one for one in reversed(same)} | {anomaly.language: anomaly}
        order = [*LANGUAGES, *(one for one in by_language if one not in LANGUAGES)]
        there = [one for one in order if one in by_language]
        self.languages = self._kit.segments(
            [(by_language[one].id, LANGUAGES.get(one, one) or _("any"), "") for one in there]
        )
        self.languages.set_current(anomaly.id)
        self.languages.chosen.connect(self.shown_wanted)
        row.addWidget(self.languages)
        missing = [one for one in LANGUAGES if one not in by_language]
        if missing:
            add = self._kit.button(_("Add language"), "plus", small=True)
            add.setToolTip(_("Add a copy in {language}, to be translated", language=LANGUAGES[missing[0]]))
            add.clicked.connect(lambda: self.language_wanted.emit(missing[0]))
            row.addWidget(add)
        row.addStretch(1)
        return made

    def _form_row(self, anomaly: Anomaly, other: Anomaly | None) -> QWidget:
        made, row = self._row(_("Buttons"))
        self.buttons = self._kit.segments([(FORMS[1], _("One button"), ""), (FORMS[2], _("Two buttons"), "")])
        self.buttons.set_current(anomaly.activity)
        self.buttons.setToolTip(_("Texts and events are kept"))
        self.buttons.chosen.connect(self.buttons_wanted)
        row.addWidget(self.buttons)
        one = anomaly.activity != FORMS[1]
        if other is not None:
            words = _("Go to its one-button form") if one else _("Go to its two-button form")
            link = self._kit.button(words, "", "link", small=True)
            link.setToolTip(other.id)
            link.clicked.connect(lambda: self.shown_wanted.emit(other.id))
        else:
            words = _("Add the one-button form") if one else _("Add the two-button form")
            link = self._kit.button(words, "", "link", small=True)
            link.clicked.connect(self.form_wanted)
        row.addWidget(link)
        row.addStretch(1)
        return made

    def _row(self, title: str) -> tuple[QWidget, QHBoxLayout]:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        label = self._kit.label(title, "body", "text-2")
        label.setFixedWidth(80)
        row.addWidget(label)
        return made, row
