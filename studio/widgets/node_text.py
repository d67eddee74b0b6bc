"""How a node reads in one line: ``TextView #title "Paris street poster"``."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.geometry import Size
from collector.model.i18n import _, ngettext
from collector.model.tree import Node

_BASE_DENSITY = 160


@dataclass(frozen=True, slots=True)
class NodeLine:
    """The parts of a node's line, each drawn in its own colour; any but ``kind`` may be empty."""

    kind: str
    """Short class, as in ``TextView``."""
    name: str = ""
    """``#title``."""
    label: str = ""
    """Its text in quotes, else its description without."""
    note: str = ""
    """What else tells it from its like: ``[0]``, ``6 children``."""

    def __str__(self) -> str:
        return " ".join(part for part in (self.kind, self.name, self.label, self.note) if part)


def tree_line(node: Node) -> NodeLine:
    """The line of a tree's row."""
    return NodeLine(short_kind(node), _name(node), _label(node), _place(node) or _brood(node))


def stack_line(node: Node) -> NodeLine:
    """The line of a menu of stacked nodes: says too what can be done with the node."""
    traits = [_place(node)]
    if node.flag("scrollable"):
        traits.append(", ".join(filter(None, (_("scrollable"), _children(len(node.children))))))
    elif node.clickable and not _label(node):
        traits.append(_("clickable"))
    if node.parent is None:
        traits.append(_("root"))
    return NodeLine(short_kind(node), _name(node), _label(node), " ".join(filter(None, traits)))


def short_kind(node: Node) -> str:
    """``TextView``; a word for nodes whose dump gave no class."""
    return node.short_class or node.class_name or _("node")


def node_size(node: Node) -> str:
    """``516 × 60``, in device pixels, or empty without bounds."""
    return f"{node.bounds.width} × {node.bounds.height}" if node.bounds else ""


def size_in_dp(size: Size, density: int) -> str:
    """A size in density-independent pixels; ``density`` in dots an inch, empty when unknown."""
    if density <= 0:
        return ""
    factor = _BASE_DENSITY / density
    return f"{round(size.width * factor)} × {round(size.height * factor)}"


def crumb(node: Node) -> str:
    """A node's name in a breadcrumb: ``item [0]``, ``FrameLayout``."""
    return " ".join(filter(None, (node.short_id or short_kind(node), _place(node))))


def _name(node: Node) -> str:
    return f"#{node.short_id}" if node.short_id else ""


def _label(node: Node) -> str:
    if node.text:
        return f'"{_one_line(node.text)}"'
    return _one_line(node.content_desc)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _place(node: Node) -> str:
    """``[2]`` for a node with siblings of the same id."""
    if node.parent is None or not node.resource_id:
        return ""
    alike = [child for child in node.parent.children if child.resource_id == node.resource_id]
    return f"[{alike.index(node)}]" if len(alike) > 1 else ""


def _brood(node: Node) -> str:
    return _children(len(node.children)) if node.flag("scrollable") or len(node.children) > 4 else ""


def _children(count: int) -> str:
    return ngettext("{count} child", "{count} children", count) if count else ""
