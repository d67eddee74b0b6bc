"""Switches to the other languages and the other form of an anomaly, and buttons that create missing ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from collector.anomalies.model import Anomaly
from collector.model.i18n import _
from rule_editor.document.anomalies.anomaly_edits import FORMS
from rule_editor.document.anomalies.anomaly_templates import LANGUAGES, is_form, other_form, siblings
from rule_editor.widgets.toolkit import Toolkit


class _SwitchRow(QWidget):
    """A row of widgets that is rebuilt when it has to show something else."""

    def __init__(self, toolkit: Toolkit) -> None:
        super().__init__()
        self._toolkit = toolkit
        self._shape: object = None
        self._content: list[QWidget] = []
        self._had_focus = False
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(8)
        self._line.addStretch(1)

    def _is_new(self, shape: object) -> bool:
        """Whether ``shape`` differs from what is shown; if so, the row is emptied."""
        if shape == self._shape:
            return False
        self._shape = shape
        self._had_focus = any(widget.hasFocus() for widget in self._content)
        for widget in self._content:
            widget.hide()
            widget.deleteLater()
        self._content = []
        return True

    @property
    def tab_stops(self) -> list[QWidget]:
        """The widgets in tab order."""
        return [*self._content]

    def _put(self, widget: QWidget) -> None:
        self._line.insertWidget(len(self._content), widget)
        self._content.append(widget)
        if self._had_focus:  # after a switch by keyboard the focus stays in the row
            widget.setFocus()
            self._had_focus = False


class LanguageSwitch(_SwitchRow):
    """Emits ``shown_wanted(id)`` to go to another language, ``language_wanted(language)`` to create one."""

    shown_wanted = Signal(str)
    language_wanted = Signal(str)

    def show_siblings(self, anomaly: Anomaly, every: Collection[Anomaly]) -> None:
        """Show the languages in which the family has this dialog."""
        same: Sequence[Anomaly] = siblings(anomaly, every)
        if not self._is_new((anomaly.id, tuple((other.id, other.language) for other in same))):
            return
        by_language = {other.language: other for other in reversed(same)} | {anomaly.language: anomaly}
        order = [*LANGUAGES, *(language for language in by_language if language not in LANGUAGES)]
        present = [language for language in order if language in by_language]
        if len(present) > 1:
            switch: Any = self._toolkit.segments(
                [(by_language[name].id, LANGUAGES.get(name, name) or _("any"), "") for name in present]
            )
            switch.set_current(anomaly.id)
            switch.setToolTip(_("Go to it in another language"))
            switch.chosen.connect(self.shown_wanted)
            self._put(switch)
        missing = [language for language in LANGUAGES if language not in by_language]
        if missing:
            add = self._toolkit.button(_("Add language"), "plus", small=True)
            add.setToolTip(_("Add a copy in {language}, to be translated", language=LANGUAGES[missing[0]]))
            add.clicked.connect(partial(self._want_language, missing[0]))
            self._put(add)

    def _want_language(self, language: str, *_checked: object) -> None:
        self.language_wanted.emit(language)


class FormSwitch(_SwitchRow):
    """Emits ``buttons_wanted(activity)`` to give this anomaly one button instead of two, or two.

    ``shown_wanted(id)`` goes to the form with the other number of buttons, ``form_wanted`` creates it.
    """

    shown_wanted = Signal(str)
    form_wanted = Signal()
    buttons_wanted = Signal(str)

    def show_siblings(self, anomaly: Anomaly, every: Collection[Anomaly]) -> None:
        """Show the number of buttons, and the link to the other form."""
        if not is_form(anomaly):
            return
        other = other_form(anomaly, every)
        if not self._is_new((anomaly.id, anomaly.activity, other.id if other is not None else "")):
            return
        switch: Any = self._toolkit.segments([(FORMS[1], _("One"), ""), (FORMS[2], _("Two"), "")])
        switch.set_current(anomaly.activity)
        switch.setToolTip(_("Texts and events are kept"))
        switch.setAccessibleName(_("One button or two buttons"))
        switch.chosen.connect(self.buttons_wanted)
        self._put(switch)
        two = anomaly.activity == FORMS[2]
        if other is not None:
            link = self._toolkit.button(
                _("One-button form") if two else _("Two-button form"), "", "link", small=True
            )
            link.setToolTip(_("Go to {id}", id=other.id))
            link.clicked.connect(partial(self._want_shown, other.id))
        else:
            title = _("Add one-button form") if two else _("Add two-button form")
            link = self._toolkit.button(title, "plus", small=True)
            link.clicked.connect(self.form_wanted)
        self._put(link)

    def _want_shown(self, anomaly_id: str, *_checked: object) -> None:
        self.shown_wanted.emit(anomaly_id)
