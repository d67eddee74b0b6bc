"""Create frame sources by name, and the input sink that fits each.

A session imports this module only when it starts: the decoder takes a fifth of a second to load.
"""

from __future__ import annotations

from collections.abc import Callable

from collector.device.input.input_sinks import ScrcpyInput, ShellInput
from collector.device.protocols import FrameSource, InputSink
from collector.device.transport.adb_device import AdbDevice
from collector.device.video.scrcpy_server_jar import find_server_jar
from collector.device.video.scrcpy_source import ScrcpySource
from collector.device.video.screencap_source import ScreencapSource
from collector.device.video.screenrecord_source import ScreenrecordSource
from collector.model.geometry import Size


def make_frame_source(
    name: str, device: AdbDevice, jar: str, *, virtual: bool, on_line: Callable[[str], None]
) -> FrameSource:
    """Create a source; ``on_line`` is called with each line a scrcpy server prints. Raises DeviceError."""
    if name == "scrcpy":
        source = ScrcpySource(device, find_server_jar(jar, virtual=virtual))
        source.server_lines.subscribe(on_line)
        return source
    return ScreenrecordSource(device) if name == "screenrecord" else ScreencapSource(device)


def make_input_sink(
    source: FrameSource | None, device: AdbDevice, size: Callable[[], Size]
) -> InputSink | None:
    """Create the source's own sink if it has one, otherwise one for ``input``; None without a source."""
    if isinstance(source, ScrcpySource):
        return ScrcpyInput(source)
    return ShellInput(device, size) if source is not None else None
