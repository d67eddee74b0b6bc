"""``waymark project trust``: look at what a project runs and sends, and agree to it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from collector.agents.agent_trust import trust_request
from collector.anomalies.anomaly_source import AnomalySource, TrustRequest
from collector.anomalies.trust.command_effects import CommandEffects
from collector.anomalies.trust.command_preview import CommandGroup, CommandSet
from collector.cli.device.phone import confirm, print_groups
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import project_argument
from collector.cli.verb_groups import project
from collector.model.i18n import _, ngettext
from collector.run.experiment.agent_demands import project_agent_demands


@project.command()
@project_argument
@click.option("--yes", is_flag=True, help="Trust and allow all of it without a question.")
@click.option("--revoke", is_flag=True, help="Revoke the trust in all commands of the project.")
@json_option
def trust(folder: Path, yes: bool, revoke: bool, as_json: bool) -> int:
    """Show what PROJECT runs and sends, and agree to it.

    These are shell commands of its library and rules, programs of its agents, and hosts that get pictures,
    texts and keys. A host is allowed in all projects; `waymark agent host` lists and forgets it. With
    --json and without --yes they are only shown. Exit status: 0 all are agreed to, 1 some are not.
    """
    source = AnomalySource.open(folder)
    if revoke:
        source.trust.revoke()
    assert source.project is not None
    request = _request(source)
    if request is not None and not as_json:
        print_groups(request.groups)
    if request is not None and not revoke and (yes or (not as_json and _agrees())):
        request.grant(source.trust)
    left = _request(source)
    if as_json:
        print_json({"project": source.project.name, **_as_json(request, trusted=left is None)})
    elif left is not None:
        _say_left(left)
    else:
        say(_("All commands of the project are trusted, and all its hosts are allowed"))
    return int(left is not None)


def _request(source: AnomalySource) -> TrustRequest | None:
    """What of the whole project nobody has agreed to yet; None when there is nothing."""
    assert source.project is not None
    own = CommandSet(source.library.anomalies, source.rules())
    untrusted = source.trust.untrusted(own.commands)
    of_agents = trust_request(source.project, project_agent_demands(source.project), source.trust)
    if of_agents is None and not untrusted:
        return None
    request = of_agents or TrustRequest(source.project.folder, None, (), ())
    return replace(
        request, groups=(*own.preview(untrusted), *request.groups),
        commands=tuple(dict.fromkeys([*untrusted, *request.commands])),
    )  # fmt: skip


def _agrees() -> bool:
    return confirm(_("Do you trust this, and allow it?"))


def _say_left(left: TrustRequest) -> None:
    count, hosts = len(left.commands), len(left.transfers)
    if count:
        say(ngettext("{count} command is not trusted", "{count} commands are not trusted", count))
    if hosts:
        say(ngettext("{count} host is not allowed", "{count} hosts are not allowed", hosts))


def _as_json(request: TrustRequest | None, *, trusted: bool) -> dict[str, object]:
    """What was asked for; ``hosts`` are those of agents, ``commands`` all that is run."""
    if request is None:
        return {"trusted": trusted, "commands": [], "hosts": []}
    sent = {sentence for transfer in request.transfers for sentence in transfer.sentences()}
    commands = [
        _as_dict(group, effects, trusted)
        for group in request.groups
        for effects in group.commands
        if effects.command not in sent
    ]
    hosts = [
        {"host": transfer.origin, "keys": list(transfer.secrets), "sends": transfer.sends, "allowed": trusted}
        for transfer in request.transfers
    ]
    return {"trusted": trusted, "commands": commands, "hosts": hosts}


def _as_dict(group: CommandGroup, effects: CommandEffects, trusted: bool) -> dict[str, object]:
    return {
        "rule" if group.of_rule else "anomaly": group.name, "command": effects.command, "trusted": trusted,
        "packages": list(effects.packages),
        "settings": list(effects.settings), "pages": list(effects.pages), "services": list(effects.services),
        "danger": effects.danger,
    }  # fmt: skip
