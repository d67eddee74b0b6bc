"""One task per line, with its essential states as a list inside a text."""

from __future__ import annotations

import ast
import dataclasses
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.fixed_tasks import fixed_tasks
from collector.exchange.format import FOR_BENCHMARKS, STATES, TASKS, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.mending import mend_task
from collector.exchange.source.model import SourceItem, SourceTasks, in_sentences
from collector.model.essential_state import EssentialState
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.store.files.disk import Disk
from collector.store.tasks.task_file import answer_from, answer_values

KEYS = ("name", "task", "level", "category", "max_steps", "app", "app_package")
STATE_KEYS = ("essential states", "essential_states")
_OWN_TEXTS = ("type", "language", "app_category")
"""Keys that AITK does not have, written when a task has a value for them; its scripts pass over them."""
_FIELDS = {
    "name": "id", "task": "instruction", "level": "level", "category": "category", "max_steps": "max_steps",
    "app": "app", "app_package": "package", **dict.fromkeys(STATE_KEYS, "essential_states"),
    **{key: key for key in (*_OWN_TEXTS, "human_validation", "expected_answer")},
}  # fmt: skip
"""Key -> the field of a task that holds its value."""
_EXPORTED = frozenset((*_FIELDS.values(), "extra"))
_OWN_KEYS = frozenset(field.name for field in dataclasses.fields(Task))
_SOURCE = "aitk"
"""The line as it was imported, among ``extra`` of a task whose values do not give it back."""


def task_from(values: Mapping[str, Any]) -> Task:
    """A task from a line of ``tasks.jsonl`` or from ``history.json``. Raises ValueError when it is none.

    Its essential states are sentences; :mod:`collector.exchange.imports.trajectory_import` gives them ids.
    """
    name, instruction = values.get("name"), values.get("task")
    if not isinstance(name, str) or not name.strip():
        raise ValueError(_("it has no name"))
    steps = values.get("max_steps")
    states = essential_states(next((values[key] for key in STATE_KEYS if values.get(key)), None))
    return Task(
        id=name.strip(),
        instruction=str(instruction or ""),
        app=str(values.get("app") or ""),
        package=str(values.get("app_package") or ""),
        level=str(values.get("level") or ""),
        category=str(values.get("category") or ""),
        max_steps=steps if type(steps) is int and steps > 0 else 0,
        essential_states=states,
        human_validation=values.get("human_validation") is True,
        expected_answer=answer_from(values.get("expected_answer")),
        **{key: values[key] for key in _OWN_TEXTS if isinstance(values.get(key), str)},
    )


def task_line(task: Task, states: Mapping[str, EssentialState], log: ExchangeLog) -> dict[str, Any]:
    """A task as a line of ``tasks.jsonl``; what it has no key for goes into the log.

    A value that was imported and not changed since is as it was in its source, the order of the keys too.
    """
    _report_losses(task, states, log)
    task = in_sentences(task, states)
    line, source = _plain_line(task), task.extra.get(_SOURCE)
    if not isinstance(source, dict):
        return line
    try:
        before = mend_task(task_from(source), "", ExchangeLog())
    except ValueError:
        return line
    kept = {key: source[key] for key, field in _FIELDS.items() if _is_kept(key, field, source, before, task)}
    unknown = {
        key: source[key]
        for key in source
        if key not in _FIELDS and (key in task.extra or f"source_{key}" in task.extra)
    }
    line = {key: value for key, value in line.items() if key not in {f"source_{key}" for key in unknown}}
    if any(key in kept for key in STATE_KEYS):
        line.pop(STATE_KEYS[0])
    left_out = {key for key in line if key in _FIELDS and key not in source and _is_unset(key, task)}
    values = {key: value for key, value in line.items() if key not in left_out} | kept | unknown
    return {key: values[key] for key in (*(key for key in source if key in values), *values)}


def _plain_line(task: Task) -> dict[str, Any]:
    """The line of a task whose essential states are sentences."""
    known: dict[str, Any] = {key: getattr(task, _FIELDS[key]) for key in KEYS}
    known[STATE_KEYS[0]] = json.dumps(list(task.essential_states), ensure_ascii=False)
    own = {key: getattr(task, key) for key in (*_OWN_TEXTS, "human_validation") if getattr(task, key)}
    if task.expected_answer is not None:
        own["expected_answer"] = answer_values(task.expected_answer)
    extra = {key: value for key, value in task.extra.items() if key not in known and key != _SOURCE}
    return {**known, **own, **extra}


def _is_kept(key: str, field: str, source: Mapping[str, Any], before: Task, task: Task) -> bool:
    """Whether the source has a key, and a task still has the value that was read from it."""
    old, new = getattr(before, field), getattr(task, field)
    if key in STATE_KEYS:  # a sentence of nothing names no state
        old = tuple(sentence for sentence in old if sentence.strip())
    return key in source and bool(old == new)


def _is_unset(key: str, task: Task) -> bool:
    return not getattr(task, _FIELDS[key])


def _report_losses(task: Task, states: Mapping[str, EssentialState], log: ExchangeLog) -> None:
    unset = Task("", "")
    for field in dataclasses.fields(Task):
        if field.name not in _EXPORTED and getattr(task, field.name) != getattr(unset, field.name):
            log.add("field-lost", _("The format has no place for `{name}`", name=field.name), step=task.id)
    for state_id in task.essential_states:
        state = states.get(state_id)
        if state is not None and state != EssentialState(state.id, state.sentence):
            text = _("The format keeps the sentence of an essential state and nothing else of it")
            log.add("state-lost", text, step=state_id)


def essential_states(value: object) -> tuple[str, ...]:
    """The sentences of a list, or of a list written as a text in JSON or Python.

    Raises ValueError when a text is neither. Nothing is ever executed.
    """
    if value is None:
        return ()
    if isinstance(value, str):
        value = _written_list(value)
    if not isinstance(value, (list, tuple)):
        raise ValueError(_("its essential states are no list"))
    return tuple(str(sentence) for sentence in value)


def _written_list(text: str) -> object:
    for reader in (json.loads, ast.literal_eval):
        try:
            return reader(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def detect(path: Path) -> float:
    """Sure when the first line of a ``.jsonl`` file has a name, a task and a package."""
    for candidate in _candidates(path):
        try:
            first = json.loads(source_files.read_text(candidate).split("\n", 1)[0])
        except (ValueError, RecursionError):
            continue
        if isinstance(first, dict) and {"name", "task", "app_package"} <= first.keys():
            return 0.9 if path.is_file() else 0.5
    return 0.0


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """Read the tasks of every file of this format."""
    for candidate in _candidates(path):
        log.where = candidate.name
        if detect(candidate):
            log.use(candidate)
            yield SourceTasks(candidate.name, list(_tasks(candidate, log)))


def _candidates(path: Path) -> list[Path]:
    return [file for file in source_files.files(path) if file.suffix == ".jsonl"]


def _tasks(path: Path, log: ExchangeLog) -> Iterator[Task]:
    try:
        lines, bad = source_files.read_json_lines(path)
    except ExchangeError as error:
        log.add("record-unreadable", str(error))
        return
    for number in bad:
        log.add("line-unreadable", _("A line is no task and was passed over"), step=number)
    for number, line in enumerate(lines, start=1):
        try:
            task = task_from(line)
        except ValueError as error:
            log.add("task-incomplete", _("A task was left out: {why}", why=error), step=number)
            continue
        extra = {key: value for key, value in line.items() if key not in _FIELDS}
        task = dataclasses.replace(task, extra=extra)
        if json.dumps(_plain_line(task)) != json.dumps(line) or any(key in _OWN_KEYS for key in extra):
            task = dataclasses.replace(task, extra={**extra, _SOURCE: line})
        yield task


def write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    """Write the tasks of ``part``, a line each."""
    text = _("The format holds tasks alone; trajectories, rules and anomalies are only in the project")
    log.add("tasks-only", text, severity=NOTE)
    states = part.project.states
    tasks = fixed_tasks(part.tasks, log)
    lines = [json.dumps(_as_json(task_line(task, states, log)), ensure_ascii=False) for task in tasks]
    log.written.tasks += [task.id for task in part.tasks]
    Disk().write(path, "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))


def _as_json(value: Any) -> Any:
    """A value as JSON can hold it: dates and other values of YAML become texts."""
    if isinstance(value, Mapping):
        return {str(key): _as_json(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_json(entry) for entry in value]
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)


FORMAT = Format(
    id="aitk-tasks",
    title=N_("AITK tasks.jsonl"),
    use=FOR_BENCHMARKS,
    holds=(TASKS, STATES),
    files=N_("A line of JSON for each task, with the sentences of its essential states"),
    detect=detect,
    read=read,
    write=write,
    ending=".jsonl",
    licence=N_("AITK is under Apache 2.0"),
)
