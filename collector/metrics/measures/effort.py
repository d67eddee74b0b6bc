"""What episodes take: steps, also against the golden trajectory, time, tokens and money."""

from __future__ import annotations

import math

import numpy as np

from collector.metrics.breakdowns.grouping import Groups
from collector.metrics.episode_columns import EpisodeColumns, Floats, Ints, Mask
from collector.metrics.measure import Measure, MeasureColumn, Unit, mean, shares
from collector.model.i18n import N_, _
from collector.store.catalogue.episode_facts import UNKNOWN


def _steps(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return mean(table, groups, table.ended, table.column("steps").astype(np.float64))


def _steps_ratio(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    ratios = table.column("actions") / golden_steps(table)
    return mean(table, groups, table.is_success, np.where(table.began_later, math.nan, ratios))


def golden_steps(table: EpisodeColumns) -> Floats:
    """Of each episode the actions on the phone in its task's golden trajectory; nan without one."""

    return table.of_tasks("golden steps", lambda facts: facts.golden_steps or math.nan)


def _duration(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return mean(table, groups, table.ended, _amounts(table.column("duration_ms")) / 1000)


def _answer_time(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    steps = table.column("steps")
    behind = table.ended & table.selected & (steps > 0) & (table.column("time_ms") != UNKNOWN)
    counts = groups.count(behind)
    seconds = groups.sum(behind, table.column("time_ms")) / 1000
    return MeasureColumn(shares(seconds, groups.sum(behind, steps).astype(np.int64)), counts, behind)


def _tokens(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    tokens = _amounts(table.column("input_tokens")) + _amounts(table.column("output_tokens"))
    return mean(table, groups, table.ended, tokens)


def _amounts(numbers: Ints) -> Floats:
    """Whole numbers as amounts, nan where one is not known."""
    return np.where(numbers == UNKNOWN, np.nan, numbers.astype(np.float64))


def _cost(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    behind = _with_cost(table)
    counts = groups.count(behind)
    values = shares(groups.sum(behind, table.column("cost")), counts)
    return MeasureColumn(
        _in_one_currency(table, groups, behind, values), counts, behind, note=_currencies(table)
    )


def _cost_of_success(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    behind = _with_cost(table)
    successes = groups.count(behind & table.is_success)
    values = shares(groups.sum(behind, table.column("cost")), successes)
    return MeasureColumn(
        _in_one_currency(table, groups, behind, values), groups.count(behind), behind,
        positive=behind & table.is_success, note=_currencies(table),
    )  # fmt: skip


def _with_cost(table: EpisodeColumns) -> Mask:
    known: Mask = ~np.isnan(table.column("cost"))
    return table.selected & table.counted & known


def _in_one_currency(table: EpisodeColumns, groups: Groups, behind: Mask, values: Floats) -> Floats:
    """``values`` of the groups whose costs have one currency, nan for the others."""
    kinds = np.zeros(len(groups), np.int64)
    for code in np.unique(table.column("currency")[behind]).tolist():
        kinds += groups.count(behind & (table.column("currency") == code)) > 0
    return np.where(kinds == 1, values, np.nan)


def _currencies(table: EpisodeColumns) -> str:
    codes = np.unique(table.column("currency")[_with_cost(table)]).tolist()
    names = sorted(table.texts[code] for code in codes if table.texts[code])
    if not names:
        return ""
    if len(codes) == 1:
        return _("Costs are in {currency}.", currency=names[0])
    return _(
        "There are costs in {currencies}; different currencies are not added.", currencies=", ".join(names)
    )


STEPS = Measure(
    "steps", N_("Steps"), Unit.NUMBER,
    N_("Actions of the agent in an episode, on average."),
    _steps,
)  # fmt: skip
STEPS_RATIO = Measure(
    "steps-ratio", N_("Steps ratio"), Unit.RATIO,
    N_("Actions on the phone of a successful episode divided by those of its task's golden trajectory (their "
       "median where there are several), on average over the successful episodes. Episodes that began at a "
       "later step are left out."),
    _steps_ratio,
)  # fmt: skip
DURATION = Measure(
    "time", N_("Time"), Unit.SECONDS,
    N_("Duration of an episode, on average."), _duration,
)  # fmt: skip
ANSWER_TIME = Measure(
    "answer-time", N_("Time per step"), Unit.SECONDS,
    N_("Time that the agent took for its answers, divided by its steps."),
    _answer_time,
)  # fmt: skip
TOKENS = Measure(
    "tokens", N_("Tokens"), Unit.NUMBER,
    N_("Input and output tokens of an episode together, on average over the episodes that report both."),
    _tokens,
)  # fmt: skip
COST = Measure(
    "cost", N_("Cost"), Unit.MONEY,
    N_("Cost of an episode, on average over the judged episodes that report it."),
    _cost,
)  # fmt: skip
COST_OF_SUCCESS = Measure(
    "success-cost", N_("Cost per success"), Unit.MONEY,
    N_("Cost of all judged episodes together, divided by how many of them succeed."),
    _cost_of_success,
)  # fmt: skip
EFFORT = (STEPS, STEPS_RATIO, DURATION, ANSWER_TIME, TOKENS, COST, COST_OF_SUCCESS)
