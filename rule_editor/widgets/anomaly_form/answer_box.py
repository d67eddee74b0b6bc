"""A button of a dialog: its text, the event it logs, and its follow-ups."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from collector.anomalies.model import DialogAnswer
from collector.located_yaml.diagnostics import Diagnostic
from collector.located_yaml.yaml_patch.patch import YamlPatch
from collector.model.companion.activities import DialogButton
from collector.model.i18n import N_, _
from rule_editor.document.anomalies import anomaly_edits as edits
from rule_editor.document.anomalies.follow_up_choices import (
    NOTHING,
    NamedFollowUp,
    chosen_follow_up,
    named_follow_up,
    plain_follow_ups,
)
from rule_editor.widgets.anomaly_form.diagnostic_list import DiagnosticList
from rule_editor.widgets.anomaly_form.follow_up_row import FollowUpRow
from rule_editor.widgets.form_inputs import LineInput, add_row, bring_into_view, grid
from rule_editor.widgets.toolkit import Toolkit

_TITLES = {"accept": N_("Accepting button"), "deny": N_("Refusing button"), "manage": N_("Managing button")}


class AnswerBox(QFrame):
    """Emits ``edit_wanted(patch)`` for an edit of the entry, ``draft_changed`` while the text is typed."""

    edit_wanted = Signal(object)
    draft_changed = Signal()

    def __init__(self, toolkit: Toolkit, button: DialogButton) -> None:
        super().__init__()
        self._toolkit, self.button = toolkit, button
        self.rows: list[FollowUpRow] = []
        self.text = LineInput(_("Text on the button"))
        self.logged = LineInput(_("Event the button logs"), code=True)
        self.diagnostics = DiagnosticList(toolkit)
        self._nothing = toolkit.label(_("nothing follows"), "caption", "text-3")
        self._add_button = toolkit.button(_("Follow-up"), "plus", small=True)
        self._follow = QVBoxLayout()
        self._lay_out()
        self.text.edited.connect(self._text_edited)
        self.text.textEdited.connect(self.draft_changed)
        self.logged.edited.connect(self._event_edited)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(8)
        column.addWidget(self._toolkit.label(_(_TITLES[self.button.answer]), "heading"))
        fields = grid()
        add_row(self._toolkit, fields, _("Text"), self.text)
        add_row(self._toolkit, fields, _("Event"), self.logged)
        column.addLayout(fields)
        head = QHBoxLayout()
        head.addWidget(self._toolkit.label(_("Then"), "body", "text-2"))
        head.addWidget(self._nothing)
        head.addStretch(1)
        self._add_button.setToolTip(_("Add something that follows this answer"))
        self._add_button.clicked.connect(self.add)
        head.addWidget(self._add_button)
        column.addLayout(head)
        self._follow.setSpacing(6)
        self._follow.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._follow)
        column.addWidget(self.diagnostics)

    # -- what is shown -------------------------------------------------------
    def show_answer(self, answer: DialogAnswer) -> None:
        """Show a button; the rows stay while they say the same as the file, a new empty row included."""
        self.text.show_text(answer.button)
        self.logged.show_text(answer.event)
        follow_ups = [named_follow_up(follow_up) for follow_up in answer.follow_ups]
        if plain_follow_ups(follow_ups) != plain_follow_ups(self._follow_ups):
            for row in self.rows:
                row.hide()
                row.deleteLater()
            self.rows = [self._row(follow_up) for follow_up in follow_ups]
        self._nothing.setVisible(not self.rows)

    def show_diagnostics(self, diagnostics: Sequence[Diagnostic]) -> None:
        """Show the diagnostics of the button and its follow-ups."""
        self.diagnostics.show_diagnostics(diagnostics)

    @property
    def tab_stops(self) -> list[QWidget]:
        """The widgets in tab order."""
        rows = [stop for row in self.rows for stop in row.tab_stops]
        return [self.text, self.logged, self._add_button, *rows]

    @property
    def _follow_ups(self) -> list[NamedFollowUp]:
        return [row.follow_up for row in self.rows]

    def _row(self, follow_up: NamedFollowUp) -> FollowUpRow:
        row = FollowUpRow(self._toolkit, follow_up)
        row.changed.connect(self._rows_changed)
        row.removed.connect(self._row_removed)
        self._follow.addWidget(row)
        return row

    # -- input --------------------------------------------------------
    def add(self) -> None:
        """Add a follow-up, to be chosen."""
        row = self._row(chosen_follow_up(NOTHING, _("The task goes on")))
        self.rows.append(row)
        self._nothing.hide()
        row.kind.setFocus()
        self._rows_changed()
        bring_into_view(row)

    def _row_removed(self) -> None:
        row = self.sender()
        self.rows = [other for other in self.rows if other is not row]
        if isinstance(row, FollowUpRow):
            row.hide()
            row.deleteLater()
        self._nothing.setVisible(not self.rows)
        self._rows_changed()

    def _rows_changed(self) -> None:
        answer, follow = self.button.answer, plain_follow_ups(self._follow_ups)
        self.edit_wanted.emit(lambda patch: edits.set_follow_ups(patch, answer, follow))

    def _text_edited(self, text: str) -> None:
        name = self.button.text

        def change(patch: YamlPatch) -> None:
            edits.set_parameter(patch, name, text)

        self.edit_wanted.emit(change)

    def _event_edited(self, event: str) -> None:
        answer = self.button.answer
        self.edit_wanted.emit(lambda patch: edits.set_event(patch, answer, event.strip()))
