"""Commands of phones: connect a phone, and start a virtual one, up to the first recording."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.device.errors import DeviceError
from collector.device.transport.adb_server import AdbServer
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.virtual.fleet.phone_options import PhoneOptions, default_name
from collector.virtual.fleet.phone_process import PhoneProcess
from collector.virtual.fleet.registry import RunningPhone, running_phones
from studio.app.main_window.window import MainWindow
from studio.bridge.jobs import JobRunner
from studio.bridge.phones.devices import Devices
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.project_library import ProjectLibrary
from studio.commands.commander import Commander
from studio.settings import Settings
from studio.views.project.connect_dialog import ConnectDialog

_PHONE, _VIRTUAL_PHONE = "phone", "virtual phone"
"""Causes of errors: they leave once a phone is in use, or a virtual one runs."""


class VirtualPhoneProcess(QObject):
    """Starts and stops one process. The signals arrive on the GUI thread."""

    ready = Signal(str)
    """Address of the phone, once it answers."""
    failed = Signal(str)
    """Why the phone could not be started."""
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process = PhoneProcess()
        self._unsubscribe: list[Callable[[], None]] = []
        self.plays: tuple[str, ...] = ()
        """Ids of the trajectories that it plays; none for a phone with apps."""
        self.is_beside = False
        """Whether the phones that are in the window stay there beside it."""

    @property
    def address(self) -> str:
        """``127.0.0.1:PORT``, empty until the phone answers."""
        return self._process.address

    def start(
        self, settings: Settings, number: int = 1, plays: Sequence[str] = (), language: str = ""
    ) -> None:
        """Start the phone that the settings describe; ``number`` tells it from others of the same seed.

        ``plays`` are the folders of trajectories whose screens it shows instead of apps, in the language of
        the first; a ``language`` takes the place of that, and of that of the settings.
        """
        seed = settings["virtual.seed"]
        options = PhoneOptions(
            name=f"{default_name(seed)}-{number}" if number > 1 else "",
            seed=seed,
            size=settings["virtual.size"],
            density=settings["virtual.density"],
            locale=language or ("" if plays else settings["virtual.locale"]),
            asks_permissions=settings["virtual.ask-permissions"],
            recordings=tuple(plays),
        )
        self.plays = tuple(Path(folder).name for folder in plays)
        self._process = PhoneProcess(options)
        self._unsubscribe = [
            self._process.ready.subscribe(self.ready.emit),
            self._process.ended.subscribe(self._report_end),
        ]
        try:
            self._process.start()
        except OSError as error:
            self.failed.emit(error.strerror or str(error))

    def close(self) -> None:
        """Stop the process; kill it when it does not end within three seconds."""
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self._process.stop()

    def _report_end(self, report: str) -> None:
        """On the process's thread."""
        if report:
            _log.info("virtual phone: %s", report)
        if not self._process.address:
            self.failed.emit(report)
        self.ended.emit()


_log = logging.getLogger(__name__)


class PhoneController(QObject):
    """Handles ``device.connect`` and ``device.start-virtual``. Owns the virtual phones it started."""

    def __init__(
        self,
        commander: Commander,
        settings: Settings,
        runner: JobRunner,
        devices: Devices,
        project_library: ProjectLibrary,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._commander, self._settings, self._runner = commander, settings, runner
        self._devices, self._project_library = devices, project_library
        self._phones: list[VirtualPhoneProcess] = []
        self._started = 0
        """Virtual phones started so far; each gets a name of its own."""
        self._first_address = ""
        self._is_beside = False
        """Whether the phone that the person connects to comes beside those of the window."""
        self._running: dict[str, str] = {}
        """Addresses of running virtual phones, by name and seed, when the dialog was opened."""
        commander.handle("device.start-virtual", self.start_virtual)
        commander.handle("device.connect", self.connect_phone)
        devices.current_changed.connect(self._current_changed)
        devices.failed.connect(self._show_phone_error)

    def attach(self, window: MainWindow) -> None:
        """Set the window for dialogs and toasts. Commands are handled before the window is built."""
        self._window = window

    def close(self) -> None:
        """Stop the virtual phones and disconnect adb, which would list them as offline otherwise."""
        for phone in self._phones:
            phone.ended.disconnect(self._ended)
            phone.close()
            if phone.address:
                self._disconnect(phone.address)

    def _disconnect(self, address: str) -> None:
        try:
            AdbServer().disconnect(address)
        except DeviceError as error:
            _log.info("%s stays with adb: %s", address, error)

    def connect_phone(self, address: str = "", beside: str = "") -> None:
        """Connect to ``address``, or to the one that the person enters.

        With ``beside``, which may be any word, the phone in use stays in the window.
        """
        self._is_beside = bool(beside)
        if address:
            self._devices.connect_address(address, beside=self._is_beside)
            return
        self._runner.run(lambda _job: running_phones(), success=self._ask_address)

    @Slot(object)
    def _ask_address(self, running: list[RunningPhone]) -> None:
        listed = {entry.serial for entry in self._devices.entries}
        self._running = {
            _(
                "{name}, seed {seed}, at {address}", name=phone.name, seed=phone.seed, address=phone.address
            ): phone.address
            for phone in running
            if phone.address not in listed
        }
        dialog = ConnectDialog(self._devices.addresses, self._running, self._window)
        dialog.chosen.connect(self._connect_chosen)
        dialog.open()

    @Slot(str)
    def _connect_chosen(self, address: str) -> None:
        # The port of a virtual phone is another one at its next start: it is offered by its name.
        remember = address not in self._running.values()
        self._devices.connect_address(address, remember=remember, beside=self._is_beside)

    def start_virtual(self, plays: str = "", language: str = "", beside: str = "") -> VirtualPhoneProcess:
        """Start a virtual phone; it is connected and used once it answers.

        ``plays`` are the folders of trajectories that it plays, one a line, ``language`` a tag such as
        ``zh-CN``. With ``beside``, which may be any word, the phone in use stays in the window.
        """
        self._commander.set_context(virtual__starting=True)
        phone = VirtualPhoneProcess(self)
        phone.ready.connect(self._ready)
        phone.failed.connect(self._failed)
        phone.ended.connect(self._ended)
        self._phones.append(phone)
        self._started += 1
        phone.is_beside = bool(beside)
        phone.start(self._settings, self._started, plays.splitlines(), language)
        return phone

    @Slot(str)
    def _ready(self, address: str) -> None:
        self._commander.set_context(virtual__starting=False)
        phone = self.sender()
        is_beside = isinstance(phone, VirtualPhoneProcess) and phone.is_beside
        self._devices.connect_address(address, remember=False, beside=is_beside)
        is_asked = self._commander.context.get("project.asked")
        if self._project_library.project is None and not is_asked:
            # With no project open or about to be made, open the sample, too: a phone and tasks for it.
            self._first_address = address
            self._commander.run("project.open-sample")
        self._window.toasts.end(_VIRTUAL_PHONE)
        plays = phone.plays if isinstance(phone, VirtualPhoneProcess) else ()
        sentence = _("The virtual phone runs")
        if plays:
            count = len(plays)
            named = plays[0] if count == 1 else ngettext("{count} trajectory", "{count} trajectories", count)
            sentence = _("The virtual phone plays {name}", name=named)
        self._window.toasts.show("ok", sentence, address)

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        self._commander.set_context(virtual__starting=False)
        self._window.toasts.show("err", _("The virtual phone did not start"), sentence, cause=_VIRTUAL_PHONE)

    @Slot()
    def _ended(self) -> None:
        phone = self.sender()
        if isinstance(phone, VirtualPhoneProcess) and phone in self._phones and phone.address:
            self._phones.remove(phone)
            phone.close()
            self._devices.disconnect_address(phone.address)

    @Slot(object)
    def _show_phone_error(self, error: Exception) -> None:
        self._window.toasts.show_error(error, cause=_PHONE)

    @Slot(object)
    def _current_changed(self, link: PhoneLink | None) -> None:
        if link is not None:
            self._window.toasts.end(_PHONE)
        if link is not None and link.serial == self._first_address:
            self._first_address = ""
            self._show_recorder()

    def _show_recorder(self) -> None:
        try:
            self._commander.run("view.record")
        except UserError as error:
            self._window.toasts.show_error(error)
