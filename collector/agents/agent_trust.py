"""Trust in what the agents of a project's experiments do on this computer.

An experiment comes with its project, which may come from anywhere. A program it starts, or a place that it
sends a key to, is trusted by a person first, just as the shell commands of its anomalies are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collector.agents.kinds import AgentKind
from collector.anomalies.anomaly_source import TrustRequest
from collector.anomalies.command_effects import CommandEffects
from collector.anomalies.command_preview import CommandGroup
from collector.anomalies.command_trust import CommandTrust
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.project import Project


class UntrustedAgent(UserError):  # noqa: N818 - named like the other refusals
    """An agent of the project would run a program that nobody has trusted; ``request`` has it."""

    def __init__(self, request: TrustRequest) -> None:
        super().__init__(
            _("The agent was not started: {command}", command=request.commands[0]),
            _("nobody has trusted this in the project yet"),
            _("Look at it with `waymark project trust`, and trust it if you know where it comes from"),
        )
        self.request = request


def require_agent_trust(
    project: Project | None, kind: AgentKind, options: Mapping[str, Any], trust: CommandTrust | None = None
) -> None:
    """Raise UntrustedAgent while something of an agent is not trusted. Reads the disk.

    Without a project the options come from the person who runs the program.
    """
    if project is None:
        return
    untrusted = (trust or CommandTrust(project)).untrusted(kind.commands(options))
    if untrusted:
        group = command_group(kind.id, untrusted)
        raise UntrustedAgent(TrustRequest(project.folder, None, (group,), tuple(untrusted)))


def command_group(name: str, commands: list[str]) -> CommandGroup:
    """Commands of an agent, for the person who decides on them."""
    return CommandGroup(name, _("Runs on this computer"), tuple(CommandEffects(text) for text in commands))
