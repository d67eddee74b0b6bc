"""What must never reach the disk is taken out here: the text of password fields, and marked regions."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from collector.hierarchy.encoding import decode
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Rect, Size
from collector.model.tree import Tree

MASK = "\u2022" * 6
"""What stands in place of a password, whatever its length."""

_ELEMENT = re.compile(r"""<[A-Za-z_][\w:.$-]*(?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>""")
_PASSWORD = re.compile(r"""\spassword\s*=\s*["']true["']""")
_TEXT = re.compile(r"""(\stext\s*=\s*)(?:"[^"]+"|'[^']+')""")


def shows_password(tree: Tree) -> bool:
    """Whether the text of some password field is in the tree, masked by the phone or not."""
    return any(node.password and node.text not in ("", MASK) for node in tree)


def without_passwords(xml: bytes) -> bytes | None:
    """The dump with the text of each password field masked; None when that cannot be made sure of.

    Everything else stays as it was, byte for byte, in UTF-8.
    """
    text, _repairs = decode(xml)
    masked = _ELEMENT.sub(_masked, text).encode("utf-8", "replace")
    try:
        return None if shows_password(parse_tree(masked)) else masked
    except HierarchyError:
        return None


def _masked(element: re.Match[str]) -> str:
    whole = element[0]
    return _TEXT.sub(rf'\1"{MASK}"', whole) if _PASSWORD.search(whole) else whole


def password_regions(tree: Tree) -> list[Rect]:
    """Where password fields lie, in the tree's pixels."""
    return [node.bounds for node in tree if node.password and node.bounds is not None]


def blacked_out(rgb: NDArray[np.uint8], regions: Iterable[Rect], screen: Size) -> bytes:
    """The picture as PNG with ``regions``, given on ``screen``, painted black."""
    picture = rgb.copy()
    height, width = picture.shape[:2]
    across = width / screen.width if screen.width else 1.0
    down = height / screen.height if screen.height else 1.0
    for region in regions:
        top, bottom = max(0, math.floor(region.top * down)), max(0, math.ceil(region.bottom * down))
        left, right = max(0, math.floor(region.left * across)), max(0, math.ceil(region.right * across))
        picture[top:bottom, left:right] = 0
    out = io.BytesIO()
    Image.fromarray(picture).save(out, "PNG", compress_level=1)
    return out.getvalue()
