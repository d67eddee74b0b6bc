"""``logcat -B``: log lines as ``logger_entry`` records, which libraries read instead of text."""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING

from collector.virtual.system.phone_state.logcat import CRASH, MAIN, PRIORITIES, SYSTEM, LogLine

if TYPE_CHECKING:
    from collector.virtual.system.phone import Phone

_HEADER = struct.Struct("<HHIIIIII")
"""Sizes of payload and header, process, thread, seconds, nanoseconds, buffer, user id."""
_VERBOSE = 2
"""Android's number of the least priority."""
_BUFFERS = {MAIN: 0, SYSTEM: 3, CRASH: 4}
_SYSTEM_UID = 1000


def binary_layout(phone: Phone) -> Callable[[LogLine], bytes]:
    """The function that encodes lines of this phone."""
    uids = phone.services.packages.uids

    def encode(line: LogLine) -> bytes:
        payload = bytes([_VERBOSE + PRIORITIES.index(line.priority)])
        payload += line.tag.encode() + b"\0" + line.text.encode("utf-8", "surrogateescape") + b"\0"
        uid = uids.get(phone.services.processes.package_of(line.pid), _SYSTEM_UID)
        seconds = int(line.time.replace(tzinfo=dt.UTC).timestamp())
        return (
            _HEADER.pack(
                len(payload), _HEADER.size, line.pid, line.tid, seconds, line.time.microsecond * 1000,
                _BUFFERS.get(line.buffer, 0), uid,
            )
            + payload
        )  # fmt: skip

    return encode
