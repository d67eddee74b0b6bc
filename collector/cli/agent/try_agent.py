"""``waymark agent try``: let an agent act on a phone, without an experiment."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from collector.agents.agent import MODALITIES, AgentEpisode, PastStep
from collector.agents.agent_start import AgentStart
from collector.agents.agent_trial import AgentTrial, TriedStep
from collector.agents.registry import agent_kind
from collector.cli.agent.named_agent import experiment_agent_options, named_agent
from collector.cli.device.phone import leased_phone
from collector.cli.option_values import plugin_options
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import device_option, in_project
from collector.cli.step_numbers import FROM_1
from collector.cli.trajectory.reference import find_or_zip
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
from collector.model.text.step_place import step_place
from collector.model.user_reply import reply_text
from collector.replay.phone import ReplayPhone, opened_phone
from collector.replay.replay_to_step import Arrival
from collector.store.project.project import Project
from collector.store.tasks.task_values import bound_by_seed
from collector.store.trajectory.reader import open_trajectory

_STEPS = 15
_WIDEST = 400


@agent.command(name="try")
@click.argument("kind", metavar="[KIND]", default="")
@experiment_agent_options
@in_project
@click.option(
    "--task", "task_id", default="", metavar="TASK",
    help="Id of a task of the project; by default that of --start.",
)  # fmt: skip
@click.option(
    "--start", default="", metavar="TRAJECTORY@STEP",
    help="Begin where this step of a trajectory, from 1, begins; the steps before it are done first.",
)  # fmt: skip
@click.option(
    "--snapshot", is_flag=True,
    help="With --start: load the snapshot that an emulator or a virtual phone has of the step; else save it.",
)  # fmt: skip
@device_option
@plugin_options
@click.option(
    "--max-steps", type=click.IntRange(1), help="Steps at most; by default the task's budget, or 15."
)
@click.option("--modality", type=click.Choice(MODALITIES), help="What the agent sees.")
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Seed of the agent.")
@click.option("--dry-run", is_flag=True, help="Ask for one action, and do not do it.")
@json_option
def try_agent(
    kind: str, experiment: str, name: str, folder: Path, task_id: str, start: str, snapshot: bool,
    serial: str, given: tuple[str, ...], max_steps: int | None, modality: str | None, seed: int,
    dry_run: bool, as_json: bool,
) -> int:  # fmt: skip
    """Let an agent try a task on a phone, and print what it thinks, does and logs. Nothing is recorded.

    The agent is one of KIND with options, or that of --experiment and --agent. The phone is used as it is.
    With --start it is brought to a step, by a replay where needed; the agent is told the steps before as
    its own. --snapshot saves the phone there for the next time. Exit status: 0 the agent ended or its steps
    are spent, 1 it gave up, could not act or could not start, 2 wrong usage.
    """
    project = Project.open(folder)
    if snapshot and not start:
        raise click.UsageError(_("--snapshot needs the step to begin at: --start TRAJECTORY@STEP"))
    begin = _start(start, folder) if start else None
    if not task_id and begin is None:
        raise click.UsageError(_("Name the task with --task, or a step to begin at with --start"))
    task = _task(project, task_id or (begin.stored.header.task_id if begin is not None else ""))
    tried_agent = named_agent(project, kind, experiment, name, given)
    kind = tried_agent.declaration.kind
    seen, known = modality or tried_agent.modality, agent_kind(kind).modalities
    if seen not in known:
        raise click.BadParameter(
            _("agents of the kind {kind} see {known}", kind=kind, known=", ".join(known)),
            param_hint="--modality",
        )
    task = bound_by_seed(task, seed)
    most = 1 if dry_run else max_steps or task.max_steps or _STEPS
    created = tried_agent.create(project)
    tried: list[TriedStep] = []
    acts = not dry_run or begin is not None
    with leased_phone(serial, TRIAL if acts else "") as device, opened_phone(device) as phone:
        # As in an experiment: the oracle searches a phone under the same variation.
        variation = read_device_info(device).variation
        episode = AgentEpisode(task, seen, seed, most, variation=variation)
        history = _brought(begin, phone, snapshot, quiet=as_json) if begin is not None else ()
        trial = AgentTrial(created, phone, episode, executes=not dry_run, history=history)

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


def _start(text: str, folder: Path) -> AgentStart:
    """The place that ``TRAJECTORY@STEP`` names. Raises UserError."""
    place = step_place(text)
    if place is None:
        raise click.UsageError(_("Give --start as TRAJECTORY@STEP, as in {example}", example="golden-1@3"))
    reference, index = place
    return AgentStart(open_trajectory(find_or_zip(reference, folder)), index)


def _brought(begin: AgentStart, phone: ReplayPhone, snapshot: bool, *, quiet: bool) -> Sequence[PastStep]:
    """Bring the phone to where the step begins, and return what was done before it."""
    kept = begin.snapshot() if snapshot else None
    arrival = begin.bring(phone, threading.Event(), lambda _done, _all: None, kept)
    if not quiet:
        say(_arrival_text(arrival, begin.index + 1))
    return begin.history


def _arrival_text(arrival: Arrival, number: int) -> str:
    if arrival is Arrival.THERE:
        return _("The phone is where step {number} begins", number=number)
    if arrival is Arrival.SNAPSHOT:
        return _("The phone went back to its snapshot of where step {number} begins", number=number)
    if arrival is not Arrival.UNCHECKED:
        return _("The phone was brought to where step {number} begins", number=number)
    return _(
        "The steps before step {number} were done; nothing recorded shows the screen where it begins",
        number=number,
    )


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
    if step.reply is not None:
        say(f"     {one_line(reply_text(step.reply), _WIDEST)}")
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
        "reply": step.reply.as_dict() if step.reply is not None else None,
        "log": list(step.log),
        "time_ms": turn.usage.time_ms,
        "input_tokens": turn.usage.input_tokens,
        "output_tokens": turn.usage.output_tokens,
        "cost": turn.usage.cost,
    }
