"""The results of an experiment below the tiles: as a grid of cells, as a list, and as rates."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from collector.model.i18n import _
from studio.theme import theme
from studio.views.run.session import RunSession
from studio.views.services import WindowServices
from studio.widgets.controls import Label, surface


class ResultsPanel(QFrame):
    """Shows the cells of the experiment in hand with their outcomes, and follows the session."""

    def __init__(self, session: RunSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session, self._services = session, services
        head = surface("panel", "bottom")
        head.setFixedHeight(theme.size("section_header"))
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 0, 8, 0)
        row.addWidget(Label(_("Results"), "heading"))
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addStretch(1)
