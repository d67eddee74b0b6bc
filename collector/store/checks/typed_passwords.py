"""Tell whether a stored step holds a password: one that it typed, or that its tree shows."""

from __future__ import annotations

from enum import Enum

from collector.hierarchy.captions import focused_field
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.password_fields import (
    asks_for_password,
    field_at,
    has_password_field,
    shown_passwords,
)
from collector.model.action import Type
from collector.model.trajectory import Step
from collector.model.tree import Tree
from collector.store.redaction.screens import MASK
from collector.store.trajectory.reader import StoredTrajectory


class KeptPassword(Enum):
    """Where a step holds a password."""

    TYPED = "typed"
    SHOWN = "shown"


def kept_password(stored: StoredTrajectory, step: Step) -> KeptPassword | None:
    """Where a stored step holds a password; None where it holds none. Raises StoreError."""
    return password_kept_in(step, stored.tree(step))


def password_kept_in(step: Step, dump: bytes | None) -> KeptPassword | None:
    """As :func:`kept_password`, of a step whose dump was read; None without a dump."""
    action = step.action
    is_typed = isinstance(action, Type) and bool(action.text)
    if not is_typed and (dump is None or not _may_show_password(dump)):  # most dumps need not be parsed
        return None
    try:
        tree = parse_tree(dump) if dump is not None else None
    except HierarchyError:
        tree = None
    if typed_password(step, tree):
        return KeptPassword.TYPED
    is_shown = tree is not None and any(text != MASK for text in shown_passwords(tree))
    return KeptPassword.SHOWN if is_shown else None


def _may_show_password(dump: bytes) -> bool:
    """Whether a dump says of any node more than that it is no password field."""
    return dump.count(b"password") > dump.count(b'password="false"')


def typed_password(step: Step, tree: Tree | None) -> str:
    """The text that a step typed into a password field; empty for any other step.

    ``tree`` is that of the step's own screen. Text that was typed with a place went into the field there,
    which had no focus yet; a place with no field counts as a password's while the screen has such a field.
    """
    action = step.action
    if not isinstance(action, Type) or not action.text:
        return ""
    target = step.target.attributes if step.target is not None else {}
    if target.get("password") == "true" or (tree is not None and _takes_password(step, tree)):
        return action.text
    return ""


def _takes_password(step: Step, tree: Tree) -> bool:
    place = step.agent.focus if step.agent is not None else None
    field = field_at(tree, place) if place is not None else focused_field(tree)
    if field is None:
        return place is not None and has_password_field(tree)
    return asks_for_password(field)
