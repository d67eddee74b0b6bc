"""The agent that a verb is about: a kind with options, or an agent of an experiment by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import click

from collector.agents.registry import DeclaredAgent, agent_kind
from collector.cli.option_values import read_option_values
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.experiment.experiment_agent import NamedAgent, experiment_agent
from collector.store.project.project import Project

_Verb = TypeVar("_Verb", bound=Callable[..., Any])


def experiment_agent_options(verb: _Verb) -> _Verb:
    """The options --experiment and --agent of a verb."""
    experiment = click.option(
        "--experiment", default="", help="The experiment that has --agent: its file or its name."
    )
    name = click.option("--agent", "name", default="", help="An agent of --experiment, with its options.")
    return experiment(name(verb))


def named_agent(
    project: Project | None, kind: str, experiment: str, name: str, given: tuple[str, ...]
) -> NamedAgent:
    """The agent of a KIND, or one of an experiment; ``given`` replaces its options. Raises UserError.

    An experiment may come from anywhere, so that nothing of it runs before a person trusted it; what is
    typed comes from a person.
    """
    if bool(experiment) != bool(name):
        raise click.UsageError(_("--agent and --experiment belong together"))
    if not experiment:
        if not kind:
            raise click.UsageError(_("Name a KIND of agent, or --experiment and --agent"))
        known = agent_kind(kind)
        return NamedAgent(DeclaredAgent(kind, read_option_values(known.options, given)), known.modalities[0])
    if kind:
        raise click.UsageError(_("An agent of an experiment has its kind: leave out KIND"))
    if project is None:
        raise UserError(_("There is no project here"), "", _("Name its folder with --project"))
    named = experiment_agent(project, experiment, name)
    kind, options = named.declaration.kind, named.declaration.options
    given_options = read_option_values(agent_kind(kind).options, given)
    return replace(named, declaration=DeclaredAgent(kind, {**options, **given_options}))
