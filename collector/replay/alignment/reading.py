"""Read a stored trajectory for alignment: the signatures of its steps, and its interruptions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.cancellation import check_cancelled
from collector.model.errors import UserError
from collector.model.trajectory import Step
from collector.model.tree import Tree
from collector.replay.alignment.differences import ReviewedTrajectory
from collector.replay.alignment.picture_hash import picture_hash
from collector.replay.alignment.step_signature import (
    StepSignature,
    Tokens,
    needs_picture,
    signature_of,
    tokens_of,
)
from collector.replay.state_difference.state_difference import RecordedScreen
from collector.store.trajectory.reader import StoredTrajectory

T = TypeVar("T")
_UNKNOWN = object()
_MOST_SCREENS = 20_000
"""A cache with more is emptied."""


class ScreenCache:
    """What is compared of screens, by the digest of their files: of those that are equal one is parsed.

    Given again, it makes the alignment of a trajectory that grew as cheap as its new steps. Any thread.
    """

    def __init__(self) -> None:
        self._tokens: dict[bytes, Tokens] = {}
        self._pictures: dict[bytes, int | None] = {}

    def tokens(self, dump: bytes | None) -> Tokens:
        """The tokens of a dump; none of a missing one."""
        return _of(dump, tokens_of, self._tokens)

    def picture(self, data: bytes | None) -> int | None:
        """The hash of a picture; None of a missing one."""
        return _of(data, picture_hash, self._pictures)


def reviewed_together(
    stored: Sequence[StoredTrajectory], cache: ScreenCache | None = None
) -> tuple[ReviewedTrajectory, ...]:
    """Trajectories as they are compared. A tree or picture that cannot be read is as if it was not there."""
    screens = cache or ScreenCache()
    sides = with_pictures(
        [
            [signature_of(step, screens.tokens(_read(each.tree, step))) for step in each.steps]
            for each in stored
        ],
        lambda side, step: screens.picture(_read(stored[side].screenshot, stored[side].steps[step])),
    )
    return tuple(
        ReviewedTrajectory(each.steps, signatures, each.interruptions())
        for each, signatures in zip(stored, sides, strict=True)
    )


def with_pictures(
    sides: Sequence[Sequence[StepSignature]], picture: Callable[[int, int], int | None]
) -> list[list[StepSignature]]:
    """The signatures of trajectories with the hashes of pictures that are needed.

    ``picture`` reads the one of a side and a step. Where any tree says too little, all screens may be its
    counterparts, so that the pictures of all are read.
    """
    if not any(needs_picture(step) for steps in sides for step in steps):
        return [list(steps) for steps in sides]
    return [
        [replace(step, picture=picture(side, number)) for number, step in enumerate(steps)]
        for side, steps in enumerate(sides)
    ]


def _of(data: bytes | None, read: Callable[[bytes], T], known: dict[bytes, T]) -> T:
    """What is read from a file's bytes; a missing file reads as an empty one."""
    digest = hashlib.sha256(data or b"").digest()
    value: object = known.get(digest, _UNKNOWN)
    if value is _UNKNOWN:
        if len(known) >= _MOST_SCREENS:
            known.clear()
        known[digest] = value = read(data or b"")
    return cast("T", value)


def read_screen(stored: StoredTrajectory, step: Step) -> RecordedScreen:
    """The state of a step with what can be read of it."""
    state = step.state
    return RecordedScreen(
        state.package, state.activity, _tree(stored, step), _read(stored.screenshot, step), state.size
    )


def _tree(stored: StoredTrajectory, step: Step) -> Tree | None:
    dump = _read(stored.tree, step)
    try:
        return parse_tree(dump) if dump else None
    except HierarchyError:
        return None


def _read(file: Callable[[Step], bytes | None], step: Step) -> bytes | None:
    """A file of a step; None when it cannot be read. Raises Cancelled."""
    check_cancelled()
    try:
        return file(step)
    except UserError:
        return None
