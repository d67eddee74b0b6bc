"""Find the YAML node of each condition of a rule, by walking groups as the reader does."""

from __future__ import annotations

from dataclasses import dataclass, field

from collector.located_yaml.yaml_node import YamlNode
from collector.located_yaml.yaml_patch.errors import DocumentError, UnsafeEditError
from collector.located_yaml.yaml_patch.patch import Path
from collector.model.i18n import _
from collector.rules.grammar.model import Condition, Group, Rule
from collector.rules.grammar.specs import ANY_OF, GROUP_KEYS

ConditionPath = tuple[int, ...]
"""Positions of a condition among its siblings, from ``rule.conditions`` (the empty path) down."""


@dataclass(slots=True)
class ConditionSlot:
    """The place of one condition: ``path`` leads to its YAML value, ``listed`` to the list of its parts.

    ``listed`` is None when there is no such list: for a leaf, or a group that the file leaves out.
    """

    condition: Condition
    path: Path
    key: str = ""
    listed: Path | None = None
    single: bool = False
    """The group has one part, directly under its key and not in a list."""
    written: bool = True
    """False for the ``all`` around a rule's conditions that the file leaves out."""
    children: list[ConditionSlot] = field(default_factory=list)

    def at(self, path: ConditionPath) -> ConditionSlot:
        """The slot of a condition inside this one. Raises DocumentError when there is none."""
        slot = self
        for step in path:
            if not 0 <= step < len(slot.children):
                raise DocumentError(_("The condition is no longer there"), "", _("Choose it again"))
            slot = slot.children[step]
        return slot


def find_slots(rule: Rule, node: YamlNode, path: Path) -> ConditionSlot:
    """The slot of ``rule.conditions``; ``path`` leads to the rule's mapping ``node``."""
    group = rule.conditions
    where = (*path, "conditions")
    conditions = node.get("conditions")
    if conditions is None or not (conditions.items or conditions.pairs):
        return ConditionSlot(group, where, written=False)
    if conditions.kind == "sequence":
        slot = ConditionSlot(group, where, listed=where)
        slot.children = _parts(group, conditions, where)
        return slot
    if _is_top(conditions):
        return _slot(group, conditions, where)
    slot = ConditionSlot(group, where, written=False)
    slot.children = [_slot(group.conditions[0], conditions, where)]
    return slot


def _is_top(node: YamlNode) -> bool:
    """Whether the mapping is the rule's outermost group, and not the only part of one the file leaves out."""
    keys = [key.text for key, _value in node.pairs if key.text in GROUP_KEYS]
    return node.get("type") is None and (len(keys) > 1 or keys == ["all"])


def _slot(condition: Condition, node: YamlNode, path: Path) -> ConditionSlot:
    slot = ConditionSlot(condition, path)
    if not isinstance(condition, Group):
        return slot
    if node.get("type") is not None:
        slot.key = ANY_OF.fields[0].name
    else:
        keys = [key.text for key, _value in node.pairs if key.text in GROUP_KEYS]
        if len(set(keys)) != len(keys):
            raise UnsafeEditError(_("A key appears twice in one group"))
        if len(keys) > 1:
            slot.children = [
                _with_parts(ConditionSlot(part, path, key), node)
                for key, part in zip(keys, condition.conditions, strict=True)
            ]
            return slot
        slot.key = keys[0]
    return _with_parts(slot, node)


def _with_parts(slot: ConditionSlot, node: YamlNode) -> ConditionSlot:
    """The slot with the list under its key and the slots of its parts."""
    value = node.get(slot.key)
    if value is None:
        raise UnsafeEditError
    slot.listed = (*slot.path, slot.key)
    slot.single = value.kind == "mapping"
    if slot.single:
        slot.children = [_slot(slot.condition.parts[0], value, slot.listed)]
    else:
        slot.children = _parts(slot.condition, value, slot.listed)
    return slot


def _parts(group: Condition, listed: YamlNode, path: Path) -> list[ConditionSlot]:
    if len(listed.items) != len(group.parts):
        raise UnsafeEditError
    return [_slot(part, listed.items[at], (*path, at)) for at, part in enumerate(group.parts)]
