"""A phone beside the one in front: its live picture, and what it does."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from collector.model.geometry import Size
from collector.model.i18n import _, join_sentences
from studio.bridge.phones.followed_phone import FollowedPhone
from studio.bridge.phones.phone import PhoneLink
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.views.record.phones.window_phone import WindowPhone
from studio.widgets.device_view.canvas import ScreenCanvas
from studio.widgets.device_view.view_frame import ViewFrame
from studio.widgets.painting import draw_text

_HEAD, _FOOT = 46, 8


class PhoneTile(QWidget):
    """Takes no touches: a click, or Enter, brings its phone to the front."""

    chosen = Signal(str)
    """Serial of the phone."""

    def __init__(self, serial: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.serial = serial
        self.facts = WindowPhone(serial, serial)
        self._is_mirrored = False
        self._view_size = Size(0, 0)
        self._phone = FollowedPhone(
            frame_ready=self._frame_ready, lost=self._show_phone, back=self._show_phone,
            secure_changed=self._show_phone, source_changed=self._show_phone,
        )  # fmt: skip
        self.canvas = ScreenCanvas(parent=self)
        self.canvas.margin = 8
        self.canvas.setMinimumSize(60, 120)
        self.canvas.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.canvas.view_size_wanted.connect(self._size_wanted)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, _HEAD, 1, _FOOT)
        column.addWidget(self.canvas)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    # -- what is shown -------------------------------------------------------
    def set_phone(self, link: PhoneLink | None) -> None:
        """Show the picture of another link, or none."""
        if link is self._phone.link:
            return
        self._phone.follow(link)
        self.canvas.set_frame_source(self._take if link is not None else None)
        self.canvas.show_frame(None)
        if link is not None and self._view_size.width:
            link.set_view_size(self._view_size)
        self._show_phone()

    def show_facts(self, facts: WindowPhone, *, is_mirrored: bool) -> None:
        """Show what the phone does, and whether it gets the input of the one in front."""
        self.facts, self._is_mirrored = facts, is_mirrored
        self.setAccessibleName(_("{phone}, beside the phone in front", phone=facts.name))
        self.setAccessibleDescription(facts.sentence)
        self.setToolTip(join_sentences(facts.sentence, _("A click brings it to the front")))
        title = _("Not mirrored") if facts.problem else ""
        link = self._phone.link
        if link is not None and link.is_lost:
            self.canvas.set_notice(_("The phone is gone"), _("Waiting for it to come back"))
        else:
            self.canvas.set_notice(title, facts.problem)
        self.update()

    @property
    def ratio(self) -> float:
        """Width of the phone's screen to its height."""
        size = self.canvas.screen_size
        return size.width / size.height if size.height else 0.45

    def width_around(self) -> int:
        """Logical pixels left and right of the picture."""
        return 2 * self.canvas.margin + 2

    def height_around(self) -> int:
        """Logical pixels above and below the picture."""
        return _HEAD + _FOOT + 2 * self.canvas.margin

    @Slot()
    def _show_phone(self) -> None:
        link = self._phone.link
        if link is None:
            return
        link.take_frame()  # a frame left there would suppress the next frame_ready
        newest = link.screen.newest_frame()
        if newest is not None:
            self.canvas.show_frame(self._ready(link))

    def _take(self) -> ViewFrame | None:
        link = self._phone.link
        return self._ready(link) if link is not None and link.take_frame() is not None else None

    def _ready(self, link: PhoneLink) -> ViewFrame | None:
        frame = link.screen.newest_frame()
        if frame is None:
            return None
        size = self._view_size
        if (size.width > size.height) != (frame.size.width > frame.size.height):
            size = size.transposed
        wanted = frame.size if size.is_empty else size
        return ViewFrame.of_frame(frame, wanted, link.screen.screen_size, secure=link.screen.secure)

    @Slot()
    def _frame_ready(self) -> None:
        self.canvas.frame_arrived()

    @Slot(object)
    def _size_wanted(self, size: Size) -> None:
        self._view_size = size
        if self._phone.link is not None:
            self._phone.link.set_view_size(size)

    # -- input ---------------------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(self.serial)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self.serial)
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 - Qt's name
        super().enterEvent(event)
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.fillRect(self.rect(), theme.color("bg-0"))
        painter.fillRect(0, 0, self.width(), _HEAD, theme.color("warn-weak" if self._is_mirrored else "bg-1"))
        painter.fillRect(0, _HEAD - 1, self.width(), 1, theme.color("warn" if self._is_mirrored else "line"))
        for x in (0, self.width() - 1):
            painter.fillRect(x, 0, 1, self.height(), theme.color("line"))
        facts = self.facts
        icon = "state-warn" if facts.problem else facts.icon
        theme.draw_icon_in(painter, icon, QRect(8, 5, 14, 18), 14)
        line = QRect(28, 4, self.width() - 34, 20)
        draw_text(painter, line, facts.name, "name", "text")
        words = _("mirrored") if self._is_mirrored and not facts.problem else ""
        state = "  ·  ".join(filter(None, (words, facts.state, facts.kind)))
        draw_text(painter, line.translated(0, 18), state, "caption", facts.tone or "text-2")
        if self.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -2, -2))
