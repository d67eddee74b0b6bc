"""The essential states of a task as a list: typed by sentence, picked, changed, moved and removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from collector.model.essential_state import EssentialState, own_state_id
from collector.model.i18n import _
from collector.store.tasks.state_file import StateChange
from studio.theme import theme
from studio.widgets.controls import Button
from studio.widgets.controls.fields import dress_completer

_ID = Qt.ItemDataRole.UserRole
_ROWS = 3
_SENTENCE, _NAME = 0, 1


@dataclass(frozen=True, slots=True)
class StateRow:
    """One state of the list; ``id`` is empty for one that is to be created."""

    id: str
    sentence: str


class StateListEditor(QWidget):
    """``states`` are those of the project by id; any of them can be picked."""

    changed = Signal()

    def __init__(
        self, ids: Iterable[str], states: Mapping[str, EssentialState], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._states = states
        self._task_id = ""
        self.tree = _tree()
        self.tree.itemChanged.connect(self._edited)
        self.tree.model().rowsMoved.connect(self._show_ids)
        self.tree.installEventFilter(self)
        self.line = QLineEdit()
        self.line.setPlaceholderText(_("What is to be seen"))
        self.line.setToolTip(_("Type what is to be seen, or pick a state, then press Enter"))
        self.line.setAccessibleName(_("Add an essential state"))
        self.line.installEventFilter(self)
        self.line.setCompleter(self._completer())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        frame = QFrame()
        frame.setProperty("surface", "card")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.addWidget(self.tree)
        layout.addWidget(frame)
        below = QHBoxLayout()
        below.setSpacing(4)
        below.addWidget(self.line, 1)
        for icon, tip, act in (
            ("chevu", _("Move up (Alt+Up)"), lambda: self.move_current(-1)),
            ("chevd", _("Move down (Alt+Down)"), lambda: self.move_current(1)),
            ("trash", _("Remove from the task (Delete)"), self.remove_current),
        ):
            below.addWidget(_button(icon, tip, act))
        layout.addLayout(below)
        for state_id in ids:
            self._append(StateRow(state_id, states[state_id].label if state_id in states else state_id))

    # -- what is in the list -----------------------------------------------------
    @property
    def rows(self) -> list[StateRow]:
        """The states in their order."""
        items = (self.tree.topLevelItem(at) for at in range(self.tree.topLevelItemCount()))
        return [StateRow(item.data(0, _ID), item.text(_SENTENCE).strip()) for item in items if item]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the states; those that are to be created have the ids they will get."""
        taken, ids = set(self._states), list[str]()
        for row in self.rows:
            ids.append(row.id or own_state_id(self._task_id, row.sentence, {*taken, *ids}))
        return tuple(ids)

    @property
    def changes(self) -> tuple[StateChange, ...]:
        """What is to be changed in the project's states."""
        changes = []
        for state_id, row in zip(self.ids, self.rows, strict=True):
            known = self._states.get(state_id)
            if known is None and (not row.id or row.sentence != row.id):
                changes.append(StateChange(None, EssentialState(state_id, row.sentence)))
            elif known is not None and row.sentence != known.label.strip():
                changes.append(StateChange(known, replace(known, sentence=row.sentence)))
        return tuple(changes)

    @Slot(str)
    def set_task(self, task_id: str) -> None:
        """Name states that are to be created after a task."""
        self._task_id = task_id.strip()
        self._show_ids()

    # -- changing it ---------------------------------------------------------------
    def add(self, sentence: str) -> None:
        """Add a new state for each line of ``sentence``."""
        for line in sentence.splitlines():
            if line.strip():
                self._append(StateRow("", line.strip()))
        self._show_ids()
        self.changed.emit()

    def pick(self, state_id: str) -> None:
        """Add a state of the project, unless the task has it."""
        if state_id in self._states and state_id not in self.ids:
            self._append(StateRow(state_id, self._states[state_id].label))
            self.changed.emit()

    @Slot()
    def remove_current(self) -> None:
        """Remove the current state from the task; the project keeps it."""
        item = self.tree.currentItem()
        if item is not None:
            self.tree.takeTopLevelItem(self.tree.indexOfTopLevelItem(item))
            self._show_ids()
            self.changed.emit()

    def move_current(self, by: int) -> None:
        """Move the current state up (-1) or down (1)."""
        item = self.tree.currentItem()
        if item is None:
            return
        at = self.tree.indexOfTopLevelItem(item)
        if 0 <= at + by < self.tree.topLevelItemCount():
            self.tree.takeTopLevelItem(at)
            self.tree.insertTopLevelItem(at + by, item)
            self.tree.setCurrentItem(item)
            self._show_ids()
            self.changed.emit()

    def _append(self, row: StateRow) -> None:
        item = QTreeWidgetItem([row.sentence, row.id])
        item.setData(0, _ID, row.id)
        item.setFlags((item.flags() | Qt.ItemFlag.ItemIsEditable) & ~Qt.ItemFlag.ItemIsDropEnabled)
        item.setForeground(_NAME, theme.color("text-2"))
        item.setSizeHint(_SENTENCE, QSize(0, theme.size("row_list")))
        self.tree.addTopLevelItem(item)

    @Slot()
    def _show_ids(self) -> None:
        self.tree.blockSignals(True)
        for at, state_id in enumerate(self.ids):
            item = self.tree.topLevelItem(at)
            if item is not None:
                item.setText(_NAME, state_id)
                item.setToolTip(_SENTENCE, item.text(_SENTENCE))
                item.setToolTip(_NAME, state_id)
        self.tree.blockSignals(False)

    @Slot(QTreeWidgetItem, int)
    def _edited(self, item: QTreeWidgetItem, column: int) -> None:
        """A sentence was typed over; an empty one removes nothing, so the old one comes back."""
        if column == _NAME or not item.text(_SENTENCE).strip():
            known = self._states.get(item.data(0, _ID))
            self.tree.blockSignals(True)
            if column == _SENTENCE:
                item.setText(_SENTENCE, known.label if known is not None else item.toolTip(_SENTENCE))
            self.tree.blockSignals(False)
        self._show_ids()
        self.changed.emit()

    # -- typing and keys -----------------------------------------------------------
    def _completer(self) -> QCompleter:
        model = QStandardItemModel(self)
        for state in self._states.values():
            item = QStandardItem(_offered(state))
            item.setData(state.id, _ID)
            model.appendRow(item)
        completer = QCompleter(model, self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        dress_completer(completer)
        completer.activated[QModelIndex].connect(self._picked)  # type: ignore[index]
        return completer

    @Slot(QModelIndex)
    def _picked(self, index: QModelIndex) -> None:
        self.pick(index.data(_ID))
        QTimer.singleShot(0, self.line, self.line.clear)  # the line shows what was picked after this signal

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if watched is self.line and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                return self._enter(event)
            if watched is self.tree:
                return self._tree_key(event)
        return super().eventFilter(watched, event)

    def _enter(self, event: QKeyEvent) -> bool:
        """Add what was typed; with nothing typed Enter belongs to the dialog."""
        text = self.line.text()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier or not text.strip():
            return False
        picked = next((state.id for state in self._states.values() if _offered(state) == text), "")
        if picked:
            self.pick(picked)
        else:
            self.add(text)
        self.line.clear()
        return True

    def _tree_key(self, event: QKeyEvent) -> bool:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and event.key() in steps:
            self.move_current(steps[Qt.Key(event.key())])
            return True
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove_current()
            return True
        return False


def _offered(state: EssentialState) -> str:
    """A state as the list of the completer shows it."""
    return _("{sentence}  ({id})", sentence=state.label, id=state.id)


def _tree() -> QTreeWidget:
    tree = QTreeWidget()
    tree.setColumnCount(2)
    tree.setHeaderHidden(True)
    tree.setRootIsDecorated(False)
    tree.setAccessibleName(_("Essential states"))
    tree.setFixedHeight(_ROWS * theme.size("row_list"))
    tree.setFrameShape(QFrame.Shape.NoFrame)
    tree.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
    tree.setEditTriggers(
        QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
    )
    header = tree.header()
    header.setStretchLastSection(False)
    header.setSectionResizeMode(_SENTENCE, QHeaderView.ResizeMode.Stretch)
    header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.ResizeToContents)
    return tree


def _button(icon: str, tip: str, act: Callable[[], None]) -> Button:
    button = Button("", icon)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.clicked.connect(act)
    return button
