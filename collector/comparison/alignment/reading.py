"""Read a stored trajectory for alignment: the signatures of its steps, and its interruptions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TypeVar, cast

from collector.comparison.alignment.differences import ReviewedTrajectory
from collector.comparison.alignment.picture_hash import picture_hash
from collector.comparison.alignment.step_signature import (
    StepSignature,
    Tokens,
    needs_picture,
    signature_of,
    tokens_of,
)
from collector.comparison.alignment.touched_node import TouchedNode, touched_node
from collector.comparison.state_difference.state_difference import RecordedScreen
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.flat_reader import read_flat
from collector.hierarchy.parse import parse_tree
from collector.model.cancellation import check_cancelled
from collector.model.errors import UserError
from collector.model.trajectory import Step
from collector.model.tree import Tree
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
        self._tokens: dict[Hashable, Tokens] = {}
        self._touched: dict[Hashable, TouchedNode | None] = {}
        self._pictures: dict[Hashable, int | None] = {}

    def signature(self, step: Step, dump: bytes | None) -> StepSignature:
        """The signature of a step with its dump, which may be missing. Its picture is left out."""
        data, target = dump or b"", step.target
        digest = hashlib.sha256(data).digest()
        nodes = cache(partial(read_flat, data))  # read once, and only of a new screen or touch
        tokens = _known(self._tokens, digest, lambda: tokens_of(nodes()))
        if target is None:
            return signature_of(step, tokens, None)
        touch = digest, target.path, target.bounds
        touched = _known(self._touched, touch, lambda: touched_node(nodes(), target))
        return signature_of(step, tokens, touched)

    def picture(self, data: bytes | None) -> int | None:
        """The hash of a picture; None of a missing one."""
        return _known(self._pictures, hashlib.sha256(data or b"").digest(), lambda: picture_hash(data or b""))


def _known(known: dict[Hashable, T], key: Hashable, read: Callable[[], T]) -> T:
    """The value of a key, read when it is not known."""
    value: object = known.get(key, _UNKNOWN)
    if value is _UNKNOWN:
        if len(known) >= _MOST_SCREENS:
            known.clear()
        known[key] = value = read()
    return cast("T", value)


def reviewed_together(
    stored: Sequence[StoredTrajectory], cache: ScreenCache | None = None
) -> tuple[ReviewedTrajectory, ...]:
    """Trajectories as they are compared. A tree or picture that cannot be read is as if it was not there."""
    screens = cache or ScreenCache()
    sides = with_pictures(
        [[screens.signature(step, _read(each.tree, step)) for step in each.steps] for each in stored],
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


def read_screen(stored: StoredTrajectory, step: Step) -> RecordedScreen:
    """The state of a step with what can be read of it."""
    state = step.state
    return RecordedScreen(
        state.package, state.activity, read_tree(stored, step), _read(stored.screenshot, step), state.size
    )


def screen_digest(stored: StoredTrajectory, step: Step) -> Hashable:
    """Equal for states that :func:`read_screen` reads alike; reads their files and parses none."""
    files = (_read(stored.screenshot, step), _read(stored.tree, step))
    digests = tuple(hashlib.sha256(data).digest() if data else None for data in files)
    return step.state.package, step.state.activity, step.state.size, digests


def read_tree(stored: StoredTrajectory, step: Step) -> Tree | None:
    """The tree of a step; None when there is none that can be read."""
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
