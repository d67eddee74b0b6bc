"""Tell whether typed text may be a password. When in doubt, it is."""

from __future__ import annotations

from collections.abc import Sequence

from collector.hierarchy.captions import focused_field
from collector.model.tree import Node, Tree
from collector.recorder.pin_pad import is_character_key
from collector.recorder.screen_moment import ScreenMoment
from collector.store.redaction import touches


def is_secret_text(moment: ScreenMoment, newest: Tree | None, touched: Node | None = None) -> bool:
    """Whether text from the mirror may be a password.

    ``touched`` is the field that was tapped before, ``newest`` the newest tree.
    """
    trees = [tree for tree in (moment.tree, newest) if tree is not None]
    fields = [focused_field(tree) for tree in trees]
    if any(_is_private(node, moment) for node in (*fields, touched) if node is not None):
        return True
    on_pin_pad = all(node is None or is_character_key(node) for node in fields)
    if moment.hides_passwords and moment.secure and on_pin_pad:
        return True
    return _is_tree_older(moment) and _has_password(trees, moment)


def is_secret_typing(moment: ScreenMoment, newest: Tree | None, fields: Sequence[Node]) -> bool:
    """Whether text from the soft keyboard may be a password; ``fields`` had the focus while it was typed."""
    if any(_is_private(node, moment) for node in fields):
        return True
    if fields:
        return False
    trees = [tree for tree in (moment.tree, newest) if tree is not None]
    return (moment.hides_passwords and moment.secure) or _has_password(trees, moment)


def _is_private(node: Node, moment: ScreenMoment) -> bool:
    return (moment.hides_passwords and node.password) or touches(node.bounds, moment.regions)


def _is_tree_older(moment: ScreenMoment) -> bool:
    return moment.snapshot is None or moment.snapshot.started_ns < moment.acted_ns


def _has_password(trees: Sequence[Tree], moment: ScreenMoment) -> bool:
    return moment.hides_passwords and any(node.password for tree in trees for node in tree)
