"""What the agents of experiments do on this computer, and whether a person trusts it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

from collector.agents.agent_trust import command_group
from collector.agents.registry import agent_kinds, find_kind
from collector.anomalies.anomaly_source import TrustRequest
from collector.anomalies.command_preview import CommandGroup
from collector.anomalies.command_trust import CommandTrust
from collector.model.errors import UserError
from collector.run.experiment.files import check_experiment
from collector.run.experiment.model import AgentEntry
from collector.run.experiment.scope import scope_of
from collector.store.project import Project


def agent_commands(agents: Iterable[AgentEntry]) -> Iterator[tuple[str, str]]:
    """Id of the agent and command, for each that a person has to trust first."""
    for entry in agents:
        kind = find_kind(entry.kind)
        with contextlib.suppress(UserError):  # wrong options: the agent is not created, nothing is run
            yield from ((entry.id, text) for text in (kind.commands(entry.options) if kind else ()))


def project_agent_commands(project: Project) -> dict[str, str]:
    """Each command of the agents of all experiments, and the experiment and agent that has it."""
    scope = scope_of(project, agent_kinds().kinds)
    commands: dict[str, str] = {}
    for path in project.paths.experiments():
        with contextlib.suppress(UserError):  # a file that cannot be read runs nothing
            for agent, text in agent_commands(check_experiment(path, scope).experiment.agents):
                commands.setdefault(text, f"{path.stem} / {agent}")
    return commands


def command_groups(commands: dict[str, str], wanted: Iterable[str]) -> list[CommandGroup]:
    """Those of ``wanted`` that agents have, by agent."""
    by_agent: dict[str, list[str]] = {}
    for text in wanted:
        if text in commands:
            by_agent.setdefault(commands[text], []).append(text)
    return [command_group(name, texts) for name, texts in by_agent.items()]


def agent_trust_request(project: Project, agents: Iterable[AgentEntry]) -> TrustRequest | None:
    """What a person has to trust before ``agents`` can be run; None when nothing. Reads the disk."""
    commands = {text: agent for agent, text in agent_commands(agents)}
    untrusted = CommandTrust(project).untrusted(commands)
    if not untrusted:
        return None
    return TrustRequest(project.folder, None, tuple(command_groups(commands, untrusted)), tuple(untrusted))
