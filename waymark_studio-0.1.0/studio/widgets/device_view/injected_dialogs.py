"""Find the dialog of an injected anomaly: by the package of its window, or as one of the phone itself."""

from __future__ import annotations

from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.i18n import _
from collector.model.tree import Tree
from collector.replay.system_dialogs import leaving_button
from studio.widgets.device_view.highlight import Highlight, HighlightStyle


def injected_dialogs(tree: Tree | None) -> list[Highlight]:
    """Return highlights of the companion app's windows in a tree."""
    roots = tree.roots if tree is not None else ()
    return [
        Highlight(node.bounds, HighlightStyle.INJECTED, _("injected"))
        for node in roots
        if node.package == COMPANION_PACKAGE and node.bounds is not None
    ]


def system_dialogs(tree: Tree | None) -> list[Highlight]:
    """Return a highlight of the phone's own dialog in a tree, for a screen on which a command opened it."""
    button = leaving_button(tree) if tree is not None else None
    if button is None:
        return []
    *_between, window = (button, *button.ancestors())
    return [Highlight(window.bounds, HighlightStyle.INJECTED, _("injected"))] if window.bounds else []
