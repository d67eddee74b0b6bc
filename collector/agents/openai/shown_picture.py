"""The picture of a screen as a model is shown it: resized as the model expects, with a grid or with marks."""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from collector.agents.screen_elements import ScreenElement
from collector.device.frame import Frame
from collector.model.geometry import Rect, Size
from collector.recorder.png import encode_png

GRID_PX = 100
_GRID_COLOUR = (255, 0, 0)
_MARK_COLOURS = ((214, 39, 40), (31, 119, 180), (44, 120, 44), (148, 73, 189), (178, 90, 10))
_WHITE = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """How pictures are drawn and sent."""

    grid: bool = False
    """Whether D-GARA's red lines are drawn, every 100 pixels of the device, with their coordinates."""
    marks: bool = False
    """Whether the elements that can be touched get a box with their number."""
    max_pixels: int = 0
    """The most pixels of a picture; 0 for what the model's own processor keeps."""
    quality: int = 0
    """Of JPEG, 1 to 100; 0 sends PNG, which loses nothing."""


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture as it is sent."""

    size: Size
    data: bytes
    media_type: str

    @property
    def url(self) -> str:
        """As a request holds it."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.data).decode()}"


def shown_size(screen: Size, model_size: Callable[[Size], Size], max_pixels: int) -> Size:
    """The size a model is sent a screen in: the one its own processor would give it, or a smaller one.

    The model's processor then leaves the picture as it is, so that its coordinates are ours.
    """
    size, wanted = _resized(screen, model_size), screen
    for _attempt in range(50):
        if not max_pixels or size.width * size.height <= max_pixels:
            break
        share = min(0.98, math.sqrt(max_pixels / (wanted.width * wanted.height)))
        wanted = Size(max(1, round(wanted.width * share)), max(1, round(wanted.height * share)))
        size = _resized(wanted, model_size)
    return size


def _resized(size: Size, model_size: Callable[[Size], Size]) -> Size:
    try:
        return model_size(size)
    except ValueError:  # a strip that no model takes: sent as it is
        return size


def draw_picture(
    frame: Frame, screen: Size, size: Size, options: PictureOptions, elements: Iterable[ScreenElement] = ()
) -> ShownPicture:
    """The picture of a ``screen`` in ``size``. Lines and numbers are drawn at full size, then resized."""
    image = Image.fromarray(np.ascontiguousarray(frame.rgb()))
    if (options.grid or options.marks) and image.size != (screen.width, screen.height):
        image = image.resize((screen.width, screen.height), Image.Resampling.BILINEAR)
    if options.grid:
        _draw_grid(image)
    if options.marks:
        _draw_marks(image, elements)
    if image.size != (size.width, size.height):
        image = image.resize((size.width, size.height), Image.Resampling.LANCZOS)
    if options.quality:
        out = io.BytesIO()
        image.save(out, "JPEG", quality=options.quality)
        return ShownPicture(size, out.getvalue(), "image/jpeg")
    return ShownPicture(size, encode_png(np.asarray(image)), "image/png")


def _draw_grid(image: Image.Image) -> None:
    """Red lines every 100 pixels; each line has its coordinate where it meets the edge."""
    draw, (width, height) = ImageDraw.Draw(image), image.size
    font = ImageFont.load_default(24)
    for x in range(GRID_PX, width, GRID_PX):
        draw.line([(x, 0), (x, height - 1)], fill=_GRID_COLOUR, width=1)
        draw.text((x + 3, 2), str(x), fill=_GRID_COLOUR, font=font)
    for y in range(GRID_PX, height, GRID_PX):
        draw.line([(0, y), (width - 1, y)], fill=_GRID_COLOUR, width=1)
        draw.text((3, y + 2), str(y), fill=_GRID_COLOUR, font=font)


def _draw_marks(image: Image.Image, elements: Iterable[ScreenElement]) -> None:
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(max(14, min(32, image.size[0] // 36)))
    for element in elements:
        if element.is_interactive:
            colour = _MARK_COLOURS[element.index % len(_MARK_COLOURS)]
            _draw_mark(draw, font, str(element.index), element.bounds, colour)


def _draw_mark(
    draw: ImageDraw.ImageDraw,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    text: str,
    bounds: Rect,
    colour: tuple[int, int, int],
) -> None:
    box = (bounds.left, bounds.top, bounds.right - 1, bounds.bottom - 1)
    draw.rectangle(box, outline=colour, width=3)
    left, top, right, bottom = draw.textbbox((0, 0), text, font=font)
    width, height = int(right - left) + 8, int(bottom - top) + 8
    draw.rectangle((bounds.left, bounds.top, bounds.left + width, bounds.top + height), fill=colour)
    draw.text((bounds.left + 4 - left, bounds.top + 4 - top), text, fill=_WHITE, font=font)
