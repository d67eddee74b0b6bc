"""Toasts about the phone in use: its messages, when it is lost or back, and secure screens."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.i18n import _, join_sentences
from studio.bridge.phones.followed_phone import FollowedPhone
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.recording import Recording
from studio.widgets.window_frame.toasts import Toasts


class PhoneNotices(QObject):
    """Follows the phone in front."""

    changed = Signal()
    """The phone was lost or came back, or its source or secure state changed."""

    def __init__(self, recording: Recording, toasts: Toasts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._recording, self._toasts = recording, toasts
        self._phone = FollowedPhone(
            message=self._show_message,
            lost=self._show_lost,
            back=self._show_back,
            secure_changed=self._show_secure,
            source_changed=self._source_changed,
        )

    def follow(self, phone: PhoneLink | None) -> None:
        """Show the notices of another phone, or of none."""
        self._phone.follow(phone)

    @Slot(str)
    def _show_message(self, sentence: str) -> None:
        self._toasts.show("info", sentence)

    @Slot(str)
    def _show_lost(self, why: str) -> None:
        paused = _("The recording is paused until it is back") if self._recording.is_running else ""
        self._toasts.show("warn", _("The phone is gone"), join_sentences(why, paused))
        self.changed.emit()

    @Slot()
    def _show_back(self) -> None:
        self._toasts.show("ok", _("The phone is back"))
        self.changed.emit()

    @Slot(bool)
    def _show_secure(self, secure: bool) -> None:
        if secure and self._recording.is_running:
            self._toasts.show(
                "info", _("Recording without pixels"), _("Secure screen; passwords are redacted")
            )
        self.changed.emit()

    @Slot(str)
    def _source_changed(self, _name: str) -> None:
        self.changed.emit()
