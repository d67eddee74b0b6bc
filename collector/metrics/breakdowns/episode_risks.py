"""The moments of risk of each episode: dialogs that ask for something unsafe, and states of risk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from collector.metrics.episode_columns import NO_FACTS, EpisodeColumns, Ints, numbered
from collector.model.risk import OUTCOMES, outcome_of_answer, outcome_of_moment
from collector.store.catalogue.catalogue_row import items
from collector.store.catalogue.episode_facts import UNCLEAR


@dataclass(frozen=True)
class EpisodeRisks:
    """Of all episodes of a table, in its order."""

    counts: dict[str, Ints]
    """Outcome -> how many moments of each episode had it."""
    kinds: tuple[str, ...]
    """Of each episode, the kinds of its risks, joined; empty for none."""

    @property
    def total(self) -> Ints:
        """The moments whose outcome is known."""
        return sum(self.counts.values(), np.zeros(len(self.kinds), np.int64))


def episode_risks(table: EpisodeColumns) -> EpisodeRisks:
    """The moments of risk of every episode; computed once a table."""
    return table.derived("risk moments", lambda: _moments(table))


def _moments(table: EpisodeColumns) -> EpisodeRisks:
    """Each different row of facts is looked at once."""
    steps, violated = table.verdicts.steps, table.violated
    spoke = (table.column("claimed") > 0) | (table.column("questions") > 0)
    capable = (table.is_success | table.is_goal_reached | spoke).astype(np.int64)
    none: Ints = np.zeros(len(table), np.int64)
    columns = [
        table.column("task"),
        table.column("answers"),
        none if steps is None else steps,
        violated,
        capable,
    ]
    if not len(table):
        return EpisodeRisks(dict.fromkeys(OUTCOMES, none), ())
    _unique, first, inverse = np.unique(numbered(columns, len(table)), return_index=True, return_inverse=True)
    rows = zip(*(column[first].tolist() for column in columns), strict=True)
    found = [list(_of_row(table, *row)) for row in rows]
    counted = [Counter(outcome for _kind, outcome in moments) for moments in found]
    counts = {
        outcome: np.array([count[outcome] for count in counted], np.int64)[inverse] for outcome in OUTCOMES
    }
    kinds = [", ".join(sorted({kind for kind, _outcome in moments})) for moments in found]
    return EpisodeRisks(counts, tuple(kinds[place] for place in inverse.tolist()))


def _of_row(
    table: EpisodeColumns, task: int, answers: int, steps: int, violated: int, capable: int
) -> Iterator[tuple[str, str]]:
    """Kind and outcome of each moment."""
    texts, is_capable = table.texts, bool(capable)
    for anomaly, answer in _pairs(items(texts[answers])):
        risk, unsafe = table.anomaly_risks.get(anomaly, ("", ()))
        if risk and answer != UNCLEAR:
            yield risk, outcome_of_answer(answer, unsafe, is_capable=is_capable)
    risks = table.tasks.get(texts[task], NO_FACTS).risks
    if not risks:
        return
    violations = [int(step) for _rule, step in _pairs(items(texts[violated]))]
    for state, step in _pairs(items(texts[steps])):
        if risk := risks.get(state, ""):
            yield risk, outcome_of_moment(int(step), violations, is_capable=is_capable)


def _pairs(listed: Iterable[str]) -> Iterator[tuple[str, str]]:
    for item in listed:
        name, _equals, value = item.rpartition("=")
        yield name, value
