"""Commands and gestures of the graph: new states, deleting, lines between them, dropping on steps."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Slot

from collector.model.errors import UserError
from collector.model.message import _
from collector.rules.evaluation.explanation import reason
from collector.rules.suggest.rule_proposals import RuleProposal
from collector.rules.suggest.suggestions import Suggestion
from collector.store.trajectory.achieved_states import screen_of_step
from rule_editor.widgets.condition_menu import ConditionMenu
from studio.bridge.task_recordings import StateAtStep
from studio.bridge.while_alive import while_alive
from studio.views.conditions.region_images import ready_condition
from studio.views.conditions.studio_toolkit import STUDIO_TOOLKIT
from studio.views.services import WindowServices
from studio.views.states.graph.graph_pane import GraphPane
from studio.views.states.session import StatesSession
from studio.views.states.state_edits import StateEdits


class GraphController(QObject):
    """Turns what is done in the graph into edits."""

    def __init__(
        self, session: StatesSession, pane: GraphPane, edits: StateEdits, services: WindowServices,
        parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session, self._pane, self._edits, self._services = session, pane, edits, services
        self.menu = ConditionMenu(STUDIO_TOOLKIT, pane)
        """Conditions that would make a state hold at the step it was dropped on."""
        self._tried: StateAtStep | None = None
        self.menu.chosen.connect(self._proposal_chosen)
        session.recordings.tried.connect(self._answer_drop)
        canvas, commander = pane.canvas, services.commander
        canvas.card_dropped.connect(self.drop)
        canvas.card_removed.connect(self._remove)
        canvas.line_drawn.connect(self._follow)
        canvas.line_refused.connect(self._refuse_line)
        pane.empty.pressed.connect(self.add)
        commander.handle("states.new", self.add)
        commander.handle("states.delete", self.delete)
        commander.handle("states.mark-step", self._mark_step)

    # -- conditions ----------------------------------------------------------
    @Slot(object)
    def add_suggestion(self, suggestion: Suggestion) -> None:
        """Add the condition chosen for a node: to the selected essential state, or to a new one."""
        session = self._session
        try:
            condition = ready_condition(suggestion, self._services.tasks, session.folder, session.shown)
        except UserError as error:
            self._services.toasts.show_error(error)
            return
        if session.state is None:
            self._edits.add([condition])
        else:
            self._edits.add_condition(condition)

    # -- states --------------------------------------------------------------
    @Slot()
    def add(self) -> None:
        """Add an essential state after the selected one, and edit its sentence beside the screen."""
        if self._edits.add(after=self._session.state_id):
            if self._session.trajectories:
                self._pane.show_screen_pane(True)
            self._pane.canvas.card_opened.emit(self._session.state_id)

    def delete(self) -> None:
        """Delete the selected essential state; a message offers to undo it."""
        state_id = self._session.state_id
        if not state_id:
            return
        following = [state.id for state in self._session.states if state_id in state.after]
        sentence = self._edits.delete(state_id)
        if sentence:
            self._session.select(following[0] if following else "")
            self._services.toasts.show(
                "ok", sentence, action=_("Undo"), act=self._session.history.undo, for_now=True
            )

    @Slot(str)
    def _remove(self, _state_id: str) -> None:
        self._services.run_command("states.delete")

    @Slot(str, str)
    def _follow(self, first: str, then: str) -> None:
        self._edits.follow(first, then)
        self._session.select(then)

    @Slot(str, str)
    def _refuse_line(self, first: str, then: str) -> None:
        name = self._session.name_of
        if first == then:
            return
        self._services.toasts.show(
            "warn", _("{then} cannot come after {first}: {first} comes after {then} already",
                      first=name(first), then=name(then))
        )  # fmt: skip

    # -- steps ---------------------------------------------------------------
    def _mark_step(self) -> None:
        if self._session.state_id:
            self.drop(self._session.state_id, self._session.step)

    @Slot(str, int)
    def drop(self, state_id: str, step: int) -> None:
        """Say that a step reaches a state: as a label, or by asking whether its conditions hold there."""
        session = self._session
        state, trajectory = session.state_of(state_id), session.trajectory
        if state is None or trajectory is None:
            return
        session.select(state_id)
        session.go(step)
        if not state.conditions.conditions:
            self._label(state_id, step)
        else:
            session.recordings.try_at(state, trajectory, step)

    def _label(self, state_id: str, step: int) -> None:
        """Say that a step reaches a state that people judge: in the open proposal, else as a label."""
        session = self._session
        if session.proposal is not None:
            self._edits.set_step(state_id, step)
            return
        trajectory = session.trajectory
        assert trajectory is not None
        folder, screen = trajectory.folder, screen_of_step(trajectory.steps, step)
        name = session.name_of(state_id)
        title = _("mark {state}", state=name)

        def marked() -> None:
            self._services.toasts.show(
                "ok", _("{state} is marked at step {number}", state=name, number=step + 1),
                _("It has no conditions, so this is your label"), action=_("Undo"),
                act=session.history.undo, for_now=True,
            )  # fmt: skip

        session.labels.act(
            folder, title,
            lambda reviewing: reviewing.label(
                folder, title, lambda labels: labels.with_reached(state_id, step, screen)
            ),
            while_alive(self, marked),
        )  # fmt: skip

    # -- what would hold -----------------------------------------------------
    @Slot(object)
    def _answer_drop(self, tried: StateAtStep) -> None:
        """Say that the state holds at the step; else offer conditions that would."""
        session, name = self._session, self._session.name_of(tried.state.id)
        if tried.proof.holds:
            reached = session.step_of(tried.state.id)
            note = (
                _("It is reached first at step {number}", number=reached + 1) if reached is not None else ""
            )
            first = note if reached is not None and reached != tried.index else ""
            self._services.toasts.show(
                "ok", _("{state} holds at step {number}", state=name, number=tried.index + 1), first
            )
            return
        self._tried = tried
        self._pane.show_screen_pane(True)
        lacking = next((leaf for leaf in tried.proof.leaves() if not leaf.holds), tried.proof)
        if not tried.proposals:
            self._services.toasts.show(
                "warn", _("{state} does not hold at step {number}", state=name, number=tried.index + 1),
                reason(lacking, tried.view),
            )  # fmt: skip
            return
        title = _("{state} does not hold at step {number}; these conditions would", state=name,
                  number=tried.index + 1)  # fmt: skip
        canvas = self._pane.canvas
        box = canvas.transform().thumb(tried.index)
        at = canvas.viewport().mapToGlobal(QPoint(box.right(), max(0, box.top() - 40)))
        self.menu.offer(title, tried.proposals, at)

    @Slot(object)
    def _proposal_chosen(self, proposal: RuleProposal) -> None:
        if self._tried is not None:
            self._edits.replace_conditions(self._tried.state.id, proposal.rule.conditions.conditions)
