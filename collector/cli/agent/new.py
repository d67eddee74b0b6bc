"""``waymark agent new``: write the program of a new agent into the project."""

from __future__ import annotations

from pathlib import Path

import click

from collector.agents.process.new_program import entry_of, new_program
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import in_project
from collector.cli.verb_groups import agent
from collector.model.i18n import _
from collector.store.project.project import Project


@agent.command()
@click.argument("name")
@in_project
@json_option
def new(name: str, folder: Path, as_json: bool) -> None:
    """Write agents/NAME.py into the project: a program that answers each screen, to be edited.

    It speaks the protocol of programs, and needs nothing but Python.
    """
    project = Project.open(folder)
    path = new_program(project, name)
    entry = entry_of(path, project)
    if as_json:
        print_json({"path": str(path), "entry": entry})
        return
    say(_("Wrote {path}. For `agents` of an experiment:", path=path))
    say(f"  {entry}")
