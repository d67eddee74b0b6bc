"""Index the names in tasks and anomaly libraries, with their places in the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from collector.located_yaml.diagnostics import NOWHERE, Place
from collector.located_yaml.source import read_source
from collector.located_yaml.yaml_node import YamlNode
from collector.model.essential_state import is_like_id
from collector.model.task import Task

_ROOTS = ("interference_library", "anomalies")


@dataclass(frozen=True, slots=True)
class WrittenName:
    """A name and the YAML node that holds it; ``node`` is None when it comes from no file."""

    text: str
    node: YamlNode | None = None

    @property
    def place(self) -> Place:
        return self.node.place if self.node is not None else NOWHERE


@dataclass(frozen=True, slots=True)
class TaskEntry:
    """The names a task uses."""

    id: WrittenName
    package: str = ""
    rule_key: WrittenName | None = None
    targets: tuple[WrittenName, ...] = ()
    states: tuple[WrittenName, ...] = ()
    forbidden: tuple[WrittenName, ...] = ()
    """Safety rules."""


@dataclass(frozen=True, slots=True)
class TaskIndex:
    """The tasks of a project; ``text`` is the file they stand in, empty when they came as values."""

    tasks: tuple[TaskEntry, ...] = ()
    path: str = ""
    text: str = ""
    has_state_ids: bool = True
    """False for version 1 of ``tasks.yaml``: it named states by ids or sentences. Sentences are left out."""
    pending_states: frozenset[str] = frozenset()
    """Ids of states that an upgrade of version 1 adds to ``rules/states.yaml`` when it is written."""

    @classmethod
    def of_tasks(cls, tasks: Iterable[Task], pending_states: Iterable[str] = ()) -> TaskIndex:
        """Tasks that were read already; findings on them have no place."""
        return cls(tuple(_of_task(task) for task in tasks), pending_states=frozenset(pending_states))

    @classmethod
    def read(cls, text: str, path: str = "") -> TaskIndex:
        """``tasks.yaml``, or a list of tasks as D-GARA keeps it in JSON; what cannot be read is left out."""
        root = read_source(text).root
        has_ids = True
        if root is not None and root.kind == "mapping":
            version = root.get("version")
            has_ids = version is not None and version.plain != 1
            root = root.get("tasks")
        items = root.items if root is not None else []
        tasks = (_of_node(item, has_ids) for item in items if item.kind == "mapping")
        return cls(tuple(tasks), path, text, has_ids)


def _of_task(task: Task) -> TaskEntry:
    key = WrittenName(task.rule_key) if task.rule_key else None
    return TaskEntry(
        WrittenName(task.id), task.package, key,
        tuple(map(WrittenName, task.target_rule_ids)), tuple(map(WrittenName, task.essential_states)),
        tuple(map(WrittenName, task.forbidden)),
    )  # fmt: skip


def _of_node(node: YamlNode, has_state_ids: bool) -> TaskEntry:
    written = node.get("rule_key")
    key = WrittenName(written.text, written) if written is not None and written.text else None
    app = _text(node, "package") or (_text(node, "app") if "." in _text(node, "app") else "")
    states = _names(node, "essential_states")
    if not has_state_ids:
        states = tuple(state for state in states if is_like_id(state.text))
    targets, forbidden = _names(node, "target_rule_ids"), _names(node, "forbidden")
    return TaskEntry(_name(node, "id"), app, key, targets, states, forbidden)


def _text(node: YamlNode, key: str) -> str:
    value = node.get(key)
    return value.text if value is not None and value.kind == "scalar" else ""


def _name(node: YamlNode, key: str) -> WrittenName:
    value = node.get(key)
    return WrittenName(_text(node, key), value if value is not None else node)


def _names(node: YamlNode, key: str) -> tuple[WrittenName, ...]:
    value = node.get(key)
    items = value.items if value is not None else []
    return tuple(WrittenName(item.text, item) for item in items if item.kind == "scalar")


@dataclass(frozen=True, slots=True)
class IndexedAnomaly:
    """An entry of the library; ``commands`` by the event they follow, ``shown`` what people read."""

    id: WrittenName
    activity: str = ""
    commands: Mapping[str, tuple[WrittenName, ...]] = field(default_factory=dict)
    shown: tuple[WrittenName, ...] = ()


@dataclass(frozen=True, slots=True)
class AnomalyIndex:
    """The anomalies of a library in D-GARA's grammar."""

    anomalies: tuple[IndexedAnomaly, ...] = ()
    path: str = ""
    text: str = ""

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(anomaly.id.text for anomaly in self.anomalies)

    @classmethod
    def read(cls, text: str, path: str = "") -> AnomalyIndex:
        """An ``interference_library``; what cannot be read is left out."""
        root = read_source(text).root
        if root is not None and root.kind == "mapping":
            root = next((value for name in _ROOTS if (value := root.get(name)) is not None), None)
        items = root.items if root is not None else []
        return cls(tuple(_anomaly(item) for item in items if item.kind == "mapping"), path, text)


def _anomaly(node: YamlNode) -> IndexedAnomaly:
    events = node.get("post_actions")
    commands = {
        key.text: tuple(_commands(value)) for key, value in (events.pairs if events is not None else [])
    }
    params = node.get("params")
    shown = tuple(
        WrittenName(value.text, value)
        for key, value in (params.pairs if params is not None else [])
        if value.kind == "scalar" and key.text.rpartition("_")[2] in ("title", "message", "text")
    )
    return IndexedAnomaly(_name(node, "id"), _text(node, "target_activity"), commands, shown)


def _commands(value: YamlNode) -> Iterator[WrittenName]:
    for action in value.items:
        command = action.get("command") if action.kind == "mapping" else None
        if command is not None and command.kind == "scalar":
            yield WrittenName(command.text, command)
