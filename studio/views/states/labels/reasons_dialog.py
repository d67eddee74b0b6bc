"""The dialog that edits the reasons of failures: add, rename, describe, move and remove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from collector.judge.votes.reason_edits import (
    add_reason,
    describe_reason,
    move_reason,
    remove_reason,
    rename_reason,
)
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.verdicts.failure_reason import FailureReason
from studio.widgets.controls import Button, Label
from studio.widgets.dialogs.dialog import Dialog, show_problem

_NAME, _MEANS = 0, 1


class ReasonsDialog(Dialog):
    """Emits the reasons when it is accepted. Names keep their ids, so that old verdicts show the new name."""

    edited = Signal(object)

    def __init__(self, parent: QWidget, reasons: Sequence[FailureReason]) -> None:
        super().__init__(
            _("Reasons of failures"), _("Save"), parent, width=720,
            sentence=_("Verdicts that name a reason show its new name; of one taken away they show the id."),
        )  # fmt: skip
        self.reasons = tuple(reasons)
        self._showing = False
        self.table = QTableWidget(0, 2)
        self.table.setHorizontalHeaderLabels([_("Reason"), _("Means")])
        self.table.setAccessibleName(_("Reasons"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)  # or Tab never leaves the table
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().resizeSection(_NAME, 220)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.setMinimumHeight(320)
        self.table.cellChanged.connect(self._typed)
        self.problem = Label("", "caption", "err", wrap=True)
        self.problem.hide()
        self.add = Button(_("Add"), "plus", small=True)
        self.remove = Button(_("Remove"), "trash", small=True)
        self.up, self.down = Button(_("Up"), "up", small=True), Button(_("Down"), "down", small=True)
        for button, pressed in (
            (self.add, self._add), (self.remove, self._remove), (self.up, self._up), (self.down, self._down),
        ):  # fmt: skip
            button.clicked.connect(pressed)
        self._lay_out()
        self._show(0)
        self.table.setFocus()

    def _lay_out(self) -> None:
        buttons = QVBoxLayout()
        buttons.setSpacing(4)
        for button in (self.add, self.remove, self.up, self.down):
            buttons.addWidget(button)
        buttons.addStretch(1)
        row = QHBoxLayout()
        row.addWidget(self.table, 1)
        row.addLayout(buttons)
        self.body.addLayout(row)
        self.body.addWidget(self.problem)

    # -- what is shown -------------------------------------------------------
    @property
    def current(self) -> FailureReason | None:
        """The reason of the chosen row."""
        row = self.table.currentRow()
        return self.reasons[row] if 0 <= row < len(self.reasons) else None

    def _show(self, row: int) -> None:
        self._showing = True
        self.table.setRowCount(len(self.reasons))
        for place, reason in enumerate(self.reasons):
            for column, text in ((_NAME, reason.label), (_MEANS, reason.help)):
                item = QTableWidgetItem(text)
                item.setToolTip(reason.id if column == _NAME else text)
                self.table.setItem(place, column, item)
        self.table.setCurrentCell(min(row, len(self.reasons) - 1), _NAME)
        self._showing = False

    def _take(self, reasons: Sequence[FailureReason], row: int) -> None:
        show_problem(self.problem, self.table, "")
        self.reasons = tuple(reasons)
        self._show(row)

    # -- what the person does -----------------------------------------------
    @Slot(int, int)
    def _typed(self, row: int, column: int) -> None:
        item = self.table.item(row, column)
        if self._showing or item is None:
            return
        reason, text = self.reasons[row], item.text()
        try:
            change = rename_reason if column == _NAME else describe_reason
            self._take(change(self.reasons, reason.id, text), row)
        except UserError as error:
            self._show(row)
            show_problem(self.problem, self.table, error.what)

    @Slot()
    def _add(self) -> None:
        """Add a reason and let its name be typed."""
        number, taken = 1, {reason.label for reason in self.reasons}
        while (name := _("Reason {number}", number=number)) in taken:
            number += 1
        self._take(add_reason(self.reasons, name), len(self.reasons))
        self.table.setFocus()
        item = self.table.currentItem()
        if item is not None:
            self.table.editItem(item)

    @Slot()
    def _remove(self) -> None:
        if (reason := self.current) is not None:
            self._take(remove_reason(self.reasons, reason.id), self.table.currentRow())

    @Slot()
    def _up(self) -> None:
        self._move(-1)

    @Slot()
    def _down(self) -> None:
        self._move(1)

    def _move(self, places: int) -> None:
        if (reason := self.current) is not None:
            moved = move_reason(self.reasons, reason.id, places)
            self._take(moved, moved.index(reason))

    @Slot()
    def accept(self) -> None:
        """Emit the reasons; what is still being typed counts."""
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.edited.emit(tuple(replace(reason) for reason in self.reasons))
        super().accept()
