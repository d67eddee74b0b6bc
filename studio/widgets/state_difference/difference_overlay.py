"""What differs between two states as marks on their screens."""

from __future__ import annotations

from collections.abc import Iterable

from collector.hierarchy.diff_outline import NodeDifference, NodeDifferenceKind
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


def traces_of(step: Step, mark: TraceMark, reference: Step | None = None) -> list[Trace]:
    """The action of a step on its screen, before it that of the reference at the same place of the alignment.

    A reference recorded on a screen of another size is scaled to this one.
    """
    traces = []
    if reference is not None and reference.action is not None:
        then, now = reference.state.size, step.state.size
        is_known = not then.is_empty and not now.is_empty
        action = in_place(reference.action, then, now) if is_known else reference.action
        traces.append(Trace(action, TraceMark.GOLDEN))
    if step.action is not None:
        traces.append(Trace(step.action, mark))
    return traces
