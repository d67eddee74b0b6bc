"""Everything that runs behind the window, built in order and closed in reverse."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox

from collector.model.errors import UserError
from collector.model.words import _
from studio.app.instance import Wish
from studio.app.logs import log_folder
from studio.app.virtual_phone import VirtualPhone
from studio.app.window import MainWindow, Services
from studio.app.workspaces import WORKSPACES
from studio.bridge import Job, TaskRunner
from studio.bridge.recording import Recording
from studio.commands.commander import Commander
from studio.commands.registry import Registry
from studio.settings import Settings
from studio.theme import theme

_log = logging.getLogger(__name__)


class Studio(QObject):
    """Owns settings, commands, jobs, virtual phones and the window."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        registry = Registry()
        registry.bind(settings["keys.own"])
        self.commander = Commander(registry)
        self.tasks = TaskRunner(self)
        self.recording = Recording(self.tasks, settings, self)
        self._phones: list[VirtualPhone] = []
        self._handle_commands()
        self.window = MainWindow(Services(self.commander, settings, self.tasks, self.recording), WORKSPACES)
        self._unlisten = settings.changed.add(self._setting_changed)
        if settings.problem:
            self.window.toasts.show("warn", settings.problem)

    def show(self) -> None:
        """Put the window on the screen."""
        self.window.show()

    def answer(self, wish: Wish) -> object:
        """Do what a later start or a test asks for; raises what the command raises."""
        if wish.get("raise"):
            self.window.setWindowState(self.window.windowState() & ~self.window.windowState().WindowMinimized)
            self.window.raise_()
            self.window.activateWindow()
            return True
        arguments = wish.get("arguments") or {}
        if not isinstance(arguments, dict):
            raise UserError(_("The arguments of a command are an object"))
        return self.commander.run(str(wish.get("run", "")), **{str(k): str(v) for k, v in arguments.items()})

    def close(self) -> None:
        """Stop phones, finish the store's work, save the settings."""
        self._unlisten()
        self.recording.stop()
        for phone in self._phones:
            phone.close()
        self.tasks.close()
        self._save()

    def _handle_commands(self) -> None:
        handle = self.commander.handle
        handle("device.start-virtual", self.start_virtual_phone)
        handle("help.log", self._open_log)
        handle("help.about", self._about)

    # -- virtual phones ----------------------------------------------------
    def start_virtual_phone(self) -> VirtualPhone:
        """Start a phone; it joins the others when it answers."""
        self.commander.set_context(virtual__starting=True)
        phone = VirtualPhone(self)
        phone.ready.connect(self._phone_ready)
        phone.failed.connect(self._phone_failed)
        self._phones.append(phone)
        phone.start(self.settings)
        return phone

    @Slot(str)
    def _phone_ready(self, address: str) -> None:
        self.commander.set_context(virtual__starting=False)
        if self.commander.exists("device.connect"):
            self.commander.run("device.connect", address=address)
        self.window.toasts.show("ok", _("The virtual phone runs"), address)

    @Slot(str)
    def _phone_failed(self, sentence: str) -> None:
        self.commander.set_context(virtual__starting=False)
        self.window.toasts.show("err", _("The virtual phone did not start"), sentence)

    # -- settings ----------------------------------------------------------
    def _setting_changed(self, key: str) -> None:
        if key == "look.theme":
            theme.use(self.settings[key])
        elif key == "look.motion":
            theme.set_motion(self.settings[key])
        self.tasks.run(self._save_behind, serial=True)

    def _save_behind(self, _job: Job) -> None:
        self.settings.save()

    def _save(self) -> None:
        try:
            self.settings.save()
        except OSError:
            _log.exception("the settings could not be saved")

    # -- help --------------------------------------------------------------
    def _open_log(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_folder())))

    def _about(self) -> None:
        box = QMessageBox(self.window)
        box.setWindowTitle(_("About Waymark Studio"))
        box.setText("Waymark Studio")
        box.setInformativeText(_("For the people who build benchmarks for mobile GUI agents. Apache-2.0."))
        box.setIconPixmap(theme.pixmap("mark", 20, "text", 3.0))
        box.open()
