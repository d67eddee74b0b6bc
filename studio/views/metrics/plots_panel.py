"""The panel below the table: the reliability plot, and the paired comparison or the heat map beside it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.views.metrics.comparison_panel import ComparisonPanel
from studio.views.metrics.heat_map_panel import HeatMapPanel
from studio.views.metrics.reliability_panel import ReliabilityPanel
from studio.views.metrics.session import MetricsSession
from studio.views.services import WindowServices
from studio.widgets.controls import Tabs, header_row
from studio.widgets.window_frame.panel_splitter import PanelSplitter

PAIRS, HEAT_MAP = 0, 1
"""The tabs at the right."""


class PlotsPanel(QFrame):
    """Two plots side by side; the one at the right is chosen by its tabs."""

    def __init__(self, session: MetricsSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session = session
        self._is_chosen = self._is_following = False
        self.reliability = ReliabilityPanel(session, services)
        self.comparison = ComparisonPanel(session, services)
        self.heat_map = HeatMapPanel(session, services)
        self.tabs = Tabs([_("Pairs"), _("Heat map")])
        self._tools, self._pages = QStackedWidget(), QStackedWidget()
        self._lay_out()
        self.tabs.changed.connect(self._tab_changed)
        session.project_opened.connect(self._forget_choice)
        for panel in (self.comparison, self.heat_map):
            panel.counted.connect(self._follow)

    def _lay_out(self) -> None:
        across = PanelSplitter(Qt.Orientation.Horizontal)
        across.addWidget(self.reliability)
        across.addWidget(self._right())
        across.setSizes([1000, 890])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(across)

    def _right(self) -> QWidget:
        for panel in (self.comparison, self.heat_map):
            self._pages.addWidget(panel)
            self._tools.addWidget(panel.tools)
        # The plot is as narrow as its head allows, and a folded panel shows the head alone.
        self._pages.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        head, row = header_row("section_header", left=2, spacing=10)
        row.addWidget(self.tabs, alignment=Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self._tools, 1)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._pages, 1)
        return right

    # -- which plot is shown -------------------------------------------------
    @Slot(int)
    def _tab_changed(self, tab: int) -> None:
        self._pages.setCurrentIndex(tab)
        self._tools.setCurrentIndex(tab)
        self._is_chosen = not self._is_following

    @Slot()
    def _forget_choice(self) -> None:
        self._is_chosen = False

    @Slot()
    def _follow(self) -> None:
        """Until a person chooses: the heat map where there are no pairs to compare and two factors differ."""
        if not self._is_chosen and self._session.columns is not None:
            shows_map = self.heat_map.differs and not self.comparison.has_pairs
            self._is_following = True
            self.tabs.set_current(HEAT_MAP if shows_map else PAIRS)
            self._is_following = False
