"""What would have been right instead: an action in the words of a script, on the screen of a step."""

from __future__ import annotations

from typing import Any

import yaml

from collector.agents.script_reader import read_script
from collector.agents.scripted_agent import action_on
from collector.comparison.alignment.aligned import REFERENCE, AlignedTrajectories, align_stored
from collector.comparison.alignment.reading import read_tree
from collector.hierarchy.xpath.evaluation import TooManyStepsError
from collector.model.action import Action
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Target
from collector.replay.counterpart import counterpart_action
from collector.store.trajectory.reader import StoredTrajectory


def better_action(stored: StoredTrajectory, index: int, text: str) -> Action:
    """The action that a text such as ``tap: Buy`` asks for on the screen of step ``index``, from 0.

    Raises UserError when the text asks for none, or names what is not on the screen.
    """
    step = stored.steps[index]
    (scripted,) = read_script([_value(text)]).actions
    try:
        action = action_on(scripted, read_tree(stored, step), step.state.size)
    except TooManyStepsError as error:
        raise UserError(_("The action cannot be found on the screen of the step"), str(error)) from None
    if action is None:
        raise UserError(
            _("The action cannot be found on the screen of the step"),
            _("no node is what it names"),
            _("Name what the screen shows, or a place: '{example}'", example="{tap: {x: 10, y: 20}}"),
        )
    return action


def action_like(golden: StoredTrajectory, stored: StoredTrajectory, index: int) -> Action:
    """What ``golden`` does where it is aligned with step ``index``, from 0, of another trajectory.

    Raises UserError when it has no step there, or touches what is not on the screen.
    """
    return aligned_action(align_stored((golden, stored)), 1, index)


def aligned_action(aligned: AlignedTrajectories, side: int, index: int) -> Action:
    """What the reference does at step ``index``, from 0, of the trajectory at ``side``.

    Raises UserError as :func:`action_like`.
    """
    golden, stored = aligned.stored[REFERENCE], aligned.stored[side]
    slot = next(slot for slot, steps in enumerate(aligned.slots) if steps[side] == index)
    other = aligned.slots[slot][REFERENCE]
    if other is None:
        raise UserError(
            _("{id} has no step beside this one", id=golden.header.id),
            _("the alignment puts none of its steps there"),
            _("Say what would have been right in words"),
        )
    step = stored.steps[index]
    action = counterpart_action(
        golden, golden.steps[other], read_tree(stored, step), step.state.size,
        aligned.alignment.similarity[slot],
    )  # fmt: skip
    if action is None:
        raise UserError(
            _("What {id} does cannot be done on the screen of the step", id=golden.header.id),
            _("what it touches is not there, or it does nothing"),
            _("Say what would have been right in words"),
        )
    return action


def tap_of(target: Target) -> str:
    """The text of a tap on a node of a screen."""
    if not target.selectors and target.bounds is not None:
        center = target.bounds.center
        return f"tap: {{x: {center.x}, y: {center.y}}}"
    selector = next(iter(target.selectors), "")
    return yaml.safe_dump({"tap": selector}, allow_unicode=True, width=10_000).strip()


def _value(text: str) -> Any:
    """The value that a text writes in YAML. Raises UserError."""
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        why = " ".join(str(error).split())
        raise UserError(_("The action cannot be read: {text}", text=text), why) from None
