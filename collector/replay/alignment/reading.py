"""Read a stored trajectory for alignment: the signatures of its steps, and its interruptions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
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


def reviewed(stored: StoredTrajectory) -> ReviewedTrajectory:
    """The trajectory as it is compared. A tree or picture that cannot be read is as if it was not there."""
    return ReviewedTrajectory(stored.steps, _Signatures(stored).read(), stored.interruptions())


class _Signatures:
    """Reads the signatures of a trajectory; equal trees and equal pictures are parsed once."""

    def __init__(self, stored: StoredTrajectory) -> None:
        self._stored = stored
        self._tokens: dict[bytes, Tokens] = {}
        self._pictures: dict[bytes, int | None] = {}

    def read(self) -> list[StepSignature]:
        return [self._signature(step) for step in self._stored.steps]

    def _signature(self, step: Step) -> StepSignature:
        signature = signature_of(step, _of(_read(self._stored.tree, step), tokens_of, self._tokens))
        if not needs_picture(signature):
            return signature
        picture = _of(_read(self._stored.screenshot, step), picture_hash, self._pictures)
        return replace(signature, picture=picture)


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
