"""``waymark agent check``: ask an agent once, without a phone, and show how its answer is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from collector.agents.agent import taken_log
from collector.cli.agent.named_agent import experiment_agent_options, named_agent
from collector.cli.option_values import plugin_options
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import in_project
from collector.cli.verb_groups import agent
from collector.model.action import Invalid, action_to_dict
from collector.model.episode import AgentTurn
from collector.model.i18n import _
from collector.model.text.one_line import one_line
from collector.store.files.layout import is_project
from collector.store.project.project import Project

_LONGEST = 300


@agent.command()
@click.argument("kind", metavar="[KIND]", default="")
@plugin_options
@experiment_agent_options
@in_project
@json_option
def check(kind: str, given: tuple[str, ...], name: str, experiment: str, folder: Path, as_json: bool) -> int:
    """Show an agent a small screen with one button, once, and say how its answer is read.

    The agent is one of KIND with options, or that of --experiment and --agent. No phone is needed. Exit
    status: 0 the answer is an action, 1 it is none.
    """
    from collector.agents.agent_check import check_agent, is_on_the_button

    project = Project.open(folder) if is_project(folder) else None
    checked = named_agent(project, kind if kind or experiment or name else "openai", experiment, name, given)
    created = checked.create(project)
    log: tuple[str, ...] = ()
    try:
        turn = check_agent(created, checked.modality)
    finally:
        log = taken_log(created)
        if not as_json:
            for line in log:
                say(_("Log: {line}", line=one_line(line, _LONGEST)))
    problem = turn.predicted if isinstance(turn.predicted, Invalid) else None
    if as_json:
        print_json({**_as_dict(turn), "hit": is_on_the_button(turn), "log": list(log)})
    else:
        _print(turn, is_on_the_button(turn))
    return int(problem is not None)


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
    if model := turn.extra.get("model"):
        say(_("Model: {model}", model=model))
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
        say(_("The agent tapped the only button of the picture"))
    else:
        say(_("The agent did not tap the only button of the picture: check dialect and prompt"))
