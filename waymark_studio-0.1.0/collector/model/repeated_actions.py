"""Which actions repeat the one before: what an early stop and a loop are counted by."""

from __future__ import annotations

import dataclasses
from typing import Any

from collector.model.action import COMPLETION_SIGNALS, Action, Type, Wait

SAME_SPOT_PX = 12
"""Two touches no further apart, in each direction, are on the same spot."""
_PLACES = ("x", "y", "x1", "y1", "x2", "y2")
_TIMING = ("duration_ms", "path")


def is_same_operation(first: Action, second: Action) -> bool:
    """Whether both do the same: of the same kind, on the same spot, with the same words and direction.

    How long they take does not count. Answers that are no actions are the same when their text is. Of hidden
    texts nobody can say so.
    """
    if type(first) is not type(second):
        return False
    if isinstance(first, Type) and first.redacted:
        return False
    if isinstance(first, Wait):
        return True
    return all(
        _is_same_value(item.name, getattr(first, item.name), getattr(second, item.name))
        for item in dataclasses.fields(first)
        if item.name not in _TIMING
    )


def _is_same_value(name: str, first: Any, second: Any) -> bool:
    if name in _PLACES:
        return abs(int(first) - int(second)) <= SAME_SPOT_PX
    return bool(first == second)


class RepeatCount:
    """Counts identical actions of an agent in a row (ProBench, section 3.4)."""

    def __init__(self) -> None:
        self._first: Action | None = None
        self.count = 0

    def note(self, action: Action) -> int:
        """Note an executed action; the count is 1 for one unlike the one before.

        Each is compared with the first of its row, so that a slow drift ends it. A signal counts nothing.
        """
        if isinstance(action, COMPLETION_SIGNALS):
            self.forget()
        elif self._first is not None and is_same_operation(self._first, action):
            self.count += 1
        else:
            self._first, self.count = action, 1
        return self.count

    def forget(self) -> None:
        """A person acted: the agent begins anew."""
        self._first, self.count = None, 0
