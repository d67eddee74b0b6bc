"""The companion app from the window: its dialog, and the offer when an anomaly needs it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from collector.anomalies.errors import PermissionMissing
from collector.model.companion.status import CompanionStatus
from collector.model.errors import UserError
from collector.model.i18n import _
from studio.bridge.phones.companion import Companion
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.while_alive import while_alive
from studio.views.services import WindowServices
from studio.widgets.inject.companion_dialog import CompanionDialog


class CompanionController(QObject):
    """Handles ``device.companion``."""

    def __init__(self, services: WindowServices, host: QWidget) -> None:
        super().__init__(host)
        self._services, self._host = services, host
        self._offered: set[str] = set()
        """Serials of the phones whose person was asked already."""
        self._dialog: CompanionDialog | None = None
        services.commander.handle("device.companion", self.open)

    def offer(self, error: UserError, again: Callable[[], object]) -> None:
        """An anomaly needs the app: ask once a phone, later say it with a button that asks.

        ``again`` injects it when the app was installed.
        """
        phone = self._services.devices.current
        if phone is not None and phone.serial not in self._offered and self._dialog is None:
            self.open(again)
            return
        self._services.toasts.show(
            "err", error.what, error.why,
            action=_("Install the companion..."), act=partial(self.open, again),
        )  # fmt: skip

    def offer_permission(self, error: PermissionMissing, again: Callable[[], object]) -> None:
        """The app may not show an anomaly: say so, with a button that allows it and injects ``again``."""
        self._services.toasts.show(
            "err", error.what, error.why,
            action=_("Allow it and inject"), act=partial(self._allow_and, error.permission, again),
        )  # fmt: skip

    def _allow_and(self, permission: str, again: Callable[[], object]) -> None:
        phone = self._phone()
        companion = Companion(self._services.tasks, phone, self)
        companion.known.connect(partial(_inject_again, again))
        companion.failed.connect(self._services.toasts.show_error)
        for end in (companion.known, companion.failed):
            end.connect(companion.deleteLater)
        companion.allow(permission, allowed=True)

    def _phone(self) -> PhoneLink:
        phone = self._services.devices.current
        if phone is None or not phone.is_live:
            raise UserError(_("There is no phone to look at"), "", _("Connect one"))
        return phone

    def open(self, again: Callable[[], object] | None = None) -> None:
        """Show what the phone in use has; raises UserError without one."""
        if self._dialog is not None:
            self._dialog.raise_()
            return
        phone = self._phone()
        self._offered.add(phone.serial)
        dialog = self._dialog = CompanionDialog(phone.name, self._host.window())
        companion = Companion(self._services.tasks, phone, dialog)
        companion.known.connect(dialog.show_status)
        companion.failed.connect(while_alive(dialog, partial(_show_error, dialog)))
        companion.installed.connect(while_alive(dialog, partial(self._installed, dialog, again)))
        dialog.install_asked.connect(partial(self._install, companion, dialog))
        dialog.remove_asked.connect(partial(self._remove, companion, dialog))
        dialog.permission_asked.connect(partial(self._allow, companion, dialog))
        dialog.finished.connect(self._closed)
        companion.look()
        dialog.open()

    def _install(self, companion: Companion, dialog: CompanionDialog, removes: bool) -> None:
        self._change(dialog, _("Installing the companion app"), lambda: companion.install(removes=removes))

    def _remove(self, companion: Companion, dialog: CompanionDialog) -> None:
        self._change(dialog, _("Removing the companion app"), companion.remove)

    def _allow(self, companion: Companion, dialog: CompanionDialog, permission: str, on: bool) -> None:
        self._change(
            dialog, _("Changing what the app may do"), lambda: companion.allow(permission, allowed=on)
        )

    def _change(self, dialog: CompanionDialog, words: str, change: Callable[[], None]) -> None:
        dialog.show_busy(words)
        try:
            change()
        except UserError as error:  # another program has the phone
            _show_error(dialog, error)

    def _installed(self, dialog: CompanionDialog, again: Callable[[], object] | None) -> None:
        self._services.anomalies.look()
        if again is not None:
            dialog.accept()
            again()
        self._services.toasts.show("ok", _("The companion app is installed"))

    def _closed(self, _result: int) -> None:
        self._dialog = None
        self._services.anomalies.look()


def _inject_again(again: Callable[[], object], _status: CompanionStatus) -> None:
    again()


def _show_error(dialog: CompanionDialog, error: Exception) -> None:
    what, why = (error.what, error.why) if isinstance(error, UserError) else (str(error), "")
    dialog.show_error(what, why)
