"""The left panel of the Record workspace: the queue of tasks to record."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QProgressBar,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from collector.model.i18n import _, ngettext
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from rule_editor.widgets.field_names import add_clear_button
from rule_editor.widgets.item_view import is_enter, set_up_view
from studio.theme import theme
from studio.theme.mirroring import mirrored
from studio.views.record.queue.queue_hint import QueueHint
from studio.views.record.queue.queue_model import ROW_ROLE, QueueGroupRow, QueueModel, QueueTaskRow
from studio.widgets.captions.task_text import instruction_text
from studio.widgets.controls import Label, surface
from studio.widgets.icon_button import IconButton
from studio.widgets.painting import draw_text, text_width

QUEUE_MENU = (
    ("record.start", "record.open-task"),
    ("record.new-task", "record.edit-task", "record.duplicate-task", "record.show-task"),
    ("record.next-task",),
)
"""Its context menu: ids of commands, in groups."""
_GROUP = 28
_HEADER = 32
_FOOT = 40
_Index = QModelIndex | QPersistentModelIndex


def is_task(index: _Index) -> bool:
    """Whether a row is a task and not a heading."""
    return isinstance(index.data(ROW_ROLE), QueueTaskRow)


class QueueDelegate(QStyledItemDelegate):
    """Paint headings of 28 px, and tasks of 44 px in two lines."""

    def sizeHint(self, _option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802 - Qt's name
        group = isinstance(index.data(ROW_ROLE), QueueGroupRow)
        return QSize(120, _GROUP if group else theme.size("row_task"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        with mirrored(painter, option.rect):
            self._paint_item(painter, option, index)

    def _paint_item(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row = index.data(ROW_ROLE)
        if isinstance(row, QueueGroupRow):
            self._paint_group(painter, option.rect, row)
            return
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, theme.color("accent-weak"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, theme.color("bg-3"))
        self._paint_task(painter, option.rect, row)

    @staticmethod
    def _paint_group(painter: QPainter, rect: QRect, row: QueueGroupRow) -> None:
        arrow = "chevr" if row.folded else "chevd"
        theme.draw_icon_in(painter, arrow, QRect(rect.left() + 12, rect.top(), 14, rect.height()), 14)
        count = row.count
        used = text_width(count) + 12
        title = rect.adjusted(32, 0, -used - 8, 0)
        draw_text(painter, title, row.app, "heading", "text-2")
        draw_text(painter, rect.adjusted(0, 0, -12, 0), count, "body", "text-2", Qt.AlignmentFlag.AlignRight)

    @staticmethod
    def _paint_task(painter: QPainter, rect: QRect, row: QueueTaskRow) -> None:
        icon = QRect(rect.left() + 12, rect.top() + 7, 14, 30)
        theme.draw_icon_in(painter, row.icon, icon, 14)
        line = QRect(rect.left() + 36, rect.top() + 5, rect.width() - 48, 17)
        draw_text(painter, line, instruction_text(row.task), "name" if row.is_recorded else "body")
        draw_text(painter, line.translated(0, 17), row.detail, "caption", "text-2")


class _QueueList(QListView):
    """A list whose headings fold their group on a click or Enter, and whose tasks open on a double click."""

    folded = Signal(str)
    opened = Signal(str)
    """Id of a task that was double-clicked, or chosen by Enter."""

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        row = self.indexAt(event.position().toPoint()).data(ROW_ROLE)
        if isinstance(row, QueueGroupRow):
            if event.button() == Qt.MouseButton.LeftButton:
                self.folded.emit(row.app)
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        row = self.indexAt(event.position().toPoint()).data(ROW_ROLE)
        if event.button() == Qt.MouseButton.LeftButton:
            self._activate(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if is_enter(event):
            self._activate(self.currentIndex().data(ROW_ROLE))
        else:
            super().keyPressEvent(event)

    def _activate(self, row: object) -> None:
        if isinstance(row, QueueGroupRow):
            self.folded.emit(row.app)
        elif isinstance(row, QueueTaskRow):
            self.opened.emit(row.task.id)


class QueuePanel(QFrame):
    """Show the tasks of a project with their progress; emit the task that the person selects."""

    task_chosen = Signal(str)
    """Id of the task the person selected."""
    task_opened = Signal(str)
    """Id of the task the person double-clicked, or chose by Enter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "panel")
        self._task_id = ""
        self.rows = QueueModel(self)
        self._title = Label(_("Queue"), "heading")
        self._count = Label("", "body", "text-2")
        self.only_open = IconButton("filter", _("Only tasks to do"), size=24, checkable=True)
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Filter tasks"))
        self.field.setAccessibleName(_("Filter tasks"))
        add_clear_button(self.field)
        self._search_icon = self.field.addAction(
            theme.icon("search", "text-3"), QLineEdit.ActionPosition.LeadingPosition
        )
        self._search_icon.setText(_("Search"))  # Qt makes it a button
        self.list = _QueueList()
        self.list.setModel(self.rows)
        self.list.setItemDelegate(QueueDelegate(self.list))
        set_up_view(self.list, _("Queue"), theme, "Left Right")
        self.hint = QueueHint()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(theme.size("progress"))
        self._progress = Label("", "body", "text-2")
        self._lay_out()
        self.only_open.toggled.connect(self._only_open_toggled)
        self.field.textChanged.connect(self._filter)
        self.list.folded.connect(self._fold)
        self.list.opened.connect(self.task_opened)
        self.list.selectionModel().currentChanged.connect(self._current_changed)
        theme.changed.connect(self._dress)
        self.show_snapshot(None)

    def _lay_out(self) -> None:
        head = surface("panel", "bottom")
        head.setFixedHeight(_HEADER)
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(self._title)
        row.addWidget(self._count)
        row.addStretch(1)
        row.addWidget(self.only_open)
        foot = surface("panel", "top")
        foot.setFixedHeight(_FOOT)
        line = QHBoxLayout(foot)
        line.setContentsMargins(12, 0, 12, 0)
        line.setSpacing(8)
        line.addWidget(self._bar, 1)
        line.addWidget(self._progress)
        field = QVBoxLayout()
        field.setContentsMargins(12, 8, 12, 4)
        field.addWidget(self.field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addLayout(field)
        column.addWidget(self.list, 1)
        column.addWidget(self.hint, 1)
        column.addWidget(foot)

    @property
    def task_id(self) -> str:
        """Id of the selected task; empty for none."""
        return self._task_id

    # -- content ---------------------------------------------------------------
    def show_snapshot(self, snapshot: ProjectSnapshot | None) -> None:
        """Show the tasks of a project and their progress; None when no project is open."""
        self.rows.set_snapshot(snapshot)
        total, done = len(self.rows.tasks), self.rows.done
        self.hint.show_missing(project=snapshot is not None)
        self.hint.setVisible(not total)
        self.list.setVisible(bool(total))
        is_known = self.rows.knows_trajectories
        self._count.setText(f"{done} / {total}" if total and is_known else "")
        self._bar.setMaximum(max(1, total))
        self._bar.setValue(done)
        progress = _("{done} of {total} done", done=done, total=total)
        if not is_known:
            progress = ngettext("{count} task", "{count} tasks", total)
        self._progress.setText(progress if total else _("No tasks yet"))
        self._show_selection()

    def show_recording(self, task_id: str) -> None:
        """Mark the task that is being recorded; empty for none."""
        self.rows.set_recording(task_id)
        self._show_selection()

    def show_recorded_elsewhere(self, task_ids: frozenset[str]) -> None:
        """Mark the tasks that are recorded on phones that are not in front."""
        self.rows.set_recorded_elsewhere(task_ids)
        self._show_selection()

    def show_pause(self, paused: bool) -> None:
        """Show whether the recording is paused."""
        self.rows.set_paused(paused)
        self._show_selection()

    @Slot(str)
    def select(self, task_id: str) -> None:
        """Select a task without emitting ``task_chosen``; empty for none."""
        self._task_id = task_id
        self._show_selection()

    def reveal(self, task_id: str) -> None:
        """Select a task and give the list the focus; filters that hide the task are cleared."""
        if self.rows.row_of(task_id) < 0:
            self.field.clear()
            self.only_open.setChecked(False)
        self.select(task_id)
        self.list.setFocus()

    def _show_selection(self) -> None:
        """Select the row of the task again after the rows were rebuilt."""
        row = self.rows.row_of(self._task_id)
        model = self.list.selectionModel()
        model.blockSignals(True)
        self.list.setCurrentIndex(self.rows.index(row) if row >= 0 else QModelIndex())
        model.blockSignals(False)
        if row >= 0:
            self.list.scrollTo(self.rows.index(row))
        self.list.viewport().update()

    # -- input -----------------------------------------------------------------
    @Slot(QModelIndex, QModelIndex)
    def _current_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = current.data(ROW_ROLE) if current.isValid() else None
        if isinstance(row, QueueTaskRow) and row.task.id != self._task_id:
            self._task_id = row.task.id
            self.task_chosen.emit(row.task.id)

    @Slot(str)
    def _fold(self, app: str) -> None:
        self.rows.fold(app)
        self._show_selection()

    @Slot(str)
    def _filter(self, text: str) -> None:
        self.rows.set_filter(text)
        self._show_selection()

    @Slot(bool)
    def _only_open_toggled(self, on: bool) -> None:
        self.rows.set_only_open(on)
        self._show_selection()

    @Slot()
    def _dress(self) -> None:
        self._search_icon.setIcon(theme.icon("search", "text-3"))
