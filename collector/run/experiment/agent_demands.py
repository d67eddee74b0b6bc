"""What the agents and judges of experiments do that a person has to agree to."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import replace

from collector.agents.agent_trust import AgentDemands
from collector.agents.registry import agent_kinds, find_kind
from collector.asking.model_user import model_transfer
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.user_reply import BY_MODEL
from collector.model_judges.listed_judges import judge_demands
from collector.run.experiment.files import check_experiment
from collector.run.experiment.model import AgentEntry, Experiment
from collector.run.experiment.scope import scope_of
from collector.store.project.project import Project


def agent_demands(agents: Iterable[AgentEntry]) -> Iterator[AgentDemands]:
    """What each agent does that a person has to agree to first."""
    for entry in agents:
        kind = find_kind(entry.kind)
        with contextlib.suppress(UserError):  # wrong options: the agent is not created, nothing is run
            if kind is not None:
                yield AgentDemands.of(entry.id, kind, entry.options)


def experiment_demands(project: Project, experiment: Experiment) -> Iterator[AgentDemands]:
    """What the agents and the judges of an experiment do. Reads the disk."""
    yield from agent_demands(experiment.agents)
    if experiment.user.who == BY_MODEL:
        with contextlib.suppress(UserError):  # wrong options: the experiment is not run
            yield AgentDemands(_("the user"), (), (model_transfer(experiment.user.options),))
    for name in experiment.judges:
        with contextlib.suppress(UserError):  # a judge that cannot be used ends the run before it sends
            yield from judge_demands(project, [name])


def project_agent_demands(project: Project) -> list[AgentDemands]:
    """What the agents and judges of all experiments do; each is named by its experiment and itself."""
    scope = scope_of(project, agent_kinds().kinds)
    demands: list[AgentDemands] = []
    for path in project.paths.experiments():
        with contextlib.suppress(UserError):  # a file that cannot be read runs nothing
            found = experiment_demands(project, check_experiment(path, scope).experiment)
            demands += [replace(demand, name=f"{path.stem} / {demand.name}") for demand in found]
    return demands
