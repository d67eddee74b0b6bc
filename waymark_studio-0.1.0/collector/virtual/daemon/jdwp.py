"""``jdwp`` and ``track-jdwp``: the processes that a debugger may attach to.

Nothing answers ``jdwp:PID``: the apps of the virtual phone run no Java code to debug.
"""

from __future__ import annotations

import threading

from collector.adb.smart_socket import encode_block
from collector.virtual.daemon.stream import Stream
from collector.virtual.system.phone import Phone


def serve_list(phone: Phone, stream: Stream) -> None:
    """Send the processes, one a line."""
    if lines := _lines(phone):
        stream.write(lines.encode())


def serve_tracking(phone: Phone, stream: Stream) -> None:
    """Send the processes now and whenever one starts or ends, until the client hangs up."""
    wake = threading.Event()
    unsubscribe = phone.services.processes.changed.subscribe(lambda _package: wake.set())
    stream.on_close(wake.set)
    sent: str | None = None
    try:
        while not stream.closed:
            wake.clear()
            lines = _lines(phone)
            if lines != sent:
                stream.write(encode_block(lines))
                sent = lines
            wake.wait()
    finally:
        unsubscribe()


def _lines(phone: Phone) -> str:
    return "".join(f"{pid}\n" for pid in phone.services.processes.debuggable())
