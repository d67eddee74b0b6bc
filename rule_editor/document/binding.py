"""Which YAML a condition of the model was read from: the reader's way through groups, walked again."""

from __future__ import annotations

from dataclasses import dataclass, field

from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.rules.grammar.model import Condition, Group, Rule
from collector.rules.grammar.specs import ANY_OF, GROUP_KEYS
from rule_editor.document.errors import DocumentError, UnsafeEditError
from rule_editor.document.surgery import Path

ConditionPath = tuple[int, ...]
"""Positions of a condition among its siblings, from ``rule.conditions`` (the empty path) down."""


@dataclass(slots=True)
class Slot:
    """Where one condition stands. ``path`` leads to its YAML value, ``listed`` to the list of its parts.

    ``listed`` is None for what has no list of its own: a leaf, or a group the file does not write.
    """

    condition: Condition
    path: Path
    key: str = ""
    listed: Path | None = None
    single: bool = False
    """The one part stands under the key itself, not in a list."""
    written: bool = True
    """False for the ``all`` around a rule's conditions that the file leaves out."""
    children: list[Slot] = field(default_factory=list)

    def at(self, path: ConditionPath) -> Slot:
        """The slot of a condition inside this one. Raises DocumentError when there is none."""
        slot = self
        for step in path:
            if not 0 <= step < len(slot.children):
                raise DocumentError(_("The condition is no longer there"), "", _("Choose it again"))
            slot = slot.children[step]
        return slot


def bind(rule: Rule, node: YamlNode, path: Path) -> Slot:
    """The slot of ``rule.conditions``; ``path`` leads to the rule's mapping ``node``."""
    group = rule.conditions
    where = (*path, "conditions")
    conditions = node.get("conditions")
    if conditions is None or not (conditions.items or conditions.pairs):
        return Slot(group, where, written=False)
    if conditions.kind == "sequence":
        slot = Slot(group, where, listed=where)
        slot.children = _parts(group, conditions, where)
        return slot
    if _is_top(conditions):
        return _bound(group, conditions, where)
    slot = Slot(group, where, written=False)
    slot.children = [_bound(group.conditions[0], conditions, where)]
    return slot


def _is_top(node: YamlNode) -> bool:
    """Whether the mapping is the rule's own group, not the only part of one the file leaves out."""
    keys = [key.text for key, _value in node.pairs if key.text in GROUP_KEYS]
    return node.get("type") is None and (len(keys) > 1 or keys == ["all"])


def _bound(condition: Condition, node: YamlNode, path: Path) -> Slot:
    slot = Slot(condition, path)
    if not isinstance(condition, Group):
        return slot
    if node.get("type") is not None:
        slot.key = ANY_OF.fields[0].name
    else:
        keys = [key.text for key, _value in node.pairs if key.text in GROUP_KEYS]
        if len(set(keys)) != len(keys):
            raise UnsafeEditError(_("A key stands twice in one group"))
        if len(keys) > 1:
            slot.children = [
                _listed(Slot(part, path, key), node)
                for key, part in zip(keys, condition.conditions, strict=True)
            ]
            return slot
        slot.key = keys[0]
    return _listed(slot, node)


def _listed(slot: Slot, node: YamlNode) -> Slot:
    """Fill in the list under the slot's key."""
    value = node.get(slot.key)
    if value is None:
        raise UnsafeEditError
    slot.listed = (*slot.path, slot.key)
    slot.single = value.kind == "mapping"
    if slot.single:
        slot.children = [_bound(slot.condition.parts[0], value, slot.listed)]
    else:
        slot.children = _parts(slot.condition, value, slot.listed)
    return slot


def _parts(group: Condition, listed: YamlNode, path: Path) -> list[Slot]:
    if len(listed.items) != len(group.parts):
        raise UnsafeEditError
    return [_bound(part, listed.items[at], (*path, at)) for at, part in enumerate(group.parts)]
