"""The centre of the States workspace: the milestones over the film strip of a trajectory."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from collector.model.i18n import _
from studio.theme import theme
from studio.views.services import WindowServices
from studio.views.states.session import StatesSession
from studio.widgets.controls import Label, surface


class GraphPane(QFrame):
    """A head over the graph."""

    def __init__(self, session: StatesSession, services: WindowServices) -> None:
        super().__init__()
        self._session, self._services = session, services
        self.setProperty("surface", "canvas")
        self._about = Label("", "body", "text-2", cut=True)
        head = surface("panel", "bottom")
        head.setFixedHeight(theme.size("section_header"))
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(8)
        row.addWidget(Label(_("Milestones"), "heading"))
        row.addWidget(self._about, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addStretch(1)
        session.task_changed.connect(self._show_about)
        session.trajectory_changed.connect(self._show_about)

    @Slot()
    def _show_about(self) -> None:
        item = self._session.trajectory
        if item is None:
            self._about.setText(self._session.task_id)
            return
        over = _("{task} · over {trajectory}, {who}", task=self._session.task_id, trajectory=item.title,
                 who=item.header.who)  # fmt: skip
        self._about.setText(over)
