"""Whether the screen is the one a step was recorded on, and where its target lies now."""

from __future__ import annotations

from dataclasses import dataclass

from collector.hierarchy.describe import describe_node, focused_field
from collector.hierarchy.index import SpatialIndex
from collector.model.action import Action, Pinch, Scroll, Swipe, Type
from collector.model.geometry import Point
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.model.tree import Node, Tree
from collector.replay.aiming import in_place, on_node
from collector.replay.eyes import LiveScreen
from collector.replay.likeness import ALIKE, share_kept
from collector.replay.outcomes import Divergence
from collector.replay.target import Found, Sought
from collector.rules.evaluation.state_view import full_activity

_DOUBTFUL_SKEW = 0.01
"""Share of the screen that changed between the recorded tree and the touch, from which the tree may be
that of the screen before."""
_AIMS_AT_PLACE = (Swipe, Scroll, Pinch)
"""Actions on a part of the screen, whatever happens to lie under the finger."""


@dataclass(frozen=True, slots=True, eq=False)
class Aim:
    """A step that may be done now: its action in the pixels of the screen as it is."""

    step: Step
    screen: LiveScreen
    action: Action | None
    found: Found | None = None


def check(step: Step, recorded: Tree | None, live: LiveScreen) -> Aim | Divergence:
    """``recorded`` is the tree of the step's state, None where none was kept."""
    elsewhere = other_window(step, live)
    if elsewhere is not None:
        return elsewhere
    action, tree = step.action, live.tree
    if tree is None:
        return Divergence("tree", _("a screen that can be read"), live.snapshot.problem)
    sought = Sought.of(step, recorded, live.size)
    if isinstance(action, Type):
        return _check_field(step, sought, live, tree)
    if action is None or action.point is None or isinstance(action, _AIMS_AT_PLACE):
        return _check_words(step, recorded, live)
    if sought is None or not sought.target.selectors:
        return _check_words(step, recorded, live)
    return _check_target(step, sought, recorded, live, tree)


def other_window(step: Step, live: LiveScreen) -> Divergence | None:
    """Whether another app or activity is in front than was recorded."""
    state = step.state
    if state.package and state.package != live.package:
        return Divergence("app", _("{name} in front", name=state.package), _in_front(live))
    wanted = full_activity(state.package, state.activity)
    doubtful = (state.skew or 0.0) > _DOUBTFUL_SKEW
    if wanted and live.activity and wanted != live.activity and not doubtful:
        return Divergence("activity", _("{name} in front", name=wanted), _in_front(live))
    return None


def _in_front(live: LiveScreen) -> str:
    """The window in front and the first words on it, which tell a person what it is."""
    name = live.activity or live.package or _("nothing known")
    words = [node.label for node in live.tree or () if node.label][:3]
    if not words:
        return _("{name} is in front", name=name)
    return _("{name} is in front and says {words}", name=name, words=", ".join(map(repr, words)))


def _check_words(step: Step, recorded: Tree | None, live: LiveScreen) -> Aim | Divergence:
    """Without a target the screen has to say enough of what it said."""
    share = share_kept(recorded, live.tree)
    if share is not None and share < ALIKE:
        expected = _("the screen recorded")
        found = _("{percent} % of its words are here", percent=round(100 * share))
        return Divergence("screen", expected, found, _in_front(live))
    action = step.action
    return Aim(step, live, in_place(action, step.state.size, live.size) if action is not None else None)


def _check_field(
    step: Step, sought: Sought | None, live: LiveScreen, tree: Tree
) -> Aim | Divergence:  # fmt: skip
    """Text goes into the field with the focus: it has to be the one recorded."""
    field = focused_field(tree)
    expected = _("a field with the focus")
    if sought is not None:
        expected = _("the focus on {name}", name=repr(sought.name))
    if field is None:
        return Divergence("focus", expected, _("nothing has the focus"))
    if sought is None:
        return Aim(step, live, step.action)
    found = sought.find(tree)
    same_id = field.resource_id != "" and field.resource_id == sought.wanted("resource-id")
    if same_id or found is None or _are_kin(found.node, field):
        return Aim(step, live, step.action, found)
    return Divergence(
        "focus", expected, _("{name} has it", name=repr(describe_node(field) or field.short_id))
    )


def _check_target(
    step: Step, sought: Sought, recorded: Tree | None, live: LiveScreen, tree: Tree
) -> Aim | Divergence:  # fmt: skip
    found, action = sought.find(tree), step.action
    assert action is not None
    if found is not None and found.reworded and (share_kept(recorded, tree) or 0.0) < ALIKE:
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
    return Aim(step, live, aimed, found)


def _missing(sought: Sought, live: LiveScreen, tree: Tree) -> Divergence:
    count = sought.count(tree)
    expected = _("{name} to touch", name=repr(sought.name))
    if count > 1:
        found = _("{count} nodes fit, none of them in its place", count=count)
        return Divergence("ambiguous", expected, found, sought.nearest(tree))
    return Divergence("target", expected, _in_front(live), sought.nearest(tree))


def _cover(tree: Tree, node: Node, point: Point | None, live: LiveScreen) -> str:
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
