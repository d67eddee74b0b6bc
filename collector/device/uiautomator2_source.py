"""Trees by the uiautomator2 server: a fraction of a second, where the optional package is installed."""

from __future__ import annotations

import contextlib
import importlib.util
import time
from typing import Any

from collector.device.errors import CallCancelled, DumpFailed
from collector.device.facts import read_foreground
from collector.device.protocols import Cancel, Device
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.model.words import _

_MAX_DEPTH = 50
_MAX_XML = 16 << 20


def is_installed() -> bool:
    """Whether the ``fast-tree`` extra is there."""
    return importlib.util.find_spec("uiautomator2") is not None


class Uiautomator2Source:
    """Starts the server on first use and keeps it; it holds the phone's automation until closed."""

    name = "uiautomator2"

    def __init__(self, device: Device) -> None:
        self._device = device
        self._server: Any = None

    def snapshot(self, cancel: Cancel) -> TreeSnapshot:
        if cancel.is_set():
            raise CallCancelled("uiautomator2")
        started = time.monotonic_ns()
        xml = self._dump()
        if not 0 < len(xml) <= _MAX_XML:
            raise DumpFailed(_("uiautomator2 gave no usable tree"), _("{size} bytes", size=len(xml)))
        tree = parse_tree(xml, source=self.name)
        front = read_foreground(self._device, cancel)
        return TreeSnapshot.of(xml, tree, started, self.name, front)

    def _dump(self) -> bytes:
        try:
            if self._server is None:
                import uiautomator2

                self._server = uiautomator2.connect(self._device.serial)
            return str(self._server.dump_hierarchy(max_depth=_MAX_DEPTH)).encode()
        except Exception as error:  # the package raises its own, requests' and adbutils' alike
            raise DumpFailed(
                _("uiautomator2 does not work on this phone"),
                str(error)[:200],
                _("The slower uiautomator dump takes its place"),
            ) from error

    def close(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            # The phone may be gone; then its automation is, too.
            with contextlib.suppress(Exception):
                server.stop_uiautomator()
