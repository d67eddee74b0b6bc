"""``waymark project import`` and ``export``. The formats are imported with this module alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from collector.cli.finding_output import import_finding_as_dict
from collector.cli.output import json_option, print_json, say
from collector.cli.verb_groups import project
from collector.exchange.exchange_log import sentence_of
from collector.exchange.exporting import export_project
from collector.exchange.importing import AUTO, import_into
from collector.exchange.registry import exporters, importers
from collector.model.i18n import _, ngettext
from collector.store.project import Project


class _FormatType(click.ParamType[str]):
    """The id of a format. The formats are loaded when one is named, because that takes time."""

    name = "format"

    def __init__(self, known: Callable[[], list[str]]) -> None:
        self._known = known

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return click.Choice(self._known()).convert(value, param, ctx)


@project.command("import")
@click.argument("format_id", metavar="FORMAT", type=_FormatType(lambda: [AUTO, *importers().formats]))
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--into", "folder", type=click.Path(path_type=Path), default=".", help="The project to import into."
)
@json_option
def import_(format_id: str, path: Path, folder: Path, as_json: bool) -> int:
    """Import trajectories or tasks from PATH (folder, file or zip); FORMAT `auto` detects the format."""
    opened = Project.open(folder)
    result = import_into(opened, path, format_id)
    places = [opened.paths.relative(folder) for folder in result.folders]
    if as_json:
        print_json(
            {
                "format": result.importer.id,
                "trajectories": places,
                "tasks": result.tasks,
                "findings": [import_finding_as_dict(finding) for finding in result.findings],
            }
        )
        return int(result.is_vain)
    say(
        _(
            "Read as {title}: {summary}",
            title=result.importer.title,
            summary=_summary(len(places), len(result.tasks)),
        )
    )
    for place in places:
        say(f"  {place}")
    for finding in result.findings:
        say(f"{finding.severity}: {finding.where + ': ' if finding.where else ''}{sentence_of(finding)}")
    return int(result.is_vain)


@project.command()
@click.argument("format_id", metavar="FORMAT", type=_FormatType(lambda: [*exporters().formats]))
@click.argument("folder", metavar="PROJECT", type=click.Path(path_type=Path))
@click.argument("path", type=click.Path(path_type=Path))
@json_option
def export(format_id: str, folder: Path, path: Path, as_json: bool) -> None:
    """Export PROJECT to the new file PATH, and report what FORMAT cannot hold."""
    result = export_project(Project.open(folder), format_id, path)
    if as_json:
        print_json(
            {
                "format": result.exporter.id,
                "path": str(result.path),
                "findings": [import_finding_as_dict(finding) for finding in result.findings],
            }
        )
        return
    say(_("Wrote {path} as {title}", path=result.path, title=result.exporter.title))
    for finding in result.findings:
        say(f"{finding.severity}: {sentence_of(finding)}")


def _summary(trajectories: int, tasks: int) -> str:
    parts = (
        ngettext("{count} trajectory", "{count} trajectories", trajectories),
        ngettext("{count} new task", "{count} new tasks", tasks),
    )
    return ", ".join(parts)
