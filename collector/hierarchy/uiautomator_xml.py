"""Write a tree as uiautomator writes it, for a phone of another size than the one it was dumped on."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping

from collector.model.geometry import Rect, Size
from collector.model.tree import Node, Tree

TEXT_FIELD = "EditText"
"""How the class of a text field ends."""
_HEAD = b"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
_ALLOWED = str.maketrans({chr(code): "." for code in (*range(9), 11, 12, *range(14, 32))})
"""XML has no other control characters than tab and line breaks; uiautomator writes a full stop for them."""


def uiautomator_xml(
    tree: Tree, sizes: tuple[Size, Size] | None = None, texts: Mapping[Rect, str] | None = None
) -> bytes:
    """The dump of a tree, in UTF-8. ``sizes`` are the screen of the tree and that of the dump, in px.

    ``texts`` are what stands in text fields now, by their bounds in the tree; these have the focus.
    """
    root = ET.Element("hierarchy", {"rotation": str(tree.rotation)})
    elements: list[ET.Element] = []
    for node in tree.nodes:
        parent = root if node.parent is None else elements[node.parent.order]
        values = _attributes(node, sizes)
        typed = texts.get(node.bounds) if texts and node.bounds else None
        if typed is not None and node.short_class.endswith(TEXT_FIELD):
            values |= {"text": typed.translate(_ALLOWED), "focused": "true"}
        elements.append(ET.SubElement(parent, "node", values))
    return _HEAD + ET.tostring(root, encoding="unicode").encode()


def scaled_rect(rect: Rect, before: Size, after: Size) -> Rect:
    """A rectangle of one screen at the same place of another."""
    if before == after or before.is_empty:
        return rect
    across, down = after.width / before.width, after.height / before.height
    return Rect(
        round(rect.left * across),
        round(rect.top * down),
        round(rect.right * across),
        round(rect.bottom * down),
    )


def _attributes(node: Node, sizes: tuple[Size, Size] | None) -> dict[str, str]:
    values = {name: value.translate(_ALLOWED) for name, value in node.attributes.items()}
    if node.bounds is not None:
        values["bounds"] = str(node.bounds if sizes is None else scaled_rect(node.bounds, *sizes))
    return values
