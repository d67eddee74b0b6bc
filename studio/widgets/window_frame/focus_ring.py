"""The frame around what has the keyboard, for widgets that do not draw one themselves."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from studio.theme import theme

HAS_RING = "hasFocusRing"
"""Property of a widget that is no scroll area and gets a frame all the same."""
TAKES_KEYS = "takesKeys"
"""Property of a widget whose keys are all its own; all but texts show that by themselves, without a frame."""
_WIDTH, _INSET = 2, 2
_DRAWN_BY_STYLE = (QTextEdit, QPlainTextEdit)
"""Texts, but for plain ones."""


class FocusRing(QObject):
    """Follows the focus through all windows, and frames lists, tables, trees, sliders and painted views.

    On the filled button of a dialog, which Return presses, the frame lies within the edge.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._frame: _Frame | None = None
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus_changed)

    @Slot("QWidget*", "QWidget*")
    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        frame, self._frame = self._frame, None
        if frame is not None and isValid(frame):
            frame.end()
        if new is not None and _needs_frame(new):
            self._frame = _Frame(new)


def _needs_frame(widget: QWidget) -> bool:
    if isinstance(widget, _DRAWN_BY_STYLE):
        return bool(widget.property("plain"))
    return isinstance(widget, QAbstractScrollArea | QSlider | QPushButton) or bool(widget.property(HAS_RING))


class _Frame(QWidget):
    """Lies over the edge of a widget; clicks go through it."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        widget.installEventFilter(self)
        theme.changed.connect(self.update)
        self._fit()

    def end(self) -> None:
        """Take the frame away, for good."""
        if not isValid(self._widget):
            return  # it loses the focus because it is deleted, and the frame in it with it
        self._widget.removeEventFilter(self)
        self.hide()
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        changed = event.type() in (QEvent.Type.Resize, QEvent.Type.DynamicPropertyChange)
        if changed and isValid(self._widget):
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        widget = self._widget
        self.setGeometry(widget.rect())
        inset = _INSET if isinstance(widget, QPushButton) else 0
        outer = self.rect().adjusted(inset, inset, -inset, -inset)
        inner = outer.adjusted(_WIDTH, _WIDTH, -_WIDTH, -_WIDTH)
        self.setMask(QRegion(outer).subtracted(QRegion(inner)))
        self.setVisible(isinstance(widget, _DRAWN_BY_STYLE) or not widget.property(TAKES_KEYS))
        self.raise_()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if not isinstance(self._widget, QPushButton):
            QPainter(self).fillRect(QRect(self.rect()), theme.color("accent"))
        elif self._widget.isDefault():  # others show the focus by the style sheet
            QPainter(self).fillRect(QRect(self.rect()), theme.color("on-fill"))
