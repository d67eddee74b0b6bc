"""An agent of an experiment by its name, once a person has agreed to what it does."""

from __future__ import annotations

from dataclasses import dataclass

from collector.agents.agent import Agent
from collector.agents.agent_trust import require_agent_trust
from collector.agents.registry import DeclaredAgent, agent_kind, agent_kinds, create_agent
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.experiment.files import find_experiment, open_experiment
from collector.run.experiment.matrix import modalities_of
from collector.store.project.project import Project


@dataclass(frozen=True, slots=True)
class NamedAgent:
    """What an agent is made of, and what it sees by default."""

    declaration: DeclaredAgent
    modality: str

    def create(self, project: Project | None) -> Agent:
        """Make it; what an experiment makes of it was trusted before. Raises UserError."""
        return create_agent(self.declaration, project, is_typed=True)


def experiment_agent(project: Project, experiment: str, name: str) -> NamedAgent:
    """The agent called ``name`` of an experiment, its file or its name.

    Raises UserError: UntrustedAgent for what nobody has agreed to, since it may come from anywhere.
    """
    kinds = agent_kinds().kinds
    opened = open_experiment(find_experiment(project, experiment), project, kinds)
    entries = {entry.id: entry for entry in opened.agents}
    if name not in entries:
        raise UserError(
            _("The experiment has no agent {name}", name=name), "",
            _("Use one of: {known}", known=", ".join(entries)),
        )  # fmt: skip
    entry = entries[name]
    require_agent_trust(project, agent_kind(entry.kind), entry.options)
    return NamedAgent(DeclaredAgent(entry.kind, dict(entry.options)), modalities_of(opened, entry, kinds)[0])
