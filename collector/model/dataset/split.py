"""Divide a data set into sides, as train, validation and test: whole groups, drawn by a seed.

The one place that does it, for exports and for the samples of judges.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED

TRAIN, VALIDATION, TEST = "train", "validation", "test"
SIDES = (TRAIN, VALIDATION, TEST)
BY_TASK, BY_APP, AT_RANDOM, BY_TIME = "task", "app", "random", "time"
WAYS = (BY_TASK, BY_APP, AT_RANDOM, BY_TIME)
"""What a group is: a task, an app, or a trajectory, at random or in order of time."""
_NAMES = {1: (TRAIN,), 2: (TRAIN, TEST), 3: SIDES}


@dataclass(frozen=True, slots=True)
class Split:
    """How a data set is divided."""

    shares: Mapping[str, float]
    """Side -> its share of the whole, 0 to 1; the first side is train."""
    by: str = BY_TASK
    seed: int = DEFAULT_SEED

    @property
    def is_none(self) -> bool:
        return len(self.shares) < 2

    def group_of(self, *, task: str, app: str, started: str, trajectory: str) -> str:
        """The group of a trajectory; :data:`BY_TIME` puts its start ahead, so that groups sort by it."""
        if self.by == BY_TASK:
            return task
        if self.by == BY_APP:
            return app
        return f"{started} {task}/{trajectory}" if self.by == BY_TIME else f"{task}/{trajectory}"

    def ordered(self, groups: Sequence[str]) -> list[str]:
        """The groups in the order in which sides are filled, train first."""
        return sorted(groups) if self.by == BY_TIME else sorted(groups, key=self._draw)

    def _draw(self, group: str) -> str:
        return hashlib.sha256(f"{self.seed} {group}".encode()).hexdigest()


def shares_of(text: str) -> dict[str, float]:
    """Shares as ``0.8/0.2``, train and test, or ``0.8/0.1/0.1``, with validation. Raises UserError."""
    try:
        numbers = [float(part) for part in text.split("/")]
    except ValueError:
        numbers = []
    if len(numbers) not in _NAMES or min(numbers) <= 0 or abs(sum(numbers) - 1) > 0.001:
        raise UserError(
            _("{text} is no split", text=text),
            _("the shares are numbers above 0 that make 1 together"),
            _("Write 0.8/0.2 for train and test, or 0.8/0.1/0.1 with validation between them"),
        )
    return dict(zip(_NAMES[len(numbers)], numbers, strict=True))


def sides_of(split: Split, sizes: Mapping[str, int]) -> dict[str, str]:
    """The side of each group, of which ``sizes`` says how much is in it; no group is divided.

    Raises UserError when there are fewer groups than sides.
    """
    if len(sizes) < len(split.shares):
        raise UserError(
            _("It cannot be split by {way} into {count}", way=split.by, count=len(split.shares)),
            _("what stays together makes {count} groups, and none is divided", count=len(sizes)),
            _("Split it another way, into fewer sides, or not at all"),
        )
    left, total = split.ordered(list(sizes)), sum(sizes.values())
    sides = dict.fromkeys(sizes, TRAIN)
    for number, side in reversed(list(enumerate(split.shares))[1:]):
        # As many groups stay as sides are still to be filled.
        wanted = split.shares[side] * total
        chosen = kept_apart(left, sizes, wanted, newest=split.by == BY_TIME, rest=number)
        sides.update(dict.fromkeys(chosen, side))
        left = [group for group in left if group not in chosen]
    return sides


def kept_apart(
    groups: Sequence[str], sizes: Mapping[str, int], wanted: float, *, newest: bool, rest: int = 1
) -> set[str]:
    """The groups with about ``wanted`` in them, from the last one on: one at least, and ``rest`` stay.

    A group that leads away from it is passed over, or ends the choice when only the ``newest`` may be taken.
    """
    chosen, size = set[str](), 0
    for group in reversed(groups):
        if len(chosen) == len(groups) - rest:
            break
        if abs(size + sizes[group] - wanted) <= abs(size - wanted) or (newest and not chosen):
            chosen.add(group)
            size += sizes[group]
        elif newest:
            break
    return chosen or {min(groups, key=lambda group: sizes[group])}
