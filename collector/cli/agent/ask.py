"""``waymark agent ask``: send the request of a step of a run to a model again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from collector.agents.openai.asking_again import AnswersAgain, answer_text, ask_again
from collector.agents.openai.kept_request import request_of, request_text
from collector.cli.agent.named_agent import experiment_agent_options, named_agent
from collector.cli.option_values import plugin_options
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import in_project
from collector.cli.step_numbers import FROM_1
from collector.cli.trajectory.reference import find_or_zip
from collector.cli.verb_groups import agent
from collector.model.action import action_to_dict
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.text.one_line import one_line
from collector.model.text.step_place import step_place
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory

_WIDEST = 400


@agent.command(name="ask")
@click.argument("place", metavar="TRAJECTORY@STEP")
@experiment_agent_options
@in_project
@plugin_options
@click.option("--times", type=click.IntRange(1, 100), default=1, show_default=True, help="How often to ask.")
@click.option("--dry-run", is_flag=True, help="Print the request, and send nothing.")
@json_option
def ask(
    place: str, experiment: str, name: str, folder: Path, given: tuple[str, ...], times: int, dry_run: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Send the request of a step of a run again, with its pictures, and print what is answered.

    STEP counts from 1. The model is that of --experiment and --agent, by default that of the run; -o
    replaces options, as `-o model=...`. Nothing is recorded.
    """
    stored, index = _place(place, folder)
    kept = request_of(stored.steps[index])
    if dry_run and kept is not None:
        print_json({**FROM_1, "step": index + 1, "request": kept}) if as_json else say(request_text(kept))
        return
    project = Project.open(folder)
    episode = stored.header.episode
    if not experiment and not name and episode is not None and episode.experiment:
        experiment, name = episode.experiment, episode.agent
    kind = "" if experiment else "openai"
    created = named_agent(project, kind, experiment, name, given).create(project)
    _print(stored, index, ask_again(created, stored, index, times), as_json=as_json)


def _place(text: str, folder: Path) -> tuple[StoredTrajectory, int]:
    """The step that ``TRAJECTORY@STEP`` names. Raises UserError."""
    place = step_place(text)
    if place is None:
        raise click.UsageError(_("Name a step as TRAJECTORY@STEP, as in {example}", example="run-1@3"))
    (reference, index) = place
    stored = open_trajectory(find_or_zip(reference, folder))
    if index >= len(stored.steps):
        raise UserError(
            _("{id} has no step {step}", id=stored.header.id, step=index + 1), "",
            _("It has {count} steps", count=len(stored.steps)),
        )  # fmt: skip
    return stored, index


def _print(stored: StoredTrajectory, index: int, answers: AnswersAgain, *, as_json: bool) -> None:
    before = answers.before
    if as_json:
        document = {**FROM_1, "trajectory": stored.header.id, "step": index + 1}
        print_json({
            **document, "messages": answers.messages, "before": _as_dict(before) if before else None,
            "answers": list(map(_as_dict, answers.now)),
        })  # fmt: skip
        return
    if before is not None:
        say(_("Before: {answer}", answer=one_line(answer_text(before), _WIDEST)))
    for answer in answers.now:
        say(_("Now: {answer}", answer=one_line(answer_text(answer), _WIDEST)))


def _as_dict(turn: AgentTurn) -> dict[str, Any]:
    predicted = turn.predicted
    return {
        "thought": turn.thought, "answer": turn.raw,
        "action": action_to_dict(predicted) if predicted is not None else None,
        "model": turn.extra.get("model", ""), "time_ms": turn.usage.time_ms,
        "input_tokens": turn.usage.input_tokens, "output_tokens": turn.usage.output_tokens,
        "cost": turn.usage.cost,
    }  # fmt: skip
