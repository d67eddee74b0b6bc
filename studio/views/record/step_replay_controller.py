"""Commands that bring the phone to where the steps of the running recording end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from collector.anomalies.anomaly_source import TrustRequest
from collector.model.errors import UserError
from collector.model.i18n import _, join_sentences
from collector.model.phone.android_names import is_package
from collector.model.task import RESET_APP, RESET_PHONE, RESET_PROJECT
from studio.bridge.anomalies.phone_return import StepReplay
from studio.views.record.session import RecordSession
from studio.views.services import WindowServices
from studio.widgets.inject.confirmation_dialogs import TrustDialog
from studio.widgets.window_frame.toasts import Toast

if TYPE_CHECKING:
    from collector.replay.replay_to_step import Arrival

_RESET_NOW: dict[str, Callable[[], str]] = {
    RESET_APP: lambda: _("Reset the app's data"),
    RESET_PHONE: lambda: _("Reset the virtual phone"),
    RESET_PROJECT: lambda: _("Run the project's reset"),
}
"""What the buttons say that reset the phone and try again."""


class StepReplayController(QObject):
    """Starts and cancels the replay, and says how it ended."""

    changed = Signal()
    """A replay began or ended."""

    def __init__(self, session: RecordSession, services: WindowServices, window: QWidget) -> None:
        """``window`` is the parent of dialogs."""
        super().__init__(window)
        self._session, self._services, self._window = session, services, window
        self._reset = ""
        self._problem: Toast | None = None
        """Says that the phone stayed elsewhere, until that is no longer so."""
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
        services.recording.place_changed.connect(self._place_changed)
        services.recording.finished.connect(self._close_problem)
        self._replay.changed.connect(self._close_problem)

    @property
    def is_running(self) -> bool:
        return self._replay.is_running

    @Slot()
    def ask(self) -> None:
        """Bring the phone there, as the command does."""
        self._services.run_command("record.bring-phone")

    def bring_phone(self, reset: str = "") -> None:
        """Bring the phone to where the steps end, then go on recording; after a ``reset`` of RESETS."""
        library, recording = self._services.project_library, self._services.recording
        project, header = library.project, recording.header
        if project is None or header is None:
            return
        task = next((task for task in library.edits.tasks if task.id == header.task_id), None)
        self._reset = reset
        self._replay.start(project, task, reset)
        self._session.go_live()

    @Slot()
    def _place_changed(self) -> None:
        if not self._services.recording.is_elsewhere:
            self._close_problem()

    @Slot()
    def _close_problem(self) -> None:
        toast, self._problem = self._problem, None
        if toast is not None and toast in self._services.toasts.shown:
            toast.close_toast()

    # -- what follows ----------------------------------------------------------
    @Slot(int, object)
    def _done(self, index: int, arrival: Arrival) -> None:
        if arrival == "unchecked":
            self._services.toasts.show(
                "warn",
                _("The steps before step {number} were done again", number=index + 1),
                _("No recorded screen shows where it begins: look whether the phone is there"),
            )
            return
        self._services.toasts.show(
            "ok", _("The phone is where step {number} begins", number=index + 1), _way_of(arrival)
        )

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        if not isinstance(error, UserError):
            self._services.toasts.show_error(error)
            return
        from collector.replay.replay_to_step import PhoneElsewhere

        is_elsewhere = isinstance(error, PhoneElsewhere)
        reset = self._reset_to_offer() if is_elsewhere else ""
        arguments = {"reset": reset} if reset else {}
        self._problem = self._services.toasts.show(
            "err" if is_elsewhere else "warn",
            error.what,
            join_sentences(error.why, error.to_do),
            action=_RESET_NOW[reset]() if reset else _("Try again"),
            act=partial(self._services.run_command, "record.bring-phone", **arguments),
        )

    def _reset_to_offer(self) -> str:
        """The reset of RESETS that may help when the phone stays elsewhere; empty for none."""
        phone, project = self._services.devices.current, self._services.project_library.project
        if self._reset or phone is None or project is None:
            return ""
        task = self._session.task
        if task is not None and is_package(task.package):
            return RESET_APP
        if phone.info.is_virtual:
            return RESET_PHONE
        return "" if project.reset.is_empty else RESET_PROJECT

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
        self._services.run_command("record.bring-phone", **({"reset": self._reset} if self._reset else {}))


def _way_of(arrival: Arrival) -> str:
    """How the phone got there, in a sentence."""
    return {
        "there": _("It was there already: the screen is the recorded one"),
        "back": _("BACK led there: the screen is the recorded one"),
        "reopened": _("The app was opened again: the screen is the recorded one"),
        "replayed": _("The steps were done again: the screen is the recorded one"),
        "reset": _("It was reset, and the steps were done again: the screen is the recorded one"),
    }.get(arrival, "")
