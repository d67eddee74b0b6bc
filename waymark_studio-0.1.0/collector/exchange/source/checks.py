"""Check the files of a step of a source: is the screenshot whole, is the tree readable, do they match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.source.uiautomator_dump import dump_of
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.tree import Tree
from collector.pictures.errors import NotAPicture, PictureDamaged, PictureError, PictureTooLarge
from collector.pictures.formats import read_picture_file
from collector.pictures.picture_bytes import read_picture_bytes


@dataclass(frozen=True, slots=True)
class SourceScreenshot:
    """The bytes of a screenshot, unchanged, and its size in pixels, 0 by 0 when it is not known."""

    data: bytes
    size: Size


def read_picture(path: Path, log: ExchangeLog, step: str) -> SourceScreenshot | None:
    """Read a screenshot, even a damaged one. Returns None, with a finding, when it is unusable."""
    data = b""
    try:
        data = read_picture_bytes(path)
        return SourceScreenshot(data, read_picture_file(data).size)
    except OSError as error:
        log.add(
            "picture-unreadable", _("A screenshot cannot be opened: {why}", why=error.strerror), step=step
        )
    except PictureTooLarge as error:
        log.add("picture-too-large", _("A screenshot was left out. {why}", why=error), step=step)
    except NotAPicture:
        log.add(
            "picture-not-one", _("A screenshot is not an image; its bytes were kept unchanged"), step=step
        )
        return SourceScreenshot(data, Size(0, 0))
    except PictureDamaged as error:
        log.add(
            "picture-damaged",
            _("A screenshot is truncated or damaged; its bytes were kept unchanged"),
            step=step,
        )
        return SourceScreenshot(data, error.size)
    return None


def picture_size(path: Path | None) -> Size | None:
    """The size in pixels of a screenshot; None when there is none or it cannot be read."""
    if path is None:
        return None
    try:
        return read_picture_file(read_picture_bytes(path)).size
    except PictureError as error:
        return None if error.size.is_empty else error.size
    except OSError:
        return None


def convert_tree(
    convert: Callable[[], Tree], log: ExchangeLog, step: str
) -> tuple[bytes | None, Tree | None]:
    """Convert a tree of another format. Returns its dump and the tree; oddities go into the log."""
    try:
        tree = convert()
    except UserError as error:
        log.add("tree-unreadable", _("A tree cannot be converted: {why}", why=error.what), step=step)
        return None, None
    _report_repairs(tree, log, step)
    data = dump_of(tree)
    return data, parse_tree(data)


def read_tree(path: Path, log: ExchangeLog, step: str) -> tuple[bytes | None, Tree | None]:
    """Read a dump. Returns its bytes, and its tree if it can be parsed; oddities go into the log."""
    try:
        data = path.read_bytes()
    except OSError as error:
        log.add("tree-unreadable", _("A tree cannot be opened: {why}", why=error.strerror), step=step)
        return None, None
    try:
        tree = parse_tree(data)
    except HierarchyError as error:
        log.add(
            "tree-unreadable",
            _("A tree cannot be read: {why}; its bytes were kept", why=error.what),
            step=step,
        )
        return data, None
    _report_repairs(tree, log, step)
    return data, tree


def _report_repairs(tree: Tree, log: ExchangeLog, step: str) -> None:
    for repair in tree.repairs:
        log.add(
            "tree-repaired",
            _("A tree was read with repairs: {repair}", repair=repair),
            step=step,
            severity=NOTE,
        )


def extent(tree: Tree) -> Size:
    """How far a tree reaches to the right and down."""
    roots = [node.bounds for node in tree.roots if node.bounds]
    return Size(
        max((root.right for root in roots), default=0), max((root.bottom for root in roots), default=0)
    )


def _is_window(picture: Size, tree: Tree) -> bool:
    """Whether the tree is that of a dialog or a menu inside the screen."""
    boxes = [node.bounds for node in tree.roots if node.bounds]
    return any(box.left > 0 or box.top > 0 for box in boxes) and all(
        box.right <= picture.width and box.bottom <= picture.height for box in boxes
    )


def compare_sizes(picture: Size, tree: Tree, log: ExchangeLog, step: str) -> None:
    """Report a tree that covers another area than its screenshot shows."""
    covered = extent(tree)
    if picture.is_empty or covered.is_empty or covered == picture:
        return
    if covered == picture.transposed:
        text = _(
            "Screenshot ({picture}) and tree ({tree}) were taken in different rotations",
            picture=picture,
            tree=covered,
        )
    elif _is_window(picture, tree):
        text = _("The tree covers only the window on top, not the whole screen")
        log.add("tree-of-window", text, step=step, severity=NOTE)
        return
    elif covered.width == picture.width and covered.height < picture.height:
        text = _(
            "The tree ({tree}) is lower than the screenshot ({picture}), "
            "as when the navigation bar is not in it",
            tree=covered,
            picture=picture,
        )
        log.add("tree-lower", text, step=step, severity=NOTE)
        return
    else:
        text = _(
            "Screenshot ({picture}) and tree ({tree}) differ in size: "
            "one may be scaled, or they are of different moments",
            picture=picture,
            tree=covered,
        )
    log.add("size-differs", text, step=step)
