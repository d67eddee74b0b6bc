"""The elements of a screen that an agent is shown by number: in a list, as marks on the picture, or both.

One list decides all three: what is written for the model, what is drawn, and which element an answer such as
``"index": 3`` means (``AgentScreen.elements``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from collector.model.geometry import Point, Rect, Size
from collector.model.tree import Node, Tree

COMPACT, DGARA, M3A = "compact", "dgara", "m3a"
LIST_STYLES = (COMPACT, DGARA, M3A)
"""How a list is written: a short line each, or as D-GARA or M3A show elements."""
MAX_ELEMENTS = 1000
_MAX_LABEL = 120
_SMALLEST = 2
"""Pixels of the shorter side of the smallest element that can be touched."""
_INTERACTIVE = ("clickable", "long-clickable", "checkable", "scrollable")
_EDITABLE = ("EditText", "AutoCompleteTextView")
_FLAGS = ("checked", "selected", "focused", "scrollable", "password")

PlaceOf = Callable[[Point], Sequence[int]]
"""The coordinates that the model knows a pixel of the device by."""


@dataclass(frozen=True, slots=True, eq=False)
class ScreenElement:
    """An element with a number."""

    index: int
    node: Node
    bounds: Rect
    """On the screen, in pixels of the device."""
    label: str
    """Its text, or what the nodes inside it say; empty for a password."""
    is_interactive: bool


@dataclass(frozen=True, slots=True)
class ElementList:
    """The elements that a model is shown, and the list as it reads it."""

    elements: tuple[ScreenElement, ...] = ()
    text: str = ""
    omitted: int = 0
    """Elements left out because the list would be too long."""

    @property
    def rects(self) -> tuple[Rect, ...]:
        """As ``AgentScreen.elements`` has them."""
        return tuple(element.bounds for element in self.elements)


def list_elements(tree: Tree | None, screen: Size, place_of: PlaceOf, style: str, limit: int) -> ElementList:
    """Number the elements of a screen and write their list, of at most ``limit`` characters."""
    if tree is None:
        return ElementList()
    elements = screen_elements(tree, screen)
    lines, length = [], 2
    for element in elements:
        line = _WRITERS[style](element, place_of)
        length += len(line) + 1
        if length > limit:
            break
        lines.append(line)
    text = "[" + ",\n".join(lines) + "]" if style == DGARA else "\n".join(lines)
    return ElementList(tuple(elements[: len(lines)]), text, len(elements) - len(lines))


def screen_elements(tree: Tree, screen: Size) -> list[ScreenElement]:
    """The elements that can be touched or that say something, in document order, numbered from 0.

    A text inside an element that can be clicked is part of its label, and no element of its own.
    """
    whole = Rect(0, 0, screen.width, screen.height)
    elements: list[ScreenElement] = []
    for node, bounds in _visible(tree, whole):
        interactive = _is_interactive(node)
        label = _label_of(node, interactive)
        if not interactive and (not label or _is_inside_a_button(node)):
            continue
        if interactive and elements and elements[-1].bounds == bounds and _wraps(elements[-1], node, label):
            elements.pop()  # a wrapper of the same size: what is inside says more
        elements.append(ScreenElement(len(elements), node, bounds, label, interactive))
        if len(elements) == MAX_ELEMENTS:
            break
    return elements


def _visible(tree: Tree, whole: Rect) -> Iterator[tuple[Node, Rect]]:
    for node in tree:
        if node.bounds is None or node.get("visible-to-user", "true") == "false":
            continue
        bounds = Rect(
            max(node.bounds.left, whole.left), max(node.bounds.top, whole.top),
            min(node.bounds.right, whole.right), min(node.bounds.bottom, whole.bottom),
        )  # fmt: skip
        if min(bounds.right - bounds.left, bounds.bottom - bounds.top) >= _SMALLEST:
            yield node, bounds


def _is_interactive(node: Node) -> bool:
    return node.short_class in _EDITABLE or any(node.flag(name) for name in _INTERACTIVE)


def _is_inside_a_button(node: Node) -> bool:
    return any(ancestor.clickable for ancestor in node.ancestors())


def _wraps(outer: ScreenElement, node: Node, label: str) -> bool:
    return node.parent is outer.node and label in ("", outer.label) and not outer.node.label


def _label_of(node: Node, interactive: bool) -> str:
    if node.password:
        return ""
    label = node.label
    if not label and interactive and not node.flag("scrollable"):
        inner = (child.label for child in node.descendants() if not child.password)
        label = " ".join(dict.fromkeys(text for text in inner if text))
    return _short(label)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MAX_LABEL else line[: _MAX_LABEL - 1] + "…"


# -- how a list is written ---------------------------------------------------
def _compact(element: ScreenElement, place_of: PlaceOf) -> str:
    node = element.node
    parts = [f"[{element.index}]", node.short_class or "View"]
    if element.label:
        parts.append(json.dumps(element.label, ensure_ascii=False))
    if node.short_id:
        parts.append(f"id={node.short_id}")
    parts.append("at ({}, {})".format(*place_of(element.bounds.center)))
    flags = [name for name in _FLAGS if node.flag(name)]
    if node.get("enabled", "true") == "false":
        flags.append("disabled")
    if not element.is_interactive:
        flags.append("text only")
    return " ".join(parts) + (f" ({', '.join(flags)})" if flags else "")


def _dgara(element: ScreenElement, place_of: PlaceOf) -> str:
    node = element.node
    return _json({
        "uid": element.index, "resource_id": node.resource_id, "description": element.label,
        "class": node.class_name, "clickable": node.clickable,
        "center_coords": list(place_of(element.bounds.center)),
    })  # fmt: skip


def _m3a(element: ScreenElement, place_of: PlaceOf) -> str:
    node, bounds = element.node, element.bounds
    values: dict[str, object] = {
        "text": "" if node.password else _short(node.text), "content_description": _short(node.content_desc),
        "label": element.label, "class_name": node.class_name, "resource_name": node.resource_id,
        "bbox": [
            *place_of(Point(bounds.left, bounds.top)),
            *place_of(Point(bounds.right - 1, bounds.bottom - 1)),
        ],
    }  # fmt: skip
    if values["label"] in (values["text"], values["content_description"]):
        del values["label"]
    flags = ("clickable", "long-clickable", "scrollable", "checkable", "checked", "selected", "focused")
    values |= {f"is_{name.replace('-', '_')}": True for name in flags if node.flag(name)}
    if node.short_class in _EDITABLE:
        values["is_editable"] = True
    if node.get("enabled", "true") == "false":
        values["is_enabled"] = False
    return (
        f"UI element {element.index}: {_json({name: value for name, value in values.items() if value != ''})}"
    )


def _json(values: dict[str, object]) -> str:
    return json.dumps(values, ensure_ascii=False)


_WRITERS: dict[str, Callable[[ScreenElement, PlaceOf], str]] = {COMPACT: _compact, DGARA: _dgara, M3A: _m3a}
