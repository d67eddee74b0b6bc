"""Tell which fields ask for a password, which field is at a place, and which passwords a screen shows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from collector.hierarchy.captions import takes_text
from collector.model.geometry import Point
from collector.model.tree import Node, Tree

_DOTS = frozenset("•●∙·*＊")
"""Characters in which password fields show their text."""
_NAMES = re.compile(
    r"pass[ _-]?(?:word|wd|code|phrase)|(?<![a-z])pwd(?![a-z])|密码|密碼|口令|パスワード|비밀번호",
    re.IGNORECASE,
)


def asks_for_password(node: Node) -> bool:
    """Whether a field is, or may be, for a password: by its flag, or by its name.

    A field whose password a person made visible has no flag any more.
    """
    return is_password(node) or (takes_text(node) and _is_named(node))


def is_password(node: Node) -> bool:
    """Whether a node, or one that it is part of, is a password field."""
    return node.password or any(parent.password for parent in node.ancestors())


def password_orders(tree: Tree) -> set[int]:
    """The :attr:`~.Node.order` of every node of which :func:`is_password` holds, in one pass."""
    found: set[int] = set()
    for node in tree:  # a parent stands before its children
        if node.password or (node.parent is not None and node.parent.order in found):
            found.add(node.order)
    return found


def has_password_field(tree: Tree) -> bool:
    """Whether any field of a screen may be for a password."""
    return any(node.password or (takes_text(node) and _is_named(node)) for node in tree)


def field_at(tree: Tree, point: Point) -> Node | None:
    """The smallest text field at a place; None where there is none."""
    fields = [
        node for node in tree if node.bounds is not None and node.bounds.contains(point) and takes_text(node)
    ]
    return min(fields, key=lambda node: (_area(node), -node.order), default=None)


def shown_passwords(tree: Tree) -> Iterator[str]:
    """The texts of the password fields of a tree; labels, hints and dots are none."""
    orders = password_orders(tree)
    for node in tree:
        text = node.text.strip() if node.order in orders else ""
        if text and not is_placeholder(node):
            yield text


def is_placeholder(node: Node) -> bool:
    """Whether the text of a password field is none that was typed: its hint, its label, or dots."""
    text = node.text.strip()
    labels = {label.strip().casefold() for label in (node.get("hint"), node.content_desc, node.short_id)}
    return text.casefold() in labels or _DOTS.issuperset(text) or _NAMES.fullmatch(text) is not None


def _is_named(node: Node) -> bool:
    names = (node.short_id, node.get("hint"), node.content_desc)
    # An empty field reads as its hint.
    return any(map(_NAMES.search, names)) or _NAMES.fullmatch(node.text.strip()) is not None


def _area(node: Node) -> int:
    return node.bounds.area if node.bounds is not None else 0
