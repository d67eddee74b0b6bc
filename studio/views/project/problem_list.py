"""The list of problems of a project: what is wrong, where, and one action that helps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from collector.model.finding import Finding
from collector.model.i18n import _
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from collector.store.files.findings import ERROR
from collector.store.files.layout import LIBRARY_FILE, RULES_FOLDER
from rule_editor.widgets.item_view import is_enter
from studio.theme import theme
from studio.theme.mirroring import logical_point
from studio.views.project.tasks.task_rows import task_folder_of
from studio.widgets.painting import draw_text, elided, text_width
from studio.widgets.tables.entry_list import EntryList, RowState

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


class ProblemList(EntryList):
    """Problems with their actions; Enter and a click on an action ask for it."""

    place_asked = Signal(object)
    """The ProblemRow that was clicked: its place is to be shown."""
    action_asked = Signal(object)
    """The ProblemRow whose action was clicked, or chosen by Enter."""
    is_uniform = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_("Problems"), parent=parent)

    def text_of(self, entry: ProblemRow) -> str:
        return f"{entry.name}: {entry.text}"

    def spoken_of(self, entry: ProblemRow) -> str:
        return f"{self.text_of(entry)}, {entry.action}"

    def tip_of(self, entry: ProblemRow) -> str:
        return f"{entry.text}\n{entry.place}"

    def show_entries(self, entries: Sequence[ProblemRow]) -> None:
        """Keep the current finding. Once it is gone choose the one before, so that none is skipped."""
        row = self.currentIndex().row()
        super().show_entries(entries)
        if row >= 0 and self.current is None:
            self.show_row(min(row, len(entries)) - 1)

    def height_of(self, _row: int, _width: int) -> int:
        return theme.size("row_problem")

    def paint_row(self, painter: QPainter, box: QRect, row: int, state: RowState) -> None:
        entry: ProblemRow = self.entries[row]
        painter.fillRect(box, theme.color("bg-1"))
        state.draw_ground(painter, box)
        icon, name, text, place, action = _cell_rects(box)
        theme.draw_icon_in(painter, f"state-{entry.state}", icon, 14)
        draw_text(painter, name, entry.name, "name")
        draw_text(painter, text, entry.text)
        shown = elided(theme.font("code_inline"), entry.place, place.width(), Qt.TextElideMode.ElideMiddle)
        draw_text(painter, place, shown, "code_inline", "text-2")
        draw_text(painter, action, entry.action, "name", "accent")

    # -- input ---------------------------------------------------------------
    def _action_at(self, event: QMouseEvent) -> ProblemRow | None:
        point = event.position().toPoint()
        index = self.indexAt(point)
        if not index.isValid():
            return None
        row: ProblemRow = self.entries[index.row()]
        place = self.visualRect(index)
        action = _cell_rects(place)[-1]
        action.setWidth(text_width(row.action, "name") + 4)
        return row if action.contains(logical_point(self, point, place)) else None

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
            self.place_asked.emit(self.entries[index.row()])

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if is_enter(event) and self.current is not None:
            self.action_asked.emit(self.current)
        else:
            super().keyPressEvent(event)
