"""What differs between two states as marks on their screens."""

from __future__ import annotations

from collections.abc import Iterable

from collector.hierarchy.difference_groups import NodeDifference, NodeDifferenceKind
from collector.model.trajectory import Step
from collector.model.tree import Node
from collector.replay.retarget import in_place
from studio.widgets.device_view.highlight import Highlight, HighlightStyle, Trace, TraceMark
from studio.widgets.device_view.highlight_painter import node_highlight

_STYLES = {
    NodeDifferenceKind.ADDED: HighlightStyle.ADDED,
    NodeDifferenceKind.REMOVED: HighlightStyle.REMOVED,
    NodeDifferenceKind.CHANGED: HighlightStyle.CHANGED,
    NodeDifferenceKind.MOVED: HighlightStyle.MOVED,
}


def marks_before(differences: Iterable[NodeDifference]) -> list[Highlight]:
    """The marks on the first screen: removed, changed and moved nodes; one for nodes that differ together."""
    return [mark for each in differences if each.before for mark in _mark(each.before, each.kind)]


def marks_after(differences: Iterable[NodeDifference]) -> list[Highlight]:
    """The marks on the second screen: added, changed and moved nodes; one for nodes that differ together."""
    return [mark for each in differences if each.after for mark in _mark(each.after, each.kind)]


def _mark(node: Node, kind: NodeDifferenceKind) -> list[Highlight]:
    return node_highlight(node.bounds, _STYLES[kind])


def reference_trace(step: Step, reference: Step) -> Trace | None:
    """Where the reference touches, on the screen of a step; None for an action without a place.

    A reference that was recorded on a screen of another size is scaled to this one.
    """
    action = reference.action
    if action is None or action.point is None:
        return None
    then, now = reference.state.size, step.state.size
    is_known = not then.is_empty and not now.is_empty
    return Trace(in_place(action, then, now) if is_known else action, TraceMark.GOLDEN)
