"""What a timeline shows of its track now, and where each slot and lane lies in its viewport."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPoint, QRect

from collector.model.i18n import _
from studio.widgets.painting import text_width
from studio.widgets.timeline import ruler_painter as ruler
from studio.widgets.timeline.axis import AxisGrids, TimeAxis
from studio.widgets.timeline.grid import TimelineGrid
from studio.widgets.timeline.lane_rows import LaneRow
from studio.widgets.timeline.lanes import FilmLane, FilmSlot, LaneMark, SlotKind, TextLane, Track
from studio.widgets.timeline.ruler_painter import DivergenceFlag
from studio.widgets.timeline.sizes import RULER, TimelineSizes

_FLAG_REACH = 300
"""How far from its slot the flag of the first divergence may reach, in logical pixels."""


@dataclass
class TimelineView:
    """What a timeline shows of its track now, and where."""

    sizes: TimelineSizes
    grids: AxisGrids
    side_by_side: bool = False
    """Whether several trajectories are compared; else it is a recording, or a stored one in its place."""
    track: Track = field(default_factory=Track)
    rows: list[LaneRow] = field(default_factory=list)
    current: int = -1
    width: float = 0.0
    """Width of a slot in logical pixels, the mean by the clock."""
    across: int = 0
    """How far it is scrolled to the right."""
    down: int = 0
    selected: range | None = None
    bookmarks: Mapping[int, str] = field(default_factory=dict)
    matching: Collection[int] | None = None
    divergence_key: str = "Home"
    _spoken: tuple[TextLane | None, list[LaneMark]] = (None, [])
    """The lane whose marks were asked for last, and its marks."""

    def grid(self, group: int = 0) -> TimelineGrid:
        return self.grids.grid(group, self.sizes.gutter - self.across, self.width)

    def all_grids(self) -> list[TimelineGrid]:
        """The grids of all trajectories."""
        return [self.grid(number) for number in range(len(self.track.groups))]

    @property
    def cursor_x(self) -> int:
        """The x of the cursor: by the clock the time of the first trajectory with a step in its slot."""
        side = self.grids.side_at(self.current) if self.grids.axis is TimeAxis.CLOCK else 0
        return self.grid(side).middle(self.current)

    def top(self, row: LaneRow) -> int:
        return RULER - self.down + row.top

    @property
    def bottom(self) -> int:
        """The y below the last lane."""
        return max(RULER, self.top(self.rows[-1]) + self.rows[-1].height) if self.rows else RULER

    # -- the ruler -----------------------------------------------------------
    @property
    def slots_between_labels(self) -> int:
        """Of how many slots one has its label on the ruler."""
        return ruler.slots_between_labels(self.grid(), self.track.label(self.track.count - 1))

    def labelled_slots(self, seen: range) -> Sequence[int]:
        """The slots in sight with a tick of their own and, where it does not touch another, a label."""
        every = self.slots_between_labels
        if every == 1:
            return seen
        places = range(seen.start // every * every - 1, seen.stop, every)
        return [max(0, place) for place in places]

    def slot_label(self, slot: int) -> str:
        """The label that a slot shows on the ruler; empty where it would touch the next."""
        return ruler.shown_label(self.grid(), slot, self.track.label(slot), self.slots_between_labels)

    def clock_labels(self, visible: range) -> Iterator[tuple[int, str]]:
        """The x and the text of the times on the ruler that reach into the x that are ``visible``."""
        return ruler.clock_labels(self.grid().x(0), self.grids.per_ms(self.width), visible)

    @property
    def divergence_flag(self) -> DivergenceFlag | None:
        """The flag of the first divergence on the ruler; None without one, and without room beside labels."""
        slot = self.track.divergence
        if slot is None:
            return None
        grid = self.ruler_grid(slot)
        return ruler.divergence_flag(
            grid.x(slot) + grid.inset, self.divergence_key, self._labels_around(grid, slot)
        )

    def _labels_around(self, grid: TimelineGrid, slot: int) -> Iterator[range]:
        """The x of the labels on the ruler around a slot, in order, as far as its flag may reach."""
        x = grid.x(slot)
        if self.grids.axis is TimeAxis.CLOCK:
            for left, text in self.clock_labels(range(x - _FLAG_REACH, x + _FLAG_REACH)):
                yield range(left + 4, left + 4 + text_width(text))
            return
        for other in self.labelled_slots(grid.in_sight(x - _FLAG_REACH, x + _FLAG_REACH)):
            if text := self.slot_label(other):
                left = grid.x(other) + grid.inset
                yield range(left, left + text_width(text, "name"))

    def ruler_grid(self, slot: int) -> TimelineGrid:
        """The grid by which the ruler shows a slot."""
        return self.grid(self.grids.side_at(slot) if self.grids.axis is TimeAxis.CLOCK else 0)

    # -- at a point ----------------------------------------------------------
    def row_at(self, at: QPoint) -> LaneRow | None:
        """The lane at a point; None on the ruler and below the last lane."""
        if at.y() < RULER:
            return None
        tops = ((row, self.top(row)) for row in self.rows)
        return next((row for row, top in tops if top <= at.y() < top + row.height), None)

    def slot_at(self, at: QPoint) -> int:
        """The slot at a point, by the clock in the trajectory of its lane."""
        row = self.row_at(at)
        return self.grid(row.group if row is not None else 0).slot_at(at.x())

    def pressed_slot(self, at: QPoint) -> int:
        """The slot at a point; on a film strip the slot whose thumbnail is there."""
        row = self.row_at(at)
        if row is None or row.film is None:
            return self.slot_at(at)
        return self.grid(row.group).thumb_at(at.x())

    def mark_at(self, at: QPoint) -> LaneMark | None:
        """The mark of a text lane at a point."""
        row = self.row_at(at)
        if row is None or at.x() < self.sizes.gutter or not self.track.count:
            return None
        slot = self.grid(row.group).slot_at(at.x())
        under = [mark for mark in row.marks_at(slot) if mark.slot <= slot]
        return under[-1] if under else None

    def thumb_at(self, at: QPoint) -> tuple[int, int] | None:
        """Slot and trajectory of the step in whose place of a film strip a point is."""
        row = self.row_at(at)
        if row is None or at.x() < self.sizes.gutter or row.film is None or not self.track.count:
            return None
        grid = self.grid(row.group)
        slot = grid.thumb_at(at.x())
        is_step = row.film.slot(slot).kind is SlotKind.STEP
        return (slot, row.group) if is_step and at.x() >= grid.x(slot) else None

    def tip_at(self, at: QPoint) -> str:
        """What the tooltip says: of a mark, on the ruler of the flag, the bookmark and the differences."""
        if at.y() >= RULER:
            mark = self.mark_at(at)
            return mark.tip if mark is not None else ""
        if at.x() < self.sizes.gutter or not self.track.count:
            return ""
        flag = self.divergence_flag
        is_flag = flag is not None and flag.box.contains(at)
        slot = self.track.divergence or 0 if is_flag else self.slot_at(at)
        first = _("First divergence") if slot == self.track.divergence else ""
        tips = [mark.tip for mark in self.track.differences if mark.first <= slot <= mark.last]
        return "\n".join(filter(None, (first, self.bookmarks.get(slot, ""), *tips)))

    # -- trajectories and words ----------------------------------------------
    def film_slot(self, slot: int, group: int) -> FilmSlot:
        """What the film strip of a trajectory has in a slot."""
        film = self.track.groups[group].lanes[0]
        assert isinstance(film, FilmLane)
        return film.slot(slot)

    def film_top(self, group: int) -> int:
        """The y of the film strip of a trajectory."""
        return next(self.top(row) for row in self.rows if row.group == group)

    # -- for assistive technology: a row a lane, a cell a step of a film strip, or a mark ------
    def spoken_cells(self, row: int) -> int:
        """Number of steps or marks in a lane."""
        return self.track.count if self.rows[row].film is not None else len(self._marks_of(row))

    def row_words(self, row: int) -> str:
        """The name of a lane, with its trajectory where there are several."""
        lane = self.rows[row]
        group = self.track.groups[lane.group].name if len(self.track.groups) > 1 else ""
        return ", ".join(filter(None, (lane.lane.title, group)))

    def cell_words(self, row: int, number: int) -> str:
        """A step of a film strip, or what a mark says and where."""
        if self.rows[row].film is not None:
            return self._slot_words(number)
        mark = self._marks_of(row)[number]
        parts = (part.text for part in (*mark.parts, *mark.segments))
        words = " ".join(filter(None, (mark.text, *parts))) or mark.tip
        return ": ".join(filter(None, (_("Step {number}", number=mark.slot + 1), words)))

    def cell_place(self, row: int, number: int) -> QRect:
        """Where a step or a mark is painted."""
        lane = self.rows[row]
        grid = self.grid(lane.group)
        mark = self._marks_of(row)[number] if lane.film is None else None
        first = mark.slot if mark is not None else number
        end = first + max(1, mark.bar, mark.span) if mark is not None else first + 1
        left = grid.x(first)
        return QRect(left, self.top(lane), max(1, grid.x(end) - left), lane.height)

    def current_place(self) -> tuple[int, int] | None:
        """The slot of the cursor in the first film strip."""
        film = next((row for row, lane in enumerate(self.rows) if lane.film is not None), None)
        return (film, self.current) if film is not None and self.current >= 0 else None

    def _marks_of(self, row: int) -> list[LaneMark]:
        text = self.rows[row].text
        if text is None or not self.track.count:
            return []
        if self._spoken[0] is not text:
            self._spoken = (text, list(text.marks(0, self.track.count - 1)))
        return self._spoken[1]

    def _slot_words(self, slot: int) -> str:
        if self.track.describe is not None:
            return self.track.describe(slot)
        return _("Step {number} of {count}", number=slot + 1, count=self.track.count)

    def words(self) -> str:
        """The slot of the cursor for those who cannot see it, with the bars over it and the range."""
        slot, chosen = self.current, self.selected
        if slot < 0:
            return _("No steps")
        words = ", ".join((self._slot_words(slot), *self._bars()))
        if chosen is not None:
            words += ". " + _("Range: {first} to {last}", first=chosen.start + 1, last=chosen.stop)
        return words

    def _bars(self) -> list[str]:
        """Texts of the marks over the current slot."""
        slot = self.current
        marks = (mark for row in self.rows for mark in row.marks_at(slot))
        over = [mark for mark in marks if mark.slot <= slot < mark.slot + mark.bar]
        parts = [(mark.text, *(part.text for part in (*mark.parts, *mark.segments))) for mark in over]
        return [" ".join(filter(None, texts)) for texts in parts]
