"""Commands that bring the phone to where the steps of the running recording end."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from collector.anomalies.anomaly_source import TrustRequest
from collector.model.errors import UserError
from collector.model.i18n import _
from studio.bridge.anomalies.phone_return import StepReplay
from studio.views.record.session import RecordSession
from studio.views.services import WindowServices
from studio.widgets.inject.confirmation_dialogs import TrustDialog


class StepReplayController(QObject):
    """Starts and cancels the replay, and says how it ended."""

    changed = Signal()
    """A replay began or ended."""

    def __init__(self, session: RecordSession, services: WindowServices, window: QWidget) -> None:
        """``window`` is the parent of dialogs."""
        super().__init__(window)
        self._session, self._services, self._window = session, services, window
        self._replay = StepReplay(
            services.tasks, services.devices, services.recording, services.anomalies, self
        )
        services.commander.handle("record.bring-phone", self.bring_phone)
        services.commander.handle("record.cancel-bring-phone", self._replay.cancel)
        self._replay.changed.connect(self.changed)
        self._replay.done.connect(self._done)
        self._replay.failed.connect(self._failed)
        self._replay.cancelled.connect(self._cancelled)
        self._replay.refused.connect(self._ask_trust)

    @property
    def is_running(self) -> bool:
        return self._replay.is_running

    def bring_phone(self) -> None:
        """Replay the steps before the next one on the phone, then go on recording."""
        library, recording = self._services.project_library, self._services.recording
        project, header = library.project, recording.header
        if project is None or header is None:
            return
        task = next((task for task in library.edits.tasks if task.id == header.task_id), None)
        self._replay.start(project, task)
        self._session.go_live()

    # -- what follows ----------------------------------------------------------
    @Slot(int)
    def _done(self, index: int) -> None:
        self._services.toasts.show("ok", _("The phone is where step {number} begins", number=index + 1))

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        if not isinstance(error, UserError):
            self._services.toasts.show_error(error)
            return
        self._services.toasts.show(
            "warn",
            error.what,
            ". ".join(filter(None, (error.why, error.to_do))),
            action=_("Try again"),
            act=partial(self._services.run_command, "record.bring-phone"),
        )

    @Slot()
    def _cancelled(self) -> None:
        if self._services.recording.is_running:
            self._services.toasts.show(
                "info",
                _("The phone was stopped on its way"),
                _("Bring it to where the steps end, then resume"),
                action=_("Bring the phone there"),
                act=partial(self._services.run_command, "record.bring-phone"),
            )

    @Slot(object)
    def _ask_trust(self, request: TrustRequest) -> None:
        dialog = TrustDialog(request, self._window.window())
        dialog.accepted.connect(partial(self._trust, request))
        dialog.open()

    def _trust(self, request: TrustRequest) -> None:
        job = self._services.project_library.grant(request)
        if job is not None:
            job.succeeded.connect(self._trusted)

    @Slot()
    def _trusted(self) -> None:
        self._services.run_command("record.bring-phone")
