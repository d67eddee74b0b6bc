"""Edits of a rule's conditions, made on a piece of its text; what they do not mean stays as it is written."""

from __future__ import annotations

from typing import Any

from collector.model.geometry import Rect
from collector.model.i18n import _
from collector.rules.grammar.condition_types import condition_specs
from collector.rules.grammar.model import INJECTION, Condition, Group
from collector.rules.grammar.plain import plain_condition
from collector.rules.grammar.specs import ANY_OF, GROUP_KEYS, RULE_SPECS
from rule_editor.document.binding import ConditionPath, Slot
from rule_editor.document.errors import DocumentError, UnsafeEditError
from rule_editor.document.plain import same
from rule_editor.document.surgery import Cut, Path, Workpiece

_SUB = ANY_OF.fields[0].name


def plain(value: Any) -> Any:
    """A value of the model as the file holds it."""
    if isinstance(value, Rect):
        return [value.left, value.top, value.right, value.bottom]
    return list(value) if isinstance(value, tuple) else value


def put(
    piece: Workpiece, path: Path, names: tuple[str, ...], new: Any, default: Any, order: tuple[str, ...]
) -> None:
    """A key of the mapping at ``path`` becomes ``new``; None takes it out.

    ``names`` are the key and its aliases, of which the one that is written stays; a key that is not
    written stays away while ``new`` is its default. ``order`` tells where a new key goes.
    """
    old = piece.plain(path)
    if not isinstance(old, dict):
        raise UnsafeEditError
    there = next((name for name in names if name in old), None)
    if there is not None and new is None:
        piece.remove_key(path, there)
    elif there is not None:
        piece.set((*path, there), new)
    elif new is not None and not same(new, default):
        ahead = order[: order.index(names[0])] if names[0] in order else order
        lead = [name for name in old if name in ahead or name in ("type", "id")]
        piece.insert_key(path, names[0], new, lead[-1] if lead else None)


def set_field(piece: Workpiece, slot: Slot, key: str, value: Any) -> None:
    """A key of the condition gets a value; None takes it out."""
    if isinstance(slot.condition, Group) and not slot.key and slot.listed in (None, slot.path):
        _write_top(piece, slot)
    old = piece.plain(slot.path)
    if not isinstance(old, dict) or (_is_shared(old) and slot.key):
        raise UnsafeEditError(_("This group has no keys of its own"))
    spec = ANY_OF if isinstance(slot.condition, Group) else condition_specs().get(str(old.get("type", "")))
    field = spec.field(key) if spec is not None else None
    names = (field.name, *field.aliases) if field is not None else (key,)
    order = tuple(field.name for field in spec.fields) if spec is not None else ()
    default = plain(field.default) if field is not None else None
    put(piece, slot.path, names, plain(value), default, order)


def _write_top(piece: Workpiece, slot: Slot) -> None:
    """Give a rule's outermost group, of which only its parts are written, a mapping of its own."""
    if slot.listed is not None:
        piece.nest_list(slot.path, "all")
    elif slot.children and not slot.written:
        piece.nest(slot.path, "all")


def add(
    piece: Workpiece, top: Slot, parent: ConditionPath, index: int | None, new: Condition | Cut, kind: str
) -> None:
    """A condition more before part ``index`` of the group at ``parent``."""
    slot = top.at(parent)
    cut = new if isinstance(new, Cut) else Cut(plain_condition(new))
    if not isinstance(slot.condition, Group):
        raise DocumentError(_("Only a group holds other conditions"), "", _("Choose a group"))
    if not slot.children and (not slot.written or slot.listed == slot.path):
        _add_first(piece, slot.path, cut, kind)
        return
    listed = slot.listed
    if listed is None:
        piece.nest(slot.path, "all")
        listed = (*slot.path, "all")
    elif slot.single:
        piece.nest_single(listed)
    piece.insert_item(listed, len(slot.children) if index is None else index, cut)


def _add_first(piece: Workpiece, path: Path, cut: Cut, kind: str) -> None:
    """The first condition of a rule: under ``all``, or in a bare list where D-GARA writes one."""
    value = {"all": [cut.value]} if kind == INJECTION else [cut.value]
    rule = piece.plain(path[:-1])
    if "conditions" not in rule:
        order = tuple(field.name for field in RULE_SPECS[kind].fields)
        put(piece, path[:-1], ("conditions",), value, None, order)
    elif cut.lines and kind != INJECTION:
        piece.insert_item(path, 0, cut)
    else:
        piece.set(path, value)


def remove(piece: Workpiece, top: Slot, path: ConditionPath) -> Cut:
    """Take a condition out of its group, the comments directly above it with it."""
    if not path:
        raise DocumentError(_("A rule keeps its outermost group"), "", _("Delete what is in it, or the rule"))
    parent, slot = top.at(path[:-1]), top.at(path)
    if parent.listed is not None and not parent.single:
        return piece.remove_item(parent.listed, path[-1])
    value = piece.plain(slot.path)
    if _is_shared(value):
        value = {slot.key: value[slot.key]}
        piece.remove_key(slot.path, slot.key)
    else:
        piece.set(slot.path, [])
    return Cut(value)


def replace(piece: Workpiece, slot: Slot, condition: Condition) -> None:
    """Another condition in the slot; keys that both have keep the way they are written."""
    old = piece.plain(slot.path)
    if isinstance(old, dict) and _is_shared(old):
        raise UnsafeEditError(_("Several groups stand in one mapping"))
    new = plain_condition(condition)
    if isinstance(old, dict):
        new = _as_spelled(old, new)
    if slot.path[-1] == "conditions" and "all" in new:
        new = {"all": [new]}  # alone it would read as the rule's outermost group itself
    try:
        piece.set(slot.path, new)
    except UnsafeEditError:
        last = slot.path[-1]
        if not isinstance(last, int):
            raise
        piece.remove_item(slot.path[:-1], last)
        piece.insert_item(slot.path[:-1], last, new)


def _as_spelled(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """``new`` with the aliases and the order of keys of ``old`` where both are of one type."""
    spec = condition_specs().get(str(new.get("type", "")))
    if spec is None or old.get("type") != new.get("type"):
        return new
    spelled = dict(new)
    for field in spec.fields:
        alias = next((alias for alias in field.aliases if alias in old and field.name not in old), None)
        if alias is not None and field.name in spelled:
            spelled[alias] = spelled.pop(field.name)
        elif field.name in old and field.name not in spelled and field.default is not None:
            spelled[field.name] = plain(field.default)
    order = [key for key in old if key in spelled]
    return {key: spelled[key] for key in [*order, *(key for key in spelled if key not in order)]}


def wrap(piece: Workpiece, top: Slot, path: ConditionPath, kind: str) -> None:
    """A group of ``kind`` goes around the condition; around the outermost group, around all it holds."""
    slot = top.at(path)
    if not path:
        set_kind(piece, top, kind)
        return
    value = piece.plain(slot.path)
    if isinstance(value, dict) and _is_shared(value):
        raise UnsafeEditError(_("Several groups stand in one mapping"))
    parent = top.at(path[:-1])
    if parent.listed is None or parent.single:
        piece.nest(slot.path, _SUB if kind == ANY_OF.type else kind)
        if kind == ANY_OF.type:
            piece.insert_key(slot.path, "type", ANY_OF.type, None)
        return
    new = {"type": ANY_OF.type, _SUB: []} if kind == ANY_OF.type else {kind: []}
    cut = piece.remove_item(parent.listed, path[-1])
    piece.insert_item(parent.listed, path[-1], new)
    piece.insert_item((*parent.listed, path[-1], _SUB if kind == ANY_OF.type else kind), 0, cut)


def set_kind(piece: Workpiece, slot: Slot, kind: str) -> None:
    """The group becomes ``all``, ``any``, ``not`` or ``any_of``.

    Of an outermost group the file leaves out, the one group in it is changed.
    """
    if kind not in (*GROUP_KEYS, ANY_OF.type):
        raise DocumentError(_("There is no group {kind}", kind=kind), "", _("Choose all, any or not"))
    if not slot.written and slot.children and isinstance(slot.children[0].condition, Group):
        slot = slot.children[0]
    if not isinstance(slot.condition, Group):
        raise DocumentError(_("Only a group can be all, any or not"), "", _("Choose a group"))
    key = _SUB if kind == ANY_OF.type else kind
    old = piece.plain(slot.path) if slot.written else None
    if isinstance(old, dict) and _is_shared(old):
        raise UnsafeEditError(_("Several groups stand in one mapping"))
    if slot.listed == slot.path:
        if kind != "all":
            piece.nest_list(slot.path, key)
    elif slot.listed is None:
        piece.nest(slot.path, key)
    elif slot.key != key:
        if slot.key == _SUB:
            piece.remove_key(slot.path, "type")
        piece.rename_key(slot.path, slot.key, key)
    if kind == ANY_OF.type and piece.plain(slot.path).get("type") is None:
        piece.insert_key(slot.path, "type", kind, None)


def _is_shared(value: Any) -> bool:
    """Whether several groups stand in one mapping."""
    return isinstance(value, dict) and sum(key in value for key in GROUP_KEYS) > 1
