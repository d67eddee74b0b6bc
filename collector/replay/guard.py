"""Whether the screen is the one a step was recorded on, and where its target lies now."""

from __future__ import annotations

from dataclasses import dataclass

from collector.hierarchy.captions import describe_node, focused_field
from collector.hierarchy.spatial_index import SpatialIndex
from collector.judge.divergence import Divergence, describe_foreground, window_divergence
from collector.judge.observed_screen import ObservedScreen
from collector.judge.screen_similarity import SIMILAR_SHARE, shared_text
from collector.model.action import Action, Pinch, Scroll, Swipe, Type
from collector.model.geometry import Point
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.model.tree import Node, Tree
from collector.replay.retarget import in_place, on_node
from collector.replay.target_search import TargetMatch, TargetQuery

_AIMS_AT_PLACE = (Swipe, Scroll, Pinch)
"""Actions on a part of the screen, whatever happens to lie under the finger."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadyStep:
    """A step that may be done now: its action in the pixels of the screen as it is."""

    step: Step
    screen: ObservedScreen
    action: Action | None
    found: TargetMatch | None = None


def guard_step(step: Step, recorded: Tree | None, live: ObservedScreen) -> ReadyStep | Divergence:
    """``recorded`` is the tree of the step's state, None where none was kept."""
    elsewhere = window_divergence(step, live)
    if elsewhere is not None:
        return elsewhere
    action, tree = step.action, live.tree
    if tree is None:
        return Divergence("tree", _("a screen that can be read"), live.snapshot.problem)
    sought = TargetQuery.of(step, recorded, live.size)
    if isinstance(action, Type):
        return _check_field(step, sought, live, tree)
    if action is None or action.point is None or isinstance(action, _AIMS_AT_PLACE):
        return _check_words(step, recorded, live)
    if sought is None or not sought.target.selectors:
        return _check_words(step, recorded, live)
    return _check_target(step, sought, recorded, live, tree)


def _check_words(step: Step, recorded: Tree | None, live: ObservedScreen) -> ReadyStep | Divergence:
    """Without a target the screen has to say enough of what it said."""
    share = shared_text(recorded, live.tree)
    if share is not None and share < SIMILAR_SHARE:
        expected = _("the screen recorded")
        found = _("{percent} % of its words are here", percent=round(100 * share))
        return Divergence("screen", expected, found, describe_foreground(live))
    action = step.action
    return ReadyStep(step, live, in_place(action, step.state.size, live.size) if action is not None else None)


def _check_field(
    step: Step, sought: TargetQuery | None, live: ObservedScreen, tree: Tree
) -> ReadyStep | Divergence:  # fmt: skip
    """Text goes into the field with the focus: it has to be the one recorded."""
    field = focused_field(tree)
    expected = _("a field with the focus")
    if sought is not None:
        expected = _("the focus on {name}", name=repr(sought.name))
    if field is None:
        return Divergence("focus", expected, _("nothing has the focus"))
    if sought is None:
        return ReadyStep(step, live, step.action)
    found = sought.find(tree)
    same_id = field.resource_id != "" and field.resource_id == sought.wanted("resource-id")
    if same_id or found is None or _are_kin(found.node, field):
        return ReadyStep(step, live, step.action, found)
    return Divergence(
        "focus", expected, _("{name} has it", name=repr(describe_node(field) or field.short_id))
    )


def _check_target(
    step: Step, sought: TargetQuery, recorded: Tree | None, live: ObservedScreen, tree: Tree
) -> ReadyStep | Divergence:  # fmt: skip
    found, action = sought.find(tree), step.action
    assert action is not None
    if found is not None and found.reworded and (shared_text(recorded, tree) or 0.0) < SIMILAR_SHARE:
        found = None
    if found is None:
        return _missing(sought, live, tree)
    aimed = on_node(action, sought.target.bounds, found.box, step.state.size, live.size)
    cover = _cover(tree, found.node, aimed.point, live)
    if cover:
        middle = on_node(action, None, found.box, step.state.size, live.size)
        if _cover(tree, found.node, middle.point, live):
            return Divergence("covered", _("{name} to touch", name=repr(sought.name)), cover)
        aimed = middle
    return ReadyStep(step, live, aimed, found)


def _missing(sought: TargetQuery, live: ObservedScreen, tree: Tree) -> Divergence:
    count = sought.count(tree)
    expected = _("{name} to touch", name=repr(sought.name))
    if count > 1:
        found = _("{count} nodes fit, none of them in its place", count=count)
        return Divergence("ambiguous", expected, found, sought.nearest(tree))
    return Divergence("target", expected, describe_foreground(live), sought.nearest(tree))


def _cover(tree: Tree, node: Node, point: Point | None, live: ObservedScreen) -> str:
    """What lies over ``node`` at ``point``, in words; empty when a finger there reaches it."""
    if point is None:
        return ""
    keyboard = live.snapshot.keyboard
    if keyboard is not None and keyboard.contains(point):
        return _("the keyboard lies over it")
    top = SpatialIndex(tree).at(point)
    if top is None or _are_kin(top, node):
        return ""
    return _("{name} lies over it", name=repr(describe_node(top) or top.short_id or top.short_class))


def _are_kin(one: Node, other: Node) -> bool:
    return one is other or one in other.ancestors() or other in one.ancestors()
