"""``waymark project import``, ``imports`` and ``export``. The formats are imported with this module alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from collector.cli.finding_output import import_finding_as_dict
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.verb_groups import project
from collector.exchange.exchange_log import sentence_of
from collector.exchange.exporting import export_project
from collector.exchange.import_reports import (
    ImportReport,
    import_with_report,
    line_of,
    read_reports,
)
from collector.exchange.importing import AUTO
from collector.exchange.registry import exporters, importers
from collector.model.errors import UserError
from collector.model.i18n import _
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
    result, report = import_with_report(opened, path, format_id)
    if as_json:
        print_json({"format": result.importer.id, **_report_as_dict(report), "report": report.id})
        return int(result.is_vain)
    say(_("Read as {title}: {summary}", title=report.title, summary=report.summary))
    for place in (*report.rules, *report.trajectories):
        say(f"  {place}")
    for finding in report.findings:
        say(line_of(finding))
    if report.findings:
        say(_("`waymark project imports` shows this report again"))
    return int(result.is_vain)


@project.command()
@click.argument("folder", type=click.Path(path_type=Path), default=".")
@click.option(
    "--show", "shown", metavar="ID", help="Print the report whose id begins so; `last` is the newest."
)
@json_option
def imports(folder: Path, shown: str | None, as_json: bool) -> None:
    """List the imports into the project in FOLDER, newest first, or show what one of them lost."""
    reports = read_reports(Project.open(folder))
    if shown is not None:
        report = _chosen(reports, shown)
        if as_json:
            print_json({"id": report.id, "at": report.at, "source": report.source, **_report_as_dict(report)})
        else:
            say(report.text.rstrip("\n"))
    elif as_json:
        names = ("id", "at", "source", "title")
        print_json(
            {
                "imports": [
                    {name: getattr(entry, name) for name in names} | {"losses": len(entry.losses)}
                    for entry in reports
                ]
            }
        )
    elif reports:
        rows = [(entry.id, entry.source, entry.summary, len(entry.losses)) for entry in reports]
        print_table(("ID", "SOURCE", "IMPORTED", "LOSSES"), rows)
    else:
        say(_("Nothing was imported into this project yet"))


def _chosen(reports: list[ImportReport], shown: str) -> ImportReport:
    fitting = reports[:1] if shown == "last" else [entry for entry in reports if entry.id.startswith(shown)]
    if not fitting:
        raise UserError(
            _("There is no import {id}", id=shown), "", _("`waymark project imports` lists those there are")
        )
    return fitting[0]


def _report_as_dict(report: ImportReport) -> dict[str, object]:
    return {
        "trajectories": list(report.trajectories),
        "tasks": list(report.tasks),
        "rules": list(report.rules),
        "findings": [import_finding_as_dict(finding) for finding in report.findings],
    }


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
