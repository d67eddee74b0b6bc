"""The screens of an export with the boxes of their nodes, each picture once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.exchange.boxes.node_boxes import BoxChoice, NodeBox, node_boxes
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_picture import ENDINGS, exported_picture
from collector.exchange.exports.screens_elsewhere import ScreensElsewhere
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.errors import UserError
from collector.model.geometry import Point, Position, Rect, Size
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.model.tree import Node, Tree
from collector.pictures.formats import read_picture_file
from collector.store.trajectory.reader import StoredTrajectory

_FLAGS = ("clickable", "checkable", "checked", "enabled", "focused", "scrollable", "selected", "password")
ONE_CLASS = "element"
"""The class of every box when there is one class."""


@dataclass(frozen=True, slots=True)
class ScreenBox:
    """A node on a picture."""

    box: Rect
    """In pixels of the picture."""
    name: str
    """Its class, short, as in ``Button``."""
    text: str
    """Its text, or its description; empty for a password."""
    attributes: Mapping[str, Any]
    """``resource_id``, ``description``, ``package``, and the flags that are true or false."""


@dataclass(frozen=True, slots=True)
class BoxedScreen:
    """A picture and its boxes."""

    picture: Path
    """The file that was written."""
    size: Size
    boxes: tuple[ScreenBox, ...]
    source: str
    """Its trajectory and step."""


@dataclass(frozen=True, slots=True)
class BoxedScreens:
    """Writes the pictures of screens into a folder and finds their boxes."""

    folder: Path
    log: ExchangeLog
    choice: BoxChoice
    one_class: bool = False
    elsewhere: ScreensElsewhere = field(default_factory=ScreensElsewhere)
    """Screens that another side has."""

    def of(self, stored: StoredTrajectory) -> Iterator[BoxedScreen]:
        """The screens of a trajectory whose pictures are not in the folder yet."""
        for step in stored.steps:
            number = step.index + 1
            if self.elsewhere.leaves_out(stored, step, self.log):
                continue
            tree, shown = self._tree(stored, step), exported_picture(stored, step, self.log, number)
            if tree is None or shown is None:
                text = _("A screen without a picture or a tree has no boxes, and was left out")
                self.log.add("no-boxes", text, step=number, severity=NOTE)
                continue
            size = read_picture_file(shown.data).size
            name = hashlib.sha256(shown.data).hexdigest()[:24] + ENDINGS[shown.format][0]
            if (self.folder / name).exists():
                continue
            self.folder.mkdir(parents=True, exist_ok=True)
            self.log.makes(self.folder / name)
            shown.write(self.folder / name)
            screen = size if step.state.size.is_empty else step.state.size
            boxes = (self._box(each, screen, size) for each in node_boxes(tree, screen, self.choice))
            source = f"{stored.header.task_id}/{stored.header.id}/{number}"
            yield BoxedScreen(self.folder / name, size, tuple(boxes), source)

    def _tree(self, stored: StoredTrajectory, step: Step) -> Tree | None:
        try:
            dump = stored.tree(step)
            return parse_tree(dump) if dump is not None else None
        except (UserError, HierarchyError) as error:
            why = _("A file was left out: {why}", why=error)
            self.log.add("file-missing", why, step=step.index + 1)
            return None

    def _box(self, each: NodeBox, screen: Size, picture: Size) -> ScreenBox:
        corners = (Point(each.box.left, each.box.top), Point(each.box.right, each.box.bottom))
        first, last = (Position(corner, screen).on(picture) for corner in corners)
        node = each.node
        name = ONE_CLASS if self.one_class else node.short_class or "View"
        text = "" if node.password else node.label
        return ScreenBox(Rect(first.x, first.y, last.x, last.y), name, text, _attributes(node))


def _attributes(node: Node) -> dict[str, Any]:
    return {
        "resource_id": node.resource_id,
        "description": "" if node.password else node.content_desc,
        "package": node.package,
        **{name: node.flag(name) for name in _FLAGS if name in node.attributes},
    }
