"""A group of conditions (all, any, not); conditions and groups can be dropped into it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from collector.model.i18n import _
from collector.rules.grammar.model import Group
from rule_editor.document.rules.condition_slots import ConditionPath
from rule_editor.widgets.rule_form.condition_paths import can_move
from rule_editor.widgets.rule_form.condition_row import MIME, DragGrip
from rule_editor.widgets.toolkit import Toolkit


class GroupBox(QFrame):
    """Emits ``moved(path, parent, index)``, ``kind_chosen(path, kind)``, ``add_wanted`` and ``removed``."""

    moved = Signal(object, object, int)
    kind_chosen = Signal(object, str)
    add_wanted = Signal(object)
    removed = Signal(object)

    def __init__(
        self, toolkit: Toolkit, group: Group, path: ConditionPath, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._toolkit = toolkit
        self.path = path
        self._drop = -1
        self.setAcceptDrops(True)
        self.kinds = toolkit.segments([("all", _("all"), ""), ("any", _("any"), ""), ("not", _("not"), "")])
        self.kinds.set_current(group.kind)
        self.kinds.chosen.connect(self._kind_chosen)
        self._rows = QVBoxLayout()
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        self._lay_out()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(4)
        top = not self.path
        head.setContentsMargins(0 if top else 8, 4, 0 if top else 6, 4)
        if top:
            head.addWidget(self._toolkit.label(_("If"), "heading"))
        head.addWidget(self.kinds)
        if top:
            head.addWidget(self._toolkit.label(_("of these hold"), "body", "text-2", wrap=True), 1)
        else:
            head.addStretch(1)  # a nested group has no space for it
        add = self._toolkit.button(_("Condition") if top else "", "plus", small=True)
        add.setAccessibleName(_("Condition"))
        add.setToolTip(_("Condition"))
        add.clicked.connect(self._add)
        head.addWidget(add)
        if not top:
            remove = self._toolkit.button("", "x", small=True)
            remove.setAccessibleName(_("Remove this group"))
            remove.setToolTip(_("Remove this group"))
            remove.clicked.connect(self._remove)
            head.addWidget(remove)
            head.addWidget(DragGrip(self._toolkit, self))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        card = self._toolkit.surface("card") if top else QFrame()
        inner = QVBoxLayout(card)
        inner.setContentsMargins(1 if top else 16, 1, 1, 1)
        inner.setSpacing(0)
        inner.addLayout(self._rows)
        self.nothing = self._toolkit.label("", "body", "text-2", wrap=True)
        self.show_nodes(False)
        self.nothing.setContentsMargins(12, 12, 12, 12)
        inner.addWidget(self.nothing)
        column.addWidget(card)

    def show_nodes(self, shown: bool) -> None:
        """Say how a condition is added: also by a click on a node, while a screen shows some."""
        self.nothing.setText(
            _("No condition yet: click a node on the screen, or add one here")
            if shown
            else _("No condition yet: add one here")
        )

    def add_row(self, row: QWidget) -> None:
        """Append a row or another group."""
        self._rows.addWidget(row)
        self.nothing.hide()

    @property
    def rows(self) -> list[QWidget]:
        """The rows and groups directly in this group, in order."""
        items = [self._rows.itemAt(place) for place in range(self._rows.count())]
        return [widget for item in items if item is not None and (widget := item.widget()) is not None]

    def _kind_chosen(self, kind: str) -> None:
        self.kind_chosen.emit(self.path, kind)

    def _add(self) -> None:
        self.add_wanted.emit(self.path)

    def _remove(self) -> None:
        self.removed.emit(self.path)

    # -- dropping ------------------------------------------------------------
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        self.dragMoveEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:  # noqa: N802 - Qt's name
        path = _dragged(event)
        if path is None or not can_move(path, self.path):
            event.ignore()
            return
        self._drop = self._place_at(event.position().toPoint())
        event.acceptProposedAction()
        self.update()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802 - Qt's name
        super().dragLeaveEvent(event)
        self._drop = -1
        self.update()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        path = _dragged(event)
        place, self._drop = self._drop, -1
        self.update()
        if path is not None and can_move(path, self.path) and place >= 0:
            event.acceptProposedAction()
            stays = path[:-1] == self.path and place in (path[-1], path[-1] + 1)
            if not stays:
                self.moved.emit(path, self.path, place)

    def _place_at(self, point: QPoint) -> int:
        """The index that a condition dropped at ``point`` gets."""
        for place, row in enumerate(self.rows):
            if point.y() < row.mapTo(self, row.rect().center()).y():
                return place
        return len(self.rows)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        if self._drop < 0:
            return
        rows = self.rows
        if not rows:
            y = self.height() - 3
        elif self._drop < len(rows):
            y = rows[self._drop].mapTo(self, QPoint(0, 0)).y()
        else:
            y = rows[-1].mapTo(self, QPoint(0, rows[-1].height())).y()
        painter = QPainter(self)
        painter.setPen(QPen(self._toolkit.color("accent"), 2, Qt.PenStyle.SolidLine))
        painter.drawLine(4, y, self.width() - 4, y)


def _dragged(event: QDropEvent) -> ConditionPath | None:
    data = event.mimeData()
    if not data.hasFormat(MIME):
        return None
    text = bytes(data.data(MIME).data()).decode("ascii", "replace")
    return tuple(int(part) for part in text.split(",") if part.isdigit())
