"""The right panel of the Record workspace: steps, tree and details of the open trajectory."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal, Slot
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout, QWidget

from collector.model.i18n import _
from collector.model.tree import Node
from studio.views.record.session import RecordSession
from studio.widgets.controls import Label, Tabs, surface
from studio.widgets.node_selection import NodeSelection
from studio.widgets.step_details.step_details import StepDetails
from studio.widgets.step_list.view import StepListView
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.tree_panel.panel import TreePanel

STEPS, TREE, DETAILS = range(3)


class RecordSidePanel(QFrame):
    """Follows the session, and moves its current step when a step is chosen here."""

    reworded = Signal(int, dict, bool)
    """Index of a step, its new texts, and whether typing goes on; see StepDetails."""

    def __init__(
        self,
        session: RecordSession,
        selection: NodeSelection,
        thumbnails: ThumbnailCache,
        autosave_ms: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("surface", "panel")
        self.setProperty("edge", "left")
        self._session = session
        self.tabs = Tabs([_("Steps"), _("Tree"), _("Details")])
        self.steps = StepListView(thumbnails)
        self.tree = TreePanel(selection)
        self.details = StepDetails(autosave_ms)
        self._hint = Label(_("Steps appear here as you record"), "body", "text-3")
        self._hint.setParent(self.steps)
        self._hint.move(12, 12)
        self._pages = QStackedWidget()
        for page in (self.steps, self.tree, self.details):
            self._pages.addWidget(page)
        head = surface("panel", "bottom")
        row = QVBoxLayout(head)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.tabs)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._pages, 1)
        self.tabs.changed.connect(self._pages.setCurrentIndex)
        self.steps.step_chosen.connect(session.go)
        self.steps.rows.caption_edited.connect(self._caption_edited)
        self.details.reworded.connect(self.reworded)
        session.trajectory_changed.connect(self._show_steps)
        session.steps_changed.connect(self._update_steps)
        session.current_changed.connect(self._show_current)

    def show_node(self, node: Node) -> None:
        """Bring the tree to the front with a node selected."""
        self.tabs.set_current(TREE)
        self.tree.reveal(node)

    def find_in_tree(self) -> None:
        """Put the keyboard focus into the search of the tree."""
        self.tabs.set_current(TREE)
        self.tree.search_field.setFocus()

    def set_recording(self, recording: bool, *, paused: bool = False) -> None:
        """Say whether a recording waits for the next action, or is paused."""
        self.steps.rows.set_waiting(recording or paused, paused=paused)
        self._show_hint()

    def _show_hint(self) -> None:
        self._hint.setVisible(self.steps.rows.rowCount() == 0)

    @Slot()
    def _show_steps(self) -> None:
        """Rebuild the list; thumbnails are looked up under the id of the trajectory."""
        header = self._session.header
        self.steps.rows.set_steps(header.id if header is not None else "", self._session.steps)

    @Slot()
    def _update_steps(self) -> None:
        """Append or replace single steps, so that the list keeps its scroll position."""
        rows, steps = self.steps.rows, self._session.steps
        shown = rows.steps
        if len(steps) == len(shown) + 1 and steps[:-1] == shown:
            rows.append(steps[-1])
        elif len(steps) == len(shown):
            for number, (step, before) in enumerate(zip(steps, shown, strict=True)):
                if step != before:
                    rows.replace(number, step)
        else:
            self._show_steps()
        self.tabs.set_count(STEPS, len(steps) or None)
        self._show_hint()
        self._show_current(self._session.current)

    @Slot(int)
    def _show_current(self, slot: int) -> None:
        step = self._session.step
        if step is not None:
            self.steps.show_step(slot)
        else:
            self.steps.setCurrentIndex(QModelIndex())
        self.details.show_step(step)

    @Slot(int, str)
    def _caption_edited(self, row: int, text: str) -> None:
        self.reworded.emit(row, {"description": text}, False)
