"""Write a tree of another format as a dump of uiautomator."""

from __future__ import annotations

import re

from collector.model.tree import Node, Tree

_ORDER = (
    "index", "text", "resource-id", "class", "package", "content-desc", "checkable", "checked", "clickable",
    "enabled", "focusable", "focused", "scrollable", "long-clickable", "password", "selected",
    "visible-to-user", "bounds",
)  # fmt: skip
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot contain; uiautomator too writes a dot instead."""
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)


def dump_of(tree: Tree) -> bytes:
    """The dump of ``tree``: each node keeps the attributes that uiautomator knows, and gets no others."""
    parts = [
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>",
        f'<hierarchy rotation="{tree.rotation}">',
    ]
    depth = 0
    for node in tree:
        parts.append("</node>" * (depth - node.depth))
        parts.append(f"<node{_attributes(node)}>")
        depth = node.depth + 1
    parts.append("</node>" * depth)
    parts.append("</hierarchy>")
    return "".join(parts).encode()


def _attributes(node: Node) -> str:
    names = [name for name in _ORDER if name in node.attributes]
    return "".join(f' {name}="{_escaped(node.attributes[name])}"' for name in names)


def _escaped(value: str) -> str:
    return _FORBIDDEN.sub(".", value).translate(_ESCAPES)
