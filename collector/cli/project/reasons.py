"""``waymark project reasons``: the reasons of failures that verdicts can name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from collector.cli.output import json_option, print_json, print_table
from collector.cli.shared_options import project_argument
from collector.cli.verb_groups import project
from collector.judge.votes.reason_edits import add_reason, remove_reason, rename_reason
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.project.project import Project


@project.command()
@project_argument
@click.option("--add", "added", multiple=True, metavar="NAME", help="Add a reason; may be repeated.")
@click.option("--rename", "renamed", multiple=True, metavar="ID=NAME", help="Give a reason another name.")
@click.option("--remove", "removed", multiple=True, metavar="ID", help="Take a reason out of the list.")
@json_option
def reasons(
    folder: Path, added: Sequence[str], renamed: Sequence[str], removed: Sequence[str], as_json: bool
) -> None:
    """Show and change the reasons that people choose from in PROJECT.

    Verdicts name the id of a reason, which a new name does not change: old verdicts show the new name. A
    project that declares no reasons has the default ones; the first change writes them to project.yaml.
    """
    opened = Project.open(folder)
    known = opened.reasons
    for text in renamed:
        wanted, equals, name = text.partition("=")
        if not equals:
            raise UserError(_("{text} gives no new name", text=text), "", _("Write ID=NAME"))
        known = rename_reason(known, wanted, name)
    for wanted in removed:
        known = remove_reason(known, wanted)
    for name in added:
        known = add_reason(known, name)
    if known != opened.reasons:
        opened.set_reasons(known)
    if as_json:
        print_json({"reasons": [{**asdict(reason), "label": reason.label} for reason in known]})
        return
    print_table(("ID", "NAME", "MEANS"), [(reason.id, reason.label, reason.help) for reason in known])
