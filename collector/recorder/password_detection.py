"""Whether typed text may be a password. In doubt it is."""

from __future__ import annotations

from collections.abc import Sequence

from collector.hierarchy.describe import focused_field
from collector.model.tree import Node, Tree
from collector.recorder.pin_pad import is_character_key
from collector.recorder.screen_moment import ScreenMoment
from collector.store.redaction import touches


def is_secret(moment: ScreenMoment, newest: Tree | None, touched: Node | None = None) -> bool:
    """For text from the mirror: ``touched`` is the field tapped before it, ``newest`` the tree by now."""
    trees = [tree for tree in (moment.tree, newest) if tree is not None]
    fields = [focused_field(tree) for tree in trees]
    if any(_is_private(node, moment) for node in (*fields, touched) if node is not None):
        return True
    into_pad = all(node is None or is_character_key(node) for node in fields)
    if moment.hides_passwords and moment.secure and into_pad:
        return True
    return _is_behind(moment) and _has_password(trees, moment)


def is_secret_typing(moment: ScreenMoment, newest: Tree | None, fields: Sequence[Node]) -> bool:
    """For keys of the phone's own keyboard: ``fields`` are those that were seen to have the focus."""
    if any(_is_private(node, moment) for node in fields):
        return True
    if fields:
        return False
    trees = [tree for tree in (moment.tree, newest) if tree is not None]
    return (moment.hides_passwords and moment.secure) or _has_password(trees, moment)


def _is_private(node: Node, moment: ScreenMoment) -> bool:
    return (moment.hides_passwords and node.password) or touches(node.bounds, moment.regions)


def _is_behind(moment: ScreenMoment) -> bool:
    return moment.snapshot is None or moment.snapshot.started_ns < moment.acted_ns


def _has_password(trees: Sequence[Tree], moment: ScreenMoment) -> bool:
    return moment.hides_passwords and any(node.password for tree in trees for node in tree)
