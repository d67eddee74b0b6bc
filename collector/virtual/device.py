"""A whole virtual device: the phone, its operating system and its adbd, started and stopped together."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

from collector.adb.messages import Banner
from collector.virtual.daemon.faults import Faults
from collector.virtual.daemon.server import LOOPBACK, AdbDaemon
from collector.virtual.daemon.services import DeviceServices
from collector.virtual.shell.commands.properties import device_name
from collector.virtual.shell.machine import Machine
from collector.virtual.shell.process import Process
from collector.virtual.system.phone import Phone, PhoneProfile

# What adb may make of this phone; anything not named here it does the older way.
FEATURES = ("shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir")


class VirtualDevice:
    """Runs in this process, on threads of its own, from :meth:`start` to :meth:`close`.

    ``port`` 0 takes any free one. With ``realistic`` commands take as long as on a phone; else
    only gestures take their time. ``faults`` makes the link misbehave.
    """

    def __init__(self, profile: PhoneProfile, port: int = 0, *, realistic: bool = False) -> None:
        self.phone = Phone(profile)
        self.machine = Machine(self.phone, realistic=realistic)
        self.faults = Faults()
        self._daemon = AdbDaemon(
            DeviceServices(self.machine, self.faults.drop), self._banner, self.faults, port
        )
        self.machine.restarts.add(lambda _event: self._drop_soon())
        _install_programs(self.machine)

    @property
    def port(self) -> int:
        return self._daemon.port

    @property
    def address(self) -> str:
        """What to give to ``adb connect``; also the device's serial there."""
        return f"{LOOPBACK}:{self.port}"

    def start(self) -> int:
        """Listen and return the port; OSError when it is taken."""
        return self._daemon.start()

    def close(self) -> None:
        """Hang up and stop everything; harmless when done twice."""
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
        name = device_name(self.machine)
        properties = {
            "ro.product.name": name,
            "ro.product.model": self.phone.profile.model,
            "ro.product.device": name,
        }
        return Banner("device", properties, FEATURES).encode()

    def _drop_soon(self) -> None:
        """Hang up from another thread: the one that asks is answering a client of ours."""
        threading.Thread(target=self.faults.drop, name="virtual reboot", daemon=True).start()


def _install_programs(machine: Machine) -> None:
    """Main classes and commands that other rooms bring; loaded when first run."""

    def scrcpy_server(process: Process) -> int:
        from collector.virtual.video.scrcpy_server import ScrcpyServer

        server = ScrcpyServer(machine.phone, machine.sockets, process.out, process.interruption)
        return server.run(process.arguments)

    machine.programs["com.genymobile.scrcpy.Server"] = scrcpy_server

    def screenrecord(process: Process) -> int:
        from collector.virtual.video import screenrecord as video

        return video.screenrecord(process)

    machine.programs["screenrecord"] = screenrecord
