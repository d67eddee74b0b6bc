"""The button of the status bar that opens the notifications; it counts the unread ones."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Slot
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from collector.model.i18n import _, ngettext
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls.hover_button import HoverButton
from studio.widgets.painting import draw_focus_ring, draw_text, text_width
from studio.widgets.window_frame.notification_log import NotificationLog


class NotificationBell(HoverButton):
    """Shows a bell and, beside it, how many messages came since the list was read."""

    def __init__(self, log: NotificationLog, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._log = log
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        log.changed.connect(self._count)
        theme.changed.connect(self.update)
        self._count()

    @Slot()
    def _count(self) -> None:
        unread = self._log.unread
        self.setText(str(unread) if unread else "")
        words = ngettext("{count} new message", "{count} new messages", unread) if unread else ""
        name = ", ".join(filter(None, (_("Notifications"), words)))
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        room = text_width(self.text(), "caption") + 5 if self.text() else 0
        return QSize(38 + room, theme.size("status_bar") - 1)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        if self._hovered or self.hasFocus():
            painter.fillRect(self.rect(), theme.color("bg-3"))
        painter.fillRect(0, 0, 1, self.height(), theme.color("line"))
        if self.hasFocus():
            draw_focus_ring(painter, self.rect())
        tone = "text" if self.text() or self._hovered else "text-2"
        theme.draw_icon_in(painter, "bell", QRect(12, 0, 14, self.height()), 14, tone)
        draw_text(painter, QRect(31, 0, self.width() - 31, self.height()), self.text(), "caption", "text")
