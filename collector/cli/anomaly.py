"""``waymark anomaly``: list, show, check.

Exit status of ``check``: 0 nothing or only warnings found, 1 errors found, 2 wrong usage.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

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
from collector.anomalies.reader import read_library
from collector.cli.diagnostic_output import as_dict, counts_of, print_findings
from collector.cli.output import json_option, one_line, print_json, print_table, say
from collector.cli.rule_files import FILE
from collector.located_yaml.nearest_word import nearest
from collector.model.i18n import _
from collector.rules.grammar.errors import RuleError
from collector.rules.lint.rule_files import read_text
from collector.rules.lint.rule_linter import has_errors

_library_option = click.option("--library", type=FILE, help="Another library than the studio's own.")


@click.group()
def anomaly() -> None:
    """Look at libraries of anomalies, and check them."""


@anomaly.command("list")
@click.option("--category", type=click.Choice(CATEGORIES, case_sensitive=False), help="Only this category.")
@click.option("--language", default="", help="Only what is in this language, as en or zh, or shows no words.")
@_library_option
@json_option
def list_(category: str | None, language: str, library: Path | None, as_json: bool) -> None:
    """List the anomalies of a library."""
    found = _library(library).select(category or "", language)
    if as_json:
        print_json({"anomalies": [_as_dict(one) for one in found]})
        return
    header = (_("Id"), _("Category"), _("Language"), _("Buttons"), _("Android"), _("Description"))
    rows = [
        (one.id, one.category, one.language, one.buttons or "", _versions(one), one.description)
        for one in found
    ]
    print_table(header, rows)


@anomaly.command()
@click.argument("anomaly_id", metavar="ID")
@_library_option
@json_option
def show(anomaly_id: str, library: Path | None, as_json: bool) -> None:
    """Show one anomaly: its words, its answers with what follows them, its commands and their undo."""
    known = _library(library)
    found = known.get(anomaly_id)
    if found is None:
        near = [one.id for one in known.anomalies if one.family == anomaly_id]
        near = near or [nearest(anomaly_id, [one.id for one in known.anomalies])]
        to_do = _("Name one of: {known}", known=", ".join(near)) if near[0] else ""
        raise RuleError(_("The library has no anomaly {id}", id=anomaly_id), "", to_do)
    if as_json:
        print_json(_as_dict(found))
    else:
        _print(found)


@anomaly.command()
@click.argument("files", nargs=-1, type=FILE)
@json_option
def check(files: tuple[Path, ...], as_json: bool) -> int:
    """Find what is wrong with libraries of anomalies; without FILES, with the studio's own.

    Told are unknown keys and activities, buttons and follow-ups that do not find each other, commands
    that name another app, ids that stand twice, and commands that wipe, restart or uninstall.
    """
    libraries = [_library(path) for path in files] or [builtin_library()]
    found = [one for library in libraries for one in check_library(library)]
    if as_json:
        print_json({"findings": [as_dict(one) for one in found], "counts": counts_of(found)})
    else:
        print_findings(found)
    return int(has_errors(found))


def _library(path: Path | None) -> AnomalyLibrary:
    return read_library(read_text(path), str(path)) if path is not None else builtin_library()


def _versions(one: Anomaly) -> str:
    """Android versions it is for: its own, else all those its commands know."""
    return str(one.versions) or ", ".join(str(native.versions) for native in one.native)


def _as_dict(one: Anomaly) -> dict[str, Any]:
    return {
        "id": one.id, "kind": one.kind, "family": one.family, "category": one.category,
        "language": one.language, "description": one.description, "activity": one.activity,
        "answer": one.answer,
        "android": _versions(one), "line": one.place.line,
        "parameters": [
            {key: value for key, value in asdict(parameter).items() if key != "place"}
            for parameter in one.parameters
        ],
        "answers": [
            {"answer": answer.name, "button": answer.button, "event": answer.event,
             "follow_ups": [_follow_up(follow) for follow in answer.follow_ups]}
            for answer in one.answers
        ],
        "commands": [
            {"android": str(native.versions), "apply": [command.text for command in native.apply],
             "undo": [command.text for command in native.undo],
             "verify": [_check(check) for check in native.verify],
             "remember": {name: read.command.text for name, read in native.remember.items()}}
            for native in one.native
        ],
        "undo": [command.text for command in one.undo],
    }  # fmt: skip


def _check(one: ChangeCheck) -> dict[str, object]:
    return {"command": one.command.text, "expect": one.expect, "once": one.once}


def _follow_up(one: FollowUp) -> dict[str, str]:
    command = one.command.text if one.command is not None else ""
    return {"type": one.type, "command": command, "message": one.message, "description": one.description}


def _print(one: Anomaly) -> None:
    say(f"{one.id}: {one.description}" if one.description else one.id)
    told = (one.category, one.language, one.kind, one.activity, _versions(one))
    say("  " + ", ".join(part for part in told if part))
    written = {answer.button for answer in one.answers} | {answer.event for answer in one.answers}
    for parameter in one.parameters:
        if one.kind == NATIVE or str(parameter.value) not in written:
            say(f"  {parameter.name}: {one_line(parameter.value, 200)}")
    for answer in one.answers:
        say(f"  {answer.name}: {answer.button} [{answer.event}]")
        for follow in answer.follow_ups:
            said = follow.command.text if follow.command is not None else follow.message
            say(f"    {one_line(said, 200)}")
    for native in one.native:
        _print_native(native)
    for command in one.undo:
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
