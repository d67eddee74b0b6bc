"""Find the dialog of an injected anomaly by the package of its window."""

from __future__ import annotations

from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.i18n import _
from collector.model.tree import Tree
from studio.widgets.device_view.highlight import Highlight, HighlightStyle


def injected_dialogs(tree: Tree | None) -> list[Highlight]:
    """Return highlights of the companion app's windows in a tree."""
    roots = tree.roots if tree is not None else ()
    return [
        Highlight(node.bounds, HighlightStyle.INJECTED, _("injected"))
        for node in roots
        if node.package == COMPANION_PACKAGE and node.bounds is not None
    ]
