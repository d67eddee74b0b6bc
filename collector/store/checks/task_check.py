"""Check the tasks of a project: the file itself, its keys, and values that mean nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from collector.located_yaml.nearest_word import nearest
from collector.located_yaml.source import read_source
from collector.located_yaml.yaml_node import YamlNode
from collector.model.errors import UserError
from collector.model.expected_answer import ANY_OF, MATCHING_RULES, problem_of_answer
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import LEVELS, RESETS, TASK_TYPES, Task
from collector.store.checks.target_check import check_target
from collector.store.checks.unknown_keys import unknown_key
from collector.store.files import layout
from collector.store.files.errors import StoreError
from collector.store.files.findings import WARNING, damaged_file
from collector.store.files.names import folder_name
from collector.store.project.project import Project
from collector.store.tasks.task_file import KEYS, TARGET, VERSION_2_KEYS, read_tasks
from collector.store.tasks.task_values import bound_by_seed

_TOP_KEYS = ("format", "version", "tasks")
_TOP_KEY = re.compile(r"^([^\s#{\[%&!-][^\n]*?)[ \t]*:(?=\s|$)", re.MULTILINE)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")


def check_task_file(project: Project) -> list[Finding]:
    """Read the task file as it is on the disk now; nothing when it can be read."""
    path = project.paths.tasks
    if not os.path.lexists(path):
        return []
    try:
        read_tasks(path)
    except StoreError as error:
        return [damaged_file(layout.TASKS_FILE, error)]
    return []


def check_tasks(project: Project, task_id: str = "") -> Iterator[Finding]:
    """Check the tasks that could be read, one by one, or only the one with an id."""
    folded: dict[str, Task] = {}
    lines = _TaskLines(project)
    yield from _top_keys(lines)
    for task in project.tasks:
        if task_id not in ("", task.id):
            continue
        yield from _meaningless(task, lines)
        if not task.instruction.strip():
            yield Finding(
                "task-empty", WARNING, _("Task {id} has no instruction", id=task.id), where=layout.TASKS_FILE
            )
        if task.level and task.level not in LEVELS:
            text = _("Task {id} has the level {level}, which is unusual", id=task.id, level=task.level)
            yield Finding("task-level", WARNING, text, where=layout.TASKS_FILE)
        if task.type and task.type not in TASK_TYPES:
            text = _(
                "Task {id} has the type {type}, which is neither state nor process",
                id=task.id,
                type=task.type,
            )
            yield Finding("task-type", WARNING, text, where=layout.TASKS_FILE)
        if text := _answer_problem(task):
            yield Finding("task-answer", WARNING, text, where=layout.TASKS_FILE)
        yield from check_target(task, lines.place_of)
        yield from _kept_values(task)
        other = folded.setdefault(folder_name(task.id).casefold(), task)
        if other is not task:
            text = _(
                "Tasks {one} and {other} share a folder on Windows and macOS", one=other.id, other=task.id
            )
            yield Finding("task-folder", WARNING, text, where=layout.TASKS_FILE)


class _TaskLines:
    """Where the entries of ``tasks.yaml`` and their keys stand; the file is read when a line is asked for."""

    def __init__(self, project: Project) -> None:
        self._path = project.paths.tasks

    @cached_property
    def text(self) -> str:
        """The file; empty when it cannot be read."""
        try:
            return self._path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    @cached_property
    def _entries(self) -> Mapping[str, YamlNode]:
        root = read_source(self.text).root
        tasks = root.get("tasks") if root is not None and root.kind == "mapping" else None
        entries: dict[str, YamlNode] = {}
        for entry in tasks.items if tasks is not None else ():
            name = entry.get("id") if entry.kind == "mapping" else None
            if name is not None and name.kind == "scalar":
                entries[name.text] = entry
        return entries

    def place_of(self, task_id: str, path: Sequence[str | int]) -> str:
        """``tasks.yaml:LINE`` of the value that a path leads to, or of the nearest around it."""
        node: YamlNode | None = self._entries.get(task_id)
        line = 0
        for part in path:
            if node is None:
                break
            if isinstance(part, int):
                node = node.items[part] if part < len(node.items) else None
            else:
                key, node = node.key(str(part)), node.get(str(part))
                line = key.place.line if key is not None else line
            line = node.place.line if node is not None and node.kind != "scalar" else line
        return f"{layout.TASKS_FILE}:{line}" if line else layout.TASKS_FILE

    def place(self, task_id: str, key: str) -> str:
        """``tasks.yaml:LINE`` of the key of a task; without the line when it is not known."""
        entry = self._entries.get(task_id)
        node = entry.key(key) if entry is not None else None
        return layout.TASKS_FILE if node is None else f"{layout.TASKS_FILE}:{node.place.line}"


def _meaningless(task: Task, lines: _TaskLines) -> Iterator[Finding]:
    """Keys that are like a known one, and values that nothing obeys."""
    for key in task.extra:
        # What is unlike every known key is of another program: an import keeps it, and so does every edit.
        if key not in VERSION_2_KEYS and nearest(key, KEYS):
            subject, where = _("Task {id}", id=task.id), lines.place(task.id, key)
            yield unknown_key("task-key", subject, key, KEYS, where, of_others=True)
    if task.reset and task.reset not in RESETS:
        text = _("Task {id} resets {value}, which is nothing that can be reset", id=task.id, value=task.reset)
        to_do = _("Use one of: {known}", known=", ".join(RESETS))
        yield Finding("task-reset", WARNING, text, "", to_do, lines.place(task.id, "reset"))
    if task.language and not _LANGUAGE.fullmatch(task.language):
        text = _("Task {id} has the language {value}, which is no code", id=task.id, value=task.language)
        to_do = _("Write a code as `en`, `zh` or `pt-BR`")
        yield Finding("task-language", WARNING, text, "", to_do, lines.place(task.id, "language"))


def _top_keys(lines: _TaskLines) -> Iterator[Finding]:
    for match in _TOP_KEY.finditer(lines.text):
        key = match[1].strip("\"'")
        if key not in _TOP_KEYS:
            where = f"{layout.TASKS_FILE}:{lines.text.count(chr(10), 0, match.start()) + 1}"
            yield unknown_key("task-key", _("The file"), key, _TOP_KEYS, where, of_others=True)


def _answer_problem(task: Task) -> str:
    """What is wrong with the expected answer of a task, in a sentence; empty when nothing is."""
    answer = _with_sample_values(task).expected_answer
    if answer is None:
        return ""
    if answer.rule not in MATCHING_RULES:
        return _(
            "Task {id} compares answers by {rule}; there are only: {known}",
            id=task.id, rule=answer.rule, known=", ".join(MATCHING_RULES),
        )  # fmt: skip
    if answer.rule != ANY_OF and len(answer.texts) > 1:
        return _("Task {id} expects several answers; its rule has to be any of", id=task.id)
    if problem := problem_of_answer(answer):
        return _("Task {id} expects an answer that none can match: {problem}", id=task.id, problem=problem)
    return ""


def _with_sample_values(task: Task) -> Task:
    """The task with values of its parameters; as it is when it has none of them."""
    try:
        return bound_by_seed(task, DEFAULT_SEED)
    except UserError:
        return task


def _kept_values(task: Task) -> Iterator[Finding]:
    """Values of another kind than their key has; they are kept as they are and mean nothing."""
    for key in task.extra:
        if key in VERSION_2_KEYS and key != TARGET:
            text = _("Task {id} has a value under {key} that means nothing there", id=task.id, key=key)
            yield Finding("task-value", WARNING, text, where=layout.TASKS_FILE)
