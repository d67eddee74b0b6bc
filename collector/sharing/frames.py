"""Frames of a video: the aligned columns at one slot, with what was done, thought and judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from collector.comparison.alignment.aligned import REFERENCE
from collector.comparison.alignment.differences import describe_step
from collector.model.episode_text import verdict_text
from collector.model.geometry import Position, Rect, Size
from collector.model.i18n import _
from collector.model.message import in_language
from collector.model.trajectory import Step
from collector.sharing.export_options import RECORDED, ExportOptions
from collector.sharing.frame_canvas import FrameCanvas
from collector.sharing.screen_marks import ScreenMarks
from collector.sharing.shared_review import SharedReview

Pixels = NDArray[np.uint8]
_MARGIN, _GAP = 16, 16
_HEAD, _COLUMN_HEAD, _WORDS, _FOOT = 44, 32, 148, 40
_NARROWEST, _WIDEST = 248, 520
"""Width of a column."""
_SHORTEST_MS, _LONGEST_MS = 600, 6000
"""A slot is never shown shorter or longer, so that every step can be followed and none is waited for."""
_BEFORE = 0.35
"""Share of a slot's time in which the screen is shown without the action."""


@dataclass(frozen=True, slots=True)
class ReviewFrame:
    """One still picture and how long it is shown."""

    pixels: Pixels
    """RGB, height x width x 3; both even."""
    milliseconds: int


class ReviewFrames:
    """All frames of a review in order. Each slot has two: before the action, and with it."""

    def __init__(self, review: SharedReview, options: ExportOptions) -> None:
        self._review, self._options = review, options
        self.slots = range(len(review.aligned.slots))
        self._picture = lru_cache(maxsize=8)(self._read_picture)

    def frames(self) -> Iterator[ReviewFrame]:
        """Draw the frames one after the other."""
        for slot in self.slots:
            shown = self.duration(slot)
            before = round(shown * _BEFORE) if self._acts(slot) else 0
            if before:
                yield ReviewFrame(self.draw(slot, acts=False), before)
            yield ReviewFrame(self.draw(slot, acts=True), shown - before)

    def duration(self, slot: int) -> int:
        """Milliseconds that a slot is shown: as recorded, or always the same."""
        if self._options.timing != RECORDED:
            return round(1000 * self._options.seconds)
        waits = [0]
        for side, number in zip(self._review.sides, self._review.aligned.slots[slot], strict=True):
            if number is not None and number + 1 < len(side.steps):
                waits.append(side.steps[number + 1].t_ms - side.steps[number].t_ms)
        return round(max(_SHORTEST_MS, min(_LONGEST_MS, max(waits))) / self._options.speed)

    @cached_property
    def screens(self) -> tuple[Size, ...]:
        """The room of each column's screen: as high as the options say, as wide as its widest screen."""
        height = self._options.height
        rooms = []
        for side in self._review.sides:
            shapes = [step.state.size for step in side.steps if not step.state.size.is_empty]
            widest = max((shape.width / shape.height for shape in shapes), default=0.45)
            rooms.append(Size(min(_WIDEST, max(1, round(height * widest))), height))
        return tuple(rooms)

    @cached_property
    def size(self) -> Size:
        """The size of every frame; even, as video encoders need it."""
        columns = sum(self._column_width(room) for room in self.screens)
        width = 2 * _MARGIN + columns + _GAP * (len(self.screens) - 1)
        height = _HEAD + _COLUMN_HEAD + self._options.height + _WORDS + _FOOT
        return Size(width + width % 2, height + height % 2)

    @staticmethod
    def _column_width(room: Size) -> int:
        return max(_NARROWEST, room.width)

    def draw(self, slot: int, *, acts: bool) -> Pixels:
        """The frame of a slot, with the action when ``acts``."""
        canvas = FrameCanvas(self.size.width, self.size.height, self._options.theme)
        self._draw_head(canvas, slot)
        left = _MARGIN
        for side, room in enumerate(self.screens):
            width = self._column_width(room)
            self._draw_column(canvas, slot, side, Rect(left, _HEAD, left + width, self.size.height), acts)
            left += width + _GAP
        self._draw_foot(canvas, slot)
        return canvas.pixels()

    def _draw_head(self, canvas: FrameCanvas, slot: int) -> None:
        canvas.fill(Rect(0, 0, self.size.width, _HEAD), "bg-2")
        canvas.fill(Rect(0, _HEAD - 1, self.size.width, _HEAD), "line")
        place = f"{slot + 1} / {len(self.slots)}"
        wide = canvas.width_of(place)
        canvas.text(place, self.size.width - _MARGIN - wide, 14, wide + 2, "text-3")
        room = self.size.width - 3 * _MARGIN - wide
        canvas.text(self._review.instruction, _MARGIN, 12, room, "text", 14, 600, 1, 20)

    def _draw_column(self, canvas: FrameCanvas, slot: int, side: int, box: Rect, acts: bool) -> None:
        shared = self._review.sides[side]
        canvas.letter(shared.letter, box.left, box.top + 8)
        right = canvas.verdict(shared.outcome, verdict_text(shared.outcome), box.right, box.top + 9)
        name = min(canvas.width_of(shared.name, 12, 600), right - box.left - 34)
        canvas.text(shared.name, box.left + 26, box.top + 9, name + 2, "text", 12, 600)
        about = box.left + 34 + name
        if right - about > 40:
            canvas.text(shared.about, about, box.top + 9, right - about - 8, "text-3")
        screen = Rect(
            box.left, box.top + _COLUMN_HEAD, box.right, box.top + _COLUMN_HEAD + self._options.height
        )
        step = self._review.step(slot, side)
        if step is None:
            self._draw_gap(canvas, side, screen)
        else:
            self._draw_screen(canvas, slot, side, step, screen, acts)
        words = Rect(box.left, screen.bottom + 10, box.right, self.size.height - _FOOT)
        self._draw_words(canvas, slot, side, step, words)

    def _draw_gap(self, canvas: FrameCanvas, side: int, box: Rect) -> None:
        room = self.screens[side]
        left = box.left + (box.width - room.width) // 2
        canvas.outline(Rect(left, box.top, left + room.width, box.bottom), "line-2", dashed=True)
        words = _("No counterpart")
        wide = canvas.width_of(words)
        canvas.text(words, box.left + (box.width - wide) / 2, box.center.y - 8, wide + 2, "text-3")

    def _draw_screen(
        self, canvas: FrameCanvas, slot: int, side: int, step: Step, box: Rect, acts: bool
    ) -> None:
        image = self._picture(side, self._review.aligned.slots[slot][side])
        size = step.state.size if not step.state.size.is_empty else None
        shape = size or (Size(image.width, image.height) if image is not None else self.screens[side])
        scale = min(box.width / shape.width, box.height / shape.height)
        width, height = max(1, round(shape.width * scale)), max(1, round(shape.height * scale))
        left, top = box.left + (box.width - width) // 2, box.top + (box.height - height) // 2
        place = Rect(left, top, left + width, top + height)
        if image is not None:
            canvas.picture(image, place)
        else:
            canvas.fill(place, "overlay mark_halo")
            words = _("This app hides its pixels") if step.state.secure else _("No picture")
            wide = min(canvas.width_of(words), width - 16)
            canvas.text(
                words, left + (width - wide) / 2, place.center.y - 8, wide + 2, "overlay mark_golden", lines=3
            )
        canvas.outline(Rect(left - 1, top - 1, left + width + 1, top + height + 1), "line-2")
        marks = ScreenMarks(
            step,
            self._review.sides[side].is_run,
            self._review.dialogs(side, step),
            self._reference(slot, side),
        )
        canvas.canvas.save()
        canvas.canvas.clipRect((place.left, place.top, place.right, place.bottom))
        marks.draw(canvas.canvas, canvas.colors, place, acts=acts)
        canvas.canvas.restore()

    def _reference(self, slot: int, side: int) -> Position | None:
        """Where the reference touched at a slot, for the other columns."""
        step = self._review.step(slot, REFERENCE) if side != REFERENCE else None
        if step is None or step.action is None or step.action.point is None:
            return None
        return Position(step.action.point, step.state.size)

    def _draw_words(self, canvas: FrameCanvas, slot: int, side: int, step: Step | None, box: Rect) -> None:
        top = float(box.top)
        number = self._review.aligned.slots[slot][side]
        if step is not None and number is not None:
            caption = f"{number + 1}  {self._review.masked(in_language(describe_step(step)))}"
            top += canvas.text(caption, box.left, top, box.width, "text", 13, 500, 2, 18) + 4
        for reason in self._reasons(slot, side):
            top += canvas.text(reason, box.left, top, box.width, "warn", 12, 400, 2) + 4
        if step is not None and step.agent is not None and step.agent.thought:
            lines = max(1, int((box.bottom - top) // 16))
            canvas.text(step.agent.thought, box.left, top, box.width, "text-2", 12, 400, min(4, lines))

    def _reasons(self, slot: int, side: int) -> list[str]:
        """Why a side differs at a slot."""
        return [
            self._review.masked(each.reason)
            for each in self._review.aligned.differences[side]
            if each.first <= slot <= each.last
        ]

    def _draw_foot(self, canvas: FrameCanvas, slot: int) -> None:
        """A bar of all slots, those where a difference begins marked."""
        top, wide = self.size.height - 22, self.size.width - 2 * _MARGIN
        count = len(self.slots)
        canvas.fill(Rect(_MARGIN, top, _MARGIN + wide, top + 4), "bg-4", 2)
        canvas.fill(Rect(_MARGIN, top, _MARGIN + wide * (slot + 1) // count, top + 4), "accent-fill", 2)
        for stop in self._review.aligned.difference_slots():
            left = _MARGIN + wide * stop // count
            canvas.fill(Rect(left, top - 3, left + 3, top + 7), "warn-fill", 1)

    def _acts(self, slot: int) -> bool:
        """Whether anything is done at a slot."""
        steps = (self._review.step(slot, side) for side in range(len(self._review.sides)))
        return any(step is not None and step.action is not None for step in steps)

    def _read_picture(self, side: int, number: int | None) -> Image.Image | None:
        if number is None:
            return None
        return self._review.screens.picture(side, self._review.sides[side].steps[number])
