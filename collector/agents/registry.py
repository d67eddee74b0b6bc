"""The kinds of agents: the built-in ones, and those of installed packages. Agents are created here.

A plug-in that cannot be loaded is left out, with a sentence that says so; the other kinds stay.
"""

from __future__ import annotations

import functools
import importlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Protocol

from collector.agents.agent import MODALITIES, Agent, AgentUnavailable
from collector.agents.agent_trust import require_agent_trust
from collector.agents.kinds import ENTRY_POINTS, AgentKind
from collector.agents.options import option_problems, with_defaults
from collector.located_yaml.nearest_word import nearest
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.project import Project

BUILT_IN = {
    "golden": "collector.agents.golden_agent",
    "careful": "collector.agents.careful_agent",
    "scripted": "collector.agents.scripted_agent",
    "monkey": "collector.agents.monkey_agent",
    "openai": "collector.agents.openai.kind",
    "process": "collector.agents.process.kind",
}
"""Id of each built-in kind -> the module with its ``KIND``, imported when the kind is asked for."""
_log = logging.getLogger(__name__)


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


@dataclass(frozen=True, slots=True)
class LoadedKinds:
    """The kinds by id, the built-in ones first, and a sentence for each plug-in that was left out."""

    kinds: Mapping[str, AgentKind]
    problems: tuple[str, ...] = ()


def agent_kinds() -> LoadedKinds:
    """Every kind, the built-in ones first."""
    installed = installed_kinds()
    built_in = {kind_id: _built_in_kind(kind_id) for kind_id in BUILT_IN}
    return LoadedKinds({**built_in, **installed.kinds}, installed.problems)


def find_kind(kind_id: str) -> AgentKind | None:
    """The kind of that id; None when there is none."""
    return _built_in_kind(kind_id) if kind_id in BUILT_IN else installed_kinds().kinds.get(kind_id)


def agent_kind(kind_id: str) -> AgentKind:
    """The kind of that id. Raises UserError, with the nearest id, when there is none."""
    kind = find_kind(kind_id)
    if kind is None:
        loaded = agent_kinds()
        near = nearest(kind_id, loaded.kinds)
        raise UserError(
            _("There is no kind of agent {kind}", kind=kind_id),
            next((problem for problem in loaded.problems if kind_id and kind_id in problem), ""),
            _("Write {word}", word=near) if near else _("Kinds: {known}", known=", ".join(loaded.kinds)),
        )
    return kind


def checked_options(declaration: AgentDeclaration) -> dict[str, Any]:
    """The options of an agent with the defaults of its kind. Raises UserError for the first wrong one."""
    kind = agent_kind(declaration.kind)
    for problem in option_problems(kind, declaration.options):
        what = _("The agent {name} cannot be created", name=declaration.id)
        raise UserError(what, problem.problem, problem.to_do)
    return with_defaults(kind, declaration.options)


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
    try:
        return kind.create(options, project)
    except UserError:
        raise
    except Exception as error:
        if kind.id in BUILT_IN:
            raise
        _log.warning("the kind of agent %s failed", kind.id, exc_info=True)
        raise AgentUnavailable(
            _("The agent {name} cannot be created", name=declaration.id),
            f"{type(error).__name__}: {error}",
            _("Tell the author of the kind {kind}", kind=kind.id),
        ) from error


def _built_in_kind(kind_id: str) -> AgentKind:
    kind: AgentKind = importlib.import_module(BUILT_IN[kind_id]).KIND
    return kind


@functools.cache
def installed_kinds() -> LoadedKinds:
    """The kinds of installed packages, in order of name; loaded once."""
    kinds: dict[str, AgentKind] = {}
    problems = []
    entries = metadata.entry_points(group=ENTRY_POINTS)
    for plugin in sorted(entries, key=lambda entry: (entry.name, entry.value)):
        try:
            loaded = plugin.load()
            _check(loaded, plugin.value)
            if loaded.id in BUILT_IN or loaded.id in kinds:
                raise ValueError(_("there is a kind {kind} already", kind=loaded.id))
            kinds[loaded.id] = loaded
        except Exception as error:  # noqa: BLE001 - a plug-in may raise anything as it is imported
            _log.warning("the plug-in %s was left out", plugin.value, exc_info=True)
            why = str(error) or type(error).__name__
            problems.append(_("The plug-in {name} was left out: {why}", name=plugin.name, why=why))
    return LoadedKinds(kinds, tuple(problems))


def _check(loaded: object, value: str) -> None:
    """Raise TypeError or ValueError for what cannot be a kind."""
    if not isinstance(loaded, AgentKind):
        raise TypeError(_("{value} is no {type}", value=value, type=AgentKind.__name__))
    if not isinstance(loaded.id, str) or not loaded.id.strip() or not callable(loaded.create):
        raise ValueError(_("{value} has no id, or nothing that creates agents", value=value))
    unknown = [modality for modality in loaded.modalities if modality not in MODALITIES]
    if unknown or not loaded.modalities:
        known = ", ".join(MODALITIES)
        raise ValueError(_("{value} names no modality of: {known}", value=value, known=known))
