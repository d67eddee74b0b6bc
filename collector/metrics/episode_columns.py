"""Episodes as columns of numbers, so that a hundred thousand of them are counted at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from collector.metrics.needed_states import NeededState
from collector.model.task import Task
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.store.catalogue.episode_facts import UNKNOWN, UNSAFE, EpisodeFacts, VerdictFacts, record_of

RECORD = np.dtype(list(record_of(EpisodeFacts)))
VERDICT_RECORD = np.dtype(list(record_of(VerdictFacts)))
RECORDED = "recorded"
"""The judge whose verdicts are the outcomes that runs recorded; where one is empty, what people say."""
NO_TASK = Task("", "")
Mask = NDArray[np.bool_]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_LARGEST_FACTOR = 2**31
"""Larger numbers, such as seeds of 64 bits, are numbered anew before they are multiplied."""
_SPARSE = 4
"""Values that spread over more than so many times their count are sorted to number them."""
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """What the definition of a task adds to its episodes."""

    task: Task = NO_TASK
    needed: tuple[NeededState, ...] = ()
    """The essential states that count for ESAR."""
    after: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """State -> states that come before it."""
    golden_steps: float | None = None
    """Median of the actions on the phone in its golden trajectories; None without one."""
    measured_level: str = ""
    """As A3 measures it from the golden's length: easy, medium, hard; empty without a golden."""
    risks: Mapping[str, str] = field(default_factory=dict)
    """State of risk -> the kind of its risk."""


NO_FACTS = TaskFacts()


@dataclass(frozen=True)
class Verdicts:
    """What one judge says of every episode of a table, in the table's order."""

    judge: str
    status: Ints
    """Code of success, failure, uncompleted, or 0: nobody judged."""
    reached: Ints
    """Needed essential states that were reached."""
    judged: Ints
    """Needed essential states that were judged; 0 where none was."""
    steps: Ints | None = None
    """Code of the list of ``state=step``, as in VerdictFacts; None where the steps are not known."""
    on_steps: NDArray[Any] | None = None
    """Records of :data:`VERDICT_RECORD` with what is said of single steps; None where nobody was asked."""
    by_rules: NDArray[Any] | None = None
    """Records of :data:`VERDICT_RECORD` of the rules, which say what safety rules saw; None without them."""
    are_of_rules: bool = False
    """Whether ``status`` is what the rules say, so that a violation made a failure of a success."""


class EpisodeColumns:
    """All runs of a project as columns; ``selected`` are those that are counted.

    Pairs look for baselines among all of them: a filter on a condition must not hide the baselines.
    """

    def __init__(
        self,
        records: NDArray[Any],
        texts: Sequence[str],
        tasks: Mapping[str, TaskFacts],
        verdicts: Verdicts,
        *,
        keys: Ints | None = None,
        selected: Mask | None = None,
        anomaly_categories: Mapping[str, str] | None = None,
        changed: Mapping[str, Mask] | None = None,
        variation_factors: Mapping[str, tuple[str, ...]] | None = None,
        anomaly_risks: Mapping[str, tuple[str, tuple[str, ...]]] | None = None,
    ) -> None:
        """``records`` has the dtype :data:`RECORD`; ``texts[code]`` is the text of a code."""
        self.records = records
        self.texts = texts
        self.tasks = tasks
        self.verdicts = verdicts
        self.keys: Ints = np.arange(len(records)) if keys is None else keys
        """Key of each episode in the catalogue."""
        self.selected: Mask = np.ones(len(records), bool) if selected is None else selected
        self.anomaly_categories = {} if anomaly_categories is None else anomaly_categories
        """Anomaly -> its category, of those the project knows."""
        self.changed = {} if changed is None else changed
        """Part of what makes an episode -> the episodes that another one made than that of now."""
        self.variation_factors = {} if variation_factors is None else variation_factors
        """Name of a variation -> the factors that it changes, of those the project knows."""
        self.anomaly_risks = {} if anomaly_risks is None else anomaly_risks
        """Anomaly -> the kind of its risk, empty for none, and its unsafe answers."""
        self._derived: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self.records)

    def column(self, name: str) -> NDArray[Any]:
        """One fact of every episode, by the name of its field in EpisodeFacts."""
        return self.records[name]

    def code(self, text: str) -> int:
        """The code of a text; UNKNOWN for one that no episode has."""
        return self._codes.get(text, UNKNOWN)

    @property
    def _codes(self) -> dict[str, int]:
        return self.derived("codes", lambda: {text: code for code, text in enumerate(self.texts)})

    def derived(self, name: str, compute: Callable[[], _T]) -> _T:
        """What follows from the episodes alone, whichever are selected: computed once."""
        if name not in self._derived:
            self._derived[name] = compute()
        value: _T = self._derived[name]
        return value

    def of_tasks(self, name: str, number: Callable[[TaskFacts], float]) -> Floats:
        """A number of each episode's task, computed once a task and kept as ``name``."""

        def compute() -> Floats:
            present, inverse = np.unique(self.column("task"), return_inverse=True)
            facts = [self.tasks.get(self.texts[code], NO_FACTS) for code in present.tolist()]
            return np.array([number(task) for task in facts], np.float64)[inverse]

        return self.derived(name, compute)

    @property
    def is_success(self) -> Mask:
        return self._with_status(SUCCESS)

    @property
    def is_failure(self) -> Mask:
        return self._with_status(FAILURE)

    @property
    def is_uncompleted(self) -> Mask:
        return self._with_status(UNCOMPLETED)

    def _with_status(self, status: str) -> Mask:
        return self.derived(status, lambda: self.counted & (self.verdicts.status == self.code(status)))

    @property
    def is_safety_known(self) -> Mask:
        """Episodes of which safety rules say whether something happened that must never happen."""
        return self.derived("is_safety_known", lambda: self._of_rules("safety") > 0)

    @property
    def is_unsafe(self) -> Mask:
        """Episodes in which something happened that must never happen."""
        return self.derived("is_unsafe", lambda: self._of_rules("safety") == UNSAFE)

    @property
    def is_goal_reached(self) -> Mask:
        """Successful episodes, and those that only a violation made a failure."""
        return self.derived("is_goal_reached", self._goal_reached)

    @property
    def violated(self) -> Ints:
        """Codes of the lists of ``rule=step`` of the safety rules that were violated."""
        return self._of_rules("violated")

    def _goal_reached(self) -> Mask:
        if not self.verdicts.are_of_rules:
            return self.is_success
        goal: Mask = self.counted & (self._of_rules("goal") == self.code(SUCCESS))
        return self.is_success | goal

    def _of_rules(self, name: str) -> Ints:
        records = self.verdicts.by_rules
        return np.zeros(len(self), np.int64) if records is None else records[name]

    @property
    def faults(self) -> Mask:
        """Episodes that a fault of the infrastructure ended: never in a denominator."""
        return self.derived("faults", lambda: self.column("is_fault") == 1)

    @property
    def stopped(self) -> Mask:
        """Episodes that people stopped: no faults, and in no denominator either."""
        return self.derived("stopped", lambda: self.column("is_stopped") == 1)

    @property
    def stale(self) -> Mask:
        """Episodes that other things made than those of now, such as another program of their agent."""
        nothing: Mask = np.zeros(len(self), bool)
        return self.derived("stale", lambda: np.logical_or.reduce([nothing, *self.changed.values()]))

    @property
    def superseded(self) -> Mask:
        """Attempts at a cell of an experiment that a fault or a person ended, when others came later."""
        return self.derived("superseded", self._superseded)

    def _superseded(self) -> Mask:
        names = ("experiment", "cell", "seed", "repeat")
        cells = numbered((self.column(name) for name in names), len(self))
        order = np.lexsort((self.column("started_ms"), self.column("attempt")))
        last = np.zeros(int(cells.max(initial=-1)) + 1, np.int64)
        last[cells[order]] = order
        is_last: Mask = last[cells] == np.arange(len(self))
        of_experiment: Mask = self.column("experiment") != self.code("")
        return of_experiment & (self.faults | self.stopped) & ~is_last

    @property
    def helped(self) -> Mask:
        """Episodes in which a person acted: they are not the agent's."""
        return self.derived("helped", lambda: self.column("by_person") > 0)

    @property
    def ended(self) -> Mask:
        """Attempts that ended by themselves: not stopped, without a fault and without a person's help."""
        return self.derived("ended", lambda: self._whole & ~self.offline)

    @property
    def offline(self) -> Mask:
        """Episodes that were asked golden steps: no attempts at the task, and in no number of those."""
        return self.derived("offline", lambda: self.column("offline") > 0)

    @property
    def answered(self) -> Mask:
        """Episodes in which an agent answered all steps of a golden trajectory."""
        return self.derived("answered", lambda: self._whole & self.offline)

    @property
    def _whole(self) -> Mask:
        whole: Mask = (self.column("is_finished") == 1) & ~self.faults & ~self.helped
        return whole

    @property
    def counted(self) -> Mask:
        """Episodes in the denominators of rates: ended, and judged."""
        return self.derived("counted", lambda: self.ended & (self.verdicts.status > 0))

    @property
    def met(self) -> Mask:
        """Episodes in which an anomaly really appeared."""
        return self.derived("met", lambda: self.column("met") > 0)

    @property
    def interrupted(self) -> Mask:
        """Episodes whose condition has an anomaly, or in which one appeared."""
        return self.derived("interrupted", lambda: (self.column("condition") > 0) | self.met)

    @property
    def began_later(self) -> Mask:
        """Episodes whose agent began at a step of another trajectory."""
        return self.column("start") > 0

    @property
    def baselines(self) -> Mask:
        return self.derived("baselines", lambda: ~self.interrupted)

    def where(self, selected: Mask) -> EpisodeColumns:
        """A view of these episodes in which ``selected`` are counted."""
        other = copy(self)
        other.selected = selected
        return other


def numbered(columns: Iterable[Ints], count: int) -> Ints:
    """One number for each of ``count`` rows: the same for those that are equal in all ``columns``.

    Rows are numbered anew column by column, from 0: sorting numbers is much faster than sorting rows.
    """
    numbers = np.zeros(count, np.int64)
    for column in columns:
        values = column - column.min(initial=0)
        if not values.any():
            continue
        if values.max() > _LARGEST_FACTOR:
            values = different(values)[1]
        numbers = different(numbers * (values.max() + 1) + values)[1]
    return numbers


def different(values: Ints) -> tuple[Ints, Ints]:
    """The different ones of ``values`` in order, and of each value the number of its own.

    As ``np.unique`` gives them, but without sorting where the values lie close together, as codes do.
    """
    low = int(values.min(initial=0))
    span = int(values.max(initial=0)) - low + 1
    if span > _SPARSE * len(values):
        present, numbers = np.unique(values, return_inverse=True)
        return present, numbers
    present = np.flatnonzero(np.bincount(values - low, minlength=span))
    number_of = np.zeros(span, np.int64)
    number_of[present] = np.arange(len(present))
    return present + low, number_of[values - low]
