"""A comparison in plain sentences: what differs, how sure that is, and what to do when it is not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from collector.metrics.comparison import PairBox, PairedComparison, PairedNumbers
from collector.metrics.episode_columns import Ints
from collector.metrics.pairs import differing_in_words
from collector.metrics.report import episode_notes
from collector.metrics.statistics.sample_size import pairs_for_difference
from collector.model.i18n import _, ngettext

SIGNIFICANT = 0.05
FEW_TASKS = 10
"""Under this many tasks a bootstrap's interval is too narrow."""


@dataclass(frozen=True)
class ComparisonSummary:
    """Sentences about a comparison, translated."""

    headline: str
    """As in "Low battery costs UI-TARS 7B 21.3 points"."""
    details: str
    """As in "95 % interval 15.0 to 27.6; exact McNemar p < 0.001; 216 pairs, same task and seed"."""
    cautions: tuple[str, ...]
    """Why the numbers cannot be trusted yet; empty where they can."""
    notes: tuple[str, ...]
    """What is in no pair: episodes without a counterpart, faults."""


def summary_of(comparison: PairedComparison) -> ComparisonSummary:
    """The sentences beside a comparison."""
    numbers = comparison.all_pairs
    return ComparisonSummary(
        _headline(comparison),
        _details(comparison),
        (*_confounded(comparison), *_cautions(numbers)),
        _notes(comparison),
    )


def names_of(comparison: PairedComparison) -> tuple[str, str]:
    """The two names: those that a person gave, else what the episodes say."""
    first, second = comparison.names
    if comparison.is_interruption:
        return first or _("Baseline"), second or _single(
            comparison, "condition", comparison.second, _("Interruption")
        )
    return first or _("A"), second or _("B")


def p_text(p_value: float) -> str:
    """A p value as papers print it: "p = 0.031", "p < 0.001"."""
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def _headline(comparison: PairedComparison) -> str:
    first, second = names_of(comparison)
    difference = comparison.all_pairs.difference
    if difference is None:
        return _("{first} and {second} have no pair of episodes to compare", first=first, second=second)
    points = f"{abs(100 * difference):.1f}"
    if comparison.is_interruption:
        return _interruption_headline(comparison, second, points, difference)
    values = {"first": first, "second": second, "points": points}
    if not difference:
        return _("{first} and {second} succeed equally often", **values)
    if difference < 0:
        return _("{second} is {points} points below {first}", **values)
    return _("{second} is {points} points above {first}", **values)


def _interruption_headline(
    comparison: PairedComparison, condition: str, points: str, difference: float
) -> str:
    agent = _single(comparison, "agent", comparison.second, "")
    values = {"condition": condition, "agent": agent or _("the agents"), "points": points}
    if not difference:
        return _("{condition} costs {agent} nothing: success is the same with and without it", **values)
    if difference < 0:
        return _("{condition} costs {agent} {points} points", **values)
    return _("With {condition}, {agent} gains {points} points", **values)


def _details(comparison: PairedComparison) -> str:
    numbers = comparison.all_pairs
    if numbers.p_value is None or numbers.difference is None:
        return _without_pairs(comparison)
    parts = []
    if numbers.interval is not None:
        # The headline says how large a loss is, so its interval is that of the loss.
        sign = -100 if numbers.difference < 0 else 100
        ends = sorted(sign * end for end in numbers.interval)
        parts.append(_("95 % interval {low} to {high}", low=f"{ends[0]:.1f}", high=f"{ends[1]:.1f}"))
    parts.append(_("exact McNemar {p}", p=p_text(numbers.p_value)))
    parts.append(
        ngettext(
            "{count} pair, same {unit}", "{count} pairs, same {unit}", numbers.count, unit=comparison.unit
        )
    )
    return "; ".join(parts)


def _without_pairs(comparison: PairedComparison) -> str:
    whole = comparison.whole
    if whole.difference is None or whole.first_rate is None or whole.second_rate is None:
        return ""
    first, second = names_of(comparison)
    return _(
        "Not paired: {first} {first_rate} % of {first_count}, {second} {second_rate} % of {second_count}",
        first=first, first_rate=f"{100 * whole.first_rate:.1f}", first_count=whole.first_count,
        second=second, second_rate=f"{100 * whole.second_rate:.1f}", second_count=whole.second_count,
    )  # fmt: skip


def _confounded(comparison: PairedComparison) -> tuple[str, ...]:
    """That the selections differ in more than one fact, such as the agent and the seeds."""
    facts = differing_in_words(comparison.differing)
    if not comparison.all_pairs.count or not facts:
        return ()
    return (_("The selections differ in {facts}: each of these may make the difference.", facts=facts),)


def _cautions(numbers: PairedNumbers) -> tuple[str, ...]:
    if not numbers.count or numbers.p_value is None:
        return ()
    sentences = []
    if numbers.p_value >= SIGNIFICANT:
        sentences.append(_undecided(numbers))
    elif numbers.interval is not None and numbers.interval[0] <= 0 <= numbers.interval[1]:
        sentences.append(
            _("p is small but the interval includes 0: few tasks make the difference, so try more tasks.")
        )
    if numbers.interval is None and numbers.tasks > 1:
        sentences.append(_("All tasks show the same difference, so a bootstrap by task has no interval."))
    elif numbers.tasks < FEW_TASKS:
        sentences.append(
            ngettext(
                "All pairs are of {count} task, so nothing can be said about other tasks.",
                "The pairs are of only {count} tasks; the interval from so few is too narrow.",
                numbers.tasks,
            )
        )
    return tuple(sentences)


def _undecided(numbers: PairedNumbers) -> str:
    boxes = numbers.boxes
    enough = pairs_for_difference(boxes[PairBox.ONLY_FIRST], boxes[PairBox.ONLY_SECOND], numbers.count)
    if enough is None:
        return ngettext(
            "{count} pair shows no difference; that is no proof that there is none.",
            "{count} pairs show no difference; that is no proof that there is none.",
            numbers.count,
        )
    return ngettext(
        "{count} pair is too few to tell this from chance; about {enough} pairs would do if it is real.",
        "{count} pairs are too few to tell this from chance; about {enough} pairs would do if it is real.",
        numbers.count, enough=max(enough, numbers.count + 1),
    )  # fmt: skip


def _notes(comparison: PairedComparison) -> tuple[str, ...]:
    first, second = names_of(comparison)
    alone = [(first, len(comparison.first_alone)), (second, len(comparison.second_alone))]
    sentences = [
        ngettext(
            "{count} judged episode of {name} has no counterpart.",
            "{count} judged episodes of {name} have no counterpart.",
            count, name=name,
        )
        for name, count in alone
        if count
    ]  # fmt: skip
    if len(comparison.in_both):
        sentences.append(
            ngettext(
                "{count} episode is in both selections and is left out.",
                "{count} episodes are in both selections and are left out.",
                len(comparison.in_both),
            )
        )
    return (*sentences, *episode_notes(comparison.table.where(comparison.considered)))


def _single(comparison: PairedComparison, name: str, episodes: Ints, otherwise: str) -> str:
    """The text that all ``episodes`` have in a field; ``otherwise`` when they differ or have none."""
    codes = np.unique(comparison.table.column(name)[episodes])
    return (comparison.table.texts[codes[0]] if len(codes) == 1 else "") or otherwise
