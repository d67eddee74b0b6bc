"""The agent that a verb is about: a kind with options, or an agent of an experiment by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from collector.agents.agent import Agent
from collector.agents.agent_trust import require_agent_trust
from collector.agents.registry import DeclaredAgent, agent_kind, agent_kinds, create_agent
from collector.cli.option_values import read_option_values
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.experiment.files import find_experiment, open_experiment
from collector.run.experiment.matrix import modalities_of
from collector.store.project.project import Project

_Verb = TypeVar("_Verb", bound=Callable[..., Any])


def experiment_agent_options(verb: _Verb) -> _Verb:
    """The options --experiment and --agent of a verb."""
    experiment = click.option(
        "--experiment", default="", help="The experiment that has --agent: its file or its name."
    )
    name = click.option("--agent", "name", default="", help="An agent of --experiment, with its options.")
    return experiment(name(verb))


@dataclass(frozen=True, slots=True)
class NamedAgent:
    """What an agent is made of, and what it sees by default."""

    declaration: DeclaredAgent
    modality: str

    def create(self, project: Project | None) -> Agent:
        """Make it; what an experiment makes of it was trusted before. Raises UserError."""
        return create_agent(self.declaration, project, is_typed=True)


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
    kinds = agent_kinds().kinds
    opened = open_experiment(find_experiment(project, experiment), project, kinds)
    entries = {entry.id: entry for entry in opened.agents}
    if name not in entries:
        raise UserError(
            _("The experiment has no agent {name}", name=name), "",
            _("Use one of: {known}", known=", ".join(entries)),
        )  # fmt: skip
    entry = entries[name]
    known = agent_kind(entry.kind)
    require_agent_trust(project, known, entry.options)
    options = {**entry.options, **read_option_values(known.options, given)}
    return NamedAgent(DeclaredAgent(entry.kind, options), modalities_of(opened, entry, kinds)[0])
