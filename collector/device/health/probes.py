"""Probes of the doctor: take one screenshot and one tree as a session does."""

from __future__ import annotations

import threading

from collector.device.errors import CaptureFailed, DumpFailed
from collector.device.protocols import Device
from collector.device.trees.uiautomator_source import UiautomatorSource
from collector.device.video.screencap_source import take_screenshot
from collector.model.finding import Finding
from collector.model.i18n import _


def probe_screenshot(device: Device) -> Finding | None:
    """Take a screenshot; return a finding, or None when it is usable."""
    try:
        frame = take_screenshot(device, threading.Event())
        frame.rgb()  # whether it can be decoded
    except CaptureFailed as error:
        return Finding.from_error("no_picture", "problem", error)
    if not frame.looks_black:
        return None
    return Finding(
        "black_picture",
        "notice",
        _("The phone's picture is black"),
        _("No window is marked as protected"),
        _("Switch the screen on; if it is on, this phone forbids pictures and a virtual phone serves better"),
    )


def probe_tree(device: Device) -> Finding | None:
    """Read a tree; return a finding, or None when it works."""
    try:
        UiautomatorSource(device, tries=1).snapshot(threading.Event())
    except DumpFailed as error:
        return Finding.from_error("no_tree", "problem", error)
    return None
