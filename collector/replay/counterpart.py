"""What one trajectory does at a place of the alignment, on the screen that another one has there."""

from __future__ import annotations

from collector.comparison.alignment.reading import read_tree
from collector.model.action import Action, Complete
from collector.model.geometry import Size
from collector.model.trajectory import Step
from collector.model.tree import Tree
from collector.replay.retarget import in_place, on_node
from collector.replay.target_search import TargetQuery
from collector.store.trajectory.reader import StoredTrajectory

_SAME_SCREEN = 0.9
"""Steps so alike are on the same screen, so that a touch without a target stays in its place."""


def counterpart_action(
    golden: StoredTrajectory, step: Step, tree: Tree | None, size: Size, similarity: float | None
) -> Action | None:
    """The action of a ``step`` of ``golden`` on a screen with this tree and size in pixels.

    ``similarity`` is that of both steps, from 0 to 1. None when what is touched is not on the screen, and for
    the last step of a run, which says nothing. The end of a golden trajectory is *complete*.
    """
    action = step.action or (Complete() if golden.header.is_golden else None)
    if action is None or action.point is None:
        return action
    then = step.state.size
    query = TargetQuery.of(step, read_tree(golden, step), size)
    match = query.find(tree) if query is not None and tree is not None else None
    if match is not None and step.target is not None:
        return on_node(action, step.target.bounds, match.box, then, size)
    is_same = (similarity or 0) >= _SAME_SCREEN
    return in_place(action, then, size) if is_same and not then.is_empty else None
