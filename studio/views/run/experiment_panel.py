"""The left panel of the Run workspace: what an experiment runs, and how far it is."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from collector.model.i18n import _
from studio.theme import theme
from studio.views.run.session import RunSession
from studio.views.services import WindowServices
from studio.widgets.controls import Label, surface


class ExperimentPanel(QFrame):
    """Shows the experiment in hand, and follows the session."""

    def __init__(self, session: RunSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setProperty("edge", "right")
        self._session, self._services = session, services
        self.name = Label("", "body", "text-2", cut=True)
        head = surface("panel", "bottom")
        head.setFixedHeight(theme.size("panel_header"))
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(Label(_("Experiment"), "heading"))
        row.addWidget(self.name, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(head)
        column.addStretch(1)
        session.experiment_chosen.connect(self._show_name)

    @Slot(str)
    def _show_name(self, name: str) -> None:
        self.name.setText(name)
        self.name.setToolTip(name)
