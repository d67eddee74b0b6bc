"""The menu of conditions at a node: fill it with suggestions for what was clicked on the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from PySide6.QtCore import QObject, QPoint, QRect, Slot

from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.geometry import Rect
from collector.model.i18n import _, ngettext
from collector.model.tree import Node
from collector.rules.evaluation.state_view import StateView
from collector.rules.suggest.suggestions import Suggestion
from rule_editor.widgets.condition_menu import ConditionMenu
from studio.views.conditions.screen_pane import ScreenPane

ScreenInQuestion = tuple[StateView | None, str]
"""What rules see of the screen, and the id of its trajectory; empty when it is live."""


class Suggester(Protocol):
    """Suggests conditions behind the window."""

    @property
    def suggested(self) -> Any:
        """Signal with a list of :class:`Suggestion`."""
        ...

    def suggest(
        self, view: StateView, nodes: Sequence[Node], trajectory: str = "", region: Rect | None = None
    ) -> None:
        """Suggest conditions for nodes, or for a region, of a screen; ``suggested`` follows."""
        ...


class NodeMenuController(QObject):
    """Asks for suggestions, and opens the menu at the click when they arrive."""

    def __init__(
        self, screen: ScreenPane, menu: ConditionMenu, what: Callable[[], ScreenInQuestion],
        suggester: Suggester, parent: QObject,
    ) -> None:  # fmt: skip
        """``what`` says which state the screen shows when a node is clicked."""
        super().__init__(parent)
        self._screen, self._menu, self._what, self._suggester = screen, menu, what, suggester
        self._request: tuple[str, QPoint, QRect | None] = ("", QPoint(), None)
        """Title, place and the rectangle to keep free of the menu that opens next."""
        screen.picker.picked.connect(self._nodes_picked)
        screen.picker.region.connect(self._region_picked)
        suggester.suggested.connect(self._open_menu)

    @Slot(object, QPoint)
    def _nodes_picked(self, nodes: tuple[Node, ...], at: QPoint) -> None:
        state, trajectory_id = self._what()
        if state is None or not nodes:
            return
        view, node = self._screen.view, nodes[-1]
        box = self._screen.picker.node_rect(node)
        if len(nodes) == 1:
            label = f"#{node.short_id}" if node.short_id else node.label
            title = _("Add a condition for {node}", node=f"{node.short_class} {label}".strip())
        else:
            title = ngettext("Add a condition for one node", "Add a condition for {count} nodes", len(nodes))
        self._request = (title, at, QRect(view.mapToGlobal(box.topLeft()), box.size()))
        self._suggester.suggest(state, nodes, trajectory_id)

    @Slot(object, QPoint)
    def _region_picked(self, region: Rect, at: QPoint) -> None:
        state, trajectory_id = self._what()
        if state is None or state.tree is None:
            return
        nodes = SpatialIndex(state.tree).inside(region)
        self._request = (_("Add a condition for this part of the screen"), at, None)
        self._suggester.suggest(state, nodes, trajectory_id, region)

    @Slot(object)
    def _open_menu(self, suggestions: list[Suggestion]) -> None:
        title, at, avoid = self._request
        self._menu.offer(title, suggestions, at, avoid)
