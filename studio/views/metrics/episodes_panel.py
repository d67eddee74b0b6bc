"""The panel with a number and exactly the episodes behind it."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QVBoxLayout

from collector.model.i18n import _
from studio.theme import theme
from studio.views.metrics.session import MetricsSession
from studio.views.services import WindowServices
from studio.widgets.controls import Label, surface


class EpisodesPanel(QFrame):
    """Follows the number that the session shows."""

    def __init__(self, session: MetricsSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session, self._services = session, services
        self.title = Label("", "heading", cut=True)
        head = surface("bar", "bottom")
        head.setFixedHeight(theme.size("panel_header"))
        row = QVBoxLayout(head)
        row.setContentsMargins(12, 0, 6, 0)
        row.addWidget(self.title)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(head)
        column.addStretch(1)
        session.number_changed.connect(self.show_number)
        self.show_number()

    @Slot()
    def show_number(self) -> None:
        """Show the number of the session."""
        number = self._session.number
        self.title.setText(number.title if number is not None else _("No number is selected"))
