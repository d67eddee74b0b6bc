"""Decide where a touch of one phone goes on another: onto the same node, or the same share of the screen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from collector.hierarchy.captions import click_target, describe_node
from collector.model.errors import UserError
from collector.model.geometry import Point, Position, Size
from collector.model.i18n import _
from collector.model.phone.android_names import is_home_screen
from collector.model.tree import Node, Tree
from collector.recorder.step_builder import target_of
from collector.replay.retarget import inside
from collector.replay.target_search import TargetQuery, is_shown, scaled

_WHOLE = 0.5
"""Share of the screen from which a node is a surface, such as a map, and no thing that is touched."""
_STROKE = 0.04
"""Share of the screen's height that a finger moves in a stroke."""


class NotMirrored(UserError):  # noqa: N818 - a state of the other phone
    """The touch has no place on the other phone: nothing may be sent."""


@dataclass(frozen=True, slots=True)
class MirrorScreen:
    """What a phone shows: its tree, None when it could not be read, and its size in device pixels."""

    tree: Tree | None
    size: Size

    @property
    def is_wide(self) -> bool:
        return self.size.width > self.size.height

    @property
    def package(self) -> str:
        """The app in front, as its tree says; empty when that is unknown."""
        return next((node.package for node in self.tree or () if node.package), "")


@dataclass(frozen=True, slots=True)
class MirroredGesture:
    """Where the fingers of a gesture go on the other phone: they keep their way across the screen."""

    start: Position
    """Where the first finger came down on the phone that was touched."""
    there: Position
    """Where it comes down on the other one."""
    by_node: bool = False
    """Whether that is the same node, and not only the same share of the screen."""

    def place(self, position: Position) -> Position:
        """The place of a finger on the other phone, within its screen."""
        screen = self.there.screen
        here, begun = position.on(screen), self.start.on(screen)
        x, y = here.x + self.there.point.x - begun.x, here.y + self.there.point.y - begun.y
        inner = Point(min(max(x, 0), screen.width - 1), min(max(y, 0), screen.height - 1))
        return Position(inner, screen)


def mirror_gesture(places: Iterable[Position], here: MirrorScreen, there: MirrorScreen) -> MirroredGesture:
    """Mirror the first finger's ``places``, which begin where it came down on the screen ``here``.

    A node that is touched is searched on the other screen by its selectors and words, as a replay does, and
    else by its place among its like, as where the language is another. Strokes, and touches of nothing in
    particular, go to the same share of the screen. Raises NotMirrored.
    """
    way = tuple(places)
    start = way[0]
    stroke = any(position.point.distance_to(start.point) > _STROKE * start.screen.height for position in way)
    node = _touched(start, here)
    if node is not None and not stroke:
        _require_tree(there)
    if here.package and there.package and here.package != there.package:
        raise NotMirrored(_("It shows another app"), "", _("Bring both phones to the same screen"))
    found = _find(node, here, there) if node is not None else None
    if found is not None and node is not None and found.bounds is not None:
        point = inside(start.point, node.bounds, found.bounds)
        return MirroredGesture(start, Position(point, there.size), by_node=True)
    if node is not None and not stroke:
        name = describe_node(node) or node.short_id or node.short_class
        to_do = _("Bring both phones to the same screen")
        if is_home_screen(here.package):
            to_do = _("Open the app by 'Open app', which is done on all phones")
        raise NotMirrored(_("'{name}' is not on its screen", name=name), "", to_do)
    return MirroredGesture(start, mirror_place(start, here, there))


def mirror_place(place: Position, here: MirrorScreen, there: MirrorScreen) -> Position:
    """Keep the share of the screen. Raises NotMirrored where that one is turned the other way."""
    if here.is_wide != there.is_wide:
        raise NotMirrored(_("Its screen is turned the other way"), "", _("Rotate it"))
    return Position(place.on(there.size), there.size)


def _require_tree(there: MirrorScreen) -> None:
    if there.tree is None:
        raise NotMirrored(_("Its screen could not be read"), "", _("Read its tree again"))


def _touched(start: Position, here: MirrorScreen) -> Node | None:
    """The node under a finger; None for nothing in particular, as a map or an empty place."""
    if here.tree is None:
        return None
    node = click_target(here.tree, start.on(here.size))
    if node is None or node.bounds is None or node.parent is None:
        return None
    is_surface = node.bounds.width * node.bounds.height > _WHOLE * here.size.area
    is_plain = not node.clickable and not node.resource_id and not describe_node(node)
    return None if is_surface or is_plain else node


def _find(node: Node, here: MirrorScreen, there: MirrorScreen) -> Node | None:
    if here.tree is None or there.tree is None or node.bounds is None:
        return None
    query = TargetQuery(
        target_of(here.tree, node, ()),
        describe_node(node),
        scaled(node.bounds, here.size, there.size),
        there.size,
    )
    match = query.find(there.tree)
    if is_home_screen(here.package):  # icons have one id, and each language sorts them in its own way
        return match.node if match is not None and not match.reworded else None
    if match is not None:
        return match.node
    return _among_like(node, here, there) if node.resource_id else _at_path(node, there.tree)


def _among_like(node: Node, here: MirrorScreen, there: MirrorScreen) -> Node | None:
    """The node in the same place among those of its id and class; None where there are more, or fewer."""
    likes, others = _like(node, here), _like(node, there)
    return others[likes.index(node)] if node in likes and len(likes) == len(others) else None


def _like(node: Node, screen: MirrorScreen) -> list[Node]:
    key = (node.resource_id, node.class_name)
    return [
        other
        for other in screen.tree or ()
        if (other.resource_id, other.class_name) == key and is_shown(other, screen.size)
    ]


def _at_path(node: Node, tree: Tree) -> Node | None:
    """The node of the same path, when both have the same kin on all the way; None otherwise."""
    found = tree.at_path(node.path)
    ours: Node | None = node
    theirs = found
    while ours is not None and theirs is not None:
        if (ours.class_name, len(ours.children)) != (theirs.class_name, len(theirs.children)):
            return None
        ours, theirs = ours.parent, theirs.parent
    return found if ours is theirs else None
