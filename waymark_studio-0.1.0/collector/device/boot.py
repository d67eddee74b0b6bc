"""Wait until a phone has booted: adb lists it, Android says that it has started, and packages are served."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from collector.device.errors import CallCancelled, DeviceError, DeviceTimeout
from collector.device.protocols import Cancel, Device
from collector.model.i18n import _

BOOT_SECONDS = 240.0
"""An emulator without hardware acceleration takes minutes."""
_QUESTIONS = "getprop sys.boot_completed; pm path android"
ANSWER_SECONDS = 5.0
"""How long a phone that works may take to answer."""
_POLL_S = 0.2


def has_booted(device: Device, cancel: Cancel | None = None, seconds: float = ANSWER_SECONDS) -> bool:
    """Whether Android runs and its package manager answers. Raises DeviceError when the phone is silent."""
    lines = device.shell(_QUESTIONS, timeout=seconds, cancel=cancel).text.split()
    return lines[:1] == ["1"] and any(line.startswith("package:") for line in lines)


def wait_until_booted(
    device: Device,
    seconds: float = BOOT_SECONDS,
    cancel: Cancel | None = None,
    require_alive: Callable[[], None] | None = None,
) -> None:
    """Wait until the phone can be used. ``require_alive`` may raise to end the wait early.

    Raises DeviceTimeout when it takes longer than ``seconds``, and CallCancelled.
    """
    stopped = cancel or threading.Event()
    end = time.monotonic() + seconds
    while True:
        if require_alive is not None:
            require_alive()
        try:
            if has_booted(device, stopped):
                return
        except CallCancelled:
            raise
        except DeviceError:
            pass  # adb does not list it yet, or calls it offline while it boots
        if time.monotonic() > end:
            raise DeviceTimeout(_("the start of Android"), seconds)
        if stopped.wait(_POLL_S):
            raise CallCancelled("boot")
