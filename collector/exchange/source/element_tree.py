"""A flat tree of elements that are no dump: recognised in the pixels, or listed by an agent's program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from collector.hierarchy.tree_builder import TreeBuilder
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.tree import Tree

_TEXTS = {"text": "text", "resource_name": "resource-id", "class_name": "class", "package_name": "package",
          "content_description": "content-desc"}  # fmt: skip
_FLAGS = {
    "is_checkable": "checkable", "is_checked": "checked", "is_clickable": "clickable",
    "is_enabled": "enabled", "is_focusable": "focusable", "is_focused": "focused",
    "is_scrollable": "scrollable", "is_long_clickable": "long-clickable", "is_selected": "selected",
    "is_visible": "visible-to-user",
}  # fmt: skip
_FAR = 10**6
"""Pixels that are beyond any screen."""
SCREEN = "SCREEN"
"""Class of the node that stands for the whole screen."""
Sides = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels."""


def tree_of_elements(elements: Iterable[tuple[Sides | None, Mapping[str, str]]], screen: Size | None) -> Tree:
    """The tree of elements with their attributes, below a node of the whole screen; no box leaves one out.

    Without the size of the screen it reaches as far as the elements.
    """
    listed = list(elements)
    boxes = [box for box, _attributes in listed if box is not None]
    if screen is None:
        right, bottom = (max((box[side] for box in boxes), default=0) for side in (2, 3))
        screen = Size(right, bottom)
    builder = TreeBuilder()
    builder.start("hierarchy", {"rotation": "0"})
    builder.start("node", _node(0, (0, 0, screen.width, screen.height), {"text": "", "class": SCREEN}))
    number = 0
    for box, attributes in listed:
        if box is not None:
            builder.start("node", _node(number, box, attributes))
            builder.end("node")
            number += 1
    left_out = len(listed) - number
    repairs = [_("Elements without a place were left out ({count})", count=left_out)] if left_out else []
    return builder.finish("elements", repairs)


def _node(index: int, box: Sides, attributes: Mapping[str, str]) -> dict[str, str]:
    left, top, right, bottom = box
    return {"index": str(index), **attributes, "bounds": f"[{left},{top}][{right},{bottom}]"}


def listed_attributes(element: Mapping[str, Any]) -> dict[str, str]:
    """The attributes of an element as AndroidWorld lists it (``UIElement``)."""
    known = {name: element[key] for key, name in _FLAGS.items() if element.get(key) is not None}
    flags = {name: "true" if value else "false" for name, value in known.items()}
    texts = {name: element.get(key) for key, name in _TEXTS.items()}
    return {name: value if isinstance(value, str) else "" for name, value in texts.items()} | flags


def tree_of_recognised(
    positions: Sequence[object], texts: Sequence[object], types: Sequence[object], screen: Size | None
) -> Tree:
    """The tree of AITW's elements: positions ``[y, x, height, width]``, with texts and types beside them."""
    return tree_of_elements(
        (
            (_box(position, screen), {"text": _text(texts, place), "class": _text(types, place)})
            for place, position in enumerate(positions)
        ),
        screen,
    )


def _text(known: Sequence[object], place: int) -> str:
    text = known[place] if place < len(known) else ""
    return text if isinstance(text, str) else ""


def _box(position: object, screen: Size | None) -> Sides | None:
    """Left, top, right and bottom in pixels; places may be given as shares of the screen, too."""
    try:
        y, x, height, width = (float(number) for number in position)  # type: ignore[attr-defined]
        if screen and 0 < max(y, x, height, width) <= 1:
            y, x, height, width = (
                y * screen.height,
                x * screen.width,
                height * screen.height,
                width * screen.width,
            )
        return rounded((x, y, x + width, y + height))
    except (TypeError, ValueError, OverflowError):
        return None


def rounded(sides: Iterable[float]) -> Sides | None:
    """Four sides as whole pixels; None when they are none, or lie beyond any screen."""
    numbers = list(sides)
    if len(numbers) != 4 or not all(-_FAR < number < _FAR for number in numbers):
        return None
    left, top, right, bottom = (round(number) for number in numbers)
    return left, top, right, bottom
