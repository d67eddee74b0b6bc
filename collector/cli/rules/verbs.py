"""``waymark rules``: check, schema. What tries rules on screens is in :mod:`collector.cli.rules.try_rules`.

Exit status of ``check``: 0 nothing or only warnings found, 1 errors found, 2 wrong usage.
"""

from __future__ import annotations

from pathlib import Path

import click

from collector import __version__
from collector.anomalies.anomaly_source import AnomalySource
from collector.cli.diagnostic_output import show_diagnostics
from collector.cli.output import json_option, print_json
from collector.cli.rules.files import FILE, library_option, semantics_option
from collector.cli.verb_groups import rules
from collector.located_yaml.diagnostics import has_errors
from collector.model.i18n import _
from collector.project_rules.project_rules import ProjectRules
from collector.rules.grammar.json_schema import schema_of
from collector.rules.grammar.model import KINDS, WAYMARK
from collector.rules.grammar.rule_files import read_rule_text, read_text
from collector.rules.lint.indexes import AnomalyIndex, TaskIndex
from collector.rules.lint.recorded_checks import RecordedChecks
from collector.rules.lint.rule_linter import RuleLinter
from collector.rules.lint.sarif import to_sarif


@rules.command()
@click.argument("files", nargs=-1, type=FILE)
@click.option("--tasks", type=FILE, help="tasks.yaml, or a list of tasks in D-GARA's JSON.")
@library_option
@click.option(
    "--project", type=click.Path(path_type=Path), help="Project to take tasks, library and recordings from."
)
@semantics_option
@json_option
@click.option("--sarif", is_flag=True, help="Print SARIF 2.1.0, for code hosts and editors.")
def check(
    files: tuple[Path, ...],
    tasks: Path | None,
    library: Path | None,
    project: Path | None,
    semantics: str | None,
    as_json: bool,
    sarif: bool,
) -> int:
    """Check rule files; each finding has its line, its reason and its fix.

    With --project and no FILES it checks all rule files of the project. A comment
    `# waymark: ignore W403` silences a finding on its line.
    """
    if not files and project is None:
        raise click.UsageError(_("Name rule files, or a project with --project"))
    if as_json and sarif:
        raise click.UsageError(_("--json and --sarif cannot be used together"))
    lint = _lint(files, tasks, library, project, semantics)
    named = {str(path) for path in (*files, tasks, library) if path is not None} if files else None
    diagnostics = [
        diagnostic for diagnostic in lint.diagnostics() if named is None or diagnostic.path in named
    ]
    if sarif:
        print_json(to_sarif(diagnostics, _texts(lint), __version__))
        return int(has_errors(diagnostics))
    return show_diagnostics(diagnostics, as_json=as_json)


def _lint(
    files: tuple[Path, ...],
    tasks: Path | None,
    library: Path | None,
    project: Path | None,
    semantics: str | None,
) -> RuleLinter:
    own = ProjectRules.open(project) if project is not None else None
    others = [path for path in own.paths if path.resolve() not in _resolved(files)] if own else []
    tasks = tasks or (own.tasks_path if own is not None else None)
    library = library or (own.library_path if own is not None else None)
    index = AnomalyIndex.read(read_text(library), str(library)) if library is not None else None
    if index is None and own is not None:
        index = AnomalySource(own.project).installed_index()
    semantics = semantics or (own.project.semantics if own is not None else WAYMARK)
    return RuleLinter(
        [read_rule_text(path) for path in (*files, *others)],
        TaskIndex.read(read_text(tasks), str(tasks)) if tasks is not None else None,
        index,
        RecordedChecks(own.back_test(semantics)) if own is not None else None,
        semantics,
        has_every_file=own is not None,
    )


def _resolved(files: tuple[Path, ...]) -> set[Path]:
    return {path.resolve() for path in files}


def _texts(lint: RuleLinter) -> dict[str, str]:
    texts = {file.path: file.text for file in lint.files}
    for index in (lint.tasks, lint.library):
        if index is not None:
            texts[index.path] = index.text
    return texts


@rules.command()
@click.argument("kind", type=click.Choice(KINDS), required=False)
def schema(kind: str | None) -> None:
    """Print the JSON Schema of rule files, for editors: of one kind, or of all."""
    print_json(schema_of(kind or ""))
