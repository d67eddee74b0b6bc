"""``waymark agent``: list and show. ``try`` is in :mod:`collector.cli.agent.try_agent`."""

from __future__ import annotations

from typing import Any

import click

from collector.agents.kinds import AgentKind
from collector.agents.registry import BUILT_IN, agent_kind, agent_kinds
from collector.cli.option_values import say_options
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.verb_groups import agent
from collector.model.i18n import _

_LONGEST = 90


@agent.command(name="list")
@json_option
def list_kinds(as_json: bool) -> None:
    """List the kinds of agents: the built-in ones, and those of installed packages."""
    loaded = agent_kinds()
    if as_json:
        print_json({"agents": list(map(_as_dict, loaded.kinds.values())), "problems": list(loaded.problems)})
        return
    print_table(
        ("KIND", "TITLE", "SEES", "DESCRIPTION"),
        [
            (kind.id, _(kind.title), ", ".join(kind.modalities), _(kind.description))
            for kind in loaded.kinds.values()
        ],
        last=_LONGEST,
    )
    for problem in loaded.problems:
        say(problem, err=True)


@agent.command()
@click.argument("kind", metavar="KIND")
@json_option
def show(kind: str, as_json: bool) -> None:
    """Show a kind of agent: what it sees, and the options an experiment may give it."""
    known = agent_kind(kind)
    if as_json:
        print_json(_as_dict(known))
        return
    say(f"{known.id}: {_(known.title)}")
    if known.description:
        say(_(known.description))
    say(_("Sees: {modalities}", modalities=", ".join(known.modalities)))
    say_options(known.options)


def _as_dict(kind: AgentKind) -> dict[str, Any]:
    return {
        "id": kind.id,
        "title": _(kind.title),
        "description": _(kind.description),
        "built_in": kind.id in BUILT_IN,
        "modalities": list(kind.modalities),
        "options": [option.as_dict() for option in kind.options],
        "step_cost": kind.step_cost,
    }
