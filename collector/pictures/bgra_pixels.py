"""The pixels of a video's frame as Qt's Format_RGB32 needs them, converted by FFmpeg."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from collector.model.geometry import Size

_BLOCK, _LEFT_OUT = 16, 7
"""Pixels that FFmpeg converts at once, and how many behind the last block it may forget: 4 were seen."""


def bgra_pixels(converter: Any, frame: Any, size: Size) -> npt.NDArray[np.uint8]:
    """Convert a frame by a VideoReformatter, and scale it to ``size``: uint8, shape (h, w, 4).

    The pixels of a row are contiguous; between two rows there may be a gap.
    """
    width = size.width
    if (frame.width, frame.height) == (width, size.height) and 0 < width % _BLOCK <= _LEFT_OUT:
        frame = _with_whole_blocks(frame)
        width = frame.width
    converted = converter.reformat(frame, width=width, height=size.height, format="bgra", threads=1)
    plane = converted.planes[0]
    # The lines are aligned: what lies beyond the picture is left out without a copy.
    rows = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size // 4, 4)
    return rows[: size.height, : size.width]


def _with_whole_blocks(frame: Any) -> Any:
    """Widen a picture by less than a block, with what is there in memory.

    FFmpeg converts an even number of lines by blocks, and leaves some columns behind the last whole block as
    they were in memory.
    """
    # Imported here because loading FFmpeg is slow.
    from av.video.frame import VideoFrame

    wide: Any = VideoFrame(-(-frame.width // _BLOCK) * _BLOCK, frame.height, frame.format.name)
    wide.colorspace, wide.color_range = frame.colorspace, frame.color_range
    for narrow, plane in zip(frame.planes, wide.planes, strict=True):
        source = np.frombuffer(narrow, np.uint8).reshape(-1, narrow.line_size)
        rows = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)
        shared = min(narrow.line_size, plane.line_size)
        rows[: len(source), :shared] = source[: len(rows), :shared]
    return wide
