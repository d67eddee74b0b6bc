"""Compare the states on show, list what differs, and light the nodes on both screens."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication

from collector.comparison.alignment.aligned import REFERENCE
from collector.model.i18n import _
from collector.model.tree import Node
from studio.bridge.review.state_comparisons import (
    ComparedStep,
    ScreenComparison,
    ScreenOfStep,
    StateComparisons,
)
from studio.views.review.columns_controller import ColumnsController
from studio.views.review.session import ReviewSession
from studio.views.review.side_panel import ReviewSidePanel
from studio.views.services import WindowServices
from studio.widgets.device_view.highlight import Overlay
from studio.widgets.node_selection import same_node
from studio.widgets.state_difference.difference_overlay import marks_after, marks_before
from studio.widgets.state_difference.pixel_difference_view import PixelDifferenceMode
from studio.widgets.state_difference.trajectory_difference_list import DifferenceEntry, entries_of
from studio.widgets.state_difference.tree_difference_list import DifferenceListMode


class DifferencesController(QObject):
    """The chosen side is compared with the reference, the reference with the side after it."""

    def __init__(
        self, session: ReviewSession, columns: ColumnsController, panel: ReviewSidePanel,
        services: WindowServices, parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session, self._columns, self._panel, self._services = session, columns, panel, services
        self.comparisons = StateComparisons(services.tasks, self)
        self._screens: ScreenComparison | None = None
        self._picked_node: tuple[int, Node] | None = None
        """The side and node that the tab of nodes is about; its screen may still be read."""
        self._marks_shown = True
        self._connect()
        self._handle_commands()

    def _connect(self) -> None:
        session, panel, comparisons = self._session, self._panel, self.comparisons
        for signal in (session.aligned_changed, session.slot_changed, session.side_changed,
                       session.moment_changed):  # fmt: skip
            signal.connect(self._compare)
        session.trajectories_changed.connect(self._forget_picked)
        session.aligned_changed.connect(self._list)
        session.side_changed.connect(self._list)
        session.selected_changed.connect(self._list)
        session.slot_changed.connect(panel.differences.show_slot)
        panel.differences.opened.connect(self._go_to_difference)
        comparisons.screens_compared.connect(self._show_screens)
        comparisons.screen_read.connect(self._show_picked)
        comparisons.pictures_compared.connect(panel.pixels.show_comparison)
        comparisons.failed.connect(self._services.toasts.show_error)
        panel.pixels.bars_ignored.connect(comparisons.set_ignores_bars)
        panel.tree.nodes_chosen.connect(self._light)
        panel.tree.node_opened.connect(self._open_node)
        panel.node.node_selected.connect(self._open_node)
        for copied in (panel.tree.copied, panel.node.copied):
            copied.connect(self._copy)
        self._columns.screen_shown.connect(self._mark)
        for side, column in enumerate(self._columns.columns):
            column.view.picked.connect(partial(self._picked, side))
            column.selection.tree_changed.connect(self._show_nodes)

    @Slot(object)
    def _go_to_difference(self, entry: DifferenceEntry) -> None:
        self._session.go(entry.slot)

    def _handle_commands(self) -> None:
        panel, handle = self._panel, self._services.commander.handle
        handle("review.mark-differences", self._toggle_marks, checked=lambda: self._marks_shown)
        handle("review.text-difference", self._toggle_texts,
               checked=lambda: panel.tree.mode is DifferenceListMode.TEXTS)  # fmt: skip
        for mode in PixelDifferenceMode:
            handle(f"review.pixels-{mode.value}", partial(panel.pixels.set_mode, mode),
                   checked=partial(self._shows_pixels, mode))  # fmt: skip

    def _shows_pixels(self, mode: PixelDifferenceMode) -> bool:
        return self._panel.pixels.mode is mode

    def _toggle_texts(self) -> None:
        is_texts = self._panel.tree.mode is DifferenceListMode.TEXTS
        self._panel.tree.set_mode(DifferenceListMode.NODES if is_texts else DifferenceListMode.TEXTS)

    def _toggle_marks(self) -> None:
        self._marks_shown = not self._marks_shown
        for side in range(len(self._session.stored)):
            self._mark(side)

    # -- what is compared ----------------------------------------------------
    @property
    def pair(self) -> tuple[int, int] | None:
        """The sides that are compared; None while fewer than two are open."""
        side, count = self._session.side, len(self._session.stored)
        if count < 2:
            return None
        return (REFERENCE, side) if side != REFERENCE else (REFERENCE, REFERENCE + 1)

    def _place(self, side: int) -> ComparedStep | None:
        """The step of a side whose screen is on show."""
        number = self._session.shown_step(side)
        return ComparedStep(side, number, self._session.stored[side]) if number is not None else None

    @Slot()
    def _compare(self) -> None:
        pair = self.pair
        self._panel.set_compared(pair is not None)
        before, after = (self._place(side) for side in pair) if pair is not None else (None, None)
        self.comparisons.compare(before, after)
        self._follow_picked()

    @Slot()
    def _list(self) -> None:
        """List how the chosen side, or of the reference all others, differ inside the selected range."""
        inside = self._session.selected
        aligned, session, panel = self._session.aligned, self._session, self._panel
        sides = range(1, len(session.stored)) if session.side == REFERENCE else (session.side,)
        entries = [
            entry
            for side in sides
            if aligned is not None
            for entry in entries_of(side, aligned.differences[side], aligned.recoveries[side])
            if inside is None or (entry.slot < inside.stop and entry.last >= inside.start)
        ]
        panel.differences.show_entries(sorted(entries, key=lambda entry: entry.slot))
        panel.set_count(panel.differences, len(entries) or None)

    # -- what is shown -------------------------------------------------------
    @Slot(object)
    def _show_screens(self, screens: ScreenComparison | None) -> None:
        self._screens = screens
        self._services.commander.set_context(review__compared=screens is not None)
        self._panel.tree.show_comparison(screens)
        self._panel.node.show_comparison(screens)
        self._follow_picked()
        for side in range(len(self._session.stored)):
            self._mark(side)

    @Slot(int)
    def _mark(self, side: int) -> None:
        """Mark on a screen what differs, while it is the one that was compared."""
        screens, view = self._screens, self._columns.columns[side].view
        marks = []
        if screens is not None and self._marks_shown:
            if screens.before.place.side == side and self._is_shown(screens.before):
                marks = marks_before(screens.nodes)
            elif screens.after.place.side == side and self._is_shown(screens.after):
                marks = marks_after(screens.nodes)
        view.set_marks(Overlay.DIFFERENCES, marks)

    def _is_shown(self, screen: ScreenOfStep) -> bool:
        place = screen.place
        known = self._session.stored[place.side : place.side + 1]
        return bool(known) and known[0] is place.stored and self._session.shown_step(place.side) == place.step

    # -- nodes ---------------------------------------------------------------
    def _screen_of(self, side: int) -> ScreenOfStep | None:
        screens = self._screens
        both = (screens.before, screens.after) if screens is not None else ()
        return next((screen for screen in both if screen.place.side == side), None)

    @Slot(object, object)
    def _light(self, before: Node | None, after: Node | None) -> None:
        """Select the nodes of a difference on both screens."""
        screens = self._screens
        if screens is not None:
            for screen, node in ((screens.before, before), (screens.after, after)):
                self._columns.columns[screen.place.side].selection.select(node)

    @Slot(int, object)
    def _open_node(self, side: int, node: Node) -> None:
        """Show a node in its tab, and select it on its screen."""
        self._columns.columns[side].selection.select(node)
        self._picked(side, node)

    def _picked(self, side: int, node: Node | None) -> None:
        """A node was clicked on a screen."""
        if node is not None:
            self._picked_node = side, node
            if not self._panel.is_typed_in:  # a comment is being pinned to the node
                self._panel.show_page(self._panel.node)
            self._follow_picked()

    @Slot()
    def _show_nodes(self) -> None:
        """Offer a click on a node while a screen on show has some."""
        shown = self._columns.columns[: len(self._session.stored)]
        self._panel.node.show_nodes(any(column.selection.tree for column in shown))

    @Slot()
    def _forget_picked(self) -> None:
        self._picked_node = None
        self._panel.node.show_node(None, None)

    def _follow_picked(self) -> None:
        """Show the picked node on the screen that its side shows now; read one that is not compared."""
        if self._picked_node is None or self._picked_node[0] >= len(self._session.stored):
            return
        side = self._picked_node[0]
        screen, place = self._screen_of(side), self._place(side)
        if screen is not None and self._is_shown(screen):
            self._show_picked(screen)
        elif place is not None and side not in (self.pair or ()):
            self.comparisons.read(place)

    @Slot(object)
    def _show_picked(self, screen: ScreenOfStep) -> None:
        if self._picked_node is not None and self._picked_node[0] == screen.place.side:
            node = same_node(self._picked_node[1], screen.screen.tree)
            self._panel.node.show_node(screen, node)
            self._picked_node = screen.place.side, node or self._picked_node[1]

    @Slot(str)
    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._services.toasts.show("ok", _("Copied"))

    def close(self) -> None:
        """The window closes."""
        self.comparisons.close()
