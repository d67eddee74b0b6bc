"""A GIF of a review, each frame with the palette that fits it."""

from __future__ import annotations

import io

from PIL import Image

from collector.sharing.export_progress import ExportProgress
from collector.sharing.frames import ReviewFrames

_WIDEST = 1080
_COLORS = 256
_UNIT_MS = 10
"""GIF counts in hundredths of a second."""


def gif_of(frames: ReviewFrames, progress: ExportProgress) -> bytes:
    """The file of the animation, which repeats for ever. Raises ExportCancelled."""
    pictures: list[Image.Image] = []
    durations: list[int] = []
    shown, total = 0, sum(frames.duration(slot) for slot in frames.slots)
    for frame in frames.frames():
        progress.at(shown, total)
        shown += frame.milliseconds
        pictures.append(_with_palette(_scaled(Image.fromarray(frame.pixels))))
        durations.append(max(2 * _UNIT_MS, frame.milliseconds // _UNIT_MS * _UNIT_MS))
    file = io.BytesIO()
    pictures[0].save(
        file, "GIF", save_all=True, append_images=pictures[1:], duration=durations, loop=0, optimize=False
    )
    progress.at(total, total)
    return file.getvalue()


def _scaled(picture: Image.Image) -> Image.Image:
    if picture.width <= _WIDEST:
        return picture
    height = round(picture.height * _WIDEST / picture.width)
    return picture.resize((_WIDEST, height), Image.Resampling.LANCZOS)


def _with_palette(picture: Image.Image) -> Image.Image:
    """The picture in 256 colours of its own: areas of one colour stay flat."""
    return picture.quantize(_COLORS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
