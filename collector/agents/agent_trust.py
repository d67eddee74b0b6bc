"""What a person has to agree to before the agents of a project's experiments run.

An experiment comes with its project, which may come from anywhere. A program that it runs on this computer is
trusted in the project first, as the shell commands of its anomalies are; a host that it sends pictures, texts
and keys to is allowed once, for all projects.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from collector.agents.kinds import AgentKind
from collector.anomalies.anomaly_source import TrustRequest
from collector.anomalies.trust.command_effects import CommandEffects
from collector.anomalies.trust.command_preview import CommandGroup
from collector.anomalies.trust.command_trust import CommandTrust
from collector.consent.allowed_hosts import AllowedHosts
from collector.consent.transfer import Transfer
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.project.project import Project


class UntrustedAgent(UserError):  # noqa: N818 - named like the other refusals
    """An agent or a judge of the project would do what nobody has agreed to; ``request`` has it."""

    def __init__(self, request: TrustRequest) -> None:
        group = request.groups[0]
        super().__init__(
            _("{name} was not started: {command}", name=group.name, command=group.commands[0].command),
            _("nobody has trusted this in the project yet")
            if request.commands
            else _("nobody has allowed this yet"),
            _("Look at it with `waymark project trust`, and trust it if you know where it comes from"),
        )
        self.request = request


@dataclass(frozen=True, slots=True)
class AgentDemands:
    """What one agent does that a person has to agree to."""

    name: str
    """Of the agent, for the person."""
    commands: tuple[str, ...] = ()
    """The programs that it runs on this computer."""
    transfers: tuple[Transfer, ...] = ()
    """What it sends to hosts."""

    @classmethod
    def of(cls, name: str, kind: AgentKind, options: Mapping[str, Any]) -> AgentDemands:
        """The demands of an agent of a kind. Raises UserError for wrong options."""
        return cls(name, kind.commands(options), kind.transfers(options))


def trust_request(
    project: Project, demands: Iterable[AgentDemands], trust: CommandTrust | None = None
) -> TrustRequest | None:
    """What of ``demands`` nobody has agreed to yet; None when there is nothing. Reads the disk."""
    trust, hosts = trust or CommandTrust(project), AllowedHosts(project.folder)
    groups: list[CommandGroup] = []
    commands: list[str] = []
    transfers: list[Transfer] = []
    for demand in demands:
        untrusted = [text for text in trust.untrusted(demand.commands) if text not in commands]
        missing = [transfer for transfer in hosts.missing(demand.transfers) if transfer not in transfers]
        groups += command_groups(demand.name, untrusted, missing)
        commands += untrusted
        transfers += missing
    if not groups:
        return None
    return TrustRequest(project.folder, None, tuple(groups), tuple(commands), tuple(transfers))


def require_agent_trust(
    project: Project | None, kind: AgentKind, options: Mapping[str, Any], trust: CommandTrust | None = None
) -> None:
    """Raise UntrustedAgent while a person has not agreed to all that an agent does. Reads the disk.

    Without a project the options come from the person who runs the program.
    """
    if project is not None:
        request = trust_request(project, [AgentDemands.of(kind.id, kind, options)], trust)
        if request is not None:
            raise UntrustedAgent(request)


def command_groups(
    name: str, commands: Iterable[str], transfers: Iterable[Transfer] = ()
) -> list[CommandGroup]:
    """What an agent runs, and what it sends, for the person who decides; empty when it does neither."""
    sentences = [sentence for transfer in transfers for sentence in transfer.sentences()]
    groups = [
        CommandGroup(name, description, tuple(CommandEffects(text) for text in texts))
        for description, texts in (
            (_("Runs on this computer"), tuple(commands)),
            (_("Sends to a host"), tuple(sentences)),
        )
    ]
    return [group for group in groups if group.commands]
