"""The paired comparison: interrupted episodes against their baselines."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from collector.model.i18n import _
from studio.theme import theme
from studio.views.metrics.session import MetricsSession
from studio.views.services import WindowServices
from studio.widgets.controls import Label, surface


class ComparisonPanel(QFrame):
    """Follows the episodes of the session."""

    def __init__(self, session: MetricsSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session, self._services = session, services
        self.note = Label("", "body", "text-2", cut=True)
        self.head = surface("panel", "bottom")
        self.head.setFixedHeight(theme.size("section_header"))
        self.head_row = QHBoxLayout(self.head)
        self.head_row.setContentsMargins(12, 0, 8, 0)
        self.head_row.setSpacing(10)
        self.head_row.addWidget(Label(_("Paired comparison"), "heading"))
        self.head_row.addWidget(self.note, 1)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.column.addWidget(self.head)
        self.column.addStretch(1)
