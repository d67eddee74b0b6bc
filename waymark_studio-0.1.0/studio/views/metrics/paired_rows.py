"""A group of pairs as a row of the paired comparison."""

from __future__ import annotations

from collector.metrics.comparison import PairedNumbers
from collector.metrics.comparison_summary import p_text
from collector.metrics.value_text import dimension_value_text
from collector.model.i18n import _, ngettext
from studio.widgets.metric_plots.dumbbell_view import DumbbellRow


def drawn_row(dimension: str, numbers: PairedNumbers, names: tuple[str, str]) -> DumbbellRow:
    """The row of a group; ``names`` are those of both sides."""
    title = dimension_value_text(dimension, numbers.labels[0])
    first, second = (
        None if rate is None else 100 * rate for rate in (numbers.first_rate, numbers.second_rate)
    )
    tip = "\n".join((title, *_facts(numbers, names)))
    return DumbbellRow(title, numbers.count, first, second, difference_text(numbers), tip)


def difference_text(numbers: PairedNumbers) -> str:
    """The difference in points, as in "−21.3"."""
    if numbers.difference is None:
        return "–"
    return f"{100 * numbers.difference:.1f}".replace("-", "−")


def _facts(numbers: PairedNumbers, names: tuple[str, str]) -> list[str]:
    facts = [
        _("{name}: {rate} %", name=name, rate=f"{100 * rate:.1f}")
        for name, rate in zip(names, (numbers.first_rate, numbers.second_rate), strict=True)
        if rate is not None
    ]
    facts.append(ngettext("{count} pair", "{count} pairs", numbers.count))
    if numbers.interval is not None:
        low, high = (f"{100 * end:.1f}".replace("-", "−") for end in numbers.interval)
        facts.append(_("95 % interval {low} to {high}", low=low, high=high))
    if numbers.p_value is not None:
        facts.append(_("exact McNemar {p}", p=p_text(numbers.p_value)))
    return facts
