"""What to do when another program uses the phone: wait for it, use the phone anyway, or see what it is."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from collector.device.device_lease import EXPERIMENT_RUN
from collector.model.i18n import _, join_sentences
from studio.app.main_window.window import MainWindow
from studio.bridge.device_ownership import DeviceOwnership
from studio.commands.commander import Commander
from studio.widgets.dialogs.dialog import Dialog


class DeviceOwnerController(QObject):
    """Handles ``device.owner`` and ``device.use-anyway``. Asks once for each program that has the phone."""

    def __init__(self, commander: Commander, ownership: DeviceOwnership, parent: QObject) -> None:
        super().__init__(parent)
        self._commander, self._ownership = commander, ownership
        self._asked: tuple[str, str] | None = None
        """Process and phone that the person was asked about."""
        self.dialog: Dialog | None = None
        """The open dialog."""
        commander.handle("device.owner", self.show_owner)
        commander.handle("device.use-anyway", self.use_anyway)
        ownership.changed.connect(self._owner_changed)

    def attach(self, window: MainWindow) -> None:
        """Set the window for dialogs and toasts. Commands are handled before the window is built."""
        self._window = window
        self.dialog = None
        self._owner_changed()

    def show_owner(self) -> None:
        """Say which program has the phone, since when, and what can be done."""
        if self._ownership.owner is None or self.dialog is not None:
            return
        waits = _("The picture is shown meanwhile, and your input begins by itself when the phone is free")
        self.dialog = dialog = Dialog(
            _("Another program uses the phone"), _("Wait"), self._window,
            sentence=join_sentences(self._ownership.sentence, waits), no=_("Use it anyway"),
        )  # fmt: skip
        dialog.no.setEnabled(not self._ownership.is_forced)
        dialog.setModal(False)  # the phone can be looked at meanwhile
        dialog.no.clicked.connect(self.use_anyway)
        dialog.finished.connect(self._closed)
        dialog.show()

    @Slot()
    def use_anyway(self) -> None:
        """Let the person act on the phone beside the other program."""
        self._ownership.use_anyway()

    @Slot()
    def _owner_changed(self) -> None:
        owner, forced = self._ownership.owner, self._ownership.is_forced
        self._commander.set_context(device__taken=owner is not None, device__forced=forced)
        if owner is None:
            if self._asked is not None:
                self._window.toasts.show("ok", _("The phone is free"), _("The other program is done with it"))
            self._asked = None
            if self.dialog is not None:
                self.dialog.close()
            return
        if owner.activity == EXPERIMENT_RUN:
            return  # phones of a run are watched and taken over in Run
        asked = (owner.pid, owner.key)
        if asked != self._asked and not forced:
            self._asked = asked
            self.show_owner()

    @Slot()
    def _closed(self) -> None:
        self.dialog = None
