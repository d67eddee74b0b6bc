"""Guard a step: check that the screen is the recorded one, and find where its target is now."""

from __future__ import annotations

from dataclasses import dataclass

from collector.hierarchy.captions import describe_node, focused_field
from collector.hierarchy.spatial_index import SpatialIndex
from collector.judge.evaluation.divergence import Divergence, describe_foreground, window_divergence
from collector.judge.screen_similarity import SIMILAR_SHARE, shared_text
from collector.model.action import Action, Pinch, Scroll, Swipe, Type
from collector.model.geometry import Point, Rect
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.model.tree import Node, Tree
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.retarget import in_place, on_node
from collector.replay.target_search import TargetMatch, TargetQuery

_AIMS_AT_PLACE = (Swipe, Scroll, Pinch)
"""Actions on a part of the screen, whatever happens to lie under the finger."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadyStep:
    """A step that may be done now, with its action in the pixels of the current screen."""

    step: Step
    screen: ScreenMoment
    action: Action | None
    match: TargetMatch | None = None


def guard_step(step: Step, recorded: Tree | None, live: ScreenMoment) -> ReadyStep | Divergence:
    """Check one step; ``recorded`` is the tree of its state, None when none was stored."""
    divergence = window_divergence(step, live)
    if divergence is not None:
        return divergence
    action, tree = step.action, live.tree
    if tree is None:
        return Divergence("tree", _("a screen that can be read"), live.tree_problem)
    query = TargetQuery.of(step, recorded, live.screen)
    if isinstance(action, Type):
        return _check_field(step, query, live, tree)
    if action is None or action.point is None or isinstance(action, _AIMS_AT_PLACE):
        return _check_words(step, recorded, live)
    if query is None or not query.target.selectors:
        return _check_words(step, recorded, live)
    return _check_target(step, query, recorded, live, tree)


def _check_words(step: Step, recorded: Tree | None, live: ScreenMoment) -> ReadyStep | Divergence:
    """Without a target, enough of the recorded texts have to be on the screen."""
    share = shared_text(recorded, live.tree)
    if share is not None and share < SIMILAR_SHARE:
        expected = _("the screen recorded")
        actual = _("{percent} % of its words are here", percent=round(100 * share))
        return Divergence("screen", expected, actual, describe_foreground(live))
    action = step.action
    return ReadyStep(
        step, live, in_place(action, step.state.size, live.screen) if action is not None else None
    )


def _check_field(
    step: Step, query: TargetQuery | None, live: ScreenMoment, tree: Tree
) -> ReadyStep | Divergence:  # fmt: skip
    """Text goes into the field with the focus, which has to be the recorded one."""
    field = focused_field(tree)
    expected = _("a field with the focus")
    if query is not None:
        expected = _("the focus on {name}", name=repr(query.name))
    if field is None:
        return Divergence("focus", expected, _("nothing has the focus"))
    if query is None:
        return ReadyStep(step, live, step.action)
    match = query.find(tree)
    same_id = field.resource_id != "" and field.resource_id == query.wanted("resource-id")
    if same_id or match is None or _are_related(match.node, field):
        return ReadyStep(step, live, step.action, match)
    return Divergence(
        "focus", expected, _("{name} has it", name=repr(describe_node(field) or field.short_id))
    )


def _check_target(
    step: Step, query: TargetQuery, recorded: Tree | None, live: ScreenMoment, tree: Tree
) -> ReadyStep | Divergence:  # fmt: skip
    match, action = query.find(tree), step.action
    assert action is not None
    if match is not None and match.reworded and (shared_text(recorded, tree) or 0.0) < SIMILAR_SHARE:
        match = None
    if match is None:
        return _missing(query, live, tree)
    aimed = on_node(action, query.target.bounds, match.box, step.state.size, live.screen)
    cover = _cover(tree, match.node, aimed.point, live.keyboard)
    if cover and cover != _recorded_cover(step, query, recorded):
        middle = on_node(action, None, match.box, step.state.size, live.screen)
        if _cover(tree, match.node, middle.point, live.keyboard):
            return Divergence("covered", _("{name} to touch", name=repr(query.name)), cover)
        aimed = middle
    return ReadyStep(step, live, aimed, match)


def _missing(query: TargetQuery, live: ScreenMoment, tree: Tree) -> Divergence:
    count = query.count(tree)
    expected = _("{name} to touch", name=repr(query.name))
    if count > 1:
        actual = _("{count} nodes match, none at its position", count=count)
        return Divergence("ambiguous", expected, actual, query.nearest(tree))
    return Divergence("target", expected, describe_foreground(live), query.nearest(tree))


def _recorded_cover(step: Step, query: TargetQuery, recorded: Tree | None) -> str:
    """What lay over the target in the recorded tree, where the touch reached it nevertheless."""
    node = recorded.at_path(query.target.path) if recorded is not None else None
    if recorded is None or node is None or step.action is None:
        return ""
    return _cover(recorded, node, step.action.point, None)


def _cover(tree: Tree, node: Node, point: Point | None, keyboard: Rect | None) -> str:
    """What lies over ``node`` at ``point``, in words; empty when a finger there reaches it."""
    if point is None:
        return ""
    if keyboard is not None and keyboard.contains(point):
        return _("the keyboard covers it")
    top = SpatialIndex(tree).at(point)
    if top is None or _are_related(top, node):
        return ""
    return _("{name} covers it", name=repr(describe_node(top) or top.short_id or top.short_class))


def _are_related(node: Node, other: Node) -> bool:
    return node is other or node in other.ancestors() or other in node.ancestors()
