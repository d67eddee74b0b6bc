"""The verbs ``waymark anomaly new`` and ``copy``. They edit the library as the window does, without Qt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import in_project
from collector.model.i18n import _

KINDS = ("two", "one", "native")


@click.command()
@click.argument("anomaly_id", metavar="[ID]", default="")
@click.option("--kind", type=click.Choice(KINDS), default="two", show_default=True,
              help="A dialog with two buttons or one, or a change of the phone itself.")  # fmt: skip
@click.option("--language", type=click.Choice(["en", "zh"]), default="en", help="Of the dialog's texts.")
@click.option("--title", help="Title of the dialog.")
@click.option("--message", help="Text of the dialog.")
@click.option("--description", help="One sentence for people.")
@in_project
@json_option
def new(
    anomaly_id: str, kind: str, language: str, title: str | None, message: str | None,
    description: str | None, folder: Path, as_json: bool,
) -> int:  # fmt: skip
    """Add an anomaly to the library of the project, to be completed in an editor or in the window.

    Without ID it gets the id of its form. The first library of a project also takes the built-in anomalies
    that its rules name.
    """
    if kind == "native" and (title or message):
        raise click.UsageError(_("--title and --message are of a dialog: leave out --kind native"))
    from collector.store.project.project import Project  # here: the verbs above load without it
    from rule_editor.document.anomalies.project_library import new_anomaly

    texts = {"param_title": title, "param_message": message}
    values: dict[str, Any] = {"id": anomaly_id, "family": anomaly_id} if anomaly_id else {}
    if description:
        values["description"] = description
    if params := {key: text for key, text in texts.items() if text}:
        values["params"] = params
    project = Project.open(folder)
    return _print(project.paths.library, new_anomaly(project, kind, language, values), as_json=as_json)


@click.command()
@click.argument("anomaly_id", metavar="ID")
@click.argument("new_id", default="")
@in_project
@json_option
def copy(anomaly_id: str, new_id: str, folder: Path, as_json: bool) -> int:
    """Copy the anomaly ID into the library of the project, under NEW_ID; a built-in one may keep its id."""
    from collector.store.project.project import Project
    from rule_editor.document.anomalies.project_library import copy_anomaly

    project = Project.open(folder)
    return _print(project.paths.library, copy_anomaly(project, anomaly_id, new_id), as_json=as_json)


def _print(library: Path, anomaly_id: str, *, as_json: bool) -> int:
    """Say what was added, and what is wrong with the library now; the exit status."""
    from collector.anomalies.check import check_library
    from collector.anomalies.reader import read_library
    from collector.cli.diagnostic_output import as_dict, print_diagnostics
    from collector.located_yaml.diagnostics import has_errors
    from collector.rules.grammar.rule_files import read_text

    diagnostics = check_library(read_library(read_text(library), str(library)))
    own = [item for item in diagnostics if item.rule_id == anomaly_id]
    if as_json:
        print_json({"anomaly": anomaly_id, "path": str(library), "findings": list(map(as_dict, own))})
    else:
        say(_("Added the anomaly {id} to {path}", id=anomaly_id, path=library))
        if own:
            print_diagnostics(own)
    return int(has_errors(own))
