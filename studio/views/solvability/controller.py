"""Wires surveys of solvability to the window: the commands, what to survey, and what has to be asked."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from collector.anomalies.anomaly_source import TrustRequest
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.replay.solvability_plan import SolvabilityInput, SolvabilityPlan
from studio.bridge.anomaly_catalogue import AnomalyCatalogue
from studio.bridge.phone import PhoneLink
from studio.views.services import WindowServices
from studio.views.solvability.setup_dialog import SolvabilitySetupDialog
from studio.widgets.inject.confirmation_dialogs import TrustDialog


class SolvabilityController(QObject):
    """Handles ``project.solvability`` and ``project.solvability-cancel`` for the Project workspace."""

    def __init__(self, shell: WindowServices, host: QWidget, chosen: Callable[[], list[str]]) -> None:
        """``chosen`` are the ids of the tasks the person has chosen in the table."""
        super().__init__(host)
        self._shell, self._host, self._chosen = shell, host, chosen
        self._shelf = AnomalyCatalogue(shell.tasks, shell.library, self)
        self.dialog: SolvabilitySetupDialog | None = None
        self._ground: SolvabilityInput | None = None
        self._tasks: list[str] = []
        self._anomaly = ""
        surveys = shell.solvability
        handle = shell.commander.handle
        handle("project.solvability", self.open)
        handle("project.solvability-cancel", surveys.cancel)
        surveys.looked.connect(self._looked)
        surveys.failed.connect(self._failed)
        surveys.trust_asked.connect(self._ask_trust)
        surveys.changed.connect(self._changed)
        self._shelf.failed.connect(shell.toasts.show_error)
        shell.devices.current_changed.connect(self._phone_changed)
        shell.anomalies.active_changed.connect(self._phone_answers)

    # -- asking what to survey -----------------------------------------------
    def open(self, anomaly: str = "", tasks: str = "") -> None:
        """Ask what to survey, only ``anomaly`` ticked where one is named.

        ``tasks`` are ids parted by commas, else those chosen in the table.
        """
        surveys = self._shell.solvability
        if surveys.is_running:
            raise UserError(_("A survey is running"), "", _("Wait until it is done, or cancel it"))
        self._tasks = [one for one in tasks.split(",") if one] or self._chosen()
        self._anomaly, self._ground = anomaly, None
        dialog = self._made()
        self._phone_answers()
        dialog.open()
        self._shelf.look().succeeded.connect(self._offer)
        surveys.look()

    def _made(self) -> SolvabilitySetupDialog:
        if self.dialog is not None:
            self.dialog.close()
        dialog = self.dialog = SolvabilitySetupDialog(self._host.window(), self._shell.solvability.pace_of)
        dialog.started.connect(self._start)
        dialog.finished.connect(self._closed)
        self._shell.library.opened.connect(dialog.reject)  # it offers what another project has
        return dialog

    @Slot()
    def _closed(self) -> None:
        self.dialog = None

    @Slot(object)
    def _looked(self, ground: SolvabilityInput) -> None:
        self._ground = ground
        self._offer()

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        """Of a project that cannot be read there is nothing to choose from."""
        self._shell.toasts.show_error(error)
        if self.dialog is not None and self._ground is None:
            self.dialog.reject()

    @Slot()
    def _offer(self) -> None:
        """Show what there is, once both are known."""
        if self.dialog is not None and self._ground is not None and self._shelf.entries:
            before = self._shell.solvability.plan
            texts = before.texts if before is not None else {}
            self.dialog.offer(self._ground, self._shelf.entries, self._tasks, self._anomaly, texts)

    @Slot(object)
    def _phone_changed(self, link: PhoneLink | None) -> None:
        self._phone_answers()
        if link is not None:
            link.source_changed.connect(self._phone_answers)

    @Slot()
    def _phone_answers(self) -> None:
        if self.dialog is not None:
            self.dialog.show_phone(self._shell.devices.current, self._shell.solvability.obstacle)

    # -- running -------------------------------------------------------------
    @Slot(object)
    def _start(self, plan: SolvabilityPlan) -> None:
        if self._ground is not None:
            self._shell.solvability.start(plan, self._ground)

    @Slot(object)
    def _ask_trust(self, wanted: TrustRequest) -> None:
        dialog = TrustDialog(wanted, self._host.window())
        dialog.accepted.connect(lambda: self._shell.solvability.trust(wanted))
        self._shell.library.opened.connect(dialog.reject)  # it is about a project that is no more in front
        dialog.open()

    @Slot()
    def _changed(self) -> None:
        self._shell.commander.set_context(survey__running=self._shell.solvability.is_running)
