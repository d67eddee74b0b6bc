"""A recording that somebody asked for before a phone is live: it starts with the phone."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.i18n import _
from studio.bridge.phones.followed_phone import FollowedPhone
from studio.bridge.phones.phone import PhoneLink
from studio.views.record.session import RecordSession
from studio.views.services import WindowServices


class AwaitedPhone(QObject):
    """Waits while the task stays chosen and Record stays in front."""

    arrived = Signal()
    """A phone is live: the recording can start."""

    def __init__(self, session: RecordSession, services: WindowServices, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._services = session, services
        self._task_id = ""
        """The task that is to be recorded; empty while nothing is waited for."""
        self._phone = FollowedPhone(source_changed=self._phone_live)
        session.task_changed.connect(self.forget)
        services.devices.current_changed.connect(self._phone_changed)
        self._phone_changed(services.devices.current)

    def wait(self) -> None:
        """Emit ``arrived`` once a phone is live, and say so; without any phone, offer the virtual one."""
        self._task_id = self._session.task_id
        commander, devices = self._services.commander, self._services.devices
        what = _("The recording starts once a phone is live")
        if devices.current is not None or not commander.enabled("device.start-virtual"):
            self._services.toasts.show("info", what)
            return
        start = partial(self._services.run_command, "device.start-virtual")
        self._services.toasts.show(
            "info", what, _("No phone is connected"), action=_("Start the virtual phone"), act=start
        )

    @Slot()
    def forget(self) -> None:
        """Wait no longer."""
        self._task_id = ""

    @Slot(object)
    def _phone_changed(self, phone: PhoneLink | None) -> None:
        self._phone.follow(phone)

    @Slot()
    def _phone_live(self) -> None:
        task_id, self._task_id = self._task_id, ""
        in_front = self._services.commander.scope == "record"
        if task_id and in_front and task_id == self._session.task_id:
            self.arrived.emit()
