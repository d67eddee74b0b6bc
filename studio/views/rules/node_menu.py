"""From what a person points at on the screen to the menu of conditions for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect, Slot

from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.geometry import Rect
from collector.model.i18n import _, ngettext
from collector.model.tree import Node
from collector.rules.suggest.suggestions import Suggestion

if TYPE_CHECKING:
    from studio.views.rules.workspace import RulesWorkspace


class NodeMenuController(QObject):
    """Asks for suggestions, and shows the menu where the person clicked once they are here."""

    def __init__(self, home: RulesWorkspace) -> None:
        super().__init__(home)
        self._home = home
        self._asked: tuple[str, QPoint, QRect | None] = ("", QPoint(), None)
        home.stage.picker.picked.connect(self._picked)
        home.stage.picker.region.connect(self._region)
        home.tests.suggested.connect(self._suggested)

    @Slot(object, QPoint)
    def _picked(self, nodes: tuple[Node, ...], at: QPoint) -> None:
        state = self._home.stage.state
        if state is None or not nodes:
            return
        view = self._home.stage.view
        node = nodes[-1]
        box = self._home.stage.picker.node_rect(node)
        avoid = QRect(view.mapToGlobal(box.topLeft()), box.size())
        if len(nodes) == 1:
            name = (
                f"{node.short_class} #{node.short_id}"
                if node.short_id
                else f"{node.short_class} {node.label}"
            )
            title = _("Add a condition for {node}", node=name.strip())
        else:
            title = ngettext("Add a condition for one node", "Add a condition for {count} nodes", len(nodes))
        self._asked = (title, at, avoid)
        shown = self._home.stage.shown
        self._home.tests.suggest(state, nodes, shown.trajectory.id if shown is not None else "")

    @Slot(object, QPoint)
    def _region(self, region: Rect, at: QPoint) -> None:
        state = self._home.stage.state
        if state is None or state.tree is None:
            return
        nodes = SpatialIndex(state.tree).inside(region)
        self._asked = (_("Add a condition for this part of the screen"), at, None)
        shown = self._home.stage.shown
        self._home.tests.suggest(state, nodes, shown.trajectory.id if shown is not None else "", region)

    @Slot(object)
    def _suggested(self, found: list[Suggestion]) -> None:
        title, at, avoid = self._asked
        self._home.menu.offer(title, found, at, avoid)
