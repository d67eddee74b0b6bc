"""Hide private text and pixels: password fields and marked regions, in dumps and in screenshots.

The recorder hides passwords before a step reaches the disk; ``trajectory redact`` hides regions of a
stored step, too.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from collector.hierarchy.encoding import decode
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Rect, Size
from collector.model.tree import Node, Tree

MASK = "\u2022" * 6
"""Replaces a hidden text, whatever its length."""

TEXT_ATTRIBUTES = ("text", "content-desc", "hint", "tooltip")
_ELEMENT = re.compile(r"""<[A-Za-z_][\w:.$-]*(?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>""")
_PASSWORD = re.compile(r"""\spassword\s*=\s*["']true["']""")
_BOUNDS = re.compile(r"""\sbounds\s*=\s*["'](\[[^"']*\])["']""")
_TEXT = re.compile(r"""(\stext\s*=\s*)(?:"[^"]+"|'[^']+')""")
_ANY_TEXT = re.compile(rf"""(\s(?:{"|".join(TEXT_ATTRIBUTES)})\s*=\s*)(?:"[^"]+"|'[^']+')""")
_DOCTYPE = re.compile(r"(?i)<!doctype")


Hides = Callable[[str], bool]
"""Whether a text of a node is to be hidden wherever it is."""


def hides_nothing(_text: str) -> bool:
    """No text is hidden because of what it says."""
    return False


def has_private_text(
    tree: Tree, regions: Sequence[Rect] = (), *, passwords: bool = True, hides: Hides = hides_nothing
) -> bool:
    """Whether the tree has the text of a password field, even in dots, any text in ``regions``, or one that
    ``hides`` names. With ``passwords`` off only the others count.
    """
    return any(_is_private(node, regions, passwords) or shows(node, hides) for node in tree)


def mask_dump(
    xml: bytes, regions: Sequence[Rect] = (), *, passwords: bool = True, strict: bool = False,
    hides: Hides = hides_nothing,
) -> bytes | None:  # fmt: skip
    """Mask the text of password fields, all text in ``regions`` and what ``hides`` names in a dump.

    Everything else keeps its bytes, in UTF-8. Returns None when private text may be left. With ``strict``
    hints and descriptions of password fields are masked too, and a dump that is no well-formed XML, or
    that declares entities, gives None: both can hide text from the parser.
    """
    text, _repairs = decode(xml)

    def masked_element(element: re.Match[str]) -> str:
        return _without_hidden(_masked(element[0], regions, passwords, strict), hides)

    masked = _ELEMENT.sub(masked_element, text).encode("utf-8", "replace")
    try:
        tree = parse_tree(masked)
    except HierarchyError:
        return None
    if strict and (tree.repairs or _DOCTYPE.search(text) or not text.lstrip().startswith("<")):
        return None
    return None if has_private_text(tree, regions, passwords=passwords, hides=hides) else masked


def shows(node: Node, hides: Hides) -> bool:
    """Whether a node has a text that ``hides`` names."""
    return hides is not hides_nothing and any(hides(node.get(name)) for name in TEXT_ATTRIBUTES)


def touches(bounds: Rect | None, regions: Sequence[Rect]) -> bool:
    """Whether any of ``regions`` covers part of ``bounds``."""
    return bounds is not None and any(bounds.intersection(region) is not None for region in regions)


def password_regions(tree: Tree) -> list[Rect]:
    """The bounds of password fields, in the tree's pixels."""
    return [node.bounds for node in tree if node.password and node.bounds is not None]


def regions_of(tree: Tree | None, hides: Hides) -> list[Rect]:
    """The bounds of the nodes that draw a text that ``hides`` names, in the tree's pixels."""
    # What a container says of itself is not on the screen.
    drawn = [node for node in tree or () if not node.children and shows(node, hides)]
    return [node.bounds for node in drawn if node.bounds is not None]


def blacked_out(rgb: NDArray[np.uint8], regions: Iterable[Rect], screen: Size) -> NDArray[np.uint8]:
    """A copy of uint8 RGB pixels of shape (h, w, 3) with ``regions`` black; ``screen`` is their scale."""
    pixels = rgb.copy()
    height, width = pixels.shape[:2]
    x_scale = width / screen.width if screen.width else 1.0
    y_scale = height / screen.height if screen.height else 1.0
    for region in regions:
        top, bottom = max(0, math.floor(region.top * y_scale)), max(0, math.ceil(region.bottom * y_scale))
        left, right = max(0, math.floor(region.left * x_scale)), max(0, math.ceil(region.right * x_scale))
        pixels[top:bottom, left:right] = 0
    return pixels


def _is_private(node: Node, regions: Sequence[Rect], passwords: bool) -> bool:
    if passwords and node.password and node.text not in ("", MASK):
        return True
    return touches(node.bounds, regions) and any(node.get(name) not in ("", MASK) for name in TEXT_ATTRIBUTES)


def _without_hidden(element: str, hides: Hides) -> str:
    """The element with each text masked that ``hides`` names."""
    if hides is hides_nothing:
        return element

    def masked(text: re.Match[str]) -> str:
        value = text[0][len(text[1]) + 1 : -1]
        return f'{text[1]}"{MASK}"' if hides(html.unescape(value)) else text[0]

    return _ANY_TEXT.sub(masked, element)


def _masked(element: str, regions: Sequence[Rect], passwords: bool, strict: bool) -> str:
    bounds = _BOUNDS.search(element) if regions else None
    if bounds is not None:
        try:
            if touches(Rect.parse(bounds[1]), regions):
                return _ANY_TEXT.sub(rf'\1"{MASK}"', element)
        except ValueError:
            pass  # an unusual notation: has_private_text looks at what the parser makes of it
    if not passwords or not _PASSWORD.search(element):
        return element
    return (_ANY_TEXT if strict else _TEXT).sub(rf'\1"{MASK}"', element)
