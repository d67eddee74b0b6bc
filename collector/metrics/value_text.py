"""Values of dimensions, and what numbers count, as people read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from collector.metrics.baseline_rows import VARIATION_DIMENSIONS
from collector.metrics.breakdowns.dimensions import CURRENT, NOT_INJECTED, OTHER_FACTOR, STALE
from collector.metrics.measure import Counting
from collector.metrics.rendering.plain_text import label_text
from collector.metrics.report import ReportRow, ReportTable
from collector.metrics.report_cell import ReportCell
from collector.model.episode_text import BASELINE, modality_text
from collector.model.i18n import N_, _, ngettext
from collector.model.task import category_text

_EMPTY: Mapping[str, str] = {
    "condition": BASELINE,
    "anomaly-category": N_("Baseline"),
    **dict.fromkeys(VARIATION_DIMENSIONS, N_("default")),
}
"""What an empty value means; in other dimensions it is not known."""
_NOT_INJECTED = N_("none injected")
_FRESHNESS: Mapping[str, str] = {CURRENT: N_("current"), STALE: N_("stale")}
_FACTORS: Mapping[str, str] = {
    "appearance": N_("appearance"), "content": N_("content"), "pop_ups": N_("pop-ups"),
    "noise": N_("noise"), OTHER_FACTOR: N_("other"),
}  # fmt: skip
_LEVELS: Mapping[str, str] = {"easy": N_("easy"), "medium": N_("medium"), "hard": N_("hard")}


def dimension_value_text(dimension: str, value: str) -> str:
    """A value of the dimension with this id in words, on one line."""
    if not value:
        return _(_EMPTY[dimension]) if dimension in _EMPTY else label_text("")
    return label_text(_WORDS[dimension](value) if dimension in _WORDS else value)


def row_labels(table: ReportTable, row: ReportRow) -> tuple[str, ...]:
    """The labels of a row in words."""
    count = len(table.label_dimensions)
    known = zip(table.label_dimensions, row.labels[:count], strict=True)
    return (*(dimension_value_text(*pair) for pair in known), *map(label_text, row.labels[count:]))


def _category(value: str) -> str:
    """The categories of a condition; those of the built-in library have translations."""
    return ", ".join(_(category) for category in value.split(", "))


def _anomaly(value: str) -> str:
    return _(_NOT_INJECTED) if value == NOT_INJECTED else value


def _freshness(value: str) -> str:
    return _(_FRESHNESS.get(value, value))


def _factor(value: str) -> str:
    return ", ".join(_(_FACTORS.get(name, name)) for name in value.split(", "))


def _level(value: str) -> str:
    return _(_LEVELS.get(value, value))


_WORDS: Mapping[str, Callable[[str], str]] = {
    "anomaly": _anomaly,
    "anomaly-category": _category,
    "freshness": _freshness,
    "category": category_text,
    "factor": _factor,
    "level": _level,
    "modality": modality_text,
}


def counting_text(counting: Counting, count: int) -> str:
    """A denominator in words: ``216 episodes``."""
    return {
        Counting.EPISODES: ngettext("{count} episode", "{count} episodes", count),
        Counting.PAIRS: ngettext("{count} pair", "{count} pairs", count),
        Counting.STATES: ngettext("{count} essential state", "{count} essential states", count),
        Counting.TASKS: ngettext("{count} task", "{count} tasks", count),
        Counting.VERDICTS: ngettext("{count} verdict", "{count} verdicts", count),
        Counting.AGENTS: ngettext("{count} agent", "{count} agents", count),
        Counting.QUESTIONS: ngettext("{count} question", "{count} questions", count),
        Counting.STEPS: ngettext("{count} step", "{count} steps", count),
        Counting.ANOMALIES: ngettext("{count} anomaly", "{count} anomalies", count),
        Counting.MOMENTS: ngettext("{count} moment", "{count} moments", count),
        Counting.VARIATIONS: ngettext("{count} variation", "{count} variations", count),
    }[counting]


def counted_text(number: ReportCell, counting: Counting) -> str:
    """What a number was counted of: ``102 of 216 episodes``, or of a mean ``over 216 episodes``."""
    things = counting_text(counting, number.count)
    if number.hits is None:
        return _("over {things}", things=things)
    return _("{hits} of {things}", hits=number.hits, things=things)
