"""The screens of a trajectory as judges see them: what can be seen of each, and pictures to send.

A picture of a screen may carry the action that was taken on it: a ring where it was touched, an arrow for a
swipe, and the action in words below. Black, secure and missing screens are never sent: they are named.
"""

from __future__ import annotations

import base64
import io
import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import skia
from numpy.typing import NDArray
from PIL import Image

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.model.action import Drag, Swipe
from collector.model.geometry import Point, Rect, Size
from collector.model.trajectory import Step
from collector.pictures.decoding import decode
from collector.pictures.drawn_text import FrameTextStyle, draw_text
from collector.pictures.errors import PictureError

_KEPT = 24
"""Prepared pictures of one trajectory; windows that follow each other share most of theirs."""
_DECODED = 4
"""Decoded screens: of one window, as it is looked at and then drawn."""
_BLACK = 12
"""A screen without a brighter channel value is black: what a phone gives for a protected one."""
_MARK, _HALO = 0xFFE02020, 0xE6FFFFFF
_BAND = 0xFF202020
_PIXELS_PER_TOKEN = 28 * 28
"""Of Qwen2.5-VL and many others; what an endpoint counts is known only from its answers."""
SEPARATE, COMPOSITE = "separate", "composite"
LAYOUTS = (SEPARATE, COMPOSITE)


@dataclass(frozen=True, slots=True)
class PictureForm:
    """How screens are sent."""

    layout: str = SEPARATE
    """Each as a picture of its own, or all side by side in one."""
    marks: bool = True
    """Whether the action that was taken on a screen is drawn."""
    max_pixels: int = 0
    """The most pixels of a picture; 0 for as many as the screen has."""
    quality: int = 85
    """Of JPEG, 1 to 100; 0 sends PNG, which loses nothing."""


@dataclass(frozen=True)
class SentPicture:
    """An encoded picture."""

    data: bytes
    media_type: str
    size: Size

    @cached_property
    def part(self) -> Mapping[str, object]:
        """The part of a message that holds it."""
        url = f"data:{self.media_type};base64,{base64.b64encode(self.data).decode()}"
        return {"type": "image_url", "image_url": {"url": url}}


def picture_in(part: Mapping[str, Any]) -> tuple[str, bytes]:
    """The format, as ``jpeg``, and the bytes of the picture in a part of :attr:`SentPicture.part`."""
    head, _comma, data = part["image_url"]["url"].partition(",")
    return head.partition("/")[2].partition(";")[0], base64.b64decode(data)


class JudgedScreens:
    """The screens of one trajectory. Any thread; the pictures are read and drawn when they are asked for."""

    def __init__(self, trajectory: JudgedTrajectory, form: PictureForm, words: Callable[[int], str]) -> None:
        """``words`` says the action at an index for a model."""
        self._trajectory, self._form, self._words = trajectory, form, words
        self._lock = threading.Lock()
        self._hidden: dict[int, str] = {}
        self._kept: OrderedDict[tuple[int, bool], SentPicture] = OrderedDict()
        self._decoded: OrderedDict[int, Image.Image] = OrderedDict()

    @property
    def count(self) -> int:
        """How many screens are judged."""
        return self._trajectory.last + 1

    def hidden(self, index: int) -> str:
        """Why nothing can be seen of a screen, in English for a model; empty when something can."""
        with self._lock:
            known = self._hidden.get(index)
        if known is None:
            known = self._look(index)
            with self._lock:
                self._hidden[index] = known
        return known

    def note(self, index: int) -> str:
        """What a model must know of a screen that is sent; empty when it is whole."""
        step = self._trajectory.steps[index]
        return "Parts of this screen were hidden on purpose to protect a person." if step.redacted else ""

    def action_words(self, index: int) -> str:
        """The action that was taken on a screen; empty when none was."""
        step = self._trajectory.steps[index]
        return self._words(index) if step.action is not None else ""

    def picture(self, index: int, *, marked: bool) -> SentPicture:
        """A screen that can be seen, encoded. Raises PictureError."""
        key = (index, marked and self._form.marks)
        with self._lock:
            found = self._kept.get(key)
        if found is None:
            image = self._drawn(*key)
            found = encoded(_within(image, self._form.max_pixels), self._form.quality)
            with self._lock:
                self._kept[key] = found
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
        return found

    def side_by_side(self, shown: Sequence[tuple[int, bool]]) -> SentPicture:
        """Several screens in one picture, each with its number above; ``shown``: index, and whether marked.

        All together have at most the pixels of the form, as in A3: the more screens, the smaller each is.
        """
        images = [None if self.hidden(index) else self._drawn(index, marked) for index, marked in shown]
        return encoded(_within(_joined(images), self._form.max_pixels), self._form.quality)

    def tokens(self, pictures: int, screens: int) -> int:
        """How many tokens so many pictures of so many screens take, as far as it can be known before."""
        size = next(
            (step.state.size for step in self._trajectory.steps if not step.state.size.is_empty), None
        )
        area = size.area if size is not None else 1080 * 2400
        if self._form.layout == COMPOSITE:
            area *= max(1, screens)
        area = min(area, self._form.max_pixels) if self._form.max_pixels else area
        return pictures * math.ceil(area / _PIXELS_PER_TOKEN)

    # -- reading -------------------------------------------------------------
    def _look(self, index: int) -> str:
        state = self._trajectory.steps[index].state
        if state.secure:
            return "The phone does not allow a picture of this screen (secure window)."
        try:
            image = self._image(index)
        except PictureError:
            return "The picture of this screen is damaged."
        if image is None:
            return "There is no picture of this screen."
        if max(high for _low, high in image.reduce(8).getextrema()) < _BLACK:  # type: ignore[misc]
            return "The picture of this screen is black."
        return ""

    def _image(self, index: int) -> Image.Image | None:
        """The screen, which is shared and must not be changed. Raises PictureError."""
        with self._lock:
            found = self._decoded.get(index)
        if found is None:
            data = self._trajectory.corpus.screenshot(index)
            if not data:
                return None
            found = decode(data).convert("RGB")
            with self._lock:
                self._decoded[index] = found
                while len(self._decoded) > _DECODED:
                    self._decoded.popitem(last=False)
        return found

    def _drawn(self, index: int, marked: bool) -> Image.Image:
        image = self._image(index)
        assert image is not None, "a hidden screen is not drawn"
        step = self._trajectory.steps[index]
        if not (marked and self._form.marks) or step.action is None:
            return image
        return _with_action(image, step, self._words(index))


class ScreensInCommon:
    """The screens of the trajectory that was asked for last: judges in turn draw them once."""

    def __init__(self) -> None:
        self._trajectory: JudgedTrajectory | None = None
        self._screens: dict[PictureForm, JudgedScreens] = {}

    def of(
        self, trajectory: JudgedTrajectory, form: PictureForm, words: Callable[[int], str]
    ) -> JudgedScreens:
        """Its screens in a form. One thread."""
        if trajectory is not self._trajectory:
            self._trajectory, self._screens = trajectory, {}
        return self._screens.setdefault(form, JudgedScreens(trajectory, form, words))


def _with_action(image: Image.Image, step: Step, words: str) -> Image.Image:
    """The screen with its action: ring or arrow, and a band with the words below the screen."""
    band = max(36, image.width // 18)
    pixels = np.empty((image.height + band, image.width, 3), np.uint8)
    pixels[: image.height] = np.asarray(image)
    size, width = step.state.size, max(4.0, image.width / 120)
    if not size.is_empty:
        across, down = image.width / size.width, image.height / size.height
        places = [(point.x * across, point.y * down) for point in _path(step)]
        if places:
            box = _around(places, math.ceil(width * 9), Size(image.width, image.height))
            _drawn_on(pixels, box, lambda canvas: _draw_touch(canvas, places, width))

    def write(canvas: Any) -> None:
        canvas.clear(_BAND)
        style = FrameTextStyle(band * 0.55, 0xFFFFFFFF, 500, band * 0.75)
        place = (band * 0.3, image.height + band * 0.12)
        draw_text(canvas, words, place, style, image.width - band * 0.6)

    _drawn_on(pixels, Rect(0, image.height, image.width, image.height + band), write)
    return Image.fromarray(pixels)


def _drawn_on(pixels: NDArray[np.uint8], box: Rect, draw: Callable[[Any], None]) -> None:
    """Draw on a part of a picture; the rest is not copied, which is what takes time."""
    if box.width <= 0 or box.height <= 0:
        return
    part = np.full((box.height, box.width, 4), 255, np.uint8)
    part[:, :, :3] = pixels[box.top : box.bottom, box.left : box.right]
    surface = skia.Surface(part, colorType=skia.kRGBA_8888_ColorType)
    canvas = surface.getCanvas()
    canvas.translate(-box.left, -box.top)
    draw(canvas)
    surface.flushAndSubmit()
    pixels[box.top : box.bottom, box.left : box.right] = part[:, :, :3]


def _around(places: Sequence[tuple[float, float]], margin: int, size: Size) -> Rect:
    """The part of a picture around some places."""
    xs, ys = [place[0] for place in places], [place[1] for place in places]
    return Rect(
        max(0, math.floor(min(xs)) - margin), max(0, math.floor(min(ys)) - margin),
        min(size.width, math.ceil(max(xs)) + margin), min(size.height, math.ceil(max(ys)) + margin),
    )  # fmt: skip


def _path(step: Step) -> list[Point]:
    action = step.action
    if isinstance(action, Swipe | Drag):
        return [Point(action.x1, action.y1), Point(action.x2, action.y2)]
    point = action.point if action is not None else None
    return [point] if point is not None else []


def _draw_touch(canvas: Any, places: Sequence[tuple[float, float]], width: float) -> None:
    for color, stroke in ((_HALO, width * 2), (_MARK, width)):
        paint = skia.Paint(
            Color=color, AntiAlias=True, Style=skia.Paint.kStroke_Style, StrokeWidth=stroke,
            StrokeCap=skia.Paint.kRound_Cap,
        )  # fmt: skip
        if places:
            canvas.drawCircle(*places[0], width * 5, paint)
        if len(places) == 2:
            canvas.drawPath(_arrow(places[0], places[1], width * 6), paint)


def _arrow(start: tuple[float, float], end: tuple[float, float], head: float) -> skia.Path:
    path, angle = skia.Path(), math.atan2(end[1] - start[1], end[0] - start[0])
    path.moveTo(*start)
    path.lineTo(*end)
    for turn in (0.5, -0.5):
        path.moveTo(*end)
        path.lineTo(end[0] - head * math.cos(angle + turn), end[1] - head * math.sin(angle + turn))
    return path


def _joined(images: Sequence[Image.Image | None]) -> Image.Image:
    """Screens side by side under their numbers; a grey field for one that cannot be seen."""
    seen = [image for image in images if image is not None]
    width = max((image.width for image in seen), default=360)
    height = max((image.height for image in seen), default=640)
    gap, head = max(8, width // 40), max(36, width // 12)
    pixels = np.full((height + head, len(images) * (width + gap) - gap, 3), 255, np.uint8)
    for number, image in enumerate(images):
        left = number * (width + gap)
        if image is None:
            pixels[head:, left : left + width] = 128
        else:
            pixels[head : head + image.height, left : left + image.width] = np.asarray(image)
    style = FrameTextStyle(head * 0.7, 0xFF000000, 600, head * 0.9)
    for number in range(len(images)):
        left = number * (width + gap)

        def write(canvas: Any, number: int = number, left: int = left) -> None:
            draw_text(canvas, str(number + 1), (left + width / 2, 0), style, width / 2)

        _drawn_on(pixels, Rect(left, 0, left + width, head), write)
    return Image.fromarray(pixels)


def _within(image: Image.Image, most: int) -> Image.Image:
    area = image.width * image.height
    if not most or area <= most:
        return image
    share = math.sqrt(most / area)
    size = max(1, math.floor(image.width * share)), max(1, math.floor(image.height * share))
    return image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2)


def encoded(image: Image.Image, quality: int) -> SentPicture:
    """The picture as JPEG of a quality, or as PNG when that is 0."""
    out, size = io.BytesIO(), Size(image.width, image.height)
    if quality:
        image.save(out, "JPEG", quality=quality)
        return SentPicture(out.getvalue(), "image/jpeg", size)
    image.save(out, "PNG", compress_level=1)
    return SentPicture(out.getvalue(), "image/png", size)
