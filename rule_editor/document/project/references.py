"""Find the ids that the files of a project define and refer to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from collector.anomalies import grammar
from collector.located_yaml.diagnostics import Place
from collector.located_yaml.yaml_node import YamlNode
from collector.rules.grammar.condition_registry import condition_specs
from collector.rules.grammar.model import INJECTION, SAFETY, STATE, SUCCESS
from collector.rules.grammar.specs import STATE_ID, STATE_IDS
from rule_editor.document.entries.file_kinds import ANOMALY, DEFINED_IDS, LIBRARY, TASK, TASKS

_ROOTS = {
    INJECTION: ("rules",),
    STATE: ("states",),
    SAFETY: ("safety",),
    LIBRARY: grammar.ROOTS,
    TASKS: ("tasks",),
}
_MAX_DEPTH = 60


@dataclass(frozen=True, slots=True)
class IdReference:
    """One occurrence of an id in a file: its definition (``defines``) or a reference to it."""

    id: str
    kind: str
    place: Place
    defines: bool


def references(root: YamlNode | None, file_kind: str) -> Iterator[IdReference]:
    """Every occurrence of an id in a file of this kind. Ids that YAML reads as numbers count as texts."""
    if root is None:
        return
    defined = DEFINED_IDS[file_kind]
    if file_kind == SUCCESS:
        for key, value in root.pairs:
            yield IdReference(key.text, SUCCESS, key.place, defines=True)
            yield from _in_rule(value)
        return
    listed: YamlNode | None = root
    if root.kind == "mapping":
        listed = next((node for name in _ROOTS[file_kind] if (node := root.get(name)) is not None), None)
    for entry in listed.items if listed is not None else ():
        yield from _of(entry.get("id"), defined, defines=True)
        if file_kind == TASKS:
            yield from _of(entry.get("rule_key"), SUCCESS)
            yield from _of(entry.get("target_rule_ids"), INJECTION)
            yield from _of(entry.get("essential_states"), STATE)
            yield from _of(entry.get("forbidden"), SAFETY)
        elif file_kind in (INJECTION, STATE, SAFETY):
            yield from _in_rule(entry)


def _in_rule(entry: YamlNode) -> Iterator[IdReference]:
    yield from _of(entry.get("after"), STATE)
    yield from _of(entry.get("task"), TASK)
    actions = entry.get("actions")
    for action in (actions.items or [actions]) if actions is not None else ():
        yield from _of(action.get("interference_id"), ANOMALY)
    conditions = entry.get("conditions")
    if conditions is not None:
        yield from _in_conditions(conditions, 0)


def _in_conditions(node: YamlNode, depth: int) -> Iterator[IdReference]:
    if depth > _MAX_DEPTH:
        return
    written = node.get("type")
    spec = condition_specs().get(written.text) if written is not None else None
    for field in spec.fields if spec is not None else ():
        if field.kind in (STATE_ID, STATE_IDS):
            yield from _of(node.get(field.name), STATE)
    for child in (*node.items, *(value for _key, value in node.pairs)):
        if child.kind != "scalar":
            yield from _in_conditions(child, depth + 1)


def _of(node: YamlNode | None, kind: str, *, defines: bool = False) -> Iterator[IdReference]:
    if node is None:
        return
    for scalar in node.items if node.kind == "sequence" else [node]:
        if scalar.kind == "scalar" and scalar.text:
            yield IdReference(scalar.text, kind, scalar.place, defines)
