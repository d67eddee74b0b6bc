"""Tell the adb server of an emulator, which it then lists by the port of its console."""

from __future__ import annotations

import logging
import os

from collector.adb.smart_socket import encode_block
from collector.host.sockets import connect

_DEFAULT_PORT = 5037
_SECONDS = 2.0
_log = logging.getLogger(__name__)


def announce(adbd_port: int) -> bool:
    """Send ``host:emulator:PORT`` to the adb server of this environment; whether one listens there.

    One that starts later finds the first sixteen emulators by itself, as adb does.
    """
    text = os.environ.get("ANDROID_ADB_SERVER_PORT", "")
    port = int(text) if text.isdecimal() and 0 < int(text) < 1 << 16 else _DEFAULT_PORT
    try:
        with connect(port, _SECONDS) as link:
            link.sendall(encode_block(f"host:emulator:{adbd_port}"))
            # The server hangs up when it knows: without an answer, as for an emulator.
            link.recv(4)
    except OSError as error:
        _log.info("no adb server on port %s was told of the emulator: %s", port, error)
        return False
    return True
