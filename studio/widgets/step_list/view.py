"""The list of steps: select, edit, re-record and delete by mouse and key."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QListView, QWidget

from collector.model.i18n import N_, _
from rule_editor.widgets.item_view import set_up_view
from studio.theme import theme
from studio.theme.mirroring import logical_point
from studio.widgets.step_list.delegate import DELETE, EDIT, RERECORD, StepDelegate, action_rects
from studio.widgets.step_list.model import ROW_ROLE, StepListModel
from studio.widgets.thumbnail_cache import ThumbnailCache

_LABELS = {
    RERECORD: N_("Re-record step"),
    EDIT: N_("Edit caption"),
    DELETE: N_("Delete step"),
}


class StepListView(QListView):
    """Rows are steps, from 0. Emits requests; the owner changes the steps."""

    step_chosen = Signal(int)
    rerecord_requested = Signal(int)
    delete_requested = Signal(int)

    def __init__(self, thumbnails: ThumbnailCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = StepListModel(self)
        self._delegate = StepDelegate(thumbnails, self)
        self.setModel(self.rows)
        self.setItemDelegate(self._delegate)
        set_up_view(self, _("Steps"), theme, "Left Right Home End")
        self.setUniformItemSizes(True)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self.selectionModel().currentChanged.connect(self._current_changed)
        self.rows.rowsInserted.connect(self._follow)
        thumbnails.arrived.connect(self._picture_arrived)

    def show_step(self, row: int) -> None:
        """Select a row and scroll to it, without a signal."""
        index = self.rows.index(row)
        if index == self.currentIndex():
            return
        self.selectionModel().currentChanged.disconnect(self._current_changed)
        self.setCurrentIndex(index)
        self.selectionModel().currentChanged.connect(self._current_changed)
        self.scrollTo(index)

    def edit_caption(self, row: int) -> None:
        """Open the field of a caption; one that is open already gets the keyboard focus."""
        self.setCurrentIndex(self.rows.index(row))
        # The field of another row closed with the change of the current one.
        if self.state() is QAbstractItemView.State.EditingState:
            for field in self.viewport().findChildren(QLineEdit):
                field.setFocus()
        else:
            self.edit(self.rows.index(row))

    @Slot(QModelIndex, QModelIndex)
    def _current_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid() and current.row() < len(self.rows.steps):
            self.step_chosen.emit(current.row())

    @Slot()
    def _follow(self) -> None:
        """Scroll to a new row only when the end of the list is visible."""
        bar = self.verticalScrollBar()
        if bar.value() >= bar.maximum() - theme.size("row_step"):
            QTimer.singleShot(0, self, self.scrollToBottom)

    @Slot(object)
    def _picture_arrived(self, _key: object) -> None:
        self.viewport().update()

    # -- events ------------------------------------------------------------
    def _action_at(self, at: QPoint) -> tuple[str, int]:
        index = self.indexAt(at)
        if not index.isValid() or index.data(ROW_ROLE).is_waiting:
            return "", -1
        row = self.visualRect(index)
        place = logical_point(self, at, row)
        rects = action_rects(row)
        return next((name for name, box in rects.items() if box.contains(place)), ""), index.row()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        name, _row = self._action_at(event.position().toPoint())
        if name != self._delegate.hovered_action:
            self._delegate.hovered_action = name
            self.viewport().setToolTip(_(_LABELS[name]) if name else "")
            self.viewport().update()
        super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        name, row = self._action_at(event.position().toPoint())
        if name and event.button() == Qt.MouseButton.LeftButton:
            self._do(name, row)
            return
        super().mousePressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        self._delegate.hovered_action = ""
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        row = self.currentIndex().row()
        valid = 0 <= row < len(self.rows.steps)
        shift_r = event.key() == Qt.Key.Key_R and event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        if valid and event.key() == Qt.Key.Key_Delete:
            self._do(DELETE, row)
        elif valid and shift_r:
            self._do(RERECORD, row)
        else:
            super().keyPressEvent(event)

    def _do(self, name: str, row: int) -> None:
        if name == EDIT:
            self.edit_caption(row)
        elif name == RERECORD:
            self.rerecord_requested.emit(row)
        else:
            self.delete_requested.emit(row)
