"""The apps of the phone in use, read behind the window for those who choose one."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal, Slot

from collector.device.apps.installed_app import InstalledApp
from collector.model.task import Task
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phones.devices import Devices
from studio.bridge.phones.followed_phone import FollowedPhone
from studio.bridge.phones.phone import PhoneLink


def apps_of(tasks: Iterable[Task]) -> list[InstalledApp]:
    """The apps that tasks name with their packages, each once."""
    names = {task.package: task.app for task in tasks if task.package}
    return [InstalledApp(package, name) for package, name in names.items()]


_log = logging.getLogger(__name__)


class PhoneApps(QObject):
    """Reads the apps once for each phone, and only when somebody asks. GUI thread only."""

    changed = Signal(object)
    """A tuple of :class:`InstalledApp`: those of the phone in use; empty until they are read."""

    def __init__(self, runner: JobRunner, devices: Devices, parent: QObject) -> None:
        super().__init__(parent)
        self._runner, self._devices = runner, devices
        self.known: tuple[InstalledApp, ...] = ()
        self._asked: PhoneLink | None = None
        """The phone whose apps are known or being read."""
        self._is_wanted = False
        """Whether somebody asked while no phone was live."""
        self._phone = FollowedPhone(source_changed=self._phone_live)
        devices.current_changed.connect(self._phone_changed)
        self._phone_changed(devices.current)

    def read(self) -> None:
        """Read the apps of the phone in use, or of the next that is live; ``changed`` follows."""
        phone = self._devices.current
        if phone is None or not phone.is_live:
            self._is_wanted = True
            return
        self._is_wanted = False
        if phone is self._asked:
            return
        self._asked = phone

        def work(job: Job) -> tuple[PhoneLink, tuple[InstalledApp, ...]]:
            return phone, phone.installed_apps(job.cancel_event)

        self._runner.run(work, success=self._read, failure=self._not_read)

    @Slot(object)
    def _phone_changed(self, phone: PhoneLink | None) -> None:
        self._asked = None
        if self.known:
            self._show(())
        self._phone.follow(phone)

    @Slot()
    def _phone_live(self) -> None:
        if self._is_wanted:
            self.read()

    @Slot(object)
    def _read(self, result: tuple[PhoneLink, tuple[InstalledApp, ...]]) -> None:
        phone, apps = result
        if phone is self._asked:
            self._show(apps)

    @Slot(object)
    def _not_read(self, error: Exception) -> None:
        """The names can be typed: nobody is stopped by a phone that does not list its apps."""
        self._asked = None
        _log.info("the apps of the phone were not read: %s", error)

    def _show(self, apps: tuple[InstalledApp, ...]) -> None:
        self.known = apps
        self.changed.emit(apps)
