"""What is wrong with the tasks of a project: the part of the whole check that is about ``tasks.yaml``."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator

from collector.located_yaml.source import YamlSource, read_source
from collector.model.finding import Finding
from collector.project_check.broken_files import broken_files, keys_twice
from collector.project_check.project_check import finding_of, read_rule_texts
from collector.project_check.task_word_findings import check_parameters, check_replies
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.rule_files import read_text
from collector.rules.lint.indexes import TaskIndex
from collector.rules.lint.rule_linter import RuleLinter
from collector.store.checks.task_check import check_task_file, check_tasks
from collector.store.files.layout import TASKS_FILE
from collector.store.project.project import Project


def task_findings(project: Project, task_id: str = "") -> list[Finding]:
    """What is wrong with the tasks, or with one of them: keys, values, and the rules and states they name."""
    damaged = check_task_file(project)
    if damaged:
        return broken_files(project, [project.paths.tasks]) or damaged
    found = [*_broken(project, task_id), *check_tasks(project, task_id), *check_replies(project, task_id)]
    return [*found, *check_parameters(project, task_id), *_names(project, task_id)]


def _broken(project: Project, task_id: str) -> Iterator[Finding]:
    """Marks of a merge and keys that stand there twice; of one task the latter in its entry."""
    if not task_id:
        yield from broken_files(project, [project.paths.tasks])
        return
    try:
        source = read_source(read_text(project.paths.tasks))
    except RuleError:
        return  # there is no file yet
    yield from keys_twice(TASKS_FILE, source, _lines_of(source, task_id))


def _lines_of(source: YamlSource, task_id: str) -> range:
    """The lines of the entry of a task."""
    root = source.root
    tasks = root.get("tasks") if root is not None and root.kind == "mapping" else None
    entries = [entry for entry in (tasks.items if tasks is not None else ()) if entry.kind == "mapping"]
    for number, entry in enumerate(entries, 1):
        name = entry.get("id")
        if name is not None and name.text == task_id:
            after = entries[number].place.line if number < len(entries) else sys.maxsize
            return range(entry.place.line, after)
    return range(0)


def _names(project: Project, task_id: str) -> Iterator[Finding]:
    """Rules and states that tasks name and that do not exist, with their lines."""
    try:
        index = TaskIndex.read(read_text(project.paths.tasks), TASKS_FILE)
    except RuleError:
        return  # there is no file yet
    pending = frozenset(state.id for state in project.new_states)
    tasks = tuple(task for task in index.tasks if task_id in ("", task.id.text))
    texts, _problems = read_rule_texts(project)
    linter = RuleLinter(
        texts, dataclasses.replace(index, tasks=tasks, pending_states=pending), None,
        semantics=project.semantics, has_every_file=True,
    )  # fmt: skip
    for diagnostic in linter.diagnostics():
        finding = finding_of(diagnostic) if diagnostic.path == TASKS_FILE else None
        if finding is not None:
            yield finding
