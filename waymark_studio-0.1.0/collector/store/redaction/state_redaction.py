"""Redact the files of a stored state: its screenshot and its tree."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PIL import Image

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Rect, Size
from collector.model.tree import Node, Tree
from collector.pictures.decoding import rgb_pixels
from collector.pictures.errors import PictureError
from collector.store.redaction.screens import (
    Hides,
    blacked_out,
    hides_nothing,
    mask_dump,
    password_regions,
    regions_of,
    shows,
    touches,
)


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


def black_out(data: bytes, regions: Sequence[Rect], screen: Size) -> bytes | None:
    """The screenshot as PNG with ``regions``, in pixels of ``screen``, black; None when none can be made."""
    try:
        rgb = rgb_pixels(data)
    except PictureError:
        return None
    scale = Size(rgb.shape[1], rgb.shape[0]) if screen.is_empty else screen
    png = io.BytesIO()
    Image.fromarray(blacked_out(rgb, regions, scale)).save(png, "PNG")
    return png.getvalue()
