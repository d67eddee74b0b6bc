"""The states of a rehearsal in the lane: follow new ones, explain a cell, show its state on the screen."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from collector.anomalies.rehearsal import RehearsedRule
from collector.anomalies.rehearsal_run import RehearsedState
from collector.rules.grammar.model import INJECTION
from studio.bridge.anomalies.rehearsal import Rehearsals
from studio.views.conditions.screen_pane import ScreenPane
from studio.views.rules.rehearsal.cell_explanation import explain_cell
from studio.views.rules.rehearsal.lane_rows import LaneCell
from studio.views.rules.rehearsal.panel import RehearsalPanel
from studio.views.rules.session import RulesSession


class RehearsalLaneController(QObject):
    """Fills the lane, and opens its cells."""

    def __init__(
        self, session: RulesSession, rehearsals: Rehearsals, panel: RehearsalPanel, screen: ScreenPane,
        parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session, self._rehearsals, self._panel, self._screen = session, rehearsals, panel, screen
        rehearsals.judged.connect(self._follow)
        for signal in (rehearsals.changed, rehearsals.setup_changed, session.entries_changed, session.opened):
            signal.connect(self.refresh)
        panel.lane.chosen.connect(self._explain)
        panel.lane.opened.connect(self.open)
        panel.explanation.go.connect(self._open_current)
        screen.stepped.connect(self._step)
        self.refresh()

    @property
    def current(self) -> LaneCell | None:
        """The chosen cell."""
        return self._panel.lane.current

    def result(self, cell: LaneCell | None) -> RehearsedRule | None:
        """Return what the rule of a cell did at its state."""
        state = self._rehearsals.moment(cell.number) if cell is not None else None
        return state.cells.get(cell.rule_id) if state is not None and cell is not None else None

    @Slot()
    def refresh(self) -> None:
        """Show the rules that are tried, and what each did at every state."""
        rules = self._session.documents.rules_of(INJECTION)
        only = self._rehearsals.setup.rule_id
        tried = [rule.id for rule in sorted(rules, key=lambda rule: rule.priority) if only in ("", rule.id)]
        self._panel.rows.show(self._rehearsals.moments, tried)
        self._panel.show_lane(anything=bool(self._rehearsals.moments))
        self._panel.lane.refresh()
        self._explain(self.current)

    @Slot(object)
    def _follow(self, state: RehearsedState) -> None:
        """Choose a cell of a new state, unless the person looks at an earlier one."""
        lane, states = self._panel.lane, self._rehearsals.moments
        before = lane.current
        follows = before is None or len(states) < 2 or before.number == states[-2].number
        self.refresh()
        if follows:
            lane.set_current(self._panel.rows.notable_cell(state, before))
            self._explain(lane.current)

    @Slot(object)
    def _explain(self, cell: LaneCell | None) -> None:
        result = self.result(cell)
        state = self._rehearsals.moment(cell.number) if cell is not None else None
        if cell is None or state is None or result is None:
            self._panel.explanation.clear()
            return
        injected = result.injected
        events = self._rehearsals.events.get(injected.id, ()) if injected is not None else ()
        waiting = self._rehearsals.is_waiting(cell.number, cell.rule_id)
        explain_cell(self._panel.explanation, state, result, events, waiting=waiting)

    # -- on the screen -------------------------------------------------------
    @Slot(object)
    def open(self, cell: LaneCell) -> None:
        """Show the state of a cell on the screen, and select its rule."""
        session, states = self._session, self._rehearsals.moments
        state = self._rehearsals.moment(cell.number)
        if state is None:
            return
        self._screen.show_rehearsed(
            state, before=state.number > states[0].number, after=state.number < states[-1].number
        )
        if session.documents.rule(INJECTION, cell.rule_id) is not None and (
            (session.kind, session.rule_id) != (INJECTION, cell.rule_id)
        ):
            session.select(INJECTION, cell.rule_id)

    @Slot(int)
    def _open_current(self, number: int) -> None:
        if self.current is not None and self.current.number == number:
            self.open(self.current)

    @Slot(int)
    def _step(self, by: int) -> None:
        """Show the state before or after the one on the screen."""
        shown = self._session.rehearsed
        state = self._rehearsals.moment(shown.number + by) if shown is not None else None
        if state is not None:
            rule_id = self.current.rule_id if self.current is not None else next(iter(state.cells), "")
            cell = LaneCell(rule_id, state.number)
            self._panel.lane.set_current(cell)
            self._explain(self.current)
            self.open(cell)
