"""What a plot of lines with intervals shows: categories across, a series for each agent."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """A value in percent with its interval."""

    value: float
    low: float
    high: float
    tip: str = ""
    """All that is known of it, for the tooltip and for who hears the screen."""


@dataclass(frozen=True, slots=True)
class PlotSeries:
    """A point a category; None where there is none."""

    title: str
    points: tuple[PlotPoint | None, ...]


@dataclass(frozen=True, slots=True)
class PlotSheet:
    """A whole plot. Every series has as many points as there are categories."""

    categories: tuple[str, ...] = ()
    series: tuple[PlotSeries, ...] = field(default=())
    baseline: int | None = None
    """The category that the others are compared with, which is marked."""

    def point(self, place: tuple[int, int]) -> PlotPoint | None:
        """The point of ``(series, category)``; None outside."""
        series, category = place
        if 0 <= series < len(self.series) and 0 <= category < len(self.categories):
            return self.series[series].points[category]
        return None

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """``(series, category)`` of every point, from left to right as they are drawn."""
        return self.places_in(0, len(self.categories))

    def places_in(self, first: int, end: int) -> tuple[tuple[int, int], ...]:
        """Those of the categories from ``first`` up to ``end``, which is not included."""
        return tuple(
            (series, category)
            for category in range(max(0, first), min(end, len(self.categories)))
            for series in range(len(self.series))
            if self.series[series].points[category] is not None
        )

    def lines_in(self, first: int, end: int) -> tuple[tuple[tuple[int, int], tuple[int, int]], ...]:
        """The two ends of each line from a point to the next one of its series; a category without a point
        interrupts it. Those that are seen from ``first`` up to ``end``, which is not included."""
        last = min(end, len(self.categories) - 1)
        return tuple(
            ((series, category), (series, category + 1))
            for series in range(len(self.series))
            for category in range(max(0, first - 1), last)
            if self.point((series, category)) is not None and self.point((series, category + 1)) is not None
        )

    def across(self, place: tuple[int, int]) -> float:
        """Where a point is drawn: category 0 takes 0 to 1, its series share the middle of that."""
        series, category = place
        count = len(self.series)
        spread = min(0.72, 0.17 * max(0, count - 1))
        offset = spread * (series / (count - 1) - 0.5) if count > 1 else 0.0
        return category + 0.5 + offset
