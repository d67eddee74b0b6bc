"""Set up and start solvability checks: their commands, the setup dialog and the question of trust."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from collector.anomalies.anomaly_source import TrustRequest
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.replay.solvability.plan import SolvabilityInput, SolvabilityPlan
from studio.bridge.anomalies.anomaly_catalogue import AnomalyCatalogue
from studio.bridge.phones.followed_phone import FollowedPhone
from studio.bridge.phones.phone import PhoneLink
from studio.views.services import WindowServices
from studio.views.solvability.setup_dialog import SolvabilitySetupDialog
from studio.widgets.inject.confirmation_dialogs import TrustDialog


class SolvabilityController(QObject):
    """Handles ``project.solvability`` and ``project.solvability-cancel`` for the Project workspace."""

    def __init__(
        self, services: WindowServices, host: QWidget, selected_tasks: Callable[[], list[str]]
    ) -> None:
        """``host`` is the parent of dialogs; ``selected_tasks`` returns ids of the task table."""
        super().__init__(host)
        self._services, self._host, self._selected_tasks = services, host, selected_tasks
        self._catalogue = AnomalyCatalogue(services.tasks, services.project_library, self)
        self.dialog: SolvabilitySetupDialog | None = None
        self._input: SolvabilityInput | None = None
        self._tasks: list[str] = []
        self._anomaly = ""
        solvability, handle = services.solvability, services.commander.handle
        handle("project.solvability", self.open)
        handle("project.solvability-cancel", solvability.cancel)
        solvability.looked.connect(self._input_read)
        solvability.failed.connect(self._report_failure)
        solvability.trust_asked.connect(self._ask_trust)
        solvability.changed.connect(self._update_context)
        self._catalogue.failed.connect(services.toasts.show_error)
        self._phone = FollowedPhone(source_changed=self._show_phone)
        services.devices.current_changed.connect(self._phone_changed)
        services.anomalies.active_changed.connect(self._show_phone)

    # -- the setup -----------------------------------------------------------
    def open(self, anomaly: str = "", tasks: str = "") -> None:
        """Open the setup dialog; with an ``anomaly`` only that one is ticked.

        ``tasks`` are ids with commas between them; when empty, the tasks selected in the table.
        Raises UserError while a check is running.
        """
        solvability = self._services.solvability
        if solvability.is_running:
            raise UserError(_("A solvability check is running"), "", _("Wait until it is done, or cancel it"))
        self._tasks = [task for task in tasks.split(",") if task] or self._selected_tasks()
        self._anomaly, self._input = anomaly, None
        dialog = self._new_dialog()
        self._show_phone()
        dialog.open()
        self._catalogue.look().succeeded.connect(self._offer)
        solvability.look()

    def _new_dialog(self) -> SolvabilitySetupDialog:
        if self.dialog is not None:
            self.dialog.close()
        dialog = self.dialog = SolvabilitySetupDialog(self._host.window(), self._services.solvability.pace_of)
        dialog.started.connect(self._start)
        dialog.finished.connect(self._closed)
        self._services.project_library.opened.connect(dialog.reject)  # it offers tasks of another project
        return dialog

    @Slot()
    def _closed(self) -> None:
        self.dialog = None

    @Slot(object)
    def _input_read(self, input_: SolvabilityInput) -> None:
        self._input = input_
        self._offer()

    @Slot(object)
    def _report_failure(self, error: Exception) -> None:
        """Show the error; close the dialog when the project could not be read."""
        self._services.toasts.show_error(error)
        if self.dialog is not None and self._input is None:
            self.dialog.reject()

    @Slot()
    def _offer(self) -> None:
        """Fill the dialog once both the project and the anomalies are read."""
        if self.dialog is not None and self._input is not None and self._catalogue.entries:
            last_plan = self._services.solvability.plan
            texts = last_plan.texts if last_plan is not None else {}
            self.dialog.offer(self._input, self._catalogue.entries, self._tasks, self._anomaly, texts)

    @Slot(object)
    def _phone_changed(self, link: PhoneLink | None) -> None:
        self._show_phone()
        self._phone.follow(link)

    @Slot()
    def _show_phone(self) -> None:
        if self.dialog is not None:
            self.dialog.show_phone(self._services.devices.current, self._services.solvability.obstacle)

    # -- running -------------------------------------------------------------
    @Slot(object)
    def _start(self, plan: SolvabilityPlan) -> None:
        if self._input is not None:
            self._services.solvability.start(plan, self._input)

    @Slot(object)
    def _ask_trust(self, request: TrustRequest) -> None:
        dialog = TrustDialog(request, self._host.window())
        dialog.accepted.connect(partial(self._services.solvability.trust, request))
        self._services.project_library.opened.connect(dialog.reject)  # the question is about another project
        dialog.open()

    @Slot()
    def _update_context(self) -> None:
        self._services.commander.set_context(solvability__running=self._services.solvability.is_running)
