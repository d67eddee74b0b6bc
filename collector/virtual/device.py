"""A virtual device: phone, operating system and adbd, started and stopped together."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

from collector.adb.messages import Banner
from collector.host.emulator_ports import serial_of
from collector.model.event_emitter import EventEmitter
from collector.virtual.console.announcement import announce
from collector.virtual.console.emulator import Emulator
from collector.virtual.console.redirections import Redirections
from collector.virtual.console.server import ConsoleServer
from collector.virtual.daemon.fault_kinds import Fault
from collector.virtual.daemon.server import LOOPBACK, AdbDaemon
from collector.virtual.daemon.services import DeviceServices
from collector.virtual.shell.build_properties import device_name, product_name
from collector.virtual.shell.commands.packages.main_classes import MOBILECLI, SCRCPY, UIAUTOMATOR2
from collector.virtual.shell.machine import Machine
from collector.virtual.shell.process import Process
from collector.virtual.shell.system_files import install_system_files
from collector.virtual.system.phone import Phone, PhoneProfile

# Features offered to adb; adb uses its older protocol for anything not listed.
FEATURES = ("shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir")


class VirtualDevice:
    """A virtual device that runs in this process, on its own threads, from :meth:`start` to :meth:`close`.

    ``port`` 0 takes any free port. With ``realistic`` commands take as long as on a phone; otherwise
    only gestures take time. With ``lively_log`` the system writes to its log by itself. A port for a
    ``console`` makes it an emulator, which adb reaches at the next port. ``faults`` disturbs the link.
    """

    def __init__(
        self,
        profile: PhoneProfile,
        port: int = 0,
        *,
        realistic: bool = False,
        lively_log: bool = False,
        console: int = 0,
    ) -> None:
        self.phone = Phone(profile.as_emulator() if console else profile)
        self.machine = Machine(self.phone, realistic=realistic, lively_log=lively_log)
        install_system_files(self.machine)
        self.faults = self.machine.faults
        self.faults.changed.subscribe(self._fault_changed)
        self._daemon = AdbDaemon(
            DeviceServices(self.machine, self.faults.drop),
            self._banner,
            self.faults,
            console + 1 if console else port,
        )
        self.killed: EventEmitter[None] = EventEmitter()
        """Emits when the console was told to kill it, on a thread of the console."""
        self._console: ConsoleServer | None = None
        if console:
            self._redirections = Redirections(self.machine.sockets.connect)
            emulator = Emulator(self.phone, lambda: self.killed.emit(None), self._halt, self._redirections)
            self._console = ConsoleServer(emulator, console)
        self.machine.restarts.subscribe(lambda _event: self._drop_soon())
        _install_programs(self.machine)

    @property
    def port(self) -> int:
        return self._daemon.port

    @property
    def address(self) -> str:
        """What adb calls the phone: the address for ``adb connect``, or an emulator's name."""
        return serial_of(self._console.port) if self._console else f"{LOOPBACK}:{self.port}"

    def start(self) -> int:
        """Listen and return the port; OSError when it is taken."""
        port = self._daemon.start()
        if self._console:
            self._console.start()
            announce(port)
        return port

    def close(self) -> None:
        """Close all connections and stop everything; safe to call twice."""
        if self._console:
            self._console.close()
            self._redirections.close()
        self._daemon.close()
        self.machine.close()
        self.phone.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _banner(self) -> bytes:
        properties = {
            "ro.product.name": product_name(self.machine),
            "ro.product.model": self.phone.profile.model,
            "ro.product.device": device_name(self.machine),
        }
        return Banner("device", properties, FEATURES).encode()

    def _halt(self, halted: bool) -> None:
        """Answer adb no more, or again."""
        if halted:
            self.faults.set("stall", seconds=0)
        else:
            self.faults.clear("stall")

    def _fault_changed(self, fault: Fault) -> None:
        """Apply faults of the phone itself; link and command faults are looked up where they act."""
        name = fault.kind.name
        if name == "secure-window":
            self.phone.protect(name in self.faults)
        elif name == "frozen-screen":
            self.phone.freeze_screen(name in self.faults)
        elif name == "full-disk":
            self.machine.files.full = name in self.faults

    def _drop_soon(self) -> None:
        """Drop the connections from another thread: the calling thread still answers one of the clients."""
        threading.Thread(target=self.faults.drop, name="virtual reboot", daemon=True).start()


def _install_programs(machine: Machine) -> None:
    """Register main classes and commands of other packages; each is loaded on first use."""

    def uiautomator2(process: Process) -> int:
        from collector.virtual.automation.server import run_server

        return run_server(process, device_name(machine))

    machine.programs[UIAUTOMATOR2] = uiautomator2

    def mobilecli(process: Process) -> int:
        from collector.virtual.automation.mobilecli_server import run_mobilecli_server

        return run_mobilecli_server(process)

    machine.programs[MOBILECLI] = mobilecli

    def scrcpy_server(process: Process) -> int:
        from collector.virtual.video.scrcpy_server import ScrcpyServer
        from collector.virtual.video.server_log import ServerLog

        def unlink() -> None:
            jar = process.environment.get("CLASSPATH", "").split(":")[0]
            if jar and machine.files.exists(process.path(jar)):
                machine.files.remove(process.path(jar))

        log = ServerLog(process.out, lambda text: process.stderr.write(text.encode()))
        server = ScrcpyServer(machine.phone, machine.sockets, log, process.interruption, unlink)
        return server.run(process.arguments)

    machine.programs[SCRCPY] = scrcpy_server

    def screenrecord(process: Process) -> int:
        from collector.virtual.video import screenrecord as video

        return video.screenrecord(process)

    machine.programs["screenrecord"] = screenrecord
