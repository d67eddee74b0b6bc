"""The tab of one phone: what it is, what it does, and a button that takes it out of the window."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.views.record.phones.window_phone import WindowPhone
from studio.widgets.controls.hover_button import HoverButton
from studio.widgets.icon_button import IconButton
from studio.widgets.painting import draw_text, text_width

_ICON, _CLOSE = 14, 20
_LEAST, _MOST = 84, 340
_LEAST_NAME = 56


class PhoneTab(HoverButton):
    """A click brings the phone to the front, a click of the middle button closes it."""

    chosen = Signal(str)
    """Serial of the phone."""
    close_asked = Signal(str)

    def __init__(self, facts: WindowPhone, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.facts = facts
        self._is_front = False
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.close_button = IconButton("x", "", self, size=_CLOSE)
        self.close_button.clicked.connect(self._ask_close)
        self.clicked.connect(self._choose)
        theme.changed.connect(self.update)
        self.show_facts(facts, is_front=False)

    def show_facts(self, facts: WindowPhone, *, is_front: bool) -> None:
        """Show what is known of the phone now, and whether it is the one in front."""
        self.facts, self._is_front = facts, is_front
        self.setChecked(is_front)
        self.setAccessibleName(facts.name)
        self.setAccessibleDescription(facts.sentence)
        self.setToolTip(facts.sentence)
        name = _("Take {phone} out of the window", phone=facts.name)
        self.close_button.setToolTip(name)
        self.close_button.setAccessibleName(name)
        self.updateGeometry()
        self.update()

    @Slot()
    def _choose(self) -> None:
        self.setChecked(self._is_front)
        self.chosen.emit(self.facts.serial)

    @Slot()
    def _ask_close(self) -> None:
        self.close_asked.emit(self.facts.serial)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        details = text_width(self._details(), "caption")
        words = text_width(self.facts.name, "heading") + (details + 8 if details else 0)
        return QSize(min(_MOST, 8 + _ICON + 8 + words + 8 + _CLOSE + 4), theme.size("tab"))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(_LEAST, theme.size("tab"))

    def _details(self) -> str:
        return "  ·  ".join(filter(None, (self.facts.state, self.facts.kind)))

    def details_in(self, width: int) -> str:
        """What is said beside the name in this width: of phones of one name the name alone says nothing."""
        least = min(text_width(self.facts.name, "heading"), _LEAST_NAME) + 8
        said = (self._details(), self.facts.kind, self.facts.brief)
        return next((text for text in said if text_width(text, "caption") + least <= width), "")

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.close_button.move(self.width() - _CLOSE - 4, (self.height() - _CLOSE) // 2)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() == Qt.MouseButton.MiddleButton:
            self._ask_close()
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() == Qt.Key.Key_Delete:
            self._ask_close()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._is_front or self._hovered:
            painter.fillRect(self.rect(), theme.color("bg-2" if self._is_front else "bg-3"))
        painter.fillRect(self.width() - 1, 7, 1, self.height() - 14, theme.color("line"))
        facts = self.facts
        icon = "state-warn" if facts.problem else facts.icon
        theme.draw_icon_in(painter, icon, QRect(8, 0, _ICON, self.height()), _ICON)
        text = QRect(8 + _ICON + 8, 0, self.width() - 8 - _ICON - 8 - _CLOSE - 8, self.height())
        details = self.details_in(text.width())
        taken = text_width(details, "caption") + 8 if details else 0
        used = draw_text(
            painter, text.adjusted(0, 0, -taken, 0), facts.name, "heading" if self._is_front else "body",
            "text" if self._is_front else "text-2",
        )  # fmt: skip
        tone = facts.tone if facts.state and details.startswith(facts.state) else ""
        draw_text(painter, text.adjusted(used + 8, 0, 0, 0), details, "caption", tone or "text-2")
        if self._is_front:
            painter.fillRect(0, self.height() - 2, self.width(), 2, theme.color("accent"))
        if self.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 3, -2, -5), 4, 4)
