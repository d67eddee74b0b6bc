"""The dialog that asks which app is to be opened on the phone."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from collector.device.apps.installed_app import InstalledApp
from collector.model.i18n import _
from studio.widgets.app_field import AppField
from studio.widgets.dialogs.dialog import Dialog, show_problem


class OpenAppDialog(Dialog):
    """Lists the apps of the phone; any other package or name may be typed."""

    chosen = Signal(str)
    """A package, or a name that the phone is to find."""

    def __init__(self, known: Iterable[InstalledApp], parent: QWidget) -> None:
        """``known`` are the apps of the tasks."""
        super().__init__(_("Open app"), _("Open"), parent, width=440)
        self.field = AppField(known)
        self._problem = self.add_field(_("App, by name or package"), self.field)
        self.field.edited.connect(self._edited)
        self.body.addStretch()
        self.field.setFocus()

    @Slot()
    def _edited(self) -> None:
        show_problem(self._problem, self.field, "")

    @Slot()
    def accept(self) -> None:
        """Emit the app, or say that none is named."""
        app = self.field.app
        if not self.field.text:
            show_problem(self._problem, self.field, _("Choose an app, or type its name or package"))
            return
        self.chosen.emit(app.package if app is not None else self.field.text)
        super().accept()
