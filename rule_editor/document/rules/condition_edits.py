"""Patches that add, remove, replace, wrap and change the conditions of a rule."""

from __future__ import annotations

from typing import Any

from collector.located_yaml.yaml_patch.errors import DocumentError, UnsafeEditError
from collector.located_yaml.yaml_patch.patch import Path, RemovedItem, YamlPatch
from collector.model.geometry import Rect
from collector.model.message import _
from collector.rules.grammar.condition_registry import condition_specs
from collector.rules.grammar.model import INJECTION, Condition, Group
from collector.rules.grammar.plain import plain_condition
from collector.rules.grammar.specs import ANY_OF, GROUP_KEYS, RULE_SPECS
from rule_editor.document.rules.condition_slots import ConditionPath, ConditionSlot

_SUB = ANY_OF.fields[0].name


def plain_value(value: Any) -> Any:
    """A value of the model in the form that the file has."""
    if isinstance(value, Rect):
        return [value.left, value.top, value.right, value.bottom]
    return list(value) if isinstance(value, tuple) else value


def set_field(patch: YamlPatch, slot: ConditionSlot, key: str, value: Any) -> None:
    """Set a key of the condition; None removes it."""
    if isinstance(slot.condition, Group) and not slot.key and slot.listed in (None, slot.path):
        _write_top(patch, slot)
    old = patch.plain(slot.path)
    if not isinstance(old, dict) or (_is_shared(old) and slot.key):
        raise UnsafeEditError(_("This group has no keys of its own"))
    spec = ANY_OF if isinstance(slot.condition, Group) else condition_specs().get(str(old.get("type", "")))
    field = spec.field(key) if spec is not None else None
    names = (field.name, *field.aliases) if field is not None else (key,)
    order = tuple(field.name for field in spec.fields) if spec is not None else ()
    default = plain_value(field.default) if field is not None else None
    patch.put_key(slot.path, names, plain_value(value), default, order)


def _write_top(patch: YamlPatch, slot: ConditionSlot) -> None:
    """Write the mapping of a rule's outermost group when the file has only its parts."""
    if slot.listed is not None:
        patch.nest_list(slot.path, "all")
    elif slot.children and not slot.written:
        patch.nest(slot.path, "all")


def add(
    patch: YamlPatch,
    top: ConditionSlot,
    parent: ConditionPath,
    index: int | None,
    new: Condition | RemovedItem,
    kind: str,
) -> None:
    """Add a condition before part ``index`` of the group at ``parent``, as the last one when None."""
    slot = top.at(parent)
    item = new if isinstance(new, RemovedItem) else RemovedItem(plain_condition(new))
    if not isinstance(slot.condition, Group):
        raise DocumentError(_("Only a group holds other conditions"), "", _("Choose a group"))
    if not slot.children and (not slot.written or slot.listed == slot.path):
        _add_first(patch, slot.path, item, kind)
        return
    listed = slot.listed
    if listed is None:
        patch.nest(slot.path, "all")
        listed = (*slot.path, "all")
    elif slot.single:
        patch.nest_single(listed)
    patch.insert_item(listed, len(slot.children) if index is None else index, item)


def _add_first(patch: YamlPatch, path: Path, item: RemovedItem, kind: str) -> None:
    """Add the first condition of a rule: under ``all``, or in a bare list where D-GARA writes one."""
    value = {"all": [item.value]} if kind == INJECTION else [item.value]
    rule = patch.plain(path[:-1])
    if "conditions" not in rule:
        order = tuple(field.name for field in RULE_SPECS[kind].fields)
        patch.put_key(path[:-1], ("conditions",), value, None, order)
    elif item.lines and kind != INJECTION:
        patch.insert_item(path, 0, item)
    else:
        patch.set(path, value)


def remove(patch: YamlPatch, top: ConditionSlot, path: ConditionPath) -> RemovedItem:
    """Remove a condition from its group, with the comments directly above it."""
    if not path:
        raise DocumentError(_("A rule keeps its outermost group"), "", _("Delete what is in it, or the rule"))
    parent, slot = top.at(path[:-1]), top.at(path)
    if parent.listed is not None and not parent.single:
        return patch.remove_item(parent.listed, path[-1])
    value = patch.plain(slot.path)
    if _is_shared(value):
        value = {slot.key: value[slot.key]}
        patch.remove_key(slot.path, slot.key)
    else:
        patch.set(slot.path, [])
    return RemovedItem(value)


def wrap(patch: YamlPatch, top: ConditionSlot, path: ConditionPath, kind: str) -> None:
    """Put a group of ``kind`` around the condition, or around all parts of the outermost group."""
    slot = top.at(path)
    if not path:
        set_kind(patch, top, kind)
        return
    value = patch.plain(slot.path)
    if isinstance(value, dict) and _is_shared(value):
        raise UnsafeEditError(_("One mapping holds several groups"))
    parent = top.at(path[:-1])
    if parent.listed is None or parent.single:
        patch.nest(slot.path, _SUB if kind == ANY_OF.type else kind)
        if kind == ANY_OF.type:
            patch.insert_key(slot.path, "type", ANY_OF.type, None)
        return
    new = {"type": ANY_OF.type, _SUB: []} if kind == ANY_OF.type else {kind: []}
    item = patch.remove_item(parent.listed, path[-1])
    patch.insert_item(parent.listed, path[-1], new)
    patch.insert_item((*parent.listed, path[-1], _SUB if kind == ANY_OF.type else kind), 0, item)


def set_kind(patch: YamlPatch, slot: ConditionSlot, kind: str) -> None:
    """Turn the group into ``all``, ``any``, ``not`` or ``any_of``.

    When the file leaves the outermost group out, this changes the one group in it.
    """
    if kind not in (*GROUP_KEYS, ANY_OF.type):
        raise DocumentError(_("There is no group {kind}", kind=kind), "", _("Choose all, any or not"))
    if not slot.written and slot.children and isinstance(slot.children[0].condition, Group):
        slot = slot.children[0]
    if not isinstance(slot.condition, Group):
        raise DocumentError(_("Only a group can be all, any or not"), "", _("Choose a group"))
    key = _SUB if kind == ANY_OF.type else kind
    old = patch.plain(slot.path) if slot.written else None
    if isinstance(old, dict) and _is_shared(old):
        raise UnsafeEditError(_("One mapping holds several groups"))
    if slot.listed == slot.path:
        if kind != "all":
            patch.nest_list(slot.path, key)
    elif slot.listed is None:
        patch.nest(slot.path, key)
    elif slot.key != key:
        if slot.key == _SUB:
            patch.remove_key(slot.path, "type")
        patch.rename_key(slot.path, slot.key, key)
    if kind == ANY_OF.type and patch.plain(slot.path).get("type") is None:
        patch.insert_key(slot.path, "type", kind, None)


def _is_shared(value: Any) -> bool:
    """Whether one mapping holds several groups."""
    return isinstance(value, dict) and sum(key in value for key in GROUP_KEYS) > 1
