"""Create frame sources by name, and the input sink that fits each.

A session imports this module only when it starts: the decoder takes a fifth of a second to load.
"""

from __future__ import annotations

from collections.abc import Callable

from collector.device.input.input_sinks import ScrcpyInput, ShellInput
from collector.device.protocols import FrameSource, InputSink, VideoSource
from collector.device.transport.adb_device import AdbDevice
from collector.device.video.scrcpy_server_jar import find_server_jar
from collector.device.video.scrcpy_source import ScrcpySource
from collector.device.video.screencap_source import ScreencapSource
from collector.device.video.screenrecord_source import ScreenrecordSource
from collector.model.geometry import Size
from collector.pictures.encoded_picture import EncodedPicture


def make_frame_source(
    name: str, device: AdbDevice, jar: str, *, virtual: bool, on_line: Callable[[str], None],
    on_encoded: Callable[[EncodedPicture], None],
) -> FrameSource:  # fmt: skip
    """Create a source; ``on_line`` is called with each line a scrcpy server prints. Raises DeviceError.

    ``on_encoded`` is called with each picture of a video as it arrived, where the source has a video.
    """
    source: FrameSource
    if name == "scrcpy":
        source = ScrcpySource(device, find_server_jar(jar, virtual=virtual))
        source.server_lines.subscribe(on_line)
    else:
        source = ScreenrecordSource(device) if name == "screenrecord" else ScreencapSource(device)
    if isinstance(source, VideoSource):
        source.encoded.subscribe(on_encoded)
    return source


def make_input_sink(
    source: FrameSource | None, device: AdbDevice, size: Callable[[], Size]
) -> InputSink | None:
    """Create the source's own sink if it has one, otherwise one for ``input``; None without a source."""
    if isinstance(source, ScrcpySource):
        return ScrcpyInput(source)
    return ShellInput(device, size) if source is not None else None
