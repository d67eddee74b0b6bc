"""Decode videos of screens, a frame at a time: MP4, Matroska and WebM, of the usual codecs alone.

The file says nothing of where else something might be read: its kind is told by its first bytes, and no
other file is opened for it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from PIL import Image

from collector.model.geometry import Size
from collector.model.i18n import _
from collector.pictures.bgra_pixels import bgra_pixels
from collector.pictures.decoding import Pixels
from collector.pictures.errors import PictureError
from collector.pictures.limits import MAX_PIXELS, check_size, no_other_file

VIDEOS = (".mp4", ".mkv", ".webm", ".mov", ".3gp")
_MATROSKA = b"\x1a\x45\xdf\xa3"
_CODECS = frozenset(("h264", "hevc", "vp8", "vp9", "libvpx-vp9", "av1", "libdav1d", "mpeg4", "h263"))
_MOST_FRAMES = 1_500_000
"""Of a video: three hours with 120 a second."""


@dataclass(frozen=True, slots=True)
class VideoPicture:
    """A frame of a video, upright, with its time since the first one."""

    t_ms: int
    frame: Any

    @property
    def size(self) -> Size:
        turned = self.frame.rotation % 180 != 0
        width, height = self.frame.width, self.frame.height
        return Size(height, width) if turned else Size(width, height)

    def scaled_bgra(self, size: Size) -> Pixels:
        """The frame, not turned, scaled to ``size``: uint8 of shape (h, w, 4)."""
        from av.video.reformatter import VideoReformatter

        return np.ascontiguousarray(bgra_pixels(VideoReformatter(), self.frame, size))

    def thumbnail(self, side: int) -> Pixels:
        """The brightness of the frame, ``side`` pixels each way, not turned."""
        small = self.frame.reformat(width=side, height=side, format="gray")
        return np.asarray(small.to_ndarray())

    def png(self) -> bytes:
        """The frame as a PNG file."""
        turns = round(self.frame.rotation / 90) % 4
        pixels = np.rot90(self.frame.to_ndarray(format="rgb24"), turns)
        data = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(pixels)).save(data, "PNG", compress_level=1)
        return data.getvalue()


def video_pictures(path: Path) -> Iterator[VideoPicture]:
    """The frames of a video in order. Raises PictureError, also after some of them, and OSError."""
    import av

    with path.open("rb") as file:
        kind = _kind(file.read(12))
        file.seek(0)
        with _explained(), av.open(file, format=kind, io_open=no_other_file) as container:
            yield from _pictures(container)


class VideoCursor:
    """Goes through a video by time: to a place, and on from picture to picture. One thread uses it.

    Times are those of the file, in milliseconds. Raises PictureError, and OSError when it is opened.
    """

    def __init__(self, path: Path) -> None:
        self._stack = ExitStack()
        file = self._stack.enter_context(path.open("rb"))
        with _explained():
            import av

            kind = _kind(file.read(12))
            file.seek(0)
            container = av.open(file, format=kind, io_open=no_other_file)
            self._container: Any = self._stack.enter_context(container)
            self._stream = _video_stream(self._container)
        self._frames: Iterator[Any] = iter(())
        self._ahead: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._stack.close()

    def at(self, t_ms: int) -> VideoPicture | None:
        """The picture that is shown at a time: the last one until then, or else the first one after."""
        with _explained():
            self._container.seek(max(0, t_ms) * 1000, backward=True, any_frame=False)
            self._frames, self._ahead = iter(self._container.decode(self._stream)), None
        shown = self.next()
        while shown is not None and shown.t_ms <= t_ms:
            ahead = self._decoded()
            if ahead is None or ahead.t_ms > t_ms:
                self._ahead = ahead
                break
            shown = ahead
        return shown

    def next(self) -> VideoPicture | None:
        """The picture after the last one; None at the end."""
        ahead, self._ahead = self._ahead, None
        return ahead if ahead is not None else self._decoded()

    def _decoded(self) -> VideoPicture | None:
        with _explained():
            frame = next(self._frames, None)
            if frame is None:
                return None
            check_size(Size(frame.width, frame.height))
            return VideoPicture(round((frame.time or 0.0) * 1000), frame)


@contextmanager
def _explained() -> Iterator[None]:
    from av.error import FFmpegError

    try:
        yield
    except (FFmpegError, ValueError, IndexError) as error:
        raise _damaged(str(error)) from None


def _kind(start: bytes) -> str:
    if start.startswith(_MATROSKA):
        return "matroska"
    if start[4:8] == b"ftyp":
        return "mov"
    raise _damaged(_("Only MP4, Matroska and WebM are read"))


def _video_stream(container: Any) -> Any:
    """The first video stream, of a codec that is read, within the limit of pictures."""
    if not container.streams.video:
        raise _damaged(_("It has no pictures"))
    stream = container.streams.video[0]
    codec = stream.codec_context
    name = codec.name if codec else "?"
    if codec is None or name not in _CODECS:
        raise _damaged(_("Its codec {name} is not read", name=name))
    codec.options = {"max_pixels": str(MAX_PIXELS)}
    return stream


def _pictures(container: Any) -> Iterator[VideoPicture]:
    stream = _video_stream(container)
    began: float | None = None
    for number, frame in enumerate(container.decode(stream)):
        if number >= _MOST_FRAMES:
            raise _damaged(_("It has more than {limit} pictures", limit=f"{_MOST_FRAMES:,}"))
        check_size(Size(frame.width, frame.height))
        at = frame.time if frame.time is not None else 0.0
        began = at if began is None else began
        yield VideoPicture(round((at - began) * 1000), frame)
    if began is None:
        raise _damaged(_("It has no pictures"))


def _damaged(why: str) -> PictureError:
    return PictureError(_("The video cannot be decoded"), why, _("Record it again, or convert it"))
