"""Pictures of a screen on request: the newest frame of a video stream, or a screenshot."""

from __future__ import annotations

from typing import Protocol

from collector.device.frame import Frame
from collector.device.protocols import Cancel, Device
from collector.device.video.screencap_source import take_screenshot


class PictureSource(Protocol):
    """Pictures of one screen. Blocking; raises DeviceError."""

    @property
    def name(self) -> str:
        """How the next picture is taken, as in ``scrcpy`` or ``screencap``."""

    @property
    def is_stream(self) -> bool:
        """Whether a picture costs nothing, because a video shows each change anyway."""

    def picture(self, cancel: Cancel) -> Frame:
        """The screen as it is now."""


class StreamedScreen(Protocol):
    """The part of a PhoneScreen that shows a video."""

    def newest_frame(self) -> Frame | None: ...

    @property
    def frame_source(self) -> str: ...


class ScreenshotPictures:
    """A screenshot for each request; needs no video."""

    name = "screencap"
    is_stream = False

    def __init__(self, device: Device) -> None:
        self._device = device

    def picture(self, cancel: Cancel) -> Frame:
        return take_screenshot(self._device, cancel)


class StreamedPictures:
    """The newest frame of a screen that is watched; a screenshot while there is no frame."""

    def __init__(self, screen: StreamedScreen, device: Device) -> None:
        self._screen, self._screenshots = screen, ScreenshotPictures(device)

    @property
    def name(self) -> str:
        return self._screen.frame_source if self.is_stream else self._screenshots.name

    @property
    def is_stream(self) -> bool:
        return bool(self._screen.frame_source) and self._screen.newest_frame() is not None

    def picture(self, cancel: Cancel) -> Frame:
        frame = self._screen.newest_frame() if self.is_stream else None
        return frame if frame is not None else self._screenshots.picture(cancel)
