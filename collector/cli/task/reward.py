"""``waymark task reward``: what data of apps come to by the target of a task."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import in_project
from collector.cli.verb_groups import task
from collector.model.app_data.collections import APP_NAMES
from collector.model.app_data.target import TaskTarget
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.project.project import Project
from collector.targets.openapps.states import load_json
from collector.targets.outcome import TargetOutcome, effect_text, part_text, tolerance_text
from collector.targets.pair import outcome_of_pair

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@task.command()
@click.argument("task_id", metavar="TASK")
@click.argument("before", type=_FILE)
@click.argument("after", type=_FILE)
@click.option("--front", type=click.Choice(APP_NAMES), help="The app that is in front in AFTER.")
@in_project
@json_option
def reward(task_id: str, before: Path, after: Path, front: str | None, folder: Path, as_json: bool) -> int:
    """Compare the data of apps in AFTER with those in BEFORE and the target of TASK.

    Both are JSON, as `waymark device data --json` prints it, or states of OpenApps. Says the reward, which
    parts hold, and what else was changed.

    Exit status: 0 the target is reached, 1 it is not.
    """
    target = target_of(Project.open(folder), task_id)
    first, last = _read(before), _read(after)
    try:
        outcome = outcome_of_pair(first, last, target, front=front or "")
    except ValueError as error:
        raise UserError(
            _("{name} cannot be compared", name=f"{before.name}, {after.name}"), str(error)
        ) from None
    if as_json:
        print_json({"task": task_id, **outcome_as_dict(target, outcome)})
    else:
        _say(target, outcome)
    return 1 - outcome.reward


def outcome_as_dict(target: TaskTarget, outcome: TargetOutcome) -> dict[str, Any]:
    """An outcome as JSON has it."""
    return {
        "reward": outcome.reward,
        "share": outcome.share,
        "parts": [
            {"text": part_text(target, number), "holds": holds} for number, holds in enumerate(outcome.holds)
        ],
        "side_effects": list(map(effect_text, outcome.side_effects)),
        "problem": outcome.problem,
        "tolerance": tolerance_text(target),
    }


def _say(target: TaskTarget, outcome: TargetOutcome) -> None:
    say(_("Reward {reward}, {share:.0%} of the parts", reward=outcome.reward, share=outcome.share))
    for number, holds in enumerate(outcome.holds):
        part = part_text(target, number)
        say("  " + (_("holds: {part}", part=part) if holds else _("missing: {part}", part=part)))
    for effect in outcome.side_effects:
        say("  " + _("side effect: {what}", what=effect_text(effect)))
    if outcome.problem:
        say("  " + outcome.problem)
    for line in tolerance_text(target):
        say(line)


def target_of(project: Project, task_id: str) -> TaskTarget:
    """The target of a task. Raises UserError for an unknown task, and one without a target."""
    known = project.task(task_id)
    if known is None:
        raise UserError(
            _("The project has no task {id}", id=task_id), "", _("`waymark task list` lists them")
        )
    if known.target is None:
        raise UserError(
            _("The task {id} has no target", id=task_id),
            "",
            _("`waymark task check` says what is wrong with one"),
        )
    return known.target


def _read(path: Path) -> Any:
    try:
        return load_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise UserError(_("{name} cannot be read", name=path.name), str(error)) from None
