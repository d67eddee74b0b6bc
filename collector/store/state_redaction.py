"""Redact the files of a stored state: its screenshot and its tree."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Rect, Size
from collector.model.message import _
from collector.model.tree import Node, Tree
from collector.store.errors import Damaged
from collector.store.redaction import (
    Hides,
    blacked_out,
    hides_nothing,
    mask_dump,
    password_regions,
    regions_of,
    shows,
    touches,
)

MAX_PIXELS = 50_000_000


@dataclass(frozen=True, slots=True)
class HiddenParts:
    """What is hidden of a screen."""

    regions: tuple[Rect, ...]
    """In device pixels."""
    passwords: bool
    """Whether password fields are."""
    hides: Hides = hides_nothing
    """Which texts of nodes are, wherever they stand."""

    def nodes(self, dump: bytes | None) -> list[Node]:
        """The nodes that are hidden; none of a dump that cannot be read."""
        if not self.regions and not self.passwords and self.hides is hides_nothing:
            return []
        return [node for node in _parsed(dump) or () if self._is_hidden(node)]

    def places(self, dump: bytes | None) -> Iterator[Rect]:
        """What is black in the screenshot, in device pixels."""
        tree = _parsed(dump)
        yield from self.regions
        if tree is not None:
            yield from password_regions(tree) if self.passwords else ()
            yield from regions_of(tree, self.hides)

    def masked(self, dump: bytes | None) -> bytes | None:
        """The dump without what is hidden; None where that cannot be done safely."""
        if dump is None:
            return None
        return mask_dump(dump, self.regions, passwords=self.passwords, strict=True, hides=self.hides)

    def _is_hidden(self, node: Node) -> bool:
        is_password = self.passwords and node.password
        return is_password or touches(node.bounds, self.regions) or shows(node, self.hides)


def _parsed(dump: bytes | None) -> Tree | None:
    try:
        return parse_tree(dump) if dump else None
    except HierarchyError:
        return None


def black_out(data: bytes, regions: Sequence[Rect], screen: Size) -> bytes:
    """The screenshot as PNG with ``regions``, given in pixels of ``screen``, black. Raises Damaged."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > MAX_PIXELS:
                raise Damaged(_("The screenshot has too many pixels to be redacted"))
            rgb = np.asarray(image.convert("RGB"))
    except (OSError, ValueError) as error:
        raise Damaged(_("The screenshot cannot be redacted"), str(error)) from None
    scale = Size(rgb.shape[1], rgb.shape[0]) if screen.is_empty else screen
    png = io.BytesIO()
    Image.fromarray(blacked_out(rgb, regions, scale)).save(png, "PNG")
    return png.getvalue()
