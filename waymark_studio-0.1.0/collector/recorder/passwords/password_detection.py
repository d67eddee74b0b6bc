"""Tell whether typed text may be a password. When in doubt, it is."""

from __future__ import annotations

from collections.abc import Sequence

from collector.hierarchy.captions import focused_field
from collector.hierarchy.password_fields import asks_for_password, has_password_field
from collector.model.tree import Node, Tree
from collector.recorder.passwords.pin_pad import is_character_key
from collector.recorder.screen_moment import ScreenMoment


def takes_password(moment: ScreenMoment, newest: Tree | None = None, touched: Node | None = None) -> bool:
    """Whether text goes into a password field.

    ``touched`` is the field that was tapped before, ``newest`` the newest tree.
    """
    fields = (*_focused_fields(moment, newest), touched)
    return any(is_private(node, moment) for node in fields if node is not None)


def is_secret_text(moment: ScreenMoment, newest: Tree | None, touched: Node | None = None) -> bool:
    """Whether text from the mirror is, or may be, a password; see :func:`takes_password`."""
    if takes_password(moment, newest, touched):
        return True
    trees = _trees(moment, newest)
    if not trees:
        return moment.hides_passwords
    on_pin_pad = all(node is None or is_character_key(node) for node in _focused_fields(moment, newest))
    if moment.hides_passwords and moment.secure and on_pin_pad:
        return True
    return _is_tree_older(moment) and _has_password(trees, moment)


def is_secret_typing(moment: ScreenMoment, newest: Tree | None, fields: Sequence[Node]) -> bool:
    """Whether text from the soft keyboard may be a password; ``fields`` had the focus while it was typed."""
    if any(is_private(node, moment) for node in fields):
        return True
    if fields:
        return False
    return (moment.hides_passwords and moment.secure) or _has_password(_trees(moment, newest), moment)


def _trees(moment: ScreenMoment, newest: Tree | None) -> list[Tree]:
    return [tree for tree in (moment.tree, newest) if tree is not None]


def _focused_fields(moment: ScreenMoment, newest: Tree | None) -> list[Node | None]:
    return [focused_field(tree) for tree in _trees(moment, newest)]


def is_private(node: Node, moment: ScreenMoment) -> bool:
    """Whether a field is for a password, where passwords are hidden."""
    return moment.hides_passwords and asks_for_password(node)


def _is_tree_older(moment: ScreenMoment) -> bool:
    return moment.snapshot is None or moment.snapshot.started_ns < moment.acted_ns


def _has_password(trees: Sequence[Tree], moment: ScreenMoment) -> bool:
    return moment.hides_passwords and any(map(has_password_field, trees))
