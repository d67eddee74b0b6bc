"""Dialogs that show what an edit of a trajectory comes to, and the history of its edits."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from collector.model.i18n import _
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.tables.act_list import ActEntry, ActList
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.trajectory_edits.edit_strips import EditStrip, EditStrips

_WIDTH, _HISTORY_WIDTH, _HISTORY_HEIGHT = 860, 980, 460
_MARGIN = 24
"""Between a dialog and the edges of the window."""


class EditPlanDialog(Dialog):
    """Shows the steps before and after an edit and what stands on them; accepted, the edit is made."""

    def __init__(self, title: str, yes: str, thumbnails: ThumbnailCache, parent: QWidget) -> None:
        super().__init__(title, yes, parent, width=_WIDTH)
        self.strips = EditStrips(thumbnails)
        self.body.addWidget(self.strips, 1)
        self._notes: list[Label] = []
        self._most_high = parent.height() - 2 * _MARGIN

    def show_plan(self, strips: Sequence[EditStrip], notes: Sequence[str]) -> None:
        """Show what the edit comes to, and a sentence for each thing that stands on the steps."""
        self.strips.show_strips(strips)
        for label in self._notes:
            label.hide()
            label.deleteLater()
        self._notes = [Label(note, "body", "text-2", wrap=True) for note in notes]
        for label in self._notes:
            self.body.addWidget(label)
        rest = self.sizeHint().height() - self.strips.minimumHeight()
        self.resize(_WIDTH, min(rest + self.strips.whole_height, self._most_high))


class EditHistoryDialog(Dialog):
    """Lists the edits of a trajectory, newest first; the steps before and after the chosen one are shown."""

    chosen = Signal(int)
    """Number from 1, oldest first, of the edit that was chosen."""
    undo_asked = Signal()
    redo_asked = Signal()

    def __init__(self, title: str, thumbnails: ThumbnailCache, parent: QWidget) -> None:
        super().__init__(title, _("Close"), parent, width=_WIDTH)
        self.no.hide()
        self.list = ActList(_("Edits"))
        self.list.setMinimumWidth(280)
        self.strips = EditStrips(thumbnails)
        self._says = Label("", "body", "text-2", wrap=True)
        row = QHBoxLayout()
        row.addWidget(self.list, 1)
        row.addWidget(self.strips, 2)
        self.body.addLayout(row, 1)
        self.body.addWidget(self._says)
        self.undo_button, self.redo_button = QPushButton(_("Undo")), QPushButton(_("Redo"))
        for button, asked in ((self.redo_button, self.redo_asked), (self.undo_button, self.undo_asked)):
            button.setAutoDefault(False)
            button.clicked.connect(asked)
            self.add_left(button)
        self.list.chosen.connect(self._chosen)
        self.resize(_HISTORY_WIDTH, min(_HISTORY_HEIGHT, parent.height() - 2 * _MARGIN))

    def show_edits(self, entries: Sequence[ActEntry], undo_title: str, redo_title: str) -> None:
        """Show the edits, newest first, and what undo and redo would do."""
        self.list.show_entries(entries)
        for button, title, what in (
            (self.undo_button, undo_title, _("Undo {title}", title=undo_title)),
            (self.redo_button, redo_title, _("Redo {title}", title=redo_title)),
        ):
            button.setEnabled(bool(title))
            button.setToolTip(what if title else "")
        self.show_sentence("" if entries else _("It was never edited"))
        self.strips.show_strips(())
        if entries:
            self.list.show_row(0)
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
            self._chosen(entries[0])

    def show_strips(self, strips: Sequence[EditStrip]) -> None:
        """Show the steps before and after the chosen edit."""
        self.show_sentence("")
        self.strips.show_strips(strips)

    def show_sentence(self, sentence: str) -> None:
        """Say something below the steps, or why there are none."""
        self._says.setText(sentence)
        self._says.setVisible(bool(sentence))

    @Slot(object)
    def _chosen(self, entry: ActEntry) -> None:
        if entry.subject:
            self.chosen.emit(int(entry.subject))
