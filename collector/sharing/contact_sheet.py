"""A contact sheet: the film strips of all trajectories on one picture, aligned, with gaps and captions."""

from __future__ import annotations

import io

from PIL import Image

from collector.comparison.alignment.differences import describe_step
from collector.model.episode_text import verdict_text
from collector.model.geometry import Rect, Size
from collector.model.i18n import _
from collector.model.message import in_language
from collector.model.trajectory import Step
from collector.sharing.export_options import ExportOptions
from collector.sharing.export_progress import ExportProgress
from collector.sharing.frame_canvas import FrameCanvas
from collector.sharing.screen_marks import ScreenMarks
from collector.sharing.shared_review import SharedReview

_MARGIN, _HEAD, _BAND_HEAD, _REASON = 24, 64, 28, 20
_GUTTER = 150
_CAPTION = 52
_SPACE = 12
_THUMB = Size(126, 280)
_SMALLEST = Size(36, 80)
_MOST_IN_A_BAND = 14
_MOST_PIXELS = 60_000_000
"""A sheet that would have more gets smaller thumbnails."""


class ContactSheet:
    """Lays the slots out in bands of equal length, one below the other."""

    def __init__(self, review: SharedReview, options: ExportOptions) -> None:
        self._review, self._options = review, options
        self._count = len(review.aligned.slots)
        self._bands = max(1, -(-self._count // _MOST_IN_A_BAND))
        self._columns = max(1, -(-self._count // self._bands))
        self._reasons = [
            (side, each.first, review.masked(each.reason))
            for side, differences in enumerate(review.aligned.differences)
            for each in differences
        ]
        self._thumb = _THUMB
        while self.size.width * self.size.height > _MOST_PIXELS and self._thumb.width > _SMALLEST.width:
            self._thumb = Size(self._thumb.width * 9 // 10, self._thumb.height * 9 // 10)

    @property
    def size(self) -> Size:
        """The size of the whole picture."""
        width = 2 * _MARGIN + _GUTTER + max(4, self._columns) * (self._thumb.width + _SPACE)
        height = _HEAD + self._bands * self._band_height + self._legend_height + _MARGIN
        return Size(width, height)

    @property
    def _row_height(self) -> int:
        return self._thumb.height + _CAPTION + _SPACE

    @property
    def _band_height(self) -> int:
        return _BAND_HEAD + len(self._review.sides) * self._row_height + _SPACE

    @property
    def _legend_height(self) -> int:
        return (len(self._reasons) + 1) * _REASON + _SPACE if self._reasons else 0

    def png(self, progress: ExportProgress) -> bytes:
        """The file of the sheet. Raises ExportCancelled."""
        canvas = FrameCanvas(self.size.width, self.size.height, self._options.theme)
        self._draw_head(canvas)
        for slot in range(self._count):
            progress.at(slot, self._count)
            self._draw_slot(canvas, slot)
        self._draw_legend(canvas)
        data = io.BytesIO()
        Image.fromarray(canvas.pixels()).save(data, "PNG", optimize=False)
        progress.at(self._count, self._count)
        return data.getvalue()

    def _draw_head(self, canvas: FrameCanvas) -> None:
        canvas.fill(Rect(0, 0, self.size.width, _HEAD - 16), "bg-2")
        canvas.fill(Rect(0, _HEAD - 17, self.size.width, _HEAD - 16), "line")
        about = self._review.about
        wide = canvas.width_of(about)
        canvas.text(about, self.size.width - _MARGIN - wide, 16, wide + 2, "text-3")
        room = self.size.width - 3 * _MARGIN - wide
        canvas.text(self._review.instruction, _MARGIN, 14, room, "text", 14, 600, 1, 20)
        for band in range(self._bands):
            for side in range(len(self._review.sides)):
                self._draw_side(canvas, side, self._top(band * self._columns, side))

    def _draw_side(self, canvas: FrameCanvas, side: int, top: int) -> None:
        """The name of a row, left of its film strip."""
        shared = self._review.sides[side]
        canvas.letter(shared.letter, _MARGIN, top)
        room = _GUTTER - 40
        canvas.text(shared.name, _MARGIN + 26, top + 1, room, "text", 12, 600)
        used = canvas.text(shared.about, _MARGIN + 26, top + 19, room, "text-3", 11, 400, 3, 14)
        canvas.shape(shared.outcome, _MARGIN + 33, top + 33 + used)
        canvas.text(verdict_text(shared.outcome), _MARGIN + 46, top + 25 + used, room - 20, "text-2", 11, 500)

    def _draw_slot(self, canvas: FrameCanvas, slot: int) -> None:
        left = self._left(slot)
        head = self._top(slot, 0) - _BAND_HEAD
        is_first = slot == self._review.aligned.first_divergence
        is_stop = slot in self._review.aligned.difference_slots()
        canvas.text(
            str(slot + 1), left, head + 4, 40, "warn" if is_stop else "text-3", 12, 600 if is_stop else 400
        )
        if is_stop:
            canvas.fill(Rect(left, head + 22, left + self._thumb.width, head + 24), "warn-fill")
        if is_first:
            canvas.text(_("First divergence"), left + 24, head + 4, self._thumb.width - 24, "warn", 11, 500)
        for side in range(len(self._review.sides)):
            self._draw_thumb(canvas, slot, side, left, self._top(slot, side))

    def _draw_thumb(self, canvas: FrameCanvas, slot: int, side: int, left: int, top: int) -> None:
        step = self._review.step(slot, side)
        if step is None:
            place = Rect(left, top, left + self._thumb.width, top + self._thumb.height)
            canvas.outline(place, "line-2", dashed=True)
            return
        place = self._place_of(step, left, top)
        image = self._review.screens.picture(side, step)
        if image is not None:
            canvas.picture(image, place)
        else:
            canvas.fill(place, "overlay mark_halo")
            canvas.text(
                _("No picture"),
                left + 8,
                place.center.y - 8,
                place.width - 16,
                "overlay mark_golden",
                lines=2,
            )
        canvas.outline(place, "line-2")
        canvas.canvas.save()
        canvas.canvas.clipRect((place.left, place.top, place.right, place.bottom))
        marks = ScreenMarks(step, self._review.sides[side].is_run, self._review.dialogs(side, step))
        marks.draw(canvas.canvas, canvas.colors, place, acts=True)
        canvas.canvas.restore()
        number = self._review.aligned.slots[slot][side]
        caption = f"{(number or 0) + 1}  {self._review.masked(in_language(describe_step(step)))}"
        differs = any(each.first <= slot <= each.last for each in self._review.aligned.differences[side])
        tone = "warn" if differs else "text-2"
        canvas.text(caption, left, top + self._thumb.height + 6, self._thumb.width, tone, 11, 400, 3, 14)

    def _place_of(self, step: Step, left: int, top: int) -> Rect:
        """The place of a screen in its thumbnail's room, with its own shape."""
        size = step.state.size if not step.state.size.is_empty else self._thumb
        scale = min(self._thumb.width / size.width, self._thumb.height / size.height)
        width, height = max(1, round(size.width * scale)), max(1, round(size.height * scale))
        return Rect(left, top, left + width, top + height)

    def _draw_legend(self, canvas: FrameCanvas) -> None:
        """The reasons of the differences below the bands."""
        top = _HEAD + self._bands * self._band_height
        if self._reasons:
            canvas.text(_("Differences"), _MARGIN, top, 300, "text", 12, 600)
        for row, (side, slot, reason) in enumerate(self._reasons, start=1):
            words = f"{self._review.sides[side].letter}  {slot + 1}  {reason}"
            canvas.text(words, _MARGIN, top + row * _REASON, self.size.width - 2 * _MARGIN, "text-2")

    def _left(self, slot: int) -> int:
        return _MARGIN + _GUTTER + slot % self._columns * (self._thumb.width + _SPACE)

    def _top(self, slot: int, side: int) -> int:
        band = slot // self._columns
        return _HEAD + band * self._band_height + _BAND_HEAD + side * self._row_height
