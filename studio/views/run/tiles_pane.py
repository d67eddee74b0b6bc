"""The tiles of the phones of a run, above the results."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout

from collector.model.i18n import _
from studio.views.run.session import RunSession
from studio.views.services import WindowServices
from studio.widgets.controls import EmptyState


class TilesPane(QFrame):
    """Shows a tile for each worker of the run in hand, and follows the session."""

    def __init__(self, session: RunSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "canvas")
        self._session, self._services = session, services
        self.empty = EmptyState(
            _("No phone is running"),
            _("Start the experiment to watch its phones here"),
            icon="phone",
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.empty)
