"""One row of compared proposals: both sides painted, the decision between them as buttons."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from collector.model.i18n import _, join_sentences
from studio.theme import theme
from studio.theme.mirroring import logical_point, painter_of
from studio.widgets.controls import Button, Label
from studio.widgets.operator_comparison.rows import (
    KIND_ICONS,
    KIND_TINTS,
    ComparisonRow,
    ProposalCell,
    RowKind,
)
from studio.widgets.painted_items import Role
from studio.widgets.painting import draw_text
from studio.widgets.wrapped_text import tooltip_text

_NUMBER_LEFT, _TEXT_LEFT, _SIDE = 12, 44, 12
_LINES = (9, 26, 43)
"""Tops of the sentence, the condition and the place within a row, in logical pixels."""
_LINE = 16


def column_bounds(width: int) -> tuple[int, int, int]:
    """The left edges of the agreed and of the right column, and the right edge, in logical pixels."""
    middle = max(240, width * 34 // 100)
    left = (width - middle) // 2
    return left, left + middle, width


class ComparisonRowView(QFrame):
    """Emits ``pressed`` when it is clicked, and ``chosen(choice id)`` when one of its buttons is."""

    pressed = Signal()
    opened = Signal()
    """The row was double-clicked: its screen is to be shown."""
    chosen = Signal(str)

    spoken_role = Role.ListItem

    def __init__(self, row: ComparisonRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = row
        self._is_current = False
        self._has_focus = False
        self._buttons: dict[str, Button] = {}
        self.setFixedHeight(theme.size("row_proposal"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._middle = QWidget(self)
        self._summary = Label("", "body", cut=True)
        self._decision = Label("", "caption", "text-2", cut=True)
        self._actions = QHBoxLayout()
        self._lay_out()
        theme.changed.connect(self.update)
        self.show_row(row)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self._middle)
        column.setContentsMargins(32, 7, _SIDE, 7)
        column.setSpacing(2)
        column.addWidget(self._summary)
        self._actions.setContentsMargins(0, 0, 0, 0)
        self._actions.setSpacing(6)
        column.addLayout(self._actions)
        column.addStretch()

    # -- content ---------------------------------------------------------------
    def show_row(self, row: ComparisonRow) -> None:
        """Show another state of the same row; buttons that stay keep the keyboard."""
        offered = [choice.id for choice in self.row.choices]
        self.row = row
        self._summary.setText(row.summary)
        self._summary.setToolTip(row.summary)
        self._decision.setText(row.decision)
        if not self._buttons or offered != [choice.id for choice in row.choices]:
            self._build_buttons(row)
        for choice in row.choices:
            button, is_chosen = self._buttons[choice.id], choice.id == row.chosen
            button.set_face(choice.text, "check" if is_chosen else "")
            button.setChecked(is_chosen)
        self.setAccessibleName(self._words())
        self.update()

    def _build_buttons(self, row: ComparisonRow) -> None:
        while (item := self._actions.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None and widget is not self._decision:
                widget.hide()
                widget.deleteLater()
        self._buttons = {}
        for choice in row.choices:
            button = Button(choice.text, kind="outlined" if choice.key != "E" else "plain", small=True)
            button.setCheckable(True)
            button.setProperty("choice", choice.id)
            button.setToolTip(f"{choice.tip}  ({choice.key})" if choice.key else choice.tip)
            button.clicked.connect(self._button_clicked)
            self._buttons[choice.id] = button
            self._actions.addWidget(button)
        self._actions.addSpacing(4)
        self._actions.addWidget(self._decision, 1)

    def _button_clicked(self) -> None:
        button = self.sender()
        button.setChecked(button.property("choice") == self.row.chosen)  # type: ignore[attr-defined]
        self.pressed.emit()
        self.chosen.emit(button.property("choice"))

    def button(self, choice: str) -> Button | None:
        """The button of a choice; None when the row does not offer it."""
        return self._buttons.get(choice)

    def set_current(self, is_current: bool, has_focus: bool) -> None:
        """Mark the row as the one that the keys act on."""
        if (is_current, has_focus) != (self._is_current, self._has_focus):
            self._is_current, self._has_focus = is_current, has_focus
            self.update()

    def _words(self) -> str:
        sides = [side.sentence if side is not None else _("not proposed") for side in self._sides]
        return join_sentences(sides[0], self.row.summary, self.row.decision, sides[1])

    @property
    def _sides(self) -> tuple[ProposalCell | None, ProposalCell | None]:
        return self.row.left, self.row.right

    # -- input -------------------------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() == Qt.MouseButton.LeftButton:
            self.pressed.emit()
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self.opened.emit()
        super().mouseDoubleClickEvent(event)

    def event(self, event: QEvent) -> bool:
        """Show the whole text of the side under the pointer, which the row may cut."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            start, end, _width = column_bounds(self.width())
            x = logical_point(self, event.pos()).x()
            side = self.row.left if x < start else self.row.right if x >= end else None
            lines = (side.sentence, side.condition, side.place) if side is not None else ()
            QToolTip.showText(event.globalPos(), tooltip_text("\n".join(lines)), self)
            return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        start, end, _width = column_bounds(self.width())
        self._middle.setGeometry(start, 0, end - start, self.height() - 1)

    # -- painting ----------------------------------------------------------------
    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        start, end, width = column_bounds(self.width())
        bottom = self.height() - 1
        painter.fillRect(self.rect(), theme.color("bg-1"))
        self._paint_side(painter, QRect(0, 0, start, bottom), self.row.left)
        self._paint_side(painter, QRect(end, 0, width - end, bottom), self.row.right)
        icon = "state-ok" if self.row.is_settled else KIND_ICONS[self.row.kind]
        if icon:
            theme.draw_icon(painter, icon, QPoint(start + 10, 9), 14)
        for box in (
            QRect(0, bottom, width, 1),
            QRect(start, 0, 1, bottom),
            QRect(end, 0, 1, bottom),
        ):
            painter.fillRect(box, theme.color("line"))
        if self._is_current:
            pen = QPen(theme.color("accent" if self._has_focus else "line-2"), 2 if self._has_focus else 1)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            inset = 1 if self._has_focus else 0
            painter.drawRect(self.rect().adjusted(inset, inset, -1 - inset, -2 - inset))

    def _paint_side(self, painter: QPainter, box: QRect, side: ProposalCell | None) -> None:
        if side is None and self.row.kind is RowKind.ALONE:
            return
        if side is None:
            line = QRect(box.left() + _TEXT_LEFT, box.top(), box.width() - _TEXT_LEFT - _SIDE, box.height())
            theme.draw_icon_in(
                painter, "minus", QRect(box.left() + _TEXT_LEFT, box.top(), 14, box.height()), 14, "text-3"
            )
            draw_text(painter, line.adjusted(22, 0, 0, 0), _("not proposed"), "body", "text-2")
            return
        if tint := KIND_TINTS[self.row.kind]:
            painter.fillRect(box, theme.color(tint))
        number = QRect(box.left() + _NUMBER_LEFT, box.top(), _TEXT_LEFT - _NUMBER_LEFT - 4, box.height())
        draw_text(painter, number, side.number, "body", "text-2")
        lines = (
            (side.sentence, "name", "text"),
            (side.condition, "code", "text"),
            (side.place, "caption", "text-2"),
        )
        for top, (text, role, tone) in zip(_LINES, lines, strict=True):
            place = QRect(
                box.left() + _TEXT_LEFT, box.top() + top - 2, box.width() - _TEXT_LEFT - _SIDE, _LINE + 2
            )
            draw_text(painter, place, text, role, tone)
