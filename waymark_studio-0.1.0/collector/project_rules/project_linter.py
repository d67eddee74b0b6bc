"""The rule linter over all files of a project: its rules, tasks, anomaly library and recordings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from collector.located_yaml.diagnostics import Diagnostic
from collector.project_rules.project_rules import ProjectRules
from collector.rules.grammar.model import STATE
from collector.rules.grammar.rule_files import read_rule_text, read_text
from collector.rules.grammar.rule_text import RuleText
from collector.rules.lint.indexes import AnomalyIndex, TaskIndex
from collector.rules.lint.recorded_checks import RecordedChecks
from collector.rules.lint.rule_linter import RuleLinter

_OF_STATES = ("W204", "W210", "W213", "W214", "W215")
"""Codes about essential states, whatever file they are found in: a task may name one that does not exist."""


def project_linter(project: ProjectRules) -> RuleLinter:
    """A linter of every rule file of a project. Raises RuleError when a file cannot be read."""
    tasks, library = project.tasks_path, project.library_path
    semantics = project.project.semantics
    return RuleLinter(
        [read_rule_text(path) for path in project.paths],
        TaskIndex.read(read_text(tasks), str(tasks)) if tasks is not None else None,
        AnomalyIndex.read(read_text(library), str(library)) if library is not None else None,
        RecordedChecks(project.back_test(semantics)),
        semantics,
        has_every_file=True,
    )


def state_diagnostics(linter: RuleLinter) -> Iterator[Diagnostic]:
    """The diagnostics about essential states: those of their files, and those of names in other files."""
    paths = {file.path for file in _state_files(linter.files)}
    return (item for item in linter.diagnostics() if item.path in paths or item.code in _OF_STATES)


def _state_files(files: Iterable[RuleText]) -> Iterator[RuleText]:
    return (file for file in files if file.file.kind == STATE)
