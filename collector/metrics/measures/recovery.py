"""What an anomaly costs: steps, essential states, and whether the agent found its way back."""

from __future__ import annotations

import numpy as np

from collector.metrics.breakdowns.grouping import Groups
from collector.metrics.episode_columns import EpisodeColumns, Ints, TaskFacts
from collector.metrics.measure import Counting, Measure, MeasureColumn, Unit, mean, rate
from collector.metrics.pairs import pair_notes, paired
from collector.model.i18n import N_, paragraph
from collector.store.catalogue.catalogue_row import items
from collector.store.catalogue.episode_facts import UNKNOWN

_NO_FACTS = TaskFacts()


def _recovered(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.counted & table.met, table.is_success | (states_after(table) > 0))


def _dialog_steps(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    over = table.column("over_at")
    known = table.ended & table.met & (over != UNKNOWN)
    return mean(table, groups, known, (over - table.column("met_at")).astype(np.float64))


def _steps_lost(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    baselines, has_baseline = paired(table)
    actions = table.column("actions").astype(np.float64)
    both = has_baseline & table.met & table.is_success & table.is_success[baselines]
    return mean(
        table, groups, both, actions - actions[baselines], note=paragraph(*pair_notes(table)),
        counting=Counting.PAIRS,
    )  # fmt: skip


def _states_lost(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    baselines, has_baseline = paired(table)
    reached, judged = table.verdicts.reached, table.verdicts.judged
    # Where a judge left a state of one episode open, their numbers cannot be compared.
    both = has_baseline & table.met & (judged > 0) & (judged == judged[baselines])
    lost = (reached[baselines] - reached).astype(np.float64)
    return mean(
        table, groups, both, lost, note=paragraph(*pair_notes(table)), counting=Counting.PAIRS
    )  # fmt: skip


def states_after(table: EpisodeColumns) -> Ints:
    """Of each episode how many needed states it first reached after its last anomaly was gone."""
    return table.derived("states after", lambda: _states_after(table))


def _states_after(table: EpisodeColumns) -> Ints:
    after = np.zeros(len(table), np.int64)
    codes = table.verdicts.steps
    if codes is None:
        return after
    steps_of: dict[tuple[int, int], tuple[int, ...]] = {}
    known = np.flatnonzero(table.met & (table.column("over_at") != UNKNOWN) & (codes > 0))
    tasks, over = table.column("task"), table.column("over_at")
    for episode in known.tolist():
        key = (int(tasks[episode]), int(codes[episode]))
        if key not in steps_of:
            facts = table.tasks.get(table.texts[key[0]], _NO_FACTS)
            steps_of[key] = _first_steps(facts, table.texts[key[1]])
        after[episode] = sum(step >= over[episode] for step in steps_of[key])
    return after


def _first_steps(facts: TaskFacts, text: str) -> tuple[int, ...]:
    """The step at which each needed state, or the first of its alternatives, was reached."""
    steps = {}
    for item in items(text):
        state, _equals, step = item.rpartition("=")
        steps[state] = int(step)
    reached = [[steps[state] for state in group.members if state in steps] for group in facts.needed]
    return tuple(min(alternatives) for alternatives in reached if alternatives)


RECOVERED = Measure(
    "recovered", N_("Recovered"), Unit.PERCENT,
    N_("Of the episodes in which the anomaly appeared, the share that succeeded or reached a further "
       "essential state after the anomaly was gone."),
    _recovered,
)  # fmt: skip
DIALOG_STEPS = Measure(
    "anomaly-steps", N_("Steps under anomaly"), Unit.NUMBER,
    N_("Steps from the appearance of the anomaly until it was gone, on average over the episodes in which it "
       "ended."),
    _dialog_steps,
)  # fmt: skip
STEPS_LOST = Measure(
    "steps-lost", N_("Steps lost"), Unit.NUMBER,
    N_("Actions on the phone with the anomaly minus those of the baseline, on average over the pairs in "
       "which the anomaly appeared and both episodes succeed."),
    _steps_lost,
)  # fmt: skip
STATES_LOST = Measure(
    "states-lost", N_("States lost"), Unit.NUMBER,
    N_("Essential states that the baseline reached minus those that the episode with the anomaly reached, on "
       "average over the pairs in which it appeared."),
    _states_lost,
)  # fmt: skip
RECOVERY = (RECOVERED, DIALOG_STEPS, STEPS_LOST, STATES_LOST)
