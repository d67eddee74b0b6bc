"""Write device messages of a scrcpy server to its control socket, in order, on its own thread."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from collector.adb.scrcpy.device_message import DeviceMessage, encode_device_message


class DeviceMessageWriter:
    """Queue messages from any thread; callers never wait for the client."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._waiting: queue.SimpleQueue[DeviceMessage | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="scrcpy messages", daemon=True)
        self._thread.start()

    def send(self, message: DeviceMessage) -> None:
        """Queue a message after all earlier ones."""
        self._waiting.put(message)

    def close(self) -> None:
        """Stop after the queued messages."""
        self._waiting.put(None)

    def _run(self) -> None:
        while (message := self._waiting.get()) is not None:
            try:
                self._write(encode_device_message(message))
            except OSError:
                return  # The client disconnected; its socket's reader notices that.
