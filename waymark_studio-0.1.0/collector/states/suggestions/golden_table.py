"""The golden trajectories that suggestions are made from, and on which screens conditions hold in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from collector.model.trajectory import Step
from collector.rules.backtest.backtest import BackTest
from collector.rules.columns.corpus import Corpus
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import Condition

Holds = npt.NDArray[np.bool_]
"""For each screen of the corpus whether a condition holds."""


@dataclass(eq=False)
class GoldenTable:
    """``own`` are the places of the golden trajectories of the task; all others belong to other tasks."""

    test: BackTest
    own: tuple[int, ...]
    _known: dict[Condition, Holds] = field(default_factory=dict)

    @property
    def corpus(self) -> Corpus:
        return self.test.corpus

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the golden trajectories of the task."""
        return tuple(self.corpus.trajectories[number].id for number in self.own)

    @property
    def others(self) -> Mapping[str, Sequence[int]]:
        """Id of each other task -> its golden trajectories."""
        tasks: dict[str, list[int]] = {}
        for number, ref in enumerate(self.corpus.trajectories):
            if number not in self.own:
                tasks.setdefault(ref.task_id, []).append(number)
        return tasks

    def views(self, place: int) -> list[StateView]:
        """The screens of the golden trajectory at a place among the task's own."""
        return [self.corpus.view(position) for position in self.corpus.positions_of(self.own[place])]

    def steps(self, place: int) -> Sequence[Step]:
        """The steps of the golden trajectory at a place among the task's own."""
        return self.corpus.steps_of(self.own[place])

    def holds(self, condition: Condition) -> Holds:
        """On which screens a condition holds, as an essential state reads it."""
        if condition not in self._known:
            self._known[condition] = self.test.verdicts(condition).holds.astype(np.bool_)
        return self._known[condition]

    def first_steps(self, holds: Holds) -> tuple[int, ...] | None:
        """The first screen in each of the task's golden trajectories on which something holds.

        None when it holds nowhere in one of them, or at the start of one already.
        """
        steps = []
        for number in self.own:
            here = self._of(holds, number)
            if not here.any() or here[0]:
                return None
            steps.append(int(here.argmax()))
        return tuple(steps)

    def holds_at_start(self, holds: Holds) -> bool:
        """Whether something holds on the first screen of a golden trajectory of the task."""
        return any(len(own) and bool(own[0]) for own in (self._of(holds, number) for number in self.own))

    def lasts(self, holds: Holds) -> bool:
        """Whether something holds at the end of every golden trajectory of the task."""
        return all(bool(self._of(holds, number)[-1]) for number in self.own)

    def tasks_with(self, holds: Holds) -> list[str]:
        """The other tasks whose golden trajectories show it on some screen."""
        return [
            task
            for task, numbers in self.others.items()
            if any(bool(self._of(holds, number).any()) for number in numbers)
        ]

    def _of(self, holds: Holds, number: int) -> Holds:
        positions = self.corpus.positions_of(number)
        return holds[positions.start : positions.stop]
