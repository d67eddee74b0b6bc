"""The right panel of the Record workspace: steps, tree and details of one document."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Slot
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout, QWidget

from collector.model.i18n import _
from collector.model.tree import Node
from studio.views.record.session import RecordSession
from studio.views.record.step_details import StepDetails
from studio.widgets.controls import Label, Tabs, surface
from studio.widgets.node_selection import NodeSelection
from studio.widgets.step_list.view import StepListView
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.tree_panel.panel import TreePanel

STEPS, TREE, DETAILS = range(3)


class RecordSidePanel(QFrame):
    """Follows the document; what is chosen here moves it."""

    def __init__(
        self,
        document: RecordSession,
        selection: NodeSelection,
        thumbnails: ThumbnailCache,
        autosave_ms: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("surface", "panel")
        self.setProperty("edge", "left")
        self._document = document
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
        self.steps.step_chosen.connect(document.go)
        self.steps.rows.caption_edited.connect(self._caption_edited)
        self.details.reworded.connect(self._reworded)
        document.changed.connect(self._renew)
        document.steps_changed.connect(self._follow)
        document.current_changed.connect(self._move)

    def show_node(self, node: Node) -> None:
        """Bring the tree to the front with a node chosen on the screen."""
        self.tabs.set_current(TREE)
        self.tree.reveal(node)

    def set_recording(self, recording: bool) -> None:
        """Whether the next action is awaited."""
        self.steps.rows.set_waiting(recording)
        self._show_hint()

    def _show_hint(self) -> None:
        self._hint.setVisible(self.steps.rows.rowCount() == 0)

    @Slot()
    def _renew(self) -> None:
        """Another trajectory: its pictures have other names."""
        header = self._document.header
        self.steps.rows.set_steps(header.id if header is not None else "", self._document.steps)

    @Slot()
    def _follow(self) -> None:
        """Steps come and go one by one, so that the list keeps its place."""
        rows, steps = self.steps.rows, self._document.steps
        shown = rows.steps
        if len(steps) == len(shown) + 1 and steps[:-1] == shown:
            rows.append(steps[-1])
        elif len(steps) == len(shown):
            for number, (step, before) in enumerate(zip(steps, shown, strict=True)):
                if step != before:
                    rows.replace(number, step)
        else:
            self._renew()
        self.tabs.set_count(STEPS, len(steps) or None)
        self._show_hint()
        self._move(self._document.current)

    @Slot(int)
    def _move(self, slot: int) -> None:
        step = self._document.step
        if step is not None:
            self.steps.show_step(slot)
        else:
            self.steps.setCurrentIndex(QModelIndex())
        self.details.show_step(step)

    @Slot(int, str)
    def _caption_edited(self, row: int, text: str) -> None:
        self._document.reword(row, description=text)

    @Slot(int, dict)
    def _reworded(self, index: int, words: dict[str, str]) -> None:
        self._document.reword(index, **words)
