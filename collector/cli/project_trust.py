"""``waymark project trust``: look at the shell commands of a project, and let them run on phones."""

from __future__ import annotations

from pathlib import Path

import click

from collector.anomalies.command_effects import CommandEffects
from collector.anomalies.command_preview import CommandGroup, CommandSet
from collector.anomalies.trust import TrustBook, builtin_commands
from collector.cli.output import json_option, print_json, say
from collector.cli.phone import AnomalySource, confirm, print_groups
from collector.cli.project import project, project_argument
from collector.cli.rule_files import ProjectRules
from collector.model.i18n import _, ngettext
from collector.store.project import Project


def register(command: click.Group) -> None:
    """The verb joined the group as this module was read; the group itself is put on by its own."""
    assert "project" in command.commands


@project.command()
@project_argument
@click.option("--yes", is_flag=True, help="Trust them without being asked.")
@click.option("--revoke", is_flag=True, help="Trust nothing of the project any more.")
@json_option
def trust(folder: Path, yes: bool, revoke: bool, as_json: bool) -> int:
    """Show the shell commands of the project in FOLDER as they would run, and trust them.

    They are those of its library, and those its rules let follow an answer. Each is shown with the
    packages, settings and pages it touches. With --json and without --yes they are only shown. Exit
    status: 0 all are trusted, 1 some are not.
    """
    source = AnomalySource(folder, None)
    opened = source.project
    assert opened is not None
    if revoke:
        TrustBook().forget(opened.folder)
        opened.set(trusted=False)
    runnable = CommandSet(source.library.anomalies, ProjectRules(opened).rules())
    commands = runnable.commands
    wanted = _untrusted(opened, commands)
    groups = runnable.preview(wanted)
    if not as_json:
        print_groups(groups)
    if wanted and not revoke and (yes or (not as_json and confirm(_("Trust these commands?")))):
        source.trust(wanted)
    left = _untrusted(opened, commands)
    if as_json:
        shown = [_as_dict(group, command, not left) for group in groups for command in group.commands]
        print_json({"project": opened.name, "trusted": not left, "commands": shown})
    elif left:
        say(ngettext("{count} command is not trusted", "{count} commands are not trusted", len(left)))
    else:
        say(_("All commands of the project are trusted"))
    return int(bool(left))


def _untrusted(opened: Project, commands: list[str]) -> list[str]:
    """Those still to be looked at; of a project that says it is not trusted, all that are not ours."""
    if opened.trusted:
        return TrustBook().untrusted(opened.folder, commands)
    return [one for one in dict.fromkeys(commands) if one not in builtin_commands()]


def _as_dict(group: CommandGroup, found: CommandEffects, trusted: bool) -> dict[str, object]:
    return {
        "rule" if group.of_rule else "anomaly": group.name, "command": found.command, "trusted": trusted,
        "packages": list(found.packages),
        "settings": list(found.settings), "pages": list(found.pages), "services": list(found.services),
        "danger": found.danger,
    }  # fmt: skip
