"""The companion app of the phone in use: looked at, installed and removed behind the window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

from collector.device.apps.companion_app import CompanionApp
from collector.model.companion.status import CompanionStatus
from collector.model.i18n import _
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phones.phone import PhoneLink


class Companion(QObject):
    """One change at a time. GUI thread only; each ends with ``known`` or ``failed``."""

    known = Signal(object)
    """The :class:`CompanionStatus` that the phone has now."""
    installed = Signal()
    """The app was installed, and the phone says so; ``known`` follows."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, phone: PhoneLink, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, self.phone = runner, phone
        self.is_busy = False
        self._installs = False

    def look(self) -> None:
        """Ask the phone which version it has."""
        self._run(lambda app, job: app.status(job.cancel_event))

    def install(self, *, removes: bool = False) -> None:
        """Install the app that this program brings; ``removes`` the one of the phone before."""

        def work(app: CompanionApp, job: Job) -> CompanionStatus:
            if removes:
                app.remove(job.cancel_event)
            return app.install(cancel=job.cancel_event)

        self._run(work, _("Install the companion app"), installs=True)

    def remove(self) -> None:
        """Uninstall the app."""

        def work(app: CompanionApp, job: Job) -> CompanionStatus:
            app.remove(job.cancel_event)
            return app.status(job.cancel_event)

        self._run(work, _("Remove the companion app"))

    def allow(self, permission: str, *, allowed: bool) -> None:
        """Give the app a permission, or take it away."""
        self._run(lambda app, job: app.allow(permission, allowed=allowed, cancel=job.cancel_event))

    def _run(
        self, work: Callable[[CompanionApp, Job], CompanionStatus], title: str = "", *, installs: bool = False
    ) -> None:
        if title:
            self.phone.require_free()
        self.is_busy, self._installs = True, installs
        app = CompanionApp(self.phone.session.device)
        # Methods, which Qt forgets with this object: it goes with its dialog, whatever the phone does then.
        self._runner.run(
            lambda job: work(app, job), title=title, success=self._succeeded, failure=self._refused
        )

    @Slot(object)
    def _succeeded(self, status: CompanionStatus) -> None:
        self.is_busy = False
        if self._installs:
            self.installed.emit()
        self.known.emit(status)

    @Slot(object)
    def _refused(self, error: Exception) -> None:
        self.is_busy = False
        self.failed.emit(error)
