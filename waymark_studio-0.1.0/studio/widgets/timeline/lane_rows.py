"""The visible lanes of a timeline from the top down, with their heights. No Qt."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from studio.widgets.timeline.lanes import FilmLane, Lane, LaneMark, TextLane, Track
from studio.widgets.timeline.sizes import TimelineSizes


@dataclass(frozen=True, slots=True)
class LaneRow:
    """A visible lane: ``top`` is the distance from the first one."""

    lane: Lane
    group: int
    """The trajectory that it belongs to."""
    top: int
    height: int
    is_head: bool
    """Whether it is the first lane of its trajectory, which is always visible."""
    film: FilmLane | None = None
    """The lane, when it is a film strip."""
    text: TextLane | None = None
    """The lane, when it has marks."""

    def marks_at(self, slot: int) -> list[LaneMark]:
        """The marks that may reach into a slot."""
        return list(self.text.marks(slot, slot)) if self.text is not None and slot >= 0 else []


def lane_rows(track: Track, hidden: Collection[str], sizes: TimelineSizes) -> list[LaneRow]:
    """The first lane of each trajectory, and all others that are neither empty nor ``hidden`` by title."""
    rows: list[LaneRow] = []
    top = 0
    for number, group in enumerate(track.groups):
        for place, lane in enumerate(group.lanes):
            if place and (lane.title in hidden or lane.is_empty()):
                continue
            film = lane if isinstance(lane, FilmLane) else None
            text = lane if film is None and isinstance(lane, TextLane) else None
            height = sizes.text if film is None else sizes.film
            rows.append(LaneRow(lane, number, top, height, place == 0, film, text))
            top += height
    return rows
