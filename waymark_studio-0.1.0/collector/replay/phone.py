"""Open a phone for a replay: its commands, trees and input, closed together."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from collector.device.device_info import read_device_info
from collector.device.input.unattended_input import open_unattended_input
from collector.device.protocols import Device, InputSink, TreeSource
from collector.device.transport.adb_device import AdbDevice
from collector.device.trees.uiautomator2_source import Uiautomator2Source, is_installed
from collector.device.trees.uiautomator_source import UiautomatorSource
from collector.device.video.pictures import PictureSource, ScreenshotPictures


@dataclass(frozen=True, slots=True)
class ReplayPhone:
    """Commands, trees and input of one phone."""

    device: Device
    trees: TreeSource
    sink: InputSink
    pictures: PictureSource | None = None
    """Pictures of the screen, for runs that are recorded."""


@contextlib.contextmanager
def opened_phone(device: AdbDevice, *, jar: str = "") -> Iterator[ReplayPhone]:
    """Open the phone with the best trees and input it offers, and close it at the end. Raises DeviceError.

    Nobody watches: no video is encoded, and pictures are taken when they are asked for. Input goes through
    scrcpy, which types any Unicode and has ten fingers; a phone without it is touched by its `input` command.
    """
    facts = read_device_info(device)
    trees: TreeSource = UiautomatorSource(device)
    if is_installed() and not facts.is_virtual:
        trees = Uiautomator2Source(device)
    try:
        sink = open_unattended_input(device, jar, virtual=facts.is_virtual)
        try:
            yield ReplayPhone(device, trees, sink, ScreenshotPictures(device))
        finally:
            sink.close()
    finally:
        trees.close()
