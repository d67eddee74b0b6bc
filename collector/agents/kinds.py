"""The kinds of agents by id: those built in, and those that installed packages bring.

A package brings one by the entry point group :data:`ENTRY_POINTS`, whose object is an :class:`AgentKind`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.agents.agent import MODALITIES, Agent
from collector.consent.transfer import Transfer
from collector.model.errors import UserError
from collector.plugins.options import PluginOption
from collector.store.project.project import Project

ENTRY_POINTS = "waymark.agents"
REPEATING_KINDS = ("golden", "careful")
"""Kinds of agents that repeat a golden trajectory of the task."""


class NotInstalledHere(UserError):  # noqa: N818 - a state of this computer
    """What an agent needs is not installed here; another computer that runs it may have it."""


@dataclass(frozen=True, slots=True)
class AgentKind:
    """A kind of agent: how it is made, and what an experiment may say of it."""

    id: str
    title: str
    create: Callable[[Mapping[str, Any], Project | None], Agent]
    """Make an agent with the options of an experiment, checked before. Raises UserError."""
    description: str = ""
    options: tuple[PluginOption, ...] = ()
    modalities: tuple[str, ...] = MODALITIES
    """The modalities it can be run with, the usual one first."""
    step_cost: float = 0.0
    """USD a step costs as a rule, for what a run costs at most before anything was measured."""
    commands: Callable[[Mapping[str, Any]], tuple[str, ...]] = lambda _options: ()
    """What an agent with these options would do on this computer that a person has to trust first, such as
    running a program, as texts that name it. Raises UserError for wrong options."""
    transfers: Callable[[Mapping[str, Any]], tuple[Transfer, ...]] = lambda _options: ()
    """What an agent with these options would send to other hosts or programs, for a person to allow first.
    Raises UserError for wrong options."""
    check: Callable[[Mapping[str, Any], Project | None], None] = lambda _options, _project: None
    """Raise UserError for options whose types are right and whose values are not, without any effect;
    NotInstalledHere for what only this computer may lack."""
    check_modality: Callable[[Mapping[str, Any], Project | None, str], None] = lambda *_about: None
    """Raise UserError for options that need what a modality hides, without any effect."""
    files: Callable[[Mapping[str, Any], Project | None, str], tuple[Path, ...]] = lambda *_about: ()
    """The files that decide beside the options how an agent acts on the task with an id, such as a prompt:
    with other contents an episode has other settings. Raise UserError for those that cannot be used."""
