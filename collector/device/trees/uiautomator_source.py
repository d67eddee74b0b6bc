"""Read trees with ``uiautomator dump``: slow, but on every phone. An old dump file is never returned."""

from __future__ import annotations

import secrets
import time

from collector.device.apps.app_data import AppDataReader
from collector.device.apps.installed_apps import PackageList
from collector.device.device_info import read_foreground
from collector.device.errors import AutomationTaken, CallCancelled, DumpFailed
from collector.device.protocols import Cancel, Device
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.tree import Tree

_DUMPED = "UI hierchary dumped to"
TRIES = 3
RETRY_AFTER_S = 0.3
"""Between two tries to dump the hierarchy."""
_TIMEOUT = 20.0
_MAX_XML = 16 << 20


def is_whole(xml: bytes) -> bool:
    """Whether a dump is complete; a repaired half would look like a smaller screen."""
    return xml.rstrip().endswith((b"</hierarchy>", b"/>"))


class UiautomatorSource:
    """Implement TreeSource. A phone that never comes to rest is asked for the compressed tree."""

    name = "uiautomator"

    def __init__(self, device: Device, *, tries: int = TRIES) -> None:
        self._device = device
        self._tries = tries
        self._packages, self._app_data = PackageList(), AppDataReader()
        self._last: tuple[bytes, Tree] | None = None

    def snapshot(self, cancel: Cancel) -> TreeSnapshot:
        why = ""
        for attempt in range(self._tries):
            started = time.monotonic_ns()
            xml, why = self._dump(cancel, compressed=attempt > 0 and "idle" in why)
            if xml and not is_whole(xml):
                why = _("The tree ends in the middle")
            elif xml:
                tree = self._parsed(xml)
                front, apps = read_foreground(self._device, cancel), self._packages.read(self._device, cancel)
                data = self._app_data.read(self._device, cancel)
                return TreeSnapshot.of(xml, tree, started, self.name, front, apps, data)
            if cancel.wait(RETRY_AFTER_S):
                raise CallCancelled("uiautomator dump")
        if why.endswith("Killed"):
            # Android kills a dump that cannot get UiAutomation.
            raise AutomationTaken(why)
        raise DumpFailed(_("The phone gave no tree"), why, _("Wait until the screen rests and try again"))

    def _parsed(self, xml: bytes) -> Tree:
        """The tree of a dump; of the same dump as before the same tree."""
        if self._last is None or self._last[0] != xml:
            try:
                self._last = xml, parse_tree(xml, source=self.name)
            except HierarchyError as error:
                raise _unreadable(str(UserError(error.what, error.why))) from error
        return self._last[1]

    def _dump(self, cancel: Cancel, *, compressed: bool) -> tuple[bytes, str]:
        """Return the XML and an empty text, or no bytes and the reason."""
        path = f"/data/local/tmp/waymark-{secrets.token_hex(6)}.xml"
        option = "--compressed " if compressed else ""
        line = f"rm -f {path}; uiautomator dump {option}{path}"
        result = self._device.shell(line, timeout=_TIMEOUT, cancel=cancel)
        output = (result.text + result.error_text).strip()
        if _DUMPED not in output:
            return b"", output[-200:]
        xml = self._device.exec_out(f"cat {path}; rm -f {path}", timeout=_TIMEOUT, cancel=cancel)
        if len(xml) > _MAX_XML:
            raise _unreadable(_("The tree is over 16 MB"))
        return xml, "" if xml else _("The dump file is empty")

    def close(self) -> None:
        """Nothing to release: each dump releases UiAutomation by itself."""


def _unreadable(why: str) -> DumpFailed:
    return DumpFailed(
        _("The phone's tree cannot be read"),
        why,
        _("Go on to the next screen; this one can be recorded without a tree"),
    )
