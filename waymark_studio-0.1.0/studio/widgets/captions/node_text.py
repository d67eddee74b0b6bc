"""One-line texts about a node: ``TextView #title "Paris street poster"``."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.geometry import Size
from collector.model.i18n import _, ngettext
from collector.model.tree import Node

BASE_DENSITY = 160
"""Dots per inch at which a dp is a pixel."""


@dataclass(frozen=True, slots=True)
class NodeLine:
    """The parts of a node's line, each drawn in another colour; all but ``kind`` may be empty."""

    kind: str
    """Short class, as in ``TextView``."""
    name: str = ""
    """``#title``."""
    label: str = ""
    """The text in quotes, or the content description without quotes."""
    note: str = ""
    """A detail that tells similar nodes apart: ``[0]``, ``6 children``."""

    def __str__(self) -> str:
        return " ".join(part for part in (self.kind, self.name, self.label, self.note) if part)


def tree_line(node: Node) -> NodeLine:
    """The line of a row in the tree."""
    return NodeLine(short_kind(node), _name(node), _label(node), _sibling_index(node) or _child_count(node))


def stack_line(node: Node) -> NodeLine:
    """The line in the menu of stacked nodes; it also says whether the node is clickable or scrollable."""
    traits = [_sibling_index(node)]
    if node.flag("scrollable"):
        traits.append(", ".join(filter(None, (_("scrollable"), _children(len(node.children))))))
    elif node.clickable and not _label(node):
        traits.append(_("clickable"))
    if node.parent is None:
        traits.append(_("root"))
    return NodeLine(short_kind(node), _name(node), _label(node), " ".join(filter(None, traits)))


def short_kind(node: Node) -> str:
    """The short class, as in ``TextView``, or a word for a node without class."""
    return node.short_class or node.class_name or _("node")


def node_size(node: Node) -> str:
    """The size in device pixels, as in ``516 × 60``; empty without bounds."""
    return f"{node.bounds.width} × {node.bounds.height}" if node.bounds else ""


def size_in_dp(size: Size, density: int) -> str:
    """A size in density-independent pixels; empty for an unknown ``density`` (dots per inch)."""
    if density <= 0:
        return ""
    factor = BASE_DENSITY / density
    return f"{round(size.width * factor)} × {round(size.height * factor)}"


def crumb(node: Node) -> str:
    """The name of a node in a breadcrumb: ``item [0]``, ``FrameLayout``."""
    return " ".join(filter(None, (node.short_id or short_kind(node), _sibling_index(node))))


def _name(node: Node) -> str:
    return f"#{node.short_id}" if node.short_id else ""


def _label(node: Node) -> str:
    if node.text:
        return f'"{_one_line(node.text)}"'
    return _one_line(node.content_desc)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _sibling_index(node: Node) -> str:
    """The position among siblings of the same id, as in ``[2]``; empty when there are none."""
    if node.parent is None or not node.resource_id:
        return ""
    alike = [child for child in node.parent.children if child.resource_id == node.resource_id]
    return f"[{alike.index(node)}]" if len(alike) > 1 else ""


def _child_count(node: Node) -> str:
    return _children(len(node.children)) if node.flag("scrollable") or len(node.children) > 4 else ""


def _children(count: int) -> str:
    return ngettext("{count} child", "{count} children", count) if count else ""
