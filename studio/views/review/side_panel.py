"""The right panel of Review: what is selected, above what differs between two states."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QFrame, QStackedWidget, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.views.undo_source import as_text_field
from studio.widgets.controls import Tabs, surface
from studio.widgets.state_difference.node_panel import NodePanel
from studio.widgets.state_difference.pixel_difference_panel import PixelDifferencePanel
from studio.widgets.state_difference.trajectory_difference_list import TrajectoryDifferenceList
from studio.widgets.state_difference.tree_difference_list import TreeDifferenceList
from studio.widgets.window_frame.panel_splitter import PanelSplitter

_SHARES = (44, 22, 34)
"""Height of the tabs, the differences of the trees and the pictures, in hundredths."""


class ReviewSidePanel(QFrame):
    """Holds the panels; controllers fill them. ``pages`` come before its own tabs, ``last`` behind them."""

    revealed = Signal()
    """A tab is asked for: whoever folded the panel unfolds it."""

    def __init__(
        self, pages: Sequence[tuple[str, QWidget]] = (), last: Sequence[tuple[str, QWidget]] = (),
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setProperty("surface", "panel")
        self.setProperty("edge", "left")
        self.node = NodePanel()
        self.differences = TrajectoryDifferenceList()
        self.tree = TreeDifferenceList()
        self.pixels = PixelDifferencePanel()
        own = ((_("Diffs"), self.differences), (_("Node"), self.node))
        titled = [*pages, *own, *last]
        self._pages = [page for _title, page in titled]
        self.tabs = Tabs([title for title, _page in titled], counted=2)
        self._stack = QStackedWidget()
        self.parts = PanelSplitter(Qt.Orientation.Vertical)
        self._is_placed = False
        self._lay_out()
        self.tabs.changed.connect(self._stack.setCurrentIndex)

    def _lay_out(self) -> None:
        for page in self._pages:
            self._stack.addWidget(page)
        head = surface("panel", "bottom")
        row = QVBoxLayout(head)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.tabs)
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._stack, 1)
        for part in (upper, self.tree, self.pixels):
            self.parts.addWidget(part)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.parts)

    def show_page(self, page: QWidget) -> None:
        """Bring a tab to the front."""
        self.tabs.set_current(self._pages.index(page))

    @property
    def is_typed_in(self) -> bool:
        """Whether the keyboard is in a text field of a tab."""
        focus = as_text_field(QApplication.focusWidget())
        return focus is not None and self._stack.isAncestorOf(focus)

    def reveal_page(self, page: QWidget) -> None:
        """Bring a tab to the front, and unfold the panel."""
        self.show_page(page)
        self.revealed.emit()

    def reveal_place(self, place: int) -> None:
        """As :meth:`reveal_page`, by the place of the tab."""
        self.reveal_page(self._pages[place])

    def reveal_beside(self, by: int) -> None:
        """Reveal a tab ``by`` places further; after the last comes the first."""
        self.reveal_place((self.tabs.current + by) % len(self._pages))

    def set_count(self, page: QWidget, count: int | None) -> None:
        """Set the number beside the title of a tab."""
        self.tabs.set_count(self._pages.index(page), count)

    @Slot(bool)
    def set_compared(self, compared: bool) -> None:
        """Say whether there are two trajectories whose states can be compared."""
        self.tree.setVisible(compared)
        self.pixels.setVisible(compared)

    def resizeEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)  # type: ignore[arg-type]
        if not self._is_placed and self.height() > 400:
            self._is_placed = True
            self.parts.setSizes([self.height() * share // 100 for share in _SHARES])
