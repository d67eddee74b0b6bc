"""The pop-up list of everything recorded, to bring any trajectory to the screen of the Rules workspace."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from collector.model.i18n import _
from collector.rules.columns.corpus import TrajectoryRef

_WIDTH, _HEIGHT, _ROW = 380, 320, 26
_NUMBER = Qt.ItemDataRole.UserRole


class TrajectoryPicker(QFrame):
    """Emits ``picked(number)`` with the number of the trajectory in the list that was offered."""

    picked = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("surface", "float")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(_("Find a trajectory"))
        self.filter.setAccessibleName(_("Find a trajectory"))
        self.list = QListWidget()
        self.list.setAccessibleName(_("Trajectories"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(8)
        column.addWidget(self.filter)
        column.addWidget(self.list)
        self.resize(_WIDTH, _HEIGHT)
        self.filter.textChanged.connect(self._filter)
        self.filter.installEventFilter(self)
        self.list.itemClicked.connect(self._pick)

    def offer(self, trajectories: Sequence[TrajectoryRef], current: int, at: QPoint) -> None:
        """Open the list at a point of the screen, with the trajectory on show as the current row."""
        self.list.clear()
        for number, trajectory in enumerate(trajectories):
            words = (trajectory.task_id, trajectory.title, trajectory.who)
            item = QListWidgetItem(" \u00b7 ".join(filter(None, words)))
            item.setData(_NUMBER, number)
            item.setSizeHint(QSize(0, _ROW))
            self.list.addItem(item)
        self.list.setCurrentRow(current)
        self.filter.clear()
        self.move(at)
        self.show()
        self.filter.setFocus()
        self.list.scrollToItem(self.list.currentItem())

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        rows = [self.list.item(row) for row in range(self.list.count())]
        for item in rows:
            item.setHidden(not all(word in item.text().lower() for word in words))
        shown = [item for item in rows if not item.isHidden()]
        if self.list.currentItem() not in shown and shown:
            self.list.setCurrentItem(shown[0])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Let arrows, paging and Enter of the filter act on the list."""
        if watched is self.filter and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
                self.list.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._pick(self.list.currentItem())
                return True
        return super().eventFilter(watched, event)

    def _pick(self, item: QListWidgetItem | None) -> None:
        if item is not None and not item.isHidden():
            self.close()
            self.picked.emit(item.data(_NUMBER))
