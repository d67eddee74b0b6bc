"""Execute actions on a phone that is reached through ADB, in the time of this computer, until cancelled."""

from __future__ import annotations

import threading
import time

from collector.device.apps.app_control import start_app
from collector.device.apps.installed_app import InstalledApp
from collector.device.apps.installed_apps import read_installed_apps
from collector.device.errors import CallCancelled
from collector.device.input.input_sinks import ShellInput
from collector.device.protocols import Device, InputSink
from collector.replay.action_executor import ActionExecutor


def device_executor(device: Device, sink: InputSink, cancel: threading.Event) -> ActionExecutor:
    """Make what executes actions on ``device``. It raises CallCancelled once ``cancel`` is set."""
    pen = ShellInput(device, tool="stylus")  # scrcpy has none
    return ActionExecutor(_DeviceApps(device, cancel), sink, _RealPace(cancel), pen)


class _RealPace:
    """Waits on a thread, and gives up once the event is set."""

    def __init__(self, cancel: threading.Event) -> None:
        self._cancel = cancel

    @property
    def now(self) -> float:
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        if self._cancel.wait(seconds):
            raise CallCancelled("replay")


class _DeviceApps:
    """The apps of a phone; their list is read once."""

    def __init__(self, device: Device, cancel: threading.Event) -> None:
        self._device, self._cancel = device, cancel
        self._installed: tuple[InstalledApp, ...] = ()

    @property
    def installed(self) -> tuple[InstalledApp, ...]:
        self._installed = self._installed or read_installed_apps(self._device, self._cancel)
        return self._installed

    def start(self, package: str) -> bool:
        return start_app(self._device, package, self._cancel)
