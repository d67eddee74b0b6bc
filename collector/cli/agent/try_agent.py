"""``waymark agent try``: let an agent act on a phone, without an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from collector.agents.agent import MODALITIES, AgentEpisode
from collector.agents.agent_trial import AgentTrial, TriedStep
from collector.agents.registry import agent_kind
from collector.cli.agent.named_agent import experiment_agent_options, named_agent
from collector.cli.device.phone import leased_phone
from collector.cli.option_values import plugin_options
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import device_option, in_project
from collector.cli.step_numbers import FROM_1
from collector.cli.verb_groups import agent
from collector.device.device_info import read_device_info
from collector.device.device_lease import TRIAL
from collector.hierarchy.captions import caption
from collector.located_yaml.nearest_word import nearest
from collector.model.action import Impossible, action_to_dict
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import Task
from collector.model.text.one_line import one_line
from collector.replay.phone import opened_phone
from collector.store.project.project import Project

_STEPS = 15
_WIDEST = 400


@agent.command(name="try")
@click.argument("kind", metavar="[KIND]", default="")
@experiment_agent_options
@in_project
@click.option("--task", "task_id", required=True, metavar="TASK", help="Id of a task of the project.")
@device_option
@plugin_options
@click.option(
    "--max-steps", type=click.IntRange(1), help="Steps at most; by default the task's budget, or 15."
)
@click.option("--modality", type=click.Choice(MODALITIES), help="What the agent sees.")
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Seed of the agent.")
@click.option("--dry-run", is_flag=True, help="Ask for one action and do nothing.")
@json_option
def try_agent(
    kind: str, experiment: str, name: str, folder: Path, task_id: str, serial: str, given: tuple[str, ...],
    max_steps: int | None, modality: str | None, seed: int, dry_run: bool, as_json: bool,
) -> int:  # fmt: skip
    """Let an agent try a task on a phone, and print what it thinks, does and logs. Nothing is recorded.

    The agent is one of KIND with options, or that of --experiment and --agent. The phone is used as it
    is. Exit status: 0 the agent ended or its steps are spent, 1 it gave up or could
    not act, 2 wrong usage.
    """
    project = Project.open(folder)
    task = _task(project, task_id)
    tried_agent = named_agent(project, kind, experiment, name, given)
    kind = tried_agent.declaration.kind
    seen, known = modality or tried_agent.modality, agent_kind(kind).modalities
    if seen not in known:
        raise click.BadParameter(
            _("agents of the kind {kind} see {known}", kind=kind, known=", ".join(known)),
            param_hint="--modality",
        )
    most = 1 if dry_run else max_steps or task.max_steps or _STEPS
    created = tried_agent.create(project)
    tried: list[TriedStep] = []
    with leased_phone(serial, "" if dry_run else TRIAL) as device, opened_phone(device) as phone:
        # As in an experiment: the oracle searches a phone under the same variation.
        variation = read_device_info(device).variation
        episode = AgentEpisode(task, seen, seed, most, variation=variation)
        trial = AgentTrial(created, phone, episode, executes=not dry_run)

        def watch(step: TriedStep) -> None:
            tried.append(step)
            if not as_json:
                _print_step(step)

        try:
            trial.run(most, watch)
        finally:
            _print_log(trial.log(), err=as_json)
    if as_json:
        steps = list(map(_as_dict, tried))
        print_json({**FROM_1, "agent": kind, "task": task.id, "modality": seen, "steps": steps})
    gave_up = isinstance(tried[-1].turn.predicted, Impossible) or bool(tried[-1].problem)
    return int(gave_up)


def _task(project: Project, task_id: str) -> Task:
    """The task of that id. Raises UserError, with the nearest id, when there is none."""
    task = project.task(task_id)
    if task is None:
        near = nearest(task_id, [known.id for known in project.tasks])
        to_do = _("Write {word}", word=near) if near else _("See `waymark task list`")
        raise UserError(_("The project has no task {task}", task=task_id), "", to_do)
    return task


def _print_step(step: TriedStep) -> None:
    action = step.turn.predicted
    done = caption(action, step.screen.tree) if action is not None else _("no action")
    say(f"{step.number:>3}  {one_line(done, _WIDEST)}")
    for text in (step.turn.thought, step.problem):
        if text:
            say(f"     {one_line(text, _WIDEST)}")
    _print_log(step.log)


def _print_log(lines: Sequence[str], *, err: bool = False) -> None:
    for line in lines:
        say("     " + _("log: {line}", line=one_line(line, _WIDEST)), err=err)


def _as_dict(step: TriedStep) -> dict[str, Any]:
    turn = step.turn
    return {
        "step": step.number,
        "package": step.screen.package,
        "activity": step.screen.activity,
        "thought": turn.thought,
        "action": action_to_dict(turn.predicted) if turn.predicted is not None else None,
        "problem": step.problem,
        "log": list(step.log),
        "time_ms": turn.usage.time_ms,
        "input_tokens": turn.usage.input_tokens,
        "output_tokens": turn.usage.output_tokens,
        "cost": turn.usage.cost,
    }
