"""``waymark agent check``: ask the model of an agent once, and show how its answer is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from collector.agents.agent_trust import require_agent_trust
from collector.agents.registry import DeclaredAgent, agent_kind, checked_options
from collector.cli.option_values import plugin_options, read_option_values
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import in_project
from collector.cli.verb_groups import agent
from collector.model.action import Invalid, action_to_dict
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.one_line import one_line
from collector.store.files.layout import is_project
from collector.store.project.project import Project

_LONGEST = 300


@agent.command()
@click.argument("kind", type=click.Choice(["openai"]), default="openai")
@plugin_options
@click.option("--agent", "name", default="", help="An agent of --experiment, with its options.")
@click.option("--experiment", default="", help="The experiment that has --agent: its file or its name.")
@in_project
@json_option
def check(kind: str, given: tuple[str, ...], name: str, experiment: str, folder: Path, as_json: bool) -> int:
    """Show the model a small screen with one button, once, and say how its answer is read.

    KIND is `openai`. Exit status: 0 the answer is an action, 1 it is none or there is no answer.
    """
    from collector.agents.openai.endpoint_check import check_endpoint, is_on_the_button

    project = Project.open(folder) if is_project(folder) else None
    options = _options_of(project, experiment, name) if experiment or name else {}
    if options:  # an experiment may come from anywhere, what is typed here comes from a person
        require_agent_trust(project, agent_kind(kind), options)
    options |= read_option_values(agent_kind(kind).options, given)
    checked = checked_options(DeclaredAgent(kind, options))
    turn = check_endpoint(checked, project)
    problem = turn.predicted if isinstance(turn.predicted, Invalid) else None
    if as_json:
        print_json({**_as_dict(turn), "hit": is_on_the_button(turn)})
    else:
        _print(turn, is_on_the_button(turn))
    return int(problem is not None)


def _options_of(project: Project | None, experiment: str, name: str) -> dict[str, Any]:
    from collector.agents.registry import agent_kinds
    from collector.run.experiment.files import find_experiment, open_experiment

    if project is None:
        raise UserError(_("There is no project here"), "", _("Name its folder with --project"))
    if not experiment or not name:
        raise click.UsageError(_("--agent and --experiment belong together"))
    path = find_experiment(project, experiment)
    entries = {entry.id: entry for entry in open_experiment(path, project, agent_kinds().kinds).agents}
    if name not in entries:
        raise UserError(
            _("The experiment has no agent {name}", name=name), "",
            _("Use one of: {known}", known=", ".join(entries)),
        )  # fmt: skip
    return dict(entries[name].options)


def _as_dict(turn: AgentTurn) -> dict[str, Any]:
    usage = turn.usage
    return {
        "model": turn.extra.get("model", ""), "time_ms": usage.time_ms,
        "attempts": turn.extra.get("attempts", 1),
        "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens, "cost": usage.cost,
        "image": turn.extra.get("image", ""), "thought": turn.thought, "answer": turn.raw,
        "action": action_to_dict(turn.predicted) if turn.predicted is not None else None,
    }  # fmt: skip


def _print(turn: AgentTurn, hit: bool) -> None:
    usage, action = turn.usage, turn.predicted
    say(_("Model: {model}", model=turn.extra.get("model") or _("not said")))
    say(_("Time: {seconds} s", seconds=f"{(usage.time_ms or 0) / 1000:.1f}"))
    tokens = [_("unknown") if count is None else count for count in (usage.input_tokens, usage.output_tokens)]
    say(_("Tokens: {input} in, {output} out", input=tokens[0], output=tokens[1]))
    if usage.cost is not None:
        say(_("Cost: {cost} USD", cost=f"{usage.cost:.6f}"))
    say(_("Answer: {text}", text=one_line(turn.raw, _LONGEST)))
    if isinstance(action, Invalid):
        say(_("Read as no action ({problem}): {reason}", problem=action.problem, reason=action.reason))
        return
    assert action is not None
    words = " ".join(f"{name}={value}" for name, value in action_to_dict(action).items() if name != "kind")
    say(_("Read as: {action}", action=f"{action.kind} {words}".strip()))
    if hit:
        say(_("The model tapped the only button of the picture"))
    else:
        say(_("The model did not tap the only button of the picture: check dialect and prompt"))
