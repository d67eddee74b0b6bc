"""The panel below the table: the reliability plot at the left, the paired comparison at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout

from studio.views.metrics.comparison_panel import ComparisonPanel
from studio.views.metrics.reliability_panel import ReliabilityPanel
from studio.views.metrics.session import MetricsSession
from studio.views.services import WindowServices
from studio.widgets.window_frame.panel_splitter import PanelSplitter


class PlotsPanel(QFrame):
    """Two plots side by side."""

    def __init__(self, session: MetricsSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.reliability = ReliabilityPanel(session, services)
        self.comparison = ComparisonPanel(session, services)
        across = PanelSplitter(Qt.Orientation.Horizontal)
        across.addWidget(self.reliability)
        across.addWidget(self.comparison)
        across.setSizes([1000, 890])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(across)
