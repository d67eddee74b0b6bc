"""Trees by ``uiautomator dump``: slow, but on every phone. Never an old file taken for a new one."""

from __future__ import annotations

import secrets
import time

from collector.adb.dumpsys import Component, parse_focus, parse_resumed_activity, parse_top_activity
from collector.device.errors import CallCancelled, DumpFailed
from collector.device.protocols import Cancel, Device
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.model.words import _

_DUMPED = "UI hierchary dumped to"
_TRIES = 3
_RETRY_AFTER = 0.3
_TIMEOUT = 20.0
_MAX_XML = 16 << 20


class UiautomatorSource:
    """One dump at a time; a phone that never comes to rest is asked for the compressed tree."""

    name = "uiautomator"

    def __init__(self, device: Device) -> None:
        self._device = device

    def snapshot(self, cancel: Cancel) -> TreeSnapshot:
        why = ""
        for attempt in range(_TRIES):
            started = time.monotonic_ns()
            xml, why = self._dump(cancel, compressed=attempt > 0 and "idle" in why)
            if xml:
                tree = parse_tree(xml, source=self.name)
                front = foreground(self._device, cancel)
                package, activity = (front.package, front.activity) if front else ("", "")
                return TreeSnapshot(xml, tree, started, time.monotonic_ns(), self.name, package, activity)
            if cancel.wait(_RETRY_AFTER):
                raise CallCancelled("uiautomator dump")
        raise DumpFailed(_("The phone gave no tree"), why, _("Wait until the screen rests and try again"))

    def _dump(self, cancel: Cancel, *, compressed: bool) -> tuple[bytes, str]:
        """The XML, or why there is none."""
        path = f"/data/local/tmp/waymark-{secrets.token_hex(6)}.xml"
        option = "--compressed " if compressed else ""
        line = f"rm -f {path}; uiautomator dump {option}{path}"
        result = self._device.shell(line, timeout=_TIMEOUT, cancel=cancel)
        said = (result.text + result.error_text).strip()
        if _DUMPED not in said:
            return b"", said[-200:]
        xml = self._device.exec_out(f"cat {path}; rm -f {path}", timeout=_TIMEOUT, cancel=cancel)
        if len(xml) > _MAX_XML:
            return b"", _("The tree is over 16 MB")
        return xml, "" if xml else _("The dump file is empty")


def foreground(device: Device, cancel: Cancel | None = None) -> Component | None:
    """What is in front, by the first dump that says so; releases print it in different places."""
    focus = parse_focus(device.shell("dumpsys window", cancel=cancel).text)
    if focus and focus.component:
        return focus.component
    resumed = parse_resumed_activity(device.shell("dumpsys activity activities", cancel=cancel).text)
    if resumed:
        return resumed
    top = parse_top_activity(device.shell("dumpsys activity top", cancel=cancel).text)
    return top[0] if top else None
