"""Whether two touches hit the same node of a screen, or two nodes that are the same to a person."""

from __future__ import annotations

from collector.hierarchy.captions import click_target
from collector.model.geometry import Point
from collector.model.tree import Node, Tree


def touched_by(tree: Tree | None, point: Point | None) -> Node | None:
    """The node that a touch hits; None without a tree, and beside every node."""
    return click_target(tree, point) if tree is not None and point is not None else None


def is_same_node(tree: Tree | None, node: Node | None, point: Point | None) -> bool:
    """Whether a touch hits ``node``: on it, and on no smaller node inside of it that can be clicked."""
    hit = touched_by(tree, point)
    if node is None or hit is None:
        return False
    if hit is node:
        return True
    is_part = node in hit.ancestors() and not hit.clickable
    is_around = hit in node.ancestors() and not node.clickable
    return is_part or (
        is_around and node.bounds is not None and point is not None and node.bounds.contains(point)
    )


def is_equivalent(first: Node, second: Node) -> bool:
    """Whether two nodes have the same label and role.

    A button that every row of a list has is another one in each row: the words of the rows tell them apart.
    """
    label = label_of(first)
    if not label or label != label_of(second) or first.class_name != second.class_name:
        return False
    mine, theirs = _branches(first, second)
    if mine is None or theirs is None or mine.class_name != theirs.class_name:
        return True
    return _words_in(mine) == _words_in(theirs)


def label_of(node: Node) -> str:
    """The words of a node, or of what is inside of it, in one line; empty without any, and of a password."""
    if node.password:
        return ""
    own = node.text or node.content_desc
    words = own or " ".join(below.label for below in node.descendants() if below.label and not below.password)
    return " ".join(words.split()).casefold()


def _branches(first: Node, second: Node) -> tuple[Node | None, Node | None]:
    """The children of their nearest common ancestor in which two nodes lie; None when one holds the other."""
    above = [first, *first.ancestors()]
    beside = [second, *second.ancestors()]
    common = next((node for node in above if node in beside), None)
    if common is first or common is second:
        return None, None
    mine = above[above.index(common) - 1] if common is not None else above[-1]
    theirs = beside[beside.index(common) - 1] if common is not None else beside[-1]
    return mine, theirs


def _words_in(node: Node) -> list[str]:
    return [" ".join(each.label.split()).casefold() for each in (node, *node.descendants()) if each.label]
