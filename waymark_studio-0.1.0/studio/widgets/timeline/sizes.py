"""The measures of a timeline, from the design tokens: of a recording, and of trajectories side by side."""

from __future__ import annotations

from dataclasses import dataclass

from studio.theme.tokens import tokens

_TIMELINE = tokens().group("timeline")
_GUTTER = tokens().group("panel")["timeline_gutter"]
RULER = int(_TIMELINE["ruler"])
"""Height of the ruler."""


@dataclass(frozen=True, slots=True)
class TimelineSizes:
    """Lengths in logical pixels. The defaults are those of one recording."""

    gutter: int = int(_GUTTER["record"])
    film: int = int(_TIMELINE["film_record"]["lane"])
    """Height of a lane of thumbnails."""
    text: int = int(_TIMELINE["lane_action_record"])
    """Height of any other lane."""
    thumb_width: int = int(_TIMELINE["film_record"]["thumb"][0])
    thumb_height: int = int(_TIMELINE["film_record"]["thumb"][1])
    slot: int = int(_TIMELINE["film_record"]["slot"])
    """Width of a slot before zooming."""
    least_slot: int = 20
    inset: int = 12
    """Space between the left edge of a slot and its thumbnail."""
    icon_room: int = 17
    """Width that the icon of a mark takes, with the space behind it."""
    overview_below: int = 0
    """Slots narrower than this have no thumbnails, only coloured marks."""

    @property
    def most_slot(self) -> int:
        """The widest slot."""
        return 2 * self.slot


RECORDING_SIZES = TimelineSizes()
ALIGNED_SIZES = TimelineSizes(
    gutter=int(_GUTTER["review"]),
    film=int(_TIMELINE["film_review"]["lane"]),
    text=int(_TIMELINE["lane_text"]),
    thumb_width=int(_TIMELINE["film_review"]["thumb"][0]),
    thumb_height=int(_TIMELINE["film_review"]["thumb"][1]),
    slot=int(_TIMELINE["film_review"]["slot"]),
    least_slot=4,
    inset=9,
    icon_room=15,
    overview_below=16,
)
