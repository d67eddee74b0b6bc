"""The kind ``oracle``, as the registry knows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collector.agents.agent import SCREENSHOT_AND_TREE, TREE, Agent
from collector.agents.kinds import AgentKind
from collector.model.i18n import N_
from collector.plugins.options import PluginOption
from collector.store.project.project import Project

_SEARCHED, _RECOVERIES = 20_000, 20


def _create(options: Mapping[str, Any], project: Project | None) -> Agent:
    # Loaded when such an agent is made: it brings the whole virtual phone along.
    from collector.oracle.oracle_agent import OracleAgent

    return OracleAgent(options, project)


KIND = AgentKind(
    "oracle",
    N_("Oracle by search"),
    _create,
    N_("Does any task that has a target on a virtual phone, by a search over a twin of it"),
    (
        PluginOption(
            "policy", dict, {},
            N_("How dialogs are answered: dismiss, deny, allow, first, last, expected or {button: WORDS}, by "
               "the family of an anomaly, the kind of dialog, and default"),
        ),
        PluginOption(
            "states", int, _SEARCHED, N_("States of an app that are looked at, of each part of a target"),
            least=1,
        ),
        PluginOption("recoveries", int, _RECOVERIES, N_("The most recovery moves of an episode"), least=0),
    ),
    (SCREENSHOT_AND_TREE, TREE),
)  # fmt: skip
