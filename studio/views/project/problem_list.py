"""The list of problems of a project: what is wrong, where, and one action that helps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from collector.model.finding import Finding
from collector.model.i18n import _
from collector.store.findings import ERROR
from collector.store.layout import LIBRARY_FILE, RULES_FOLDER
from collector.store.project_snapshot import ProjectSnapshot
from studio.theme import theme
from studio.views.project.task_rows import task_folder_of
from studio.widgets.painting import draw_row_ground, draw_text, elided, text_width

Index = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole
_NOBODY = QModelIndex()
_NAME = 160


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """One problem. ``act`` is edit-task, open, recover, list, rules or folder; ``target`` what it acts on."""

    state: str
    name: str
    text: str
    place: str
    action: str
    act: str
    target: str
    step: int = -1
    """Index of the step it is about, from 0; -1 for the whole trajectory."""


def problem_rows(snapshot: ProjectSnapshot, findings: Sequence[Finding]) -> list[ProblemRow]:
    """Return findings and what is known without a check, errors first."""
    reported = {finding.where for finding in findings}
    known = [finding for finding in snapshot.findings if finding.where not in reported]
    listed = sorted([*findings, *known], key=lambda finding: finding.severity != ERROR)
    return [_row(snapshot, finding) for finding in listed]


def _row(snapshot: ProjectSnapshot, finding: Finding) -> ProblemRow:
    state = "err" if finding.severity == ERROR else "warn"
    folder = task_folder_of(finding)
    text = finding.what
    if finding.steps:
        text = _("Step {number}: {text}", number=int(finding.steps[0]) + 1, text=text)
    if folder:
        act, action = (
            ("recover", _("Recover")) if finding.code == "needs-recovery" else ("open", _("Open trajectory"))
        )
        where = "/".join(finding.where.split("/")[:3])
        step = int(finding.steps[0]) if finding.steps else -1
        return ProblemRow(state, folder, text, finding.where, action, act, where, step)
    if finding.where.startswith((f"{RULES_FOLDER}/", LIBRARY_FILE)):
        return ProblemRow(
            state, finding.where.partition(":")[0], text, finding.where, _("Open it"), "rules", finding.where
        )
    task = next((task.id for task in snapshot.tasks if task.id in finding.what.split()), "")
    action, act = (_("Edit task"), "edit-task") if task else (_("Open the folder"), "folder")
    return ProblemRow(state, task or finding.where, text, finding.where, action, act, task or finding.where)


class ProblemModel(QAbstractListModel):
    """Qt model of the list; one row for each problem."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[ProblemRow] = []

    def show_rows(self, rows: list[ProblemRow]) -> None:
        """Replace the problems; equal ones change nothing, so that the selection stays."""
        if rows == self.rows:
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = _NOBODY) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{row.name}: {row.text}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{row.text}\n{row.place}"
        return row if role == ROW_ROLE else None


def _cell_rects(rect: QRect) -> tuple[QRect, QRect, QRect, QRect, QRect]:
    """Return the areas of icon, name, text, place and action in a row."""
    inner = rect.adjusted(12, 0, -12, -1)
    action = QRect(inner.right() - 126, inner.top(), 126, inner.height())
    wide = max(80, min(200, inner.width() // 5))
    place = QRect(action.left() - wide, inner.top(), wide - 12, inner.height())
    icon = QRect(inner.left(), inner.top(), 16, inner.height())
    name = QRect(icon.right() + 7, inner.top(), _NAME, inner.height())
    text = QRect(name.right() + 12, inner.top(), place.left() - name.right() - 24, inner.height())
    return icon, name, text, place, action


class _ProblemDelegate(QStyledItemDelegate):
    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, theme.size("row_problem"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ProblemRow = index.data(ROW_ROLE)
        rect: QRect = option.rect
        painter.fillRect(rect, theme.color("bg-1"))
        draw_row_ground(
            painter, rect,
            is_selected=bool(option.state & QStyle.StateFlag.State_Selected),
            is_hovered=bool(option.state & QStyle.StateFlag.State_MouseOver),
        )  # fmt: skip
        icon, name, text, place, action = _cell_rects(rect)
        theme.draw_icon_in(painter, f"state-{row.state}", icon, 14)
        draw_text(painter, name, row.name, "name")
        draw_text(painter, text, row.text)
        shown = elided(theme.font("code_inline"), row.place, place.width(), Qt.TextElideMode.ElideMiddle)
        draw_text(painter, place, shown, "code_inline", "text-2")
        draw_text(painter, action, row.action, "name", "accent")


class ProblemList(QListView):
    """Problems with their actions."""

    place_asked = Signal(object)
    """The ProblemRow that was clicked: its place is to be shown."""
    action_asked = Signal(object)
    """The ProblemRow whose action was clicked, or chosen by Enter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = ProblemModel(self)
        self.setModel(self.rows)
        self._saved: tuple[int, ProblemRow | None] = (-1, None)
        self.rows.modelAboutToBeReset.connect(self._save_current)
        self.rows.modelReset.connect(self._restore_current)
        self.setItemDelegate(_ProblemDelegate(self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setAccessibleName(_("Problems"))
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _action_at(self, event: QMouseEvent) -> ProblemRow | None:
        point = event.position().toPoint()
        index = self.indexAt(point)
        if not index.isValid():
            return None
        row: ProblemRow = index.data(ROW_ROLE)
        action = _cell_rects(self.visualRect(index))[-1]
        action.setWidth(text_width(row.action, "name") + 4)
        return row if action.contains(point) else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        on_action = self._action_at(event) is not None
        self.viewport().setCursor(
            Qt.CursorShape.PointingHandCursor if on_action else Qt.CursorShape.ArrowCursor
        )
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        super().mouseReleaseEvent(event)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        row = self._action_at(event)
        if row is not None:
            self.action_asked.emit(row)
        elif (index := self.indexAt(event.position().toPoint())).isValid():
            self.place_asked.emit(index.data(ROW_ROLE))

    @Slot()
    def _save_current(self) -> None:
        index = self.currentIndex()
        self._saved = (index.row(), index.data(ROW_ROLE))

    @Slot()
    def _restore_current(self) -> None:
        """Keep the current finding. Once it is gone choose the one before, so that none is skipped."""
        (number, row), rows = self._saved, self.rows.rows
        number = rows.index(row) if row in rows else min(number, len(rows)) - 1
        if number >= 0:
            self.setCurrentIndex(self.rows.index(number))

    def choose(self, row: ProblemRow) -> None:
        """Select a row and scroll to it."""
        index = self.rows.index(self.rows.rows.index(row))
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        row = self.currentIndex().data(ROW_ROLE)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row is not None:
            self.action_asked.emit(row)
        else:
            super().keyPressEvent(event)
