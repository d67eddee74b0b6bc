"""Checks a phone when a person asks for it, and saves its report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from collector.model.errors import UserError
from collector.model.i18n import _
from studio.bridge.jobs import Job
from studio.bridge.phones.phone_checks import PhoneChecks
from studio.views.services import WindowServices
from studio.widgets.dialogs.file_dialog import dress_file_dialog

if TYPE_CHECKING:
    from collector.device_check.results import DeviceCheckResults
    from studio.views.project.phone_check.phone_check_dialog import PhoneCheckDialog

_NAME = "phone-check.html"


class PhoneCheckController(QObject):
    """Handles ``device.check``."""

    def __init__(self, services: WindowServices, window: QWidget) -> None:
        super().__init__(window)
        self._services, self._window = services, window
        self._checks = PhoneChecks(services.tasks, services.devices, services.settings, self)
        self.dialog: PhoneCheckDialog | None = None
        """The open dialog."""
        self._results: DeviceCheckResults | None = None
        self._serial = ""
        services.commander.handle("device.check", self.check)

    def check(self, serial: str = "") -> None:
        """Ask how to check a phone: the one named, the one in use, or the only one there is."""
        if self.dialog is not None:
            return
        self._serial = serial or self._only_phone()
        # Imported here: the steps load the decoder, and the start of the window does not wait for that.
        from collector.device_check.steps.all_steps import STEPS
        from studio.views.project.phone_check.phone_check_dialog import PhoneCheckDialog

        dialog = self.dialog = PhoneCheckDialog(
            self._services.devices.name(self._serial), STEPS, self._window.window()
        )
        dialog.started.connect(self._start)
        dialog.cancelled.connect(self._checks.cancel)
        dialog.report_asked.connect(self._ask_file)
        dialog.finished.connect(self._closed)
        self._checks.happened.connect(dialog.show_event)
        self._checks.ended.connect(dialog.show_results)
        self._checks.failed.connect(dialog.show_failure)
        dialog.open()

    def _only_phone(self) -> str:
        devices = self._services.devices
        ready = [entry.serial for entry in devices.entries if entry.is_ready]
        if devices.current is not None:
            return devices.current.serial
        if len(ready) == 1:
            return ready[0]
        if ready:
            raise UserError(
                _("Several phones are connected"), "", _("Choose one: press *Check this phone* on its card")
            )
        raise UserError(_("No phone is connected"), "", _("Connect one, or start a virtual phone"))

    @Slot(object)
    def _start(self, allowed: frozenset[str]) -> None:
        self._checks.start(self._serial, allowed)

    @Slot()
    def _closed(self) -> None:
        self.dialog = None

    # -- the report ----------------------------------------------------------
    @Slot(object)
    def _ask_file(self, results: DeviceCheckResults) -> None:
        self._results = results
        dialog = QFileDialog(self.dialog, _("Save the report of the check"), _NAME, "HTML (*.html)")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("html")
        dress_file_dialog(dialog)
        dialog.fileSelected.connect(self.save)
        dialog.open()

    @Slot(str)
    def save(self, path: str) -> None:
        """Write the report that was asked for."""
        results = self._results
        if results is None:
            return

        def work(_job: Job) -> str:
            from collector.device_check.report_page import report_page

            Path(path).write_bytes(report_page(results))
            return path

        self._services.tasks.run(work, success=self._saved, failure=self._services.toasts.show_error)

    @Slot(object)
    def _saved(self, path: str) -> None:
        self._services.toasts.show("ok", _("The report of the check is saved"), path)
