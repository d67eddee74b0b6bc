"""Who names whom across the files of a project, and the edits that follow a new name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from collector.anomalies import grammar
from collector.located_yaml.diagnostics import Place
from collector.located_yaml.yaml_node import YamlNode
from collector.rules.grammar.model import INJECTION, STATE, SUCCESS

LIBRARY, TASKS = "library", "tasks"
FILE_KINDS = (INJECTION, SUCCESS, STATE, LIBRARY, TASKS)
ANOMALY, TASK = "anomaly", "task"
ID_KINDS = (INJECTION, SUCCESS, STATE, ANOMALY, TASK)
_HELD = {INJECTION: INJECTION, SUCCESS: SUCCESS, STATE: STATE, LIBRARY: ANOMALY, TASKS: TASK}
"""What ids each kind of file gives."""
_ROOTS = {INJECTION: ("rules",), STATE: ("states",), LIBRARY: grammar.ROOTS, TASKS: ("tasks",)}
_MAX_DEPTH = 60


@dataclass(frozen=True, slots=True)
class Mention:
    """An id as it stands in a file, where it is given (``defines``) or only named."""

    id: str
    kind: str
    place: Place
    defines: bool
    is_key: bool = False
    """It is the key of a mapping, not a value."""


def mentions(root: YamlNode | None, file_kind: str) -> Iterator[Mention]:
    """Every id that a file of this kind gives or names. Ids that YAML takes for numbers count as texts."""
    if root is None:
        return
    held = _HELD[file_kind]
    if file_kind == SUCCESS:
        for key, value in root.pairs:
            yield Mention(key.text, SUCCESS, key.place, defines=True, is_key=True)
            yield from _in_rule(value)
        return
    listed: YamlNode | None = root
    if root.kind == "mapping":
        listed = next((one for name in _ROOTS[file_kind] if (one := root.get(name)) is not None), None)
    for entry in listed.items if listed is not None else ():
        yield from _of(entry.get("id"), held, defines=True)
        if file_kind == TASKS:
            yield from _of(entry.get("rule_key"), SUCCESS)
            yield from _of(entry.get("target_rule_ids"), INJECTION)
            yield from _of(entry.get("essential_states"), STATE)
        elif file_kind in (INJECTION, STATE):
            yield from _in_rule(entry)


def _in_rule(entry: YamlNode) -> Iterator[Mention]:
    yield from _of(entry.get("after"), STATE)
    yield from _of(entry.get("task"), TASK)
    actions = entry.get("actions")
    for action in (actions.items or [actions]) if actions is not None else ():
        yield from _of(action.get("interference_id"), ANOMALY)
    conditions = entry.get("conditions")
    if conditions is not None:
        yield from _in_conditions(conditions, 0)


def _in_conditions(node: YamlNode, depth: int) -> Iterator[Mention]:
    if depth > _MAX_DEPTH:
        return
    written = node.get("type")
    if written is not None and written.text == "state_reached":
        yield from _of(node.get("state"), STATE)
    for one in (*node.items, *(value for _key, value in node.pairs)):
        if one.kind != "scalar":
            yield from _in_conditions(one, depth + 1)


def _of(node: YamlNode | None, kind: str, *, defines: bool = False) -> Iterator[Mention]:
    if node is None:
        return
    for one in node.items if node.kind == "sequence" else [node]:
        if one.kind == "scalar" and one.text:
            yield Mention(one.text, kind, one.place, defines)
