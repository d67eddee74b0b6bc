"""``waymark project import``, ``imports``, ``export`` and ``exports``. Only this module loads the formats."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from collector.cli.finding_output import import_finding_as_dict
from collector.cli.option_values import plugin_options, read_option_values, say_options
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import exporting_progress, importing_progress, indexing_progress
from collector.cli.shared_options import (
    force_option,
    in_project,
    project_argument,
    split_options,
    where_option,
)  # fmt: skip
from collector.cli.verb_groups import project
from collector.exchange.exchange_log import losses_first
from collector.exchange.exchange_reports import (
    ExchangeReport,
    export_with_report,
    import_with_report,
    line_of,
    read_reports,
)
from collector.exchange.exports.export_preview import ExportPreview, preview_export
from collector.exchange.exports.export_staging import staging_folder
from collector.exchange.exports.exporting import ExportChoice
from collector.exchange.exports.screens_elsewhere import SHARED_SCREENS, TOGETHER
from collector.exchange.exports.selection import Selection
from collector.exchange.format import BOTH, IN, OUT, Format
from collector.exchange.imports.import_preview import ImportPreview, preview_import
from collector.exchange.imports.importing import AUTO
from collector.exchange.registry import (
    formats as known_formats,
)
from collector.exchange.registry import (
    listed_formats,
    no_format,
    of_each_use,
    read_formats,
    written_formats,
)
from collector.model.dataset.split import Split
from collector.model.errors import UserError
from collector.model.i18n import N_, _
from collector.model.trajectory import GOLDEN, RUN, UNFINISHED
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.query import asks_for_staleness
from collector.store.project.project import Project


class _FormatType(click.ParamType[str]):
    """The id of a format. The formats are loaded when one is named, because that takes time."""

    name = "format"

    def __init__(self, known: Callable[[], Mapping[str, Format]], *others: str) -> None:
        self._known, self._others = known, others

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        known = [*self._others, *self._known()]
        if value not in known:
            self.fail(str(no_format(str(value), known)), param, ctx)
        return str(value)

    def groups(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """For the help: the title of each group, with its formats and their titles."""
        for title, entries in of_each_use(self._known().values()):
            yield title, [(entry.id, _(entry.title)) for entry in entries]


class _FormatCommand(click.Command):
    """A verb whose help ends with the formats that its argument names."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for parameter in self.params:
            if isinstance(parameter.type, _FormatType):
                for title, lines in parameter.type.groups():
                    with formatter.section(_("Formats ({group})", group=title)):
                        formatter.write_dl(lines)
        super().format_epilog(ctx, formatter)


_strict_option = click.option(
    "--strict", is_flag=True, help="Fail and change nothing when anything cannot be kept."
)


_dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Say what it comes to, and what cannot be kept; change nothing."
)


@project.command("import", cls=_FormatCommand)
@click.argument("named", metavar="[FORMAT]", nargs=-1, type=_FormatType(read_formats, AUTO))
@click.argument("path", type=click.Path(path_type=Path))
@_strict_option
@_dry_run_option
@in_project
@json_option
def import_(
    named: tuple[str, ...], path: Path, strict: bool, dry_run: bool, folder: Path, as_json: bool
) -> int:  # fmt: skip
    """Import trajectories, tasks or variations from PATH (folder, file or zip).

    Without FORMAT, or with `auto`, the format is recognised.
    """
    if len(named) > 1:
        raise click.UsageError(_("Give one format and one path"))
    format_id = named[0] if named else AUTO
    opened = Project.open(folder)
    if dry_run:
        with importing_progress() as progress:
            found = preview_import(opened, path, format_id, most=None, progress=progress)
        _show_preview(found, as_json)
        return 0
    with importing_progress() as progress:
        result, report = import_with_report(opened, path, format_id, strict=strict, progress=progress)
    if as_json:
        print_json({"format": result.format.id, **_report_as_dict(report), "report": report.id})
        return int(result.is_vain)
    say(_("Read as {title}: {summary}", title=report.title, summary=report.summary))
    for place in (*report.rules, *report.variations, *report.trajectories):
        say(f"  {place}")
    for finding in report.findings:
        say(line_of(finding))
    if report.findings:
        say(_("`waymark project imports` shows this report again"))
    return int(result.is_vain)


def _show_preview(found: ExportPreview | ImportPreview, as_json: bool) -> None:
    if as_json:
        print_json({
            "format": found.format.id, "trajectories": found.trajectories, "tasks": found.tasks,
            "size": found.size, "findings": [import_finding_as_dict(finding) for finding in found.findings],
        })  # fmt: skip
        return
    from rich.filesize import decimal

    say(_("{title}: {summary}, about {size}", title=_(found.format.title), summary=found.summary,
          size=decimal(found.size)))  # fmt: skip
    for finding in losses_first(found.findings):
        say(line_of(finding))


_shown_option = click.option(
    "--show", "shown", metavar="ID", help="Print the report whose id begins so; `last` is the newest."
)


@project.command()
@project_argument
@_shown_option
@json_option
def imports(folder: Path, shown: str | None, as_json: bool) -> None:
    """List the imports into PROJECT, newest first, or show what one of them lost."""
    reports = read_reports(Project.open(folder))
    if shown is not None:
        unknown = _("There is no import {id}", id=shown)
        _show(_chosen(reports, shown, unknown, _("`waymark project imports` lists those there are")), as_json)
    elif reports or as_json:
        _list(reports, "imports", ("ID", "SOURCE", "IMPORTED", "LOSSES"), as_json)
    else:
        say(_("Nothing was imported into this project yet"))


@project.command()
@project_argument
@_shown_option
@json_option
def exports(folder: Path, shown: str | None, as_json: bool) -> None:
    """List the exports of PROJECT, newest first, or show what one of them could not hold."""
    reports = read_reports(Project.open(folder), of_exports=True)
    if shown is not None:
        unknown = _("There is no export {id}", id=shown)
        _show(_chosen(reports, shown, unknown, _("`waymark project exports` lists those there are")), as_json)
    elif reports or as_json:
        _list(reports, "exports", ("ID", "TARGET", "EXPORTED", "LOSSES"), as_json)
    else:
        say(_("This project was not exported yet"))


def _show(report: ExchangeReport, as_json: bool) -> None:
    if as_json:
        print_json({"id": report.id, "at": report.at, "source": report.source, **_report_as_dict(report)})
    else:
        say(report.text.rstrip("\n"))


def _list(reports: list[ExchangeReport], key: str, header: tuple[str, ...], as_json: bool) -> None:
    if as_json:
        names = ("id", "at", "source", "title")
        entries = [
            {name: getattr(entry, name) for name in names} | {"losses": len(entry.losses)}
            for entry in reports
        ]
        print_json({key: entries})
    else:
        print_table(header, [(entry.id, entry.source, entry.summary, len(entry.losses)) for entry in reports])


def _chosen(reports: list[ExchangeReport], shown: str, unknown: str, to_do: str) -> ExchangeReport:
    fitting = reports[:1] if shown == "last" else [entry for entry in reports if entry.id.startswith(shown)]
    if not fitting:
        raise UserError(unknown, "", to_do)
    return fitting[0]


def _report_as_dict(report: ExchangeReport) -> dict[str, object]:
    return {
        "trajectories": list(report.trajectories),
        "more_trajectories": report.more,
        "tasks": list(report.tasks),
        "rules": list(report.rules),
        "variations": list(report.variations),
        "findings": [import_finding_as_dict(finding) for finding in report.findings],
    }


def _selection_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Options that choose trajectories: the verb gets ``selection``."""

    @functools.wraps(verb)
    def with_selection(
        *, tasks: tuple[str, ...], agents: tuple[str, ...], kinds: tuple[str, ...], verdicts: tuple[str, ...],
        reviewed: bool, query: str, **values: Any,
    ) -> Any:  # fmt: skip
        return verb(selection=Selection(tasks, agents, kinds, verdicts, reviewed, query), **values)

    for option in (
        click.option("--reviewed", is_flag=True, help="Only what has a submitted review."),
        click.option("--verdict", "verdicts", multiple=True, metavar="VERDICT",
                     help="Only what a judge says it of, or one, as in failure=rules; may be given again."),
        click.option("--kind", "kinds", multiple=True, type=click.Choice((GOLDEN, RUN, UNFINISHED)),
                     help="Only golden ones, runs, or recordings without an end; may be given again."),
        click.option("--agent", "agents", multiple=True, metavar="AGENT",
                     help="Only the runs of this agent; may be given again."),
        click.option("--task", "tasks", multiple=True, metavar="ID",
                     help="Only this task and its trajectories; may be given again."),
    ):  # fmt: skip
        with_selection = option(with_selection)
    return with_selection


@project.command(cls=_FormatCommand)
@click.argument("format_id", metavar="FORMAT", type=_FormatType(written_formats))
@click.argument("target", type=click.Path(path_type=Path))
@_selection_options
@where_option
@split_options("")
@click.option(
    "--shared-screens",
    type=click.Choice(SHARED_SCREENS),
    default=TOGETHER,
    show_default=True,
    help="With --split: trajectories that show one screen stay together, or the screen is written "
    "once, on the first side that shows it, and left out of the others.",
)
@plugin_options
@_strict_option
@click.option("--allow-passwords", is_flag=True, help="Export passwords that were typed in plain text, too.")
@_dry_run_option
@in_project
@force_option
@json_option
def export(
    format_id: str, target: Path, selection: Selection, split: Split | None, shared_screens: str,
    given: tuple[str, ...], strict: bool, allow_passwords: bool, dry_run: bool, folder: Path, replaces: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Export the project to the new file or folder TARGET.

    `waymark project formats FORMAT` lists the options of a format. What FORMAT cannot hold is reported.
    With --split each side is an export in the folder TARGET, and no trajectory and no screen is on two
    sides. Do an interrupted export again to go on with it.
    """
    opened = Project.open(folder)
    if asks_for_staleness(selection.where):  # what it needs takes long to load
        from collector.run.results.stale_results import note_stale_results

        with Catalogue(opened) as catalogue:
            catalogue.refresh(indexing_progress())
            note_stale_results(opened, catalogue)
    options = read_option_values(written_formats()[format_id].options, given)
    choice = ExportChoice(
        selection, split, strict=strict, passwords=allow_passwords, replace=replaces,
        shared_screens=shared_screens, options=options,
    )  # fmt: skip
    if dry_run:
        with exporting_progress() as progress:
            found = preview_export(opened, format_id, choice, most=None, progress=progress)
        _show_preview(found, as_json)
        return
    try:
        with exporting_progress() as progress:
            result, report = export_with_report(opened, target, format_id, choice, progress=progress)
    except KeyboardInterrupt:
        if staging_folder(target).is_dir():
            say(_("The same export goes on from where it was"), err=True)
        raise
    if as_json:
        print_json(
            {
                "format": result.format.id,
                "path": str(result.path),
                **_report_as_dict(report),
                "report": report.id,
            }
        )
        return
    say(_("Wrote {path} as {title}", path=result.path, title=report.title))
    say(_("Exported: {summary}", summary=report.summary))
    for finding in report.ordered:
        say(line_of(finding))
    if report.findings and not opened.is_read_only:
        say(_("`waymark project exports --show last` shows this report again"))


@project.command()
@click.argument("format_id", metavar="[FORMAT]", required=False, type=_FormatType(listed_formats))
@json_option
def formats(format_id: str | None, as_json: bool) -> None:
    """List the formats that can be imported and exported: the built-in ones, and those of packages.

    Some need a package, which they name. With FORMAT all is said about one, with its options.
    """
    loaded, listed = known_formats(), listed_formats()
    if format_id is not None:
        _show_format(listed[format_id], as_json)
        return
    if as_json:
        documents = [entry.as_dict() for entry in listed.values()]
        print_json({"formats": documents, "problems": list(loaded.problems)})
        return
    rows = [
        (entry.id, _(entry.title), group, _(_WAYS[entry.way]), entry.contents)
        for group, entries in of_each_use(listed.values())
        for entry in entries
    ]
    print_table(("FORMAT", "TITLE", "GROUP", "FOR", "HOLDS"), rows)
    for sentence in [*filter(None, (entry.missing for entry in listed.values())), *loaded.problems]:
        say(sentence, err=True)


def _show_format(entry: Format, as_json: bool) -> None:
    if as_json:
        print_json(entry.as_dict())
        return
    say(f"{entry.id}: {_(entry.title)} ({_(_WAYS[entry.way])})")
    say(_("It holds: {contents}", contents=entry.contents))
    sentences = (_(entry.files), _(entry.licence) if entry.licence else "", entry.missing)
    say("\n".join(filter(None, sentences)))
    say_options(entry.options)


_WAYS = {IN: N_("import"), OUT: N_("export"), BOTH: N_("import, export")}
