"""A button of a dialog: what stands on it, the event it logs, and what follows when it is pressed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from collector.anomalies.grammar import DialogButton
from collector.anomalies.model import DialogAnswer
from collector.located_yaml.diagnostics import Diagnostic
from collector.model.i18n import N_, _
from rule_editor.document.anomalies import anomaly_edits as edits
from rule_editor.document.anomalies.follow_up_choices import (
    NOTHING,
    NamedFollowUp,
    chosen_follow_up,
    named_follow_up,
    plain_follow_ups,
)
from rule_editor.document.yaml_patch.patch import YamlPatch
from rule_editor.widgets.anomaly_form.diagnostic_list import DiagnosticList
from rule_editor.widgets.anomaly_form.follow_up_row import FollowUpRow
from rule_editor.widgets.anomaly_form.inputs import LineInput, add_row, bring_into_view, grid
from rule_editor.widgets.kit import Kit

_TITLES = {"accept": N_("Accepting button"), "deny": N_("Refusing button"), "manage": N_("Managing button")}


class AnswerBox(QFrame):
    """``edit_wanted(change)`` asks for an edit of the entry; ``drafted`` while the text is typed."""

    edit_wanted = Signal(object)
    drafted = Signal()

    def __init__(self, kit: Kit, button: DialogButton) -> None:
        super().__init__()
        self._kit, self.button = kit, button
        self.rows: list[FollowUpRow] = []
        self.text = LineInput(_("Text on the button"))
        self.logged = LineInput(_("Event the button logs"), code=True)
        self.problems = DiagnosticList(kit)
        self._nothing = kit.label(_("nothing follows"), "caption", "text-3")
        self._add_button = kit.button(_("Follow-up"), "plus", small=True)
        self._follow = QVBoxLayout()
        self._lay_out()
        self.text.edited.connect(self._text_edited)
        self.text.textEdited.connect(self.drafted)
        self.logged.edited.connect(self._event_edited)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(8)
        column.addWidget(self._kit.label(_(_TITLES[self.button.answer]), "heading"))
        fields = grid()
        add_row(self._kit, fields, _("Text"), self.text)
        add_row(self._kit, fields, _("Event"), self.logged)
        column.addLayout(fields)
        head = QHBoxLayout()
        head.addWidget(self._kit.label(_("Then"), "body", "text-2"))
        head.addWidget(self._nothing)
        head.addStretch(1)
        self._add_button.setToolTip(_("Add something that follows this answer"))
        self._add_button.clicked.connect(self.add)
        head.addWidget(self._add_button)
        column.addLayout(head)
        self._follow.setSpacing(6)
        self._follow.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._follow)
        column.addWidget(self.problems)

    # -- what is shown -------------------------------------------------------
    def show_answer(self, answer: DialogAnswer) -> None:
        """Show a button; rows that say what the file says are kept, and one still empty with them."""
        self.text.show_text(answer.button)
        self.logged.show_text(answer.event)
        wanted = [named_follow_up(one) for one in answer.follow_ups]
        if plain_follow_ups(wanted) != plain_follow_ups(self._following):
            for row in self.rows:
                row.hide()
                row.deleteLater()
            self.rows = [self._row(one) for one in wanted]
        self._nothing.setVisible(not self.rows)

    def show_found(self, found: Sequence[Diagnostic]) -> None:
        """Show what is wrong with the button and what follows it."""
        self.problems.show_found(found)

    @property
    def stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        rows = [stop for row in self.rows for stop in row.stops]
        return [self.text, self.logged, self._add_button, *rows]

    @property
    def _following(self) -> list[NamedFollowUp]:
        return [row.following for row in self.rows]

    def _row(self, following: NamedFollowUp) -> FollowUpRow:
        row = FollowUpRow(self._kit, following)
        row.changed.connect(self._rows_changed)
        row.removed.connect(self._row_removed)
        self._follow.addWidget(row)
        return row

    # -- what people do --------------------------------------------------------
    def add(self) -> None:
        """One more thing that follows, to be chosen."""
        row = self._row(chosen_follow_up(NOTHING, _("The task goes on")))
        self.rows.append(row)
        self._nothing.hide()
        row.kind.setFocus()
        self._rows_changed()
        bring_into_view(row)

    def _row_removed(self) -> None:
        row = self.sender()
        self.rows = [one for one in self.rows if one is not row]
        if isinstance(row, FollowUpRow):
            row.hide()
            row.deleteLater()
        self._nothing.setVisible(not self.rows)
        self._rows_changed()

    def _rows_changed(self) -> None:
        answer, follow = self.button.answer, plain_follow_ups(self._following)
        self.edit_wanted.emit(lambda piece: edits.set_follow_ups(piece, answer, follow))

    def _text_edited(self, text: str) -> None:
        name = self.button.text

        def change(piece: YamlPatch) -> None:
            edits.set_parameter(piece, name, text)

        self.edit_wanted.emit(change)

    def _event_edited(self, event: str) -> None:
        answer = self.button.answer
        self.edit_wanted.emit(lambda piece: edits.set_event(piece, answer, event.strip()))
