"""Read hierarchies stored as a JSON list of views, as DroidBot, Kea and LlamaTouch write them."""

from __future__ import annotations

import json
from typing import Any

from collector.hierarchy.tree_builder import MAX_NODES, TreeBuilder, too_many_nodes
from collector.model.i18n import _
from collector.model.tree import Tree

_TEXTS = {
    "text": "text",
    "resource-id": "resource_id",
    "class": "class",
    "package": "package",
    "content-desc": "content_description",
}
_FLAGS = {
    "checkable": "checkable",
    "checked": "checked",
    "clickable": "clickable",
    "enabled": "enabled",
    "focusable": "focusable",
    "focused": "focused",
    "scrollable": "scrollable",
    "long-clickable": "long_clickable",
    "password": "is_password",
    "selected": "selected",
    "visible-to-user": "visible",
}


_OBJECTS_PER_VIEW = 4
"""JSON objects and braces in texts that a view may have, on average."""


def looks_like_views(text: str) -> bool:
    """Whether ``text`` may be JSON rather than XML."""
    return text.lstrip()[:1] in ("[", "{")


def parse_views(text: str, source: str | None = None) -> Tree | None:
    """Return the tree of a list of views or of an object with ``views``; None for anything else.

    Raises HierarchyError for more views than a tree may have.
    """
    if text.count("{") > _OBJECTS_PER_VIEW * MAX_NODES:  # before they are all in memory
        raise too_many_nodes()
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    views = document.get("views") if isinstance(document, dict) else document
    if not isinstance(views, list) or not any(_is_view(view) for view in views):
        return None
    builder = TreeBuilder()
    left_out = _write_views([view if _is_view(view) else {} for view in views], builder)
    if not builder.nodes:
        return None
    repairs = [_("Views that belong to no other were left out ({count})", count=left_out)] if left_out else []
    return builder.finish(source or "views", repairs)


def _is_view(view: object) -> bool:
    return isinstance(view, dict) and "bounds" in view


def _write_views(views: list[dict[str, Any]], builder: TreeBuilder) -> int:
    """Feed every view below a root to the builder, once each; return how many are below none."""
    owned = {child for view in views for child in _children(view, len(views))}
    roots = [place for place in range(len(views)) if place not in owned and views[place]]
    seen: set[int] = set()
    waiting: list[tuple[int, int]] = [(place, index) for index, place in enumerate(roots)][::-1]
    while waiting:
        place, index = waiting.pop()
        if place < 0:
            builder.end("node")
            continue
        if place in seen or not views[place]:
            continue
        seen.add(place)
        builder.start("node", _attributes(views[place], index))
        waiting.append((-1, 0))
        children = _children(views[place], len(views))
        waiting.extend((child, position) for position, child in reversed(list(enumerate(children))))
    return sum(1 for view in views if view) - len(seen)


def _children(view: dict[str, Any], count: int) -> list[int]:
    children = view.get("children")
    if not isinstance(children, list):
        return []
    return [child for child in children if type(child) is int and 0 <= child < count]


def _attributes(view: dict[str, Any], index: int) -> dict[str, str]:
    attributes = {"index": str(index)}
    for name, key in _TEXTS.items():
        value = view.get(key)
        attributes[name] = value if isinstance(value, str) else ""
    for name, key in _FLAGS.items():
        if key in view:
            attributes[name] = "true" if view[key] is True else "false"
    bounds = _bounds(view.get("bounds"))
    if bounds:
        attributes["bounds"] = bounds
    return attributes


def _bounds(corners: Any) -> str:
    try:
        (left, top), (right, bottom) = corners
        return f"[{int(left)},{int(top)}][{int(right)},{int(bottom)}]"
    except (TypeError, ValueError, OverflowError):
        return ""
