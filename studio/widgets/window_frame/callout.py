"""A note beside a control of the window: what to do there, a button that does it, and a pointer to it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPolygon, QRegion
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.controls import Button, Label
from studio.widgets.icon_button import IconButton

_WIDTH, _MARGIN, _GAP, _RING = 300, 12, 14, 2
_POINTER = QPoint(8, 9)
"""Half the width of the pointer, and its height."""


@dataclass(frozen=True, slots=True)
class CalloutText:
    """What a callout says. An empty text hides its part."""

    head: str
    """The small line at the top, as *Step 2 of 7*."""
    title: str
    sentence: str
    fact: str = ""
    """What has happened so far, as *3 steps are recorded*."""
    button: str = ""
    key: str = ""
    """The key that does the same as the button."""
    other: str = ""
    """A second button, which is only text."""


class Callout(QFrame):
    """Floats over its parent and never takes the focus by itself. Esc in it closes it, as its cross does."""

    pressed = Signal()
    other_pressed = Signal()
    closed = Signal()

    def __init__(self, window: QMainWindow) -> None:
        parent = window.centralWidget()
        assert parent is not None
        super().__init__(parent)
        self.setProperty("surface", "float")
        self.setFixedWidth(_WIDTH)
        self._head = Label("", "caption", "text-2")
        self._title = Label("", "heading", wrap=True)
        self._sentence = Label("", "body", "text-2", wrap=True)
        self._fact = Label("", "name", wrap=True)
        self.button = Button(kind="primary")
        self.other = Button(kind="link")
        self.close_button = IconButton("x", _("Close"), size=24)
        self.button.clicked.connect(self.pressed)
        self.other.clicked.connect(self.other_pressed)
        self.close_button.clicked.connect(self.closed)
        self._spotlight = _Spotlight(parent)
        self._pointer = _Pointer(parent)
        self._lay_out()
        self.text = CalloutText("", "", "")

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 8, 12)
        column.setSpacing(4)
        top = QHBoxLayout()
        top.addWidget(self._head, 1)
        top.addWidget(self.close_button)
        column.addLayout(top)
        for label in (self._title, self._sentence, self._fact):
            column.addWidget(label)
        row = QHBoxLayout()
        row.setContentsMargins(0, 6, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.button)
        row.addWidget(self.other)
        row.addStretch()
        column.addLayout(row)

    def area_of(self, widget: QWidget, place: QRect) -> QRect:
        """A place on a widget of the window, as :meth:`place` wants it."""
        parent = self.parentWidget()
        assert parent is not None
        return QRect(widget.mapTo(parent, place.topLeft()), place.size()) if not place.isEmpty() else QRect()

    def show_text(self, text: CalloutText) -> None:
        """Say something else; nothing changes when it is the same."""
        if text == self.text:
            return
        self.text = text
        for label, words in (
            (self._head, text.head), (self._title, text.title), (self._sentence, text.sentence),
            (self._fact, text.fact),
        ):  # fmt: skip
            label.setText(words)
            label.setVisible(bool(words))
        self.button.set_face(text.button, key=text.key)
        self.button.setVisible(bool(text.button))
        self.other.setText(text.other)
        self.other.setVisible(bool(text.other))
        self.setAccessibleName(f"{text.head}. {text.title}")
        self.setAccessibleDescription(" ".join(filter(None, (text.sentence, text.fact))))

    def place(self, area: QRect, target: QRect, kept_free: QRect) -> None:
        """Stand beside ``target`` and point to it, within ``area`` and off ``kept_free``.

        Without a target, or without room beside it, it stands in a corner, and the target is framed.
        All are in the coordinates of the parent.
        """
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self.resize(_WIDTH, max(self.heightForWidth(_WIDTH), layout.totalMinimumHeightForWidth(_WIDTH)))
        inner = area.adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        side, at = self._free_side(inner, target, kept_free)
        self.move(at)
        self._spotlight.frame(target)
        self._pointer.point(side, target, self.geometry())
        self.show()
        self.raise_()

    def _free_side(self, inner: QRect, target: QRect, kept_free: QRect) -> tuple[str, QPoint]:
        """The side of the target with room, empty for none, and the upper left corner there."""
        width, height = self.width(), self.height()
        left = min(max(target.left() - 20, inner.left()), inner.right() - width)
        top = min(max(target.top() - 20, inner.top()), inner.bottom() - height)
        places = {
            "below": QPoint(left, max(target.bottom() + _GAP, inner.top())),
            "right": QPoint(target.right() + _GAP, top),
            "left": QPoint(target.left() - _GAP - width, top),
            "above": QPoint(left, target.top() - _GAP - height),
        }
        for side, corner in places.items() if not target.isEmpty() else ():
            place = QRect(corner, self.size())
            if inner.contains(place) and not place.intersects(kept_free):
                return side, corner
        bottom, right = inner.bottom() + 1 - height, inner.right() + 1 - width
        corners = [QPoint(inner.left(), bottom), inner.topLeft(), QPoint(right, inner.top())]
        free = (corner for corner in corners if not QRect(corner, self.size()).intersects(kept_free))
        return "", next(free, corners[0])

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def end(self) -> None:
        """Take it away for good, with frame and pointer."""
        for widget in (self._spotlight, self._pointer, self):
            widget.hide()
            widget.deleteLater()


class _Spotlight(QWidget):
    """A frame around the target; clicks go through it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def frame(self, target: QRect) -> None:
        """Frame another target; none hides the frame."""
        self.setVisible(not target.isEmpty())
        if target.isEmpty():
            return
        outer = target.adjusted(-_RING, -_RING, _RING, _RING)
        if outer != self.geometry():
            self.setGeometry(outer)
            inner = self.rect().adjusted(_RING, _RING, -_RING, -_RING)
            self.setMask(QRegion(self.rect()).subtracted(QRegion(inner)))
        self.raise_()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        QPainter(self).fillRect(self.rect(), theme.color("accent"))


class _Pointer(QWidget):
    """A small triangle between a callout and its target."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._shape = QPolygon()
        self.hide()

    def point(self, side: str, target: QRect, callout: QRect) -> None:
        """Point from the callout to a target, where the callout stands at ``side`` of it; empty hides it."""
        self.setVisible(bool(side))
        half, length = _POINTER.x(), _POINTER.y()
        x = min(max(target.center().x(), callout.left() + 2 * half), callout.right() - 2 * half)
        y = min(max(target.center().y(), callout.top() + 2 * half), callout.bottom() - 2 * half)
        if side in ("below", "above"):
            top = callout.top() - length if side == "below" else callout.bottom() + 1
            self.setGeometry(x - half, top, 2 * half, length)
            tip, base = (0, length) if side == "below" else (length, 0)
            self._shape = QPolygon([QPoint(half, tip), QPoint(0, base), QPoint(2 * half, base)])
        elif side:
            left = callout.left() - length if side == "right" else callout.right() + 1
            self.setGeometry(left, y - half, length, 2 * half)
            tip, base = (0, length) if side == "right" else (length, 0)
            self._shape = QPolygon([QPoint(tip, half), QPoint(base, 0), QPoint(base, 2 * half)])
        self.raise_()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        painter.drawPolygon(self._shape)
