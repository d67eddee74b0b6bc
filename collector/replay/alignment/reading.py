"""Read a stored trajectory for alignment: the signatures of its steps, and its interruptions."""

from __future__ import annotations

from dataclasses import replace

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.errors import UserError
from collector.model.trajectory import Step
from collector.model.tree import Tree
from collector.replay.alignment.differences import ReviewedTrajectory
from collector.replay.alignment.picture_hash import picture_hash
from collector.replay.alignment.step_signature import StepSignature, needs_picture, signature_of
from collector.replay.state_difference.state_difference import RecordedScreen
from collector.store.reader import StoredTrajectory


def reviewed(stored: StoredTrajectory) -> ReviewedTrajectory:
    """The trajectory as it is compared. A tree or picture that cannot be read is as if it was not there."""
    signatures = [_signature(stored, step) for step in stored.steps]
    return ReviewedTrajectory(stored.steps, signatures, stored.interruptions())


def _signature(stored: StoredTrajectory, step: Step) -> StepSignature:
    signature = signature_of(step, _tree(stored, step))
    if not needs_picture(signature):
        return signature
    picture = read_screen(stored, step).picture
    return replace(signature, picture=picture_hash(picture)) if picture else signature


def read_screen(stored: StoredTrajectory, step: Step) -> RecordedScreen:
    """The state of a step with what can be read of it."""
    try:
        picture = stored.screenshot(step)
    except UserError:
        picture = None
    return RecordedScreen(step.state.package, step.state.activity, _tree(stored, step), picture)


def _tree(stored: StoredTrajectory, step: Step) -> Tree | None:
    try:
        dump = stored.tree(step)
        return parse_tree(dump) if dump else None
    except (UserError, HierarchyError):
        return None
