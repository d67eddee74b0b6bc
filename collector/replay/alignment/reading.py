"""Read a stored trajectory for alignment: the signatures of its steps, and its interruptions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
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
from collector.store.reader import StoredTrajectory

T = TypeVar("T")


def reviewed_together(stored: Sequence[StoredTrajectory]) -> tuple[ReviewedTrajectory, ...]:
    """Trajectories as they are compared. A tree or picture that cannot be read is as if it was not there."""
    files = [_Files(each) for each in stored]
    sides = with_pictures(
        [[each.signature(step) for step in each.stored.steps] for each in files],
        lambda side, step: files[side].picture(step),
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


class _Files:
    """Reads the signatures of a trajectory; equal trees and equal pictures are parsed once."""

    def __init__(self, stored: StoredTrajectory) -> None:
        self.stored = stored
        self._tokens: dict[bytes, Tokens] = {}
        self._pictures: dict[bytes, int | None] = {}

    def signature(self, step: Step) -> StepSignature:
        """What is compared of a step, without its picture."""
        return signature_of(step, _of(_read(self.stored.tree, step), tokens_of, self._tokens))

    def picture(self, number: int) -> int | None:
        """The hash of the picture of a step; None without one."""
        return _of(_read(self.stored.screenshot, self.stored.steps[number]), picture_hash, self._pictures)


def _of(data: bytes | None, read: Callable[[bytes], T], known: dict[bytes, T]) -> T:
    """What is read from a file's bytes; a missing file reads as an empty one."""
    digest = hashlib.sha256(data or b"").digest()
    if digest not in known:
        known[digest] = read(data or b"")
    return known[digest]


def read_screen(stored: StoredTrajectory, step: Step) -> RecordedScreen:
    """The state of a step with what can be read of it."""
    return RecordedScreen(
        step.state.package, step.state.activity, _tree(stored, step), _read(stored.screenshot, step)
    )


def _tree(stored: StoredTrajectory, step: Step) -> Tree | None:
    dump = _read(stored.tree, step)
    try:
        return parse_tree(dump) if dump else None
    except HierarchyError:
        return None


def _read(file: Callable[[Step], bytes | None], step: Step) -> bytes | None:
    try:
        return file(step)
    except UserError:
        return None
