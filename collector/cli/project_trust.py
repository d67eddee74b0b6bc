"""``waymark project trust``: look at the commands of a project, and let them run."""

from __future__ import annotations

from pathlib import Path

import click

from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.command_effects import CommandEffects
from collector.anomalies.command_preview import CommandGroup, CommandSet
from collector.cli.output import json_option, print_json, say
from collector.cli.phone import confirm, print_groups
from collector.cli.project import project_argument
from collector.cli.verb_groups import project
from collector.model.i18n import _, ngettext
from collector.run.experiment.agent_commands import command_groups, project_agent_commands


@project.command()
@project_argument
@click.option("--yes", is_flag=True, help="Trust them without a question.")
@click.option("--revoke", is_flag=True, help="Revoke the trust in all commands of the project.")
@json_option
def trust(folder: Path, yes: bool, revoke: bool, as_json: bool) -> int:
    """Show the commands of the project in FOLDER as they would run, and trust them.

    These are the shell commands of its library and the follow-ups of its rules, and the programs that the
    agents of its experiments run on this computer. Each is shown with the packages, settings and pages it
    touches. With --json and without --yes they are only shown. Exit
    status: 0 all are trusted, 1 some are not.
    """
    source = AnomalySource.open(folder)
    if revoke:
        source.trust.revoke()
    project, commands = source.project, CommandSet(source.library.anomalies, source.rules())
    assert project is not None
    of_agents = project_agent_commands(project)
    listed = [*commands.commands, *of_agents]
    untrusted = source.trust.untrusted(listed)
    groups = [*commands.preview(untrusted), *command_groups(of_agents, untrusted)]
    if not as_json:
        print_groups(groups)
    if untrusted and not revoke and (yes or (not as_json and confirm(_("Trust these commands?")))):
        source.trust.trust(untrusted)
    left = source.trust.untrusted(listed)
    if as_json:
        shown = [_as_dict(group, effects, not left) for group in groups for effects in group.commands]
        print_json({"project": project.name, "trusted": not left, "commands": shown})
    elif left:
        say(ngettext("{count} command is not trusted", "{count} commands are not trusted", len(left)))
    else:
        say(_("All commands of the project are trusted"))
    return int(bool(left))


def _as_dict(group: CommandGroup, effects: CommandEffects, trusted: bool) -> dict[str, object]:
    return {
        "rule" if group.of_rule else "anomaly": group.name, "command": effects.command, "trusted": trusted,
        "packages": list(effects.packages),
        "settings": list(effects.settings), "pages": list(effects.pages), "services": list(effects.services),
        "danger": effects.danger,
    }  # fmt: skip
