"""Keywords as chips with ticks; removed by their cross or Backspace, added by typing and Enter."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from collector.model.i18n import _
from rule_editor.widgets.painting import IN_MIDDLE
from rule_editor.widgets.toolkit import Toolkit

_HIGH, _GAP, _MARK, _PAD, _CROSS = 24, 4, 12, 6, 14
_FIELD = 96


class KeywordChips(QWidget):
    """Emits ``changed(list)`` when a person adds or removes a keyword; missing ones are red."""

    changed = Signal(object)

    def __init__(self, toolkit: Toolkit, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._toolkit = toolkit
        self._words: list[str] = []
        self._missing: frozenset[str] | None = None
        self._boxes: list[QRect] = []
        self._hovered = -1
        self._field = QLineEdit(self)
        self._field.setPlaceholderText(_("Add..."))
        self._field.setAccessibleName(name)
        self._field.setProperty("small", True)
        self._field.editingFinished.connect(self._add)  # Enter, and another place that gets the focus
        self._field.installEventFilter(self)
        self.setMouseTracking(True)
        self.setAccessibleName(name)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        toolkit.changed.connect(self.update)

    @property
    def words(self) -> list[str]:
        """The keywords, in order."""
        return list(self._words)

    @property
    def field(self) -> QLineEdit:
        """The field for a new keyword."""
        return self._field

    def show_words(self, words: Sequence[str], missing: Sequence[str] | None) -> None:
        """Show keywords; those in ``missing`` are crossed, and None shows no ticks."""
        self._words = list(words)
        self._missing = None if missing is None else frozenset(missing)
        self._arrange()

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        return self._flow(width)[1]

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(240, self._flow(max(self.width(), 240))[1])

    def _flow(self, width: int) -> tuple[list[QRect], int]:
        metrics = QFontMetrics(self._toolkit.font("code"))
        x = y = 0
        boxes: list[QRect] = []
        for word in [*self._words, None]:
            wide = _FIELD
            if word is not None:
                wide = min(width, metrics.horizontalAdvance(word) + 2 * _PAD + _MARK + 4 + _CROSS)
            if x and x + wide > width:
                x, y = 0, y + _HIGH + _GAP
            boxes.append(QRect(x, y, wide, _HIGH))
            x += wide + _GAP
        return boxes, y + _HIGH

    def _arrange(self) -> None:
        boxes, height = self._flow(max(1, self.width()))
        self._boxes = boxes[:-1]
        self._field.setGeometry(boxes[-1])
        self.setFixedHeight(height)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._arrange()

    # -- input -------------------------------------------------------------
    def eventFilter(self, watched: object, event: object) -> bool:  # noqa: N802 - Qt's name
        pressed = (
            watched is self._field
            and isinstance(event, QKeyEvent)
            and event.type() == QKeyEvent.Type.KeyPress
        )
        if pressed and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Backspace:
            if not self._field.text() and self._words:
                self._remove(len(self._words) - 1)
                return True
        elif pressed and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Comma:
            self._add()
            return True
        return False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        hovered = self._at(event.position().toPoint())
        if hovered != self._hovered:
            self._hovered = hovered
            self.update()

    def leaveEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        super().leaveEvent(event)  # type: ignore[arg-type]
        self._hovered = -1
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        place = self._at(event.position().toPoint())
        if place >= 0 and self.cross_rect(place).contains(event.position().toPoint()):
            self._remove(place)

    def cross_rect(self, place: int) -> QRect:
        """Rectangle of the cross that removes a chip."""
        box = self._boxes[place]
        return QRect(box.right() - _CROSS - 1, box.top(), _CROSS + 2, box.height())

    def _at(self, point: QPoint) -> int:
        return next((place for place, box in enumerate(self._boxes) if box.contains(point)), -1)

    def _add(self) -> None:
        word = self._field.text().strip()
        self._field.clear()
        if word and word not in self._words:
            self.changed.emit([*self._words, word])

    def _remove(self, place: int) -> None:
        self.changed.emit([word for at, word in enumerate(self._words) if at != place])

    # -- painting ----------------------------------------------------------
    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, toolkit = QPainter(self), self._toolkit
        painter.setLayoutDirection(self.layoutDirection())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(toolkit.font("code"))
        for place, (word, box) in enumerate(zip(self._words, self._boxes, strict=True)):
            gone = self._missing is not None and word in self._missing
            known = self._missing is not None
            background = "bg-3" if not known else "err-weak" if gone else "ok-weak"
            tone = "text" if not known else "err" if gone else "ok"
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(toolkit.color(background))
            painter.drawRoundedRect(box, 3, 3)
            left = box.left() + _PAD
            if known:
                toolkit.draw_icon(
                    painter, "x" if gone else "check", QPoint(left - 1, box.top() + 6), _MARK, tone
                )
                left += _MARK + 2
            painter.setPen(toolkit.color(tone if known else "text"))
            words = QRect(left, box.top(), box.right() - left - _CROSS, box.height())
            shown = painter.fontMetrics().elidedText(word, IN_MIDDLE, words.width() + 2)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, shown)
            if place == self._hovered:
                toolkit.draw_icon_in(painter, "x", self.cross_rect(place), 10, "text-2")
