"""Show the screen of the current step beside the graph, with what the selected state finds on it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from rule_editor.widgets.condition_menu import ConditionMenu
from rule_editor.widgets.rule_form.condition_paths import proof_at
from studio.views.conditions.node_menu import NodeMenuController, ScreenInQuestion
from studio.views.conditions.proof_marks import marks_of_clause
from studio.views.conditions.studio_toolkit import STUDIO_TOOLKIT
from studio.views.states.graph.graph_pane import GraphPane
from studio.views.states.session import StatesSession
from studio.widgets.device_view.highlight import Overlay


class ScreenPresenter(QObject):
    """Fills the screen pane from the session; a click on a node offers conditions in ``menu``."""

    def __init__(self, session: StatesSession, pane: GraphPane, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._screen = session, pane.screen_pane
        self.menu = ConditionMenu(STUDIO_TOOLKIT, pane)
        NodeMenuController(pane.screen_pane, self.menu, self._question, session.recordings, self)
        session.screen_changed.connect(self._show_screen)
        session.proof_changed.connect(self._show_proof)
        session.condition_chosen.connect(self._show_proof)
        pane.screen_pane.stepped.connect(self._step)

    def _question(self) -> ScreenInQuestion:
        shown = self._session.shown
        return (shown.view, shown.trajectory.id) if shown is not None else (None, "")

    @Slot()
    def _show_screen(self) -> None:
        shown = self._session.shown
        if shown is None:
            self._screen.show_nothing()
        else:
            self._screen.show_recorded(shown)
        self._show_proof()

    @Slot()
    def _show_proof(self) -> None:
        """Mark the nodes of the chosen condition alone; of all conditions when none is chosen."""
        session, shown = self._session, self._session.shown
        view = shown.view if shown is not None else None
        self._screen.show_verdict(session.proof, view)
        clause = proof_at(session.proof, session.condition) if session.condition else None
        if clause is not None and view is not None:
            self._screen.view.set_marks(Overlay.RULES, marks_of_clause(clause, view))

    @Slot(int)
    def _step(self, by: int) -> None:
        self._session.go(self._session.step + by)
