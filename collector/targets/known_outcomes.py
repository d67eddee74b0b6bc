"""The outcomes of a target that were worked out last: runs of a task begin with the same data."""

from __future__ import annotations

from collector.model.app_data.collections import AppData
from collector.model.app_data.target import TaskTarget
from collector.targets.outcome import TargetOutcome, outcome_of

_MOST = 16


class KnownOutcomes:
    """Compares data with one target; of equal data only once, as long as they are among the last 16.

    May be used from several threads.
    """

    def __init__(self, target: TaskTarget) -> None:
        self.target = target
        self._known: tuple[tuple[AppData, AppData, str, TargetOutcome], ...] = ()
        """The newest first. Replaced as a whole."""

    def of(self, first: AppData, data: AppData, front: str) -> TargetOutcome:
        """As :func:`~collector.targets.outcome.outcome_of`."""
        for place, (known_first, known_data, known_front, outcome) in enumerate(known := self._known):
            # Data share the records that no action changed: equal ones are mostly the very same.
            if known_front == front and known_data == data and known_first == first:
                if place:
                    self._known = (known[place], *known[:place], *known[place + 1 :])
                return outcome
        outcome = outcome_of(first, data, self.target, front=front)
        self._known = ((first, data, front, outcome), *known[: _MOST - 1])
        return outcome
