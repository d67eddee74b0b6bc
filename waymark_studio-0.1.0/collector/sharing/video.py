"""A video of a review: MP4 with H.264 where the encoder is there, else MPEG-4."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import av.error

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.sharing.export_progress import ExportProgress
from collector.sharing.frames import ReviewFrames

_MILLISECOND = Fraction(1, 1000)
_LONGEST_STILL_MS = 500
"""A still picture is repeated so often, so that players can seek into it."""
_ENCODERS = (
    ("libx264", {"preset": "veryfast", "crf": "20", "tune": "stillimage"}),
    ("libopenh264", {"rc_mode": "quality"}),
    ("mpeg4", {"q": "3"}),
)


def video_of(frames: ReviewFrames, title: str, progress: ExportProgress) -> bytes:
    """The file of the video. Raises ExportCancelled, and UserError when nothing can encode it."""
    with tempfile.TemporaryDirectory() as folder:
        # The index comes first in the file, so that it plays while it loads; for that it is written twice.
        path = Path(folder) / "review.mp4"
        with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
            container.metadata["title"] = title
            _encode(container, frames, progress)
        return path.read_bytes()


def _encode(container: Any, frames: ReviewFrames, progress: ExportProgress) -> None:
    name, options = _encoder()
    stream = container.add_stream(name, rate=1000 // _LONGEST_STILL_MS, options=options)
    stream.width, stream.height, stream.pix_fmt = frames.size.width, frames.size.height, "yuv420p"
    stream.codec_context.time_base = _MILLISECOND
    shown, total = 0, sum(frames.duration(slot) for slot in frames.slots)
    for frame in frames.frames():
        progress.at(shown, total)
        picture = av.VideoFrame.from_ndarray(frame.pixels, format="rgb24").reformat(format="yuv420p")
        picture.time_base = _MILLISECOND
        for moment in range(shown, shown + frame.milliseconds, _LONGEST_STILL_MS):
            picture.pts = moment
            container.mux(stream.encode(picture))
        shown += frame.milliseconds
    # What comes last is shown until here.
    picture.pts = max(shown - 1, picture.pts + 1)
    container.mux(stream.encode(picture))
    container.mux(stream.encode())
    progress.at(total, total)


def _encoder() -> tuple[str, dict[str, str]]:
    for name, options in _ENCODERS:
        try:
            av.codec.Codec(name, "w")
        except (ValueError, av.error.FFmpegError):
            continue
        return name, options
    raise UserError(
        _("No video can be written here"),
        _("The installed PyAV has no encoder for MP4"),
        _("Export a GIF instead"),
    )
