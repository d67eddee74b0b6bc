"""The registry of the kinds of agents. Agents are created here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from collector.agents.agent import MODALITIES, Agent, AgentUnavailable
from collector.agents.agent_trust import require_agent_trust
from collector.agents.kinds import ENTRY_POINTS, AgentKind
from collector.model.errors import UserError
from collector.model.i18n import N_, _
from collector.plugins.options import complete_options
from collector.plugins.registry import KindRegistry, plugin_errors
from collector.store.project.project import Project


class AgentDeclaration(Protocol):
    """An agent of an experiment: its name there, its kind and its options."""

    @property
    def id(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def options(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class DeclaredAgent:
    """An agent that no experiment names."""

    kind: str
    options: Mapping[str, Any]

    @property
    def id(self) -> str:
        return self.kind


def _check(kind: AgentKind, value: str) -> None:
    """Raise UserError for what cannot be a kind."""
    if not isinstance(kind.id, str) or not kind.id.strip() or not callable(kind.create):
        raise UserError(_("{value} has no id, or nothing that creates agents", value=value))
    unknown = [modality for modality in kind.modalities if modality not in MODALITIES]
    if unknown or not kind.modalities:
        known = ", ".join(MODALITIES)
        raise UserError(_("{value} names no modality of: {known}", value=value, known=known))


KINDS = KindRegistry(
    ENTRY_POINTS,
    AgentKind,
    {
        "golden": "collector.agents.golden_agent",
        "careful": "collector.agents.careful_agent",
        "scripted": "collector.agents.scripted_agent",
        "monkey": "collector.agents.monkey_agent",
        "openai": "collector.agents.openai.kind",
        "process": "collector.agents.process.kind",
        "oracle": "collector.oracle.kind",
    },
    N_("There is no kind of agent {kind}"),
    _check,
)
BUILT_IN = KINDS.built_in
agent_kinds, agent_kind, find_kind = KINDS.all, KINDS.get, KINDS.find


def checked_options(declaration: AgentDeclaration) -> dict[str, Any]:
    """The options of an agent with the defaults of its kind. Raises UserError for the first wrong one."""
    what = _("The agent {name} cannot be created", name=declaration.id)
    return complete_options(agent_kind(declaration.kind), declaration.options, what)


def create_agent(
    declaration: AgentDeclaration, project: Project | None = None, *, is_typed: bool = False
) -> Agent:
    """Create an agent, its options checked.

    ``is_typed`` says that a person gave the options just now, and no file of a project: such an agent may
    do what nobody has trusted yet. Raises UserError, UntrustedAgent among them; AgentUnavailable when the
    code of another package raised something else.
    """
    options, kind = checked_options(declaration), agent_kind(declaration.kind)
    if not is_typed:
        require_agent_trust(project, kind, options)
    if kind.id in BUILT_IN:
        return kind.create(options, project)
    what = _("The agent {name} cannot be created", name=declaration.id)
    with plugin_errors(kind.id, what, AgentUnavailable):
        return kind.create(options, project)
