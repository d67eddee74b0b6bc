"""Read ``tasks.yaml``, and change it while comments and unknown keys stay."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from collector.located_yaml.safe_load import MAX_BYTES, MAX_VALUES
from collector.located_yaml.yaml_patch.errors import DocumentError
from collector.model.app_data.kept_proof import kept_proof_from
from collector.model.app_data.target import TaskTarget
from collector.model.errors import UserError
from collector.model.expected_answer import ANY_OF, EXACT, ExpectedAnswer
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import Task, is_goal_style
from collector.model.task_parameter import Parameter, filled_in
from collector.model.user_reply import TaskReply
from collector.store.files import format_versions as versions
from collector.store.files import yaml_files
from collector.store.files.errors import Damaged, StoreError
from collector.store.files.layout import TASKS_FILE
from collector.store.tasks.parameter_entry import parameter_values, parameters_from
from collector.store.tasks.task_values import values_of
from collector.targets.reader import TargetError, read_target

_TEXTS = ("id", "instruction", "app", "package", "level", "category", "rule_key", "note", "reset")
_NEW_TEXTS = ("type", "language", "app_category")
_NUMBERS = ("max_steps", "golden_wanted")
_LISTS = ("target_rule_ids", "essential_states")
_NEW_LISTS = ("forbidden",)
_FLAG, _ANSWER, TARGET, _REWORDINGS = "human_validation", "expected_answer", "target", "rewordings"
PROOF, REPLIES, _PARAMETERS = "proof", "replies", "parameters"
KEYS = tuple(field.name for field in fields(Task) if field.name != "extra")
"""The keys of a task."""
VERSION_2_KEYS = (
    *_NEW_TEXTS, *_NEW_LISTS, _FLAG, _ANSWER, TARGET, _REWORDINGS, PROOF, REPLIES, _PARAMETERS,
)  # fmt: skip
"""Keys that version 1 did not know. A value of another kind than theirs stays among ``extra``."""
_OLD_KEYS = tuple(key for key in KEYS if key not in VERSION_2_KEYS)
_DEFAULTS = Task(id="", instruction="")
_REPLY_KEYS = {"question", "answer", "needed"}
_NEAR_LIMIT = 0.5
_GONE = object()


@dataclass(frozen=True, slots=True)
class StoredTasks:
    """The tasks as a file holds them. In version 1 ``essential_states`` are sentences or ids."""

    tasks: tuple[Task, ...] = ()
    version: int = versions.TASKS.version


def read_tasks(path: Path) -> StoredTasks:
    """The tasks of a file. Raises Damaged, naming the task that cannot be read."""
    value = yaml_files.load(path)
    return StoredTasks(tasks_of(value, path.name), version_of(value))


def version_of(value: object) -> int:
    """The version of a loaded document that :func:`tasks_of` could read."""
    return int(value.get("version", 1)) if isinstance(value, Mapping) else versions.TASKS.version


def tasks_of(value: object, name: str) -> tuple[Task, ...]:
    """The tasks of a loaded document. Raises Damaged, naming the task that cannot be read."""
    document = versions.TASKS.upgrade(value, name)
    if "tasks" not in document:
        raise Damaged(
            _("{name} cannot be read", name=name),
            _("it has no key `tasks`"),
            _("List the tasks under `tasks`; `tasks: []` is a project without any"),
        )
    entries = document["tasks"] or []
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
    values.update(_new_values(entry))
    if not values.get("id", "").strip():
        raise ValueError(_("it has no id"))
    values.setdefault("instruction", "")
    known = (*_OLD_KEYS, *values)
    return Task(**values, extra={str(key): value for key, value in entry.items() if key not in known})


def _new_values(entry: Mapping[Any, Any]) -> dict[str, Any]:
    """The values of the keys of version 2 that are of the right kind."""
    values: dict[str, Any] = {
        key: str(entry[key])
        for key in _NEW_TEXTS
        if entry.get(key) is not None and not isinstance(entry[key], (list, dict))
    }
    for key in _NEW_LISTS:
        if isinstance(entry.get(key), list) and _are_texts(entry[key]):
            values[key] = tuple(map(str, entry[key]))
    if isinstance(entry.get(_FLAG), bool):
        values[_FLAG] = entry[_FLAG]
    if (answer := answer_from(entry.get(_ANSWER))) is not None:
        values[_ANSWER] = answer
    if parameters := parameters_from(entry.get(_PARAMETERS)):
        values[_PARAMETERS] = parameters
    if entry.get(TARGET) is not None:
        with contextlib.suppress(TargetError, UserError):
            values[TARGET] = _target_from(entry, parameters or ())
    if (proof := kept_proof_from(entry.get(PROOF))) is not None:
        values[PROOF] = proof
    if rewordings := _rewordings_from(entry.get(_REWORDINGS)):
        values[_REWORDINGS] = rewordings
    if replies := replies_from(entry.get(REPLIES)):
        values[REPLIES] = replies
    return values


def _target_from(entry: Mapping[Any, Any], parameters: tuple[Parameter, ...]) -> TaskTarget:
    """The target of an entry; where it names parameters, it has to be one with their values.

    Raises TargetError, and UserError for parameters without values.
    """
    written = entry[TARGET]
    if not parameters:
        return read_target(written)
    sample = Task(str(entry.get("id")), "", language=str(entry.get("language") or ""), parameters=parameters)
    return replace(read_target(filled_in(written, values_of(sample, DEFAULT_SEED))), source=written)


def task_values(task: Task) -> dict[str, Any]:
    """The values of a task's entry, without keys that repeat a default."""
    values: dict[str, Any] = {}
    for key in KEYS:
        value = getattr(task, key)
        if key in ("id", "instruction") or value != getattr(_DEFAULTS, key):
            values[key] = list(value) if isinstance(value, tuple) else value
    if task.rewordings:
        values[_REWORDINGS] = {style: list(texts) for style, texts in task.rewordings.items()}
    if task.parameters:
        values[_PARAMETERS] = parameter_values(task.parameters)
    if task.replies:
        values[REPLIES] = [reply_values(reply) for reply in task.replies]
    if task.expected_answer is not None:
        values[_ANSWER] = answer_values(task.expected_answer)
    if task.target is not None:
        values[TARGET] = dict(task.target.source)
    if task.proof is not None:
        values[PROOF] = task.proof.as_dict()
    return {
        **values,
        **{key: value for key, value in task.extra.items() if key not in _OLD_KEYS and key not in values},
    }


def _rewordings_from(value: object) -> dict[str, tuple[str, ...]] | None:
    """The rewordings of a mapping: goal style -> texts that are not empty; None for anything else."""
    if not isinstance(value, Mapping) or not all(
        is_goal_style(str(style)) and isinstance(texts, list) and _are_texts(texts)
        and all(str(text).strip() for text in texts)
        for style, texts in value.items()
    ):  # fmt: skip
        return None
    return {str(style): tuple(map(str, texts)) for style, texts in value.items()}


def replies_from(value: object) -> tuple[TaskReply, ...] | None:
    """The replies of a list of mappings with ``question``, ``answer``, ``needed``; None for another value."""
    if not isinstance(value, list):
        return None
    replies = []
    for entry in value:
        if not isinstance(entry, Mapping) or not {"question", "answer"} <= set(entry) <= _REPLY_KEYS:
            return None
        texts, needed = [entry["question"], entry["answer"]], entry.get("needed", False)
        if not _are_texts(texts) or not isinstance(needed, bool) or not str(texts[0]).strip():
            return None
        replies.append(TaskReply(str(texts[0]), str(texts[1]), needed))
    return tuple(replies)


def reply_values(reply: TaskReply) -> dict[str, Any]:
    """The mapping of a reply in a task's entry."""
    values = {"question": reply.question, "answer": reply.answer}
    return {**values, "needed": True} if reply.needed else values


def answer_from(value: object) -> ExpectedAnswer | None:
    """The expected answer of a text, a list of texts or a mapping; None for another kind of value."""
    if isinstance(value, list):
        return ExpectedAnswer(tuple(map(str, value)), ANY_OF) if _are_texts(value) else None
    if not isinstance(value, Mapping):
        return ExpectedAnswer((str(value),)) if _are_texts([value]) else None
    texts = value.get("texts", [value["text"]] if "text" in value else None)
    rule = value.get("rule", EXACT if "text" in value else ANY_OF)
    if not isinstance(texts, list) or not _are_texts(texts) or not isinstance(rule, str):
        return None
    extra = {str(key): entry for key, entry in value.items() if key not in ("rule", "text", "texts")}
    return ExpectedAnswer(tuple(map(str, texts)), rule, extra)


def _are_texts(values: Sequence[object]) -> bool:
    """Whether there are values, each of them one that a text was written for."""
    return bool(values) and not any(
        value is None or isinstance(value, (list, dict, bool)) for value in values
    )


def answer_values(answer: ExpectedAnswer) -> dict[str, Any]:
    """The mapping of an expected answer in a task's entry."""
    texts: dict[str, Any] = (
        {"text": answer.texts[0]} if len(answer.texts) == 1 else {"texts": [*answer.texts]}
    )
    return {"rule": answer.rule, **texts, **answer.extra}


def new_file(tasks: Iterable[Task]) -> bytes:
    """The bytes of a new ``tasks.yaml``. Raises DocumentError for what YAML cannot hold."""
    from collector.located_yaml.yaml_patch import documents  # whoever only reads does not need it

    entries = [task_values(task) for task in tasks]
    return documents.new_document(versions.TASKS.stamp({"tasks": entries})).encode()


def check_limits(data: bytes, tasks: Sequence[Task]) -> None:
    """Raise StoreError when ``data``, made to hold ``tasks``, is too much to be read again."""
    if max(len(data) / MAX_BYTES, data.count(b"\n") * 2 / MAX_VALUES) > _NEAR_LIMIT:
        check_readable(data, tasks)


def check_readable(data: bytes, tasks: Sequence[Task]) -> None:
    """Raise StoreError unless ``data``, made to hold ``tasks``, reads back as them."""
    read = {task.id: task for task in _read_back(data)}
    for task in tasks:
        if not is_same(read.get(task.id), task):
            raise not_readable(task.id)


def check_task(task: Task) -> None:
    """Raise StoreError unless the entry of ``task`` reads back as it."""
    try:
        read = _read_back(new_file((task,)))
    except DocumentError:
        raise not_readable(task.id) from None
    if not read or not is_same(read[0], task):
        raise not_readable(task.id)


def _read_back(data: bytes) -> tuple[Task, ...]:
    try:
        return tasks_of(yaml_files.parse(data, TASKS_FILE), TASKS_FILE)
    except StoreError as error:
        raise StoreError(
            _("{name} is not saved, because it could not be read again", name=TASKS_FILE),
            error.why or error.what,
            _("The file on the disk is as it was"),
        ) from None


def is_same(read: Task | None, task: Task) -> bool:
    """Whether a task was read back as it was; by their texts, because no number is equal to ``nan``."""
    return read is not None and (read == task or repr(read) == repr(task))


def not_readable(task_id: str) -> StoreError:
    """The error for a task that would be another one when it is read again."""
    return StoreError(
        _("Task {id} is not saved, because it could not be read again as it is", id=repr(task_id)),
        "",
        _("Remove unusual characters and values from it; the file on the disk is as it was"),
    )


def edited_file(data: bytes, tasks: Sequence[Task]) -> bytes:
    """The bytes ``data`` with other tasks; unchanged lines keep their comments and style.

    Raises DocumentError when comments or the layout would be lost, and StoreError.
    """
    from collector.located_yaml.yaml_patch import documents  # whoever only reads does not need it

    document = yaml_files.parse(data, TASKS_FILE)
    if not isinstance(document, dict):  # there are comments at most
        return data.rstrip(b"\n") + (b"\n" if data.strip() else b"") + new_file(tasks)
    known = {str(entry["id"]): entry for entry in document.get("tasks") or ()}
    document = {**document, "tasks": [_changed(known.get(task.id), task) for task in tasks]}
    stamped = {**versions.TASKS.stamp(document), "version": versions.TASKS.version}
    return documents.changed_document(data.decode(), stamped, ("id",)).encode()


def _changed(entry: Mapping[Any, Any] | None, task: Task) -> dict[Any, Any]:
    """The entry of a task with its values; those that are the same stay as they are written."""
    after = task_values(task)
    if entry is None:
        return after
    before = task_values(task_from_mapping(entry))
    kept = {key: value for key, value in entry.items() if key in after or key not in before}
    return {**kept, **{key: value for key, value in after.items() if before.get(key, _GONE) != value}}
