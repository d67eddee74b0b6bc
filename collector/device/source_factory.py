"""The ways to get a phone's pictures, by name, and the input that fits each.

Imported by a session that starts, not by who only lists phones: the decoder's libraries take a
fifth of a second to load.
"""

from __future__ import annotations

from collections.abc import Callable

from collector.device.adb_device import AdbDevice
from collector.device.input_sinks import ScrcpyInput, ShellInput
from collector.device.protocols import FrameSource, InputSink
from collector.device.scrcpy_server_jar import find_server_jar
from collector.device.scrcpy_source import ScrcpySource
from collector.device.screencap_source import ScreencapSource
from collector.device.screenrecord_source import ScreenrecordSource
from collector.model.geometry import Size


def make_frame_source(
    name: str, device: AdbDevice, jar: str, *, virtual: bool, said: Callable[[str], None]
) -> FrameSource:
    """A source not yet started; ``said`` is told what a scrcpy server prints. Raises DeviceError."""
    if name == "scrcpy":
        source = ScrcpySource(device, find_server_jar(jar, virtual=virtual))
        source.said.subscribe(said)
        return source
    return ScreenrecordSource(device) if name == "screenrecord" else ScreencapSource(device)


def make_input_sink(
    source: FrameSource | None, device: AdbDevice, size: Callable[[], Size]
) -> InputSink | None:
    """The source's own input where it has one, else the phone's ``input``; None without pictures."""
    if isinstance(source, ScrcpySource):
        return ScrcpyInput(source)
    return ShellInput(device, size) if source is not None else None
