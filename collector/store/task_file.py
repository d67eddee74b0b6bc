"""Read ``tasks.yaml``, and change it while comments and unknown keys stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from collector.located_yaml.safe_load import MAX_BYTES, MAX_VALUES
from collector.model.i18n import _
from collector.model.task import Task
from collector.store import format_versions as versions
from collector.store import yaml_files
from collector.store.errors import Damaged, StoreError
from collector.store.layout import TASKS_FILE

_TEXTS = ("id", "instruction", "app", "package", "level", "category", "rule_key", "note", "reset")
_NUMBERS = ("max_steps", "golden_wanted")
_LISTS = ("target_rule_ids", "essential_states")
_KEYS = tuple(field.name for field in fields(Task) if field.name != "extra")
_DEFAULTS = Task(id="", instruction="")
_LARGE_FILE = 128 * 1024
_NEAR_LIMIT = 0.5
_FEW_TASKS = 20
"""Reading so many tasks back one by one takes as long as reading a large file."""


def read_tasks(path: Path) -> tuple[Task, ...]:
    """The tasks of a file. Raises Damaged, naming the task that cannot be read."""
    return _tasks_of(yaml_files.load(path), path.name)


def _tasks_of(document: Any, name: str) -> tuple[Task, ...]:
    """The tasks of a loaded file called ``name``."""
    entries = versions.TASKS.upgrade(document or {}, name).get("tasks") or []
    if not isinstance(entries, list):
        raise Damaged(_("{name} cannot be read", name=name), _("`tasks` is not a list"))
    tasks: dict[str, Task] = {}
    for number, entry in enumerate(entries, start=1):
        try:
            task = task_from_mapping(entry)
        except ValueError as error:
            raise Damaged(
                _("Task {number} of {name} cannot be read", number=number, name=name), str(error)
            ) from None
        if task.id in tasks:
            raise Damaged(
                _("{name} has two tasks with the id {id}", name=name, id=task.id),
                _("an id names the folder of a task's trajectories"),
                _("Rename one of them"),
            )
        tasks[task.id] = task
    return tuple(tasks.values())


def task_from_mapping(entry: object) -> Task:
    """The task of an entry. Raises ValueError with what is missing or of the wrong kind."""
    if not isinstance(entry, Mapping):
        raise ValueError(_("it is not a mapping"))
    values: dict[str, Any] = {}
    for key in _TEXTS:
        if entry.get(key) is not None:
            if isinstance(entry[key], (list, dict)):
                raise ValueError(_("{key} is not a text", key=key))
            values[key] = str(entry[key])
    for key in _NUMBERS:
        if entry.get(key) is not None:
            if type(entry[key]) is not int or entry[key] < 0:
                raise ValueError(_("{key} is not a number from 0 up", key=key))
            values[key] = entry[key]
    for key in _LISTS:
        if entry.get(key) is not None:
            if not isinstance(entry[key], list):
                raise ValueError(_("{key} is not a list", key=key))
            values[key] = tuple(map(str, entry[key]))
    if not values.get("id", "").strip():
        raise ValueError(_("it has no id"))
    values.setdefault("instruction", "")
    return Task(**values, extra={str(key): value for key, value in entry.items() if key not in _KEYS})


def task_to_mapping(task: Task) -> dict[str, Any]:
    """The entry of a task, without keys that repeat a default, its texts quoted where YAML needs it."""
    values: dict[str, Any] = {}
    for key in _KEYS:
        value = getattr(task, key)
        if key in ("id", "instruction") or value != getattr(_DEFAULTS, key):
            values[key] = list(value) if isinstance(value, tuple) else value
    extra = {key: value for key, value in task.extra.items() if key not in _KEYS}
    entry: dict[str, Any] = yaml_files.quoted({**values, **extra})
    return entry


def new_file(tasks: Iterable[Task]) -> bytes:
    """The bytes of a new ``tasks.yaml``."""
    return yaml_files.dump(versions.TASKS.stamp({"tasks": [task_to_mapping(task) for task in tasks]}))


def check_readable(data: bytes, tasks: Sequence[Task], before: Sequence[Task] = ()) -> None:
    """Raise StoreError unless ``data``, made to hold ``tasks``, reads back as them.

    Of a large file only the tasks that are not in ``before`` are read back, so that an edit stays fast.
    """
    known = {task.id: task for task in before}
    changed = [task for task in tasks if known.get(task.id) != task]
    is_near_limit = max(len(data) / MAX_BYTES, data.count(b"\n") * 2 / MAX_VALUES) > _NEAR_LIMIT
    if len(data) > _LARGE_FILE and len(changed) <= _FEW_TASKS and not is_near_limit:
        for task in changed:
            check_task(task)
        return
    read = {task.id: task for task in _read_back(data)}
    for task in tasks:
        if not _is_same(read.get(task.id), task, with_extra=task in changed):
            raise _not_readable(task.id)


def check_task(task: Task) -> None:
    """Raise StoreError unless the entry of ``task`` reads back as it."""
    read = _read_back(new_file((task,)))
    if not read or not _is_same(read[0], task):
        raise _not_readable(task.id)


def _read_back(data: bytes) -> tuple[Task, ...]:
    try:
        return _tasks_of(yaml_files.parse(data, TASKS_FILE), TASKS_FILE)
    except StoreError as error:
        raise StoreError(
            _("{name} is not saved, because it could not be read again", name=TASKS_FILE),
            error.why or error.what,
            _("The file on the disk is as it was"),
        ) from None


def _is_same(read: Task | None, task: Task, *, with_extra: bool = True) -> bool:
    """Whether a task was read back as it was; by their texts, because no number is equal to ``nan``."""
    if read is None:
        return False
    if not with_extra:
        read, task = replace(read, extra={}), replace(task, extra={})
    return read == task or repr(read) == repr(task)


def _not_readable(task_id: str) -> StoreError:
    return StoreError(
        _("Task {id} is not saved, because it could not be read again as it is", id=repr(task_id)),
        "",
        _("Remove unusual characters and values from it; the file on the disk is as it was"),
    )


def edited_file(path: Path, tasks: Sequence[Task]) -> bytes:
    """The bytes of ``path`` with other tasks; unchanged lines keep their comments and style."""
    document = yaml_files.load_for_edit(path)
    entries = document.get("tasks") if isinstance(document, dict) else None
    if not entries:
        return new_file(tasks)
    by_id = {task.id: task for task in tasks}
    for index in reversed(range(len(entries))):
        if str(entries[index].get("id")) not in by_id:
            del entries[index]
    present = {str(entry["id"]): entry for entry in entries}
    for task in tasks:
        if task.id in present:
            _change(present[task.id], task)
        else:
            present[task.id] = task_to_mapping(task)
            entries.append(present[task.id])
    if [str(entry["id"]) for entry in entries] != list(by_id):
        entries[:] = [present[task.id] for task in tasks]
    return yaml_files.dump(document)


def _change(entry: Any, task: Task) -> None:
    before, after = task_to_mapping(task_from_mapping(entry)), task_to_mapping(task)
    for key in before.keys() - after.keys():
        del entry[key]
    for key, value in after.items():
        if key not in before or before[key] != value:
            entry[key] = value
