"""The dialog in which a person says which steps of another trajectory are inserted."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QWidget

from collector.model.i18n import _
from studio.widgets.controls import Label
from studio.widgets.controls.fields import dress_spin_box
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.trajectory_edits.edit_dialogs import EditPlanDialog
from studio.widgets.trajectory_edits.edit_strips import EditStrip


class InsertDialog(EditPlanDialog):
    """Shows the steps before and after; the first and the last step that come can be changed."""

    range_changed = Signal(int, int)
    """The steps from the first number up to, not including, the second one, from 0."""

    def __init__(self, source: str, count: int, thumbnails: ThumbnailCache, parent: QWidget) -> None:
        """``source`` is the id of the other trajectory, which has ``count`` steps, its end aside."""
        super().__init__(_("Insert steps of {id}", id=source), _("Insert"), thumbnails, parent)
        self.first, self.last = QSpinBox(), QSpinBox()
        row = QHBoxLayout()
        for field, title, value in ((self.first, _("From step"), 1), (self.last, _("To step"), count)):
            field.setRange(1, count)
            field.setValue(value)
            field.setAccessibleName(title)
            dress_spin_box(field)
            label = Label(title, "body", "text-2")
            label.setBuddy(field)
            row.addWidget(label)
            row.addWidget(field)
            field.valueChanged.connect(self._changed)
        row.addStretch(1)
        self._problem = Label("", "caption", "err", wrap=True)
        self._problem.hide()
        above = self.body.indexOf(self.strips)
        self.body.insertWidget(above, self._problem)
        self.body.insertLayout(above, row)

    @Slot()
    def _changed(self) -> None:
        """Keep the first step before the last one, and ask what the choice comes to."""
        self.first.setMaximum(self.last.value())
        self.last.setMinimum(self.first.value())
        self.yes.setEnabled(False)
        self.range_changed.emit(self.first.value() - 1, self.last.value())

    def show_plan(self, strips: Sequence[EditStrip], notes: Sequence[str]) -> None:
        """Show what the choice comes to."""
        self._problem.hide()
        self.yes.setEnabled(True)
        super().show_plan(strips, notes)

    def refuse(self, sentence: str) -> None:
        """Say why these steps are not inserted."""
        self._problem.setText(sentence)
        self._problem.show()
