"""A row of segments of which one is selected, as Interact and Inspect."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.theme import theme
from studio.theme.mirroring import logical_point, painter_of, upright, visual_rect
from studio.widgets.painted_items import PaintedItems, Role
from studio.widgets.painting import text_width

Choice = tuple[str, str, str]
_PADDING, _LEAST_PADDING = 10, 3


class SegmentedControl(PaintedItems, QWidget):
    """``choices`` are (id, text, icon); ``tones`` colours the selected one by id. Emits ``chosen(id)``.

    One that ``shrinks`` has less space around its texts where there is little room.
    """

    chosen = Signal(str)

    spoken_roles = (Role.Grouping, Role.RadioButton)

    def __init__(
        self, choices: list[Choice], tones: dict[str, str] | None = None, parent: QWidget | None = None,
        *, shrinks: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._choices = choices
        self._tones = tones or {}
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        policy = QSizePolicy.Policy
        self.setSizePolicy(policy.Maximum if shrinks else policy.Fixed, policy.Fixed)
        self.setAccessibleName(", ".join(text for _id, text, _icon in choices))
        theme.changed.connect(self.update)

    @property
    def current(self) -> str:
        """Id of the selected segment."""
        return self._choices[self._current][0]

    def set_current(self, choice: str) -> None:
        """Select a segment without a signal."""
        self._current = [choice[0] for choice in self._choices].index(choice)
        self.update()

    def spoken_items(self) -> list[str]:
        return [text for _id, text, _icon in self._choices]

    def item_place(self, number: int) -> QRect:
        return visual_rect(self, self.segment_rects()[number])

    def current_item(self) -> int:
        return self._current

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._width(_PADDING), theme.size("button_small"))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._width(_LEAST_PADDING), theme.size("button_small"))

    def _width(self, padding: int) -> int:
        return sum(self._widths(padding)) + 4

    def _widths(self, padding: int) -> list[int]:
        return [
            text_width(text, "name") + 2 * padding + (22 if icon else 0) for _id, text, icon in self._choices
        ]

    @property
    def _padding(self) -> int:
        """The space at each side of a text: as much as there is room for."""
        missing = self._width(_PADDING) - self.width()
        return max(_LEAST_PADDING, _PADDING - max(0, -(-missing // (2 * len(self._choices)))))

    def segment_rects(self) -> list[QRect]:
        """Where each choice is, the first one first."""
        boxes, x = [], 2
        for width in self._widths(self._padding):
            boxes.append(QRect(x, 2, width, self.height() - 4))
            x += width
        return boxes

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        for index, box in enumerate(self.segment_rects()):
            if box.contains(logical_point(self, event.position().toPoint())):
                self._choose(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if not step:
            super().keyPressEvent(event)
            return
        self._choose(max(0, min(len(self._choices) - 1, self._current + step)))

    def _choose(self, index: int) -> None:
        if index != self._current:
            self._current = index
            self.update()
            self.chosen.emit(self.current)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focus = self.hasFocus()
        painter.setPen(QPen(theme.color("accent" if focus else "line-2"), 2 if focus else 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setFont(theme.font("name"))
        places = zip(self.segment_rects(), self._choices, strict=True)
        for index, (box, (name, text, icon)) in enumerate(places):
            on = index == self._current
            tone = self._tones.get(name, "text") if on else "text-2"
            tone = tone if self.isEnabled() else "line-2"
            if on:
                painter.setPen(QPen(theme.color("edge"), 1))
                painter.setBrush(theme.color("bg-4"))
                painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
                painter.setBrush(Qt.BrushStyle.NoBrush)
            x = box.left() + self._padding
            if icon:
                theme.draw_icon_in(painter, icon, QRect(x, box.top(), 16, box.height()), 16, tone)
                x += 22
            painter.setPen(theme.color(tone))
            words = QRect(x, box.top(), box.right() - x + 1, box.height())
            with upright(painter, words):
                painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, text)
