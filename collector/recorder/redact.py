"""What must never reach the disk is taken out here: the text of password fields, and marked regions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from collector.hierarchy.encoding import decode
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Rect, Size
from collector.model.tree import Node, Tree

MASK = "\u2022" * 6
"""What stands in place of a password, whatever its length."""

_WORDS = ("text", "content-desc", "hint", "tooltip")
_ELEMENT = re.compile(r"""<[A-Za-z_][\w:.$-]*(?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>""")
_PASSWORD = re.compile(r"""\spassword\s*=\s*["']true["']""")
_BOUNDS = re.compile(r"""\sbounds\s*=\s*["'](\[[^"']*\])["']""")
_TEXT = re.compile(r"""(\stext\s*=\s*)(?:"[^"]+"|'[^']+')""")
_ANY_WORDS = re.compile(rf"""(\s(?:{"|".join(_WORDS)})\s*=\s*)(?:"[^"]+"|'[^']+')""")


def has_secrets(tree: Tree, regions: Sequence[Rect] = (), *, passwords: bool = True) -> bool:
    """Whether the tree has the text of a password field, even in dots, or words in ``regions``.

    With ``passwords`` off only ``regions`` count.
    """
    return any(_is_secret(node, regions, passwords) for node in tree)


def without_secrets(xml: bytes, regions: Sequence[Rect] = (), *, passwords: bool = True) -> bytes | None:
    """The dump with the text of password fields and all words in ``regions`` masked.

    Everything else stays as it was, byte for byte, in UTF-8. None when it cannot be made sure of.
    """
    text, _repairs = decode(xml)
    masked = _ELEMENT.sub(lambda element: _masked(element[0], regions, passwords), text).encode(
        "utf-8", "replace"
    )
    try:
        return None if has_secrets(parse_tree(masked), regions, passwords=passwords) else masked
    except HierarchyError:
        return None


def touches(bounds: Rect | None, regions: Sequence[Rect]) -> bool:
    """Whether any of ``regions`` covers part of ``bounds``."""
    return bounds is not None and any(bounds.intersection(region) is not None for region in regions)


def _is_secret(node: Node, regions: Sequence[Rect], passwords: bool) -> bool:
    if passwords and node.password and node.text not in ("", MASK):
        return True
    return touches(node.bounds, regions) and any(node.get(name) not in ("", MASK) for name in _WORDS)


def _masked(element: str, regions: Sequence[Rect], passwords: bool) -> str:
    place = _BOUNDS.search(element) if regions else None
    if place is not None:
        try:
            if touches(Rect.parse(place[1]), regions):
                return _ANY_WORDS.sub(rf'\1"{MASK}"', element)
        except ValueError:
            pass  # written unusually: has_secrets looks at what the reader makes of it
    return _TEXT.sub(rf'\1"{MASK}"', element) if passwords and _PASSWORD.search(element) else element


def password_regions(tree: Tree) -> list[Rect]:
    """Where password fields lie, in the tree's pixels."""
    return [node.bounds for node in tree if node.password and node.bounds is not None]


def blacked_out(rgb: NDArray[np.uint8], regions: Iterable[Rect], screen: Size) -> NDArray[np.uint8]:
    """A copy of the picture with ``regions``, given on ``screen``, painted black."""
    picture = rgb.copy()
    height, width = picture.shape[:2]
    across = width / screen.width if screen.width else 1.0
    down = height / screen.height if screen.height else 1.0
    for region in regions:
        top, bottom = max(0, math.floor(region.top * down)), max(0, math.ceil(region.bottom * down))
        left, right = max(0, math.floor(region.left * across)), max(0, math.ceil(region.right * across))
        picture[top:bottom, left:right] = 0
    return picture
