"""Open a phone for a replay: its commands, trees and input, closed together."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass

from collector.device.adb_device import AdbDevice
from collector.device.device_info import DeviceInfo, read_device_info
from collector.device.errors import DeviceError
from collector.device.protocols import Device, FrameSource, InputSink, TreeSource
from collector.device.uiautomator2_source import Uiautomator2Source, is_installed
from collector.device.uiautomator_source import UiautomatorSource

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReplayPhone:
    """Commands, trees and input of one phone."""

    device: Device
    trees: TreeSource
    sink: InputSink


@contextlib.contextmanager
def opened_phone(device: AdbDevice, *, jar: str = "") -> Iterator[ReplayPhone]:
    """Open the phone with the best trees and input it offers, and close it at the end. Raises DeviceError.

    Input goes through scrcpy, which types any Unicode and has ten fingers; a phone without it is
    touched by its `input` command.
    """
    facts = read_device_info(device)
    trees: TreeSource = UiautomatorSource(device)
    if is_installed() and not facts.is_virtual:
        trees = Uiautomator2Source(device)
    try:
        with _input(device, facts, jar) as sink:
            yield ReplayPhone(device, trees, sink)
    finally:
        trees.close()


@contextlib.contextmanager
def _input(device: AdbDevice, facts: DeviceInfo, jar: str) -> Iterator[InputSink]:
    # Here and not above: the decoder's libraries take their time to load.
    from collector.device.input_sinks import ScrcpyInput, ShellInput
    from collector.device.scrcpy_source import ScrcpySource
    from collector.device.source_factory import make_frame_source

    source: FrameSource | None = None
    sink: InputSink = ShellInput(device)
    try:
        source = make_frame_source("scrcpy", device, jar, virtual=facts.is_virtual, on_line=_log.debug)
        source.start(lambda _frame: None, lambda error: _log.debug("the mirror ended: %s", error))
        if isinstance(source, ScrcpySource):
            sink = ScrcpyInput(source)
    except DeviceError as error:
        _log.info("input goes through the phone's own command: %s", error)
    try:
        yield sink
    finally:
        sink.close()
        if source is not None:
            source.close()
