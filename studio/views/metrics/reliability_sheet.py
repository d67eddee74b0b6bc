"""What the reliability plot draws: lines with intervals or standard deviations, and their words."""

from __future__ import annotations

from enum import StrEnum

from collector.metrics.baseline_rows import baseline_label
from collector.metrics.reliability import Reliability, ReliabilityPoint
from collector.metrics.value_text import dimension_value_text
from collector.model.i18n import _, ngettext
from studio.widgets.metric_plots.mark_shapes import LOOKS
from studio.widgets.metric_plots.plot_series import PlotPoint, PlotSeries, PlotSheet

MOST_SERIES = len(LOOKS)
"""More series could not be told apart."""


class ErrorBars(StrEnum):
    """What the bars of a point show."""

    INTERVAL = "interval"
    """Wilson's 95 % interval of the rate of all episodes."""
    RUNS = "runs"
    """One standard deviation to both sides of the mean over runs: the same tasks with one seed and repeat."""


def has_runs(found: Reliability) -> bool:
    """Whether every point has several runs, and so a standard deviation."""
    return all(point.runs.std is not None for series in found.series for point in series.points)


def sheet_of(found: Reliability, bars: ErrorBars) -> PlotSheet:
    """The lines of the first series, as many as can be told apart, with what they are compared with."""
    categories = tuple(dimension_value_text(found.across.id, label) for label in found.labels)
    names = dict(zip(found.labels, categories, strict=True))
    plain = baseline_label(found.across.id, found.labels)
    series = []
    for each in found.series[:MOST_SERIES]:
        title = dimension_value_text(found.of.id, each.name)
        base = next((point for point in each.points if point.label == plain), None)
        points = {
            point.label: _drawn(
                point,
                bars,
                [*_facts(point, title, names[point.label]), *_against(point, base, found.across.id)],
            )
            for point in each.points
        }
        series.append(PlotSeries(title, tuple(points.get(label) for label in found.labels)))
    baseline = None if plain is None else found.labels.index(plain)
    return PlotSheet(categories, tuple(series), baseline)


def note_of(found: Reliability, bars: ErrorBars) -> str:
    """What the marks and the bars are, in words."""
    if bars is ErrorBars.INTERVAL:
        words = _("SR with 95 % intervals")
    else:
        counts = {point.runs.count for series in found.series for point in series.points}
        words = _("SR, mean and std over runs")
        if len(counts) == 1:
            count = counts.pop()
            words = ngettext("SR of {count} run", "SR, mean and std over {count} runs", count)
    plain = baseline_label(found.across.id, found.labels)
    if plain is not None and len(found.labels) > 1:
        name = dimension_value_text(found.across.id, plain)
        words = _("{words}; shaded: {name}", words=words, name=name)
    if len(found.series) <= MOST_SERIES:
        return words
    return _("{words}; {shown} of {count} drawn", words=words, shown=MOST_SERIES, count=len(found.series))


def _drawn(point: ReliabilityPoint, bars: ErrorBars, facts: list[str]) -> PlotPoint:
    tip = "\n".join(facts)
    if bars is ErrorBars.INTERVAL or point.runs.mean is None:
        return PlotPoint(100 * point.rate, 100 * point.low, 100 * point.high, tip)
    mean, std = 100 * point.runs.mean, 100 * (point.runs.std or 0.0)
    return PlotPoint(mean, mean - std, mean + std, tip)


def _against(point: ReliabilityPoint, base: ReliabilityPoint | None, dimension: str) -> list[str]:
    """How far the point is from that of the same series under nothing; of that one nothing is said."""
    if base is None or base is point:
        return []
    points = f"{100 * (point.rate - base.rate):+.1f}".replace("-", "−")
    name = dimension_value_text(dimension, base.label)
    return [_("{points} points against {name}", points=points, name=name)]


def _facts(point: ReliabilityPoint, title: str, place: str) -> list[str]:
    facts = [
        _(
            "{name}, {place}: {rate} %, {hits} of {count}, 95 % interval {low} to {high}",
            name=title, place=place, rate=f"{100 * point.rate:.1f}", hits=point.hits,
            count=point.count, low=f"{100 * point.low:.1f}", high=f"{100 * point.high:.1f}",
        )
    ]  # fmt: skip
    runs = point.runs
    if runs.mean is not None and runs.std is not None:
        facts.append(
            ngettext(
                "{count} run: {mean} %",
                "{count} runs: mean {mean} %, standard deviation {std}",
                runs.count, mean=f"{100 * runs.mean:.1f}", std=f"{100 * runs.std:.1f}",
            )
        )  # fmt: skip
    return facts
