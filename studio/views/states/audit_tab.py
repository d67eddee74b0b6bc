"""The audit of the task's states."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.views.services import WindowServices
from studio.views.states.session import StatesSession
from studio.widgets.controls import Label


class AuditTab(QWidget):
    """Follows the session."""

    def __init__(self, session: StatesSession, services: WindowServices) -> None:
        super().__init__()
        self._session, self._services = session, services
        column = QVBoxLayout(self)
        column.addWidget(Label(_("No audit yet"), "body", "text-3"), 0, Qt.AlignmentFlag.AlignCenter)
