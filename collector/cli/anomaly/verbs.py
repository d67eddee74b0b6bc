"""``waymark anomaly``: list, show, check.

Exit status of ``check``: 0 nothing or only warnings found, 1 errors found, 2 wrong usage.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.check import check_library
from collector.anomalies.model import (
    CATEGORIES,
    NATIVE,
    Anomaly,
    AnomalyLibrary,
    ChangeCheck,
    FollowUp,
    NativeCommands,
)
from collector.cli.diagnostic_output import show_diagnostics
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.rules.files import FILE, library_option
from collector.cli.shared_options import in_project, project_argument
from collector.cli.verb_groups import anomaly
from collector.located_yaml.nearest_word import nearest
from collector.model.i18n import _
from collector.model.risk import RISKS
from collector.model.text.one_line import one_line
from collector.rules.grammar.errors import RuleError
from collector.store.files.layout import is_project
from collector.store.project.project import Project


@anomaly.command("list")
@click.option("--category", type=click.Choice(CATEGORIES, case_sensitive=False), help="Only this category.")
@click.option(
    "--language", default="", help="Only anomalies in this language (en or zh), and those without text."
)
@click.option("--risk", type=click.Choice(tuple(RISKS)), help="Only dialogs with a risk of this kind.")
@library_option
@project_argument
@json_option
def list_(
    category: str | None, language: str, risk: str | None, library: Path | None, folder: Path, as_json: bool
) -> None:
    """List the anomalies: those of the project, of installed packages and the studio's own.

    With --library only those of a file.
    """
    anomalies = _library(library, folder).select(category or "", language)
    anomalies = [entry for entry in anomalies if risk in (None, entry.risk)]
    if as_json:
        print_json({"anomalies": [_as_dict(entry) for entry in anomalies]})
        return
    header = (
        _("Id"), _("Category"), _("Language"), _("Buttons"), _("Android"), _("Risk"), _("Description")
    )  # fmt: skip
    rows = [
        (entry.id, entry.category, entry.language, entry.buttons or "", _versions(entry), entry.risk,
         entry.description)
        for entry in anomalies
    ]  # fmt: skip
    print_table(header, rows)


@anomaly.command()
@click.argument("anomaly_id", metavar="ID")
@library_option
@in_project
@json_option
def show(anomaly_id: str, library: Path | None, folder: Path, as_json: bool) -> None:
    """Show one anomaly: its texts, its answers with their follow-ups, its commands and their undo."""
    declared = _library(library, folder)
    match = declared.get(anomaly_id)
    if match is None:
        near = [entry.id for entry in declared.anomalies if entry.family == anomaly_id]
        near = near or [nearest(anomaly_id, [entry.id for entry in declared.anomalies])]
        to_do = _("Name one of: {known}", known=", ".join(near)) if near[0] else ""
        raise RuleError(_("The library has no anomaly {id}", id=anomaly_id), "", to_do)
    if as_json:
        print_json(_as_dict(match))
    else:
        _print(match)


@anomaly.command()
@click.argument("files", nargs=-1, type=FILE)
@in_project
@json_option
def check(files: tuple[Path, ...], folder: Path, as_json: bool) -> int:
    """Check libraries of anomalies; without FILES that of the project, or the studio's own outside of one.

    It reports unknown keys and activities, buttons and follow-ups that do not match, commands that name
    another app, duplicate ids, and commands that wipe, restart or uninstall.
    """
    own = _project(folder) if not files else None
    if own is not None and own.paths.library.is_file():
        files = (own.paths.library,)
    libraries = [AnomalySource.open(None, path).library for path in files] or [builtin_library()]
    diagnostics = [diagnostic for library in libraries for diagnostic in check_library(library)]
    return show_diagnostics(diagnostics, as_json=as_json)


def _project(folder: Path) -> Project | None:
    """The project in a folder; None when the current folder is none. Raises StoreError."""
    return Project.open(folder) if is_project(folder) or folder != Path() else None


def _library(path: Path | None, folder: Path) -> AnomalyLibrary:
    """The library of a file, or the project's with the studio's and those of installed packages.

    Raises UserError when it cannot be read.
    """
    source = AnomalySource(_project(folder) if path is None else None, path)
    if source.own_problem is not None:
        raise source.own_problem
    if path is not None:
        return source.library
    for problem in source.problems():
        say(f"waymark: {problem}", err=True)
    return AnomalyLibrary(tuple(listed.anomaly for listed in source.listed()))


def _versions(declared: Anomaly) -> str:
    """The Android versions it is for: its own, or those of its commands."""
    return str(declared.versions) or ", ".join(str(native.versions) for native in declared.native)


def _as_dict(declared: Anomaly) -> dict[str, Any]:
    return {
        "id": declared.id, "kind": declared.kind, "family": declared.family, "category": declared.category,
        "language": declared.language, "description": declared.description, "activity": declared.activity,
        "answer": declared.answer, "risk": declared.risk, "unsafe": list(declared.unsafe_answers),
        "android": _versions(declared), "line": declared.place.line,
        "parameters": [
            {key: value for key, value in asdict(parameter).items() if key != "place"}
            for parameter in declared.parameters
        ],
        "answers": [
            {"answer": answer.name, "button": answer.button, "event": answer.event,
             "follow_ups": [_follow_up(follow) for follow in answer.follow_ups]}
            for answer in declared.answers
        ],
        "commands": [
            {"android": str(native.versions), "apply": [command.text for command in native.apply],
             "undo": [command.text for command in native.undo],
             "verify": [_check(check) for check in native.verify],
             "remember": {name: read.command.text for name, read in native.remember.items()}}
            for native in declared.native
        ],
        "undo": [command.text for command in declared.undo],
    }  # fmt: skip


def _check(check: ChangeCheck) -> dict[str, object]:
    return {"command": check.command.text, "expect": check.expect, "once": check.once}


def _follow_up(follow: FollowUp) -> dict[str, str]:
    command = follow.command.text if follow.command is not None else ""
    return {
        "type": follow.type,
        "command": command,
        "message": follow.message,
        "description": follow.description,
    }


def _print(declared: Anomaly) -> None:
    say(f"{declared.id}: {declared.description}" if declared.description else declared.id)
    words = (declared.category, declared.language, declared.kind, declared.activity, _versions(declared))
    say("  " + ", ".join(part for part in words if part))
    if declared.risk:
        unsafe = ", ".join(declared.unsafe_answers)
        say("  " + _("Risk: {risk}; unsafe: {answers}", risk=_(RISKS[declared.risk]), answers=unsafe))
    written = {answer.button for answer in declared.answers} | {answer.event for answer in declared.answers}
    for parameter in declared.parameters:
        if declared.kind == NATIVE or str(parameter.value) not in written:
            say(f"  {parameter.name}: {one_line(parameter.value, 200)}")
    for answer in declared.answers:
        say(f"  {answer.name}: {answer.button} [{answer.event}]")
        for follow in answer.follow_ups:
            text = follow.command.text if follow.command is not None else follow.message
            say(f"    {one_line(text, 200)}")
    for native in declared.native:
        _print_native(native)
    for command in declared.undo:
        say("  " + _("undo: {command}", command=command.text))


def _print_native(native: NativeCommands) -> None:
    say("  " + _("Android {versions}", versions=str(native.versions) or _("any version")))
    for name, read in native.remember.items():
        say("    " + _("remember {name}: {command}", name=name, command=read.command.text))
    for command in native.apply:
        say(f"    {command.text}")
    for check in native.verify:
        say("    " + _("check: {command}", command=check.command.text))
    for command in native.undo:
        say("    " + _("undo: {command}", command=command.text))
