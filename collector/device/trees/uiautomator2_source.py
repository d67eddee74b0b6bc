"""Read trees with the uiautomator2 server: fast, but it needs the optional package."""

from __future__ import annotations

import threading
import time

from collector.device.apps.app_data import AppDataReader
from collector.device.apps.installed_apps import PackageList
from collector.device.device_info import read_foreground
from collector.device.errors import CallCancelled, CommandFailed, DeviceError, DumpFailed
from collector.device.protocols import Cancel
from collector.device.snapshot import TreeSnapshot
from collector.device.transport.adb_device import AdbDevice
from collector.device.trees.uiautomator2_link import Uiautomator2Link, find_jar
from collector.device.trees.uiautomator_source import is_whole
from collector.hierarchy.parse import parse_tree
from collector.model.errors import UserError
from collector.model.i18n import _

_MAX_DEPTH = 50
_MAX_XML = 16 << 20
_TIMEOUT = 20.0
_TRIES = 3
RETRY_AFTER_S = 0.3
"""Between two tries to dump the hierarchy."""


def is_installed() -> bool:
    """Whether the ``fast-tree`` extra is installed."""
    return find_jar() is not None


class Uiautomator2Source:
    """Implement TreeSource. The server starts on first use and holds UiAutomation until ``close``."""

    name = "uiautomator2"

    def __init__(self, device: AdbDevice) -> None:
        self._device = device
        self._packages, self._app_data = PackageList(), AppDataReader()
        self._link: Uiautomator2Link | None = None

    def snapshot(self, cancel: Cancel) -> TreeSnapshot:
        why = ""
        for _attempt in range(_TRIES):
            started = time.monotonic_ns()
            xml = self._dump(cancel)
            if len(xml) > _MAX_XML:
                raise _failed(_("The tree is over 16 MB"))
            if not is_whole(xml):
                raise _failed(_("The tree ends in the middle"))
            try:
                tree = parse_tree(xml, source=self.name)
            except UserError as error:
                raise _failed(str(UserError(error.what, error.why))) from error
            if len(tree):
                front, apps = read_foreground(self._device, cancel), self._packages.read(self._device, cancel)
                data = self._app_data.read(self._device, cancel)
                return TreeSnapshot.of(xml, tree, started, self.name, front, apps, data)
            why = _("The tree is empty")
            if cancel.wait(RETRY_AFTER_S):
                raise CallCancelled("uiautomator2")
        raise _failed(why)

    def _dump(self, cancel: Cancel) -> bytes:
        """Return the XML; start the server once if it does not run."""
        try:
            if self._link is not None:
                return self._ask(self._link, cancel)
        except CommandFailed:
            self.close()
        link = self._link = Uiautomator2Link(self._device)
        try:
            link.open(cancel)
            return self._ask(link, cancel)
        except CommandFailed as error:
            raise _failed(str(error)) from error

    @staticmethod
    def _ask(link: Uiautomator2Link, cancel: Cancel) -> bytes:
        parameters: list[object] = [False, _MAX_DEPTH]
        xml = link.call("dumpWindowHierarchy", parameters, timeout=_TIMEOUT, cancel=cancel)
        return str(xml or "").encode("utf-8", "surrogatepass")

    def close(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            try:
                link.close(threading.Event())
            except DeviceError:
                # The phone is gone, and its UiAutomation connection with it.
                return


def _failed(why: str) -> DumpFailed:
    return DumpFailed(
        _("uiautomator2 gave no usable tree"), why[:200], _("The slower uiautomator dump takes its place")
    )
