"""The commands of proposals and of the definition: start, sign, decide, agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtGui import QAction, QCursor

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.states.defining import Defining
from collector.states.documents.definition import EDITED
from collector.states.documents.proposal import ProposedState
from collector.states.proposing import Proposing
from collector.states.work_change import StateWorkChange
from collector.states.work_files.goldens import own_goldens
from collector.states.work_files.state_work import StateWork
from rule_editor.widgets.menu_text import menu_text
from rule_editor.widgets.popup_menu import PopupMenu
from studio.bridge.task_recordings import TaskTrajectory
from studio.views.services import WindowServices
from studio.views.states.proposals.comparison_rows import agreed_draft, choice_for_key, sources_of
from studio.views.states.proposals.proposal_stage import ProposalStage, stage_of
from studio.views.states.proposals.state_edit_dialog import StateEditDialog
from studio.views.states.session import StatesSession
from studio.widgets.operator_comparison.rows import ComparisonRow
from studio.widgets.operator_comparison.view import ComparisonView

_UNDECIDE = "U"


class StateProposalController(QObject):
    """Changes go through the bridge; each can be undone."""

    def __init__(
        self, session: StatesSession, services: WindowServices, view: ComparisonView, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._services, self._view = session, services, view
        self._reviews = services.state_reviews
        handle = services.commander.handle
        handle("states.start-proposal", self.start)
        handle("states.choose-golden", self.choose_golden)
        handle("states.sign-proposal", self.sign)
        handle("states.withdraw-proposal", self.withdraw)
        handle("states.delete-proposal", self.delete)
        handle("states.next-difference", self.next_difference)
        handle("states.settle-agreed", self.settle_agreed)
        handle("states.realign", self.realign)
        handle("states.send-to-audit", self.finish)
        handle("states.reopen-definition", self.reopen)
        view.decided.connect(self.decide)
        view.key_pressed.connect(self._key_pressed)
        view.menu_wanted.connect(self._open_row_menu)

    # -- the own proposal ------------------------------------------------------
    def _own_goldens(self) -> list[TaskTrajectory]:
        person = self._reviews.person
        return [item for item in self._session.goldens if item.header.who.strip() == person]

    def start(self, golden: str = "") -> None:
        """Open a proposal over the person's own golden trajectory: the one on show, else the first."""
        review, shown = self._reviews.require(), self._session.trajectory
        on_show = shown.id if shown is not None and shown in self._own_goldens() else ""

        def make(work: StateWork) -> StateWorkChange:
            own = [golden] if golden else own_goldens(work.project, review.task_id, review.person)
            if not own:
                raise UserError(
                    _("There is no golden trajectory of {who} for this task", who=review.person),
                    _("each operator proposes from the own one"),
                    _("Record it in Record, or work under another name"),
                )
            chosen = on_show if on_show in own else own[0]
            return Proposing(work, review.task_id, review.person).start(chosen)

        self._reviews.act(make)

    def choose_golden(self, golden: str = "") -> None:
        """Propose from another golden trajectory of the person; without one, offer them."""
        if golden:
            self._propose(lambda proposing: proposing.choose_golden(golden))
            return
        own = self._reviews.require().own
        menu = PopupMenu(self._view)
        for item in self._own_goldens():
            action = menu.addAction(menu_text(item.title))
            action.setData(item.id)
            action.setCheckable(True)
            action.setChecked(own is not None and own.golden == item.id)
        if menu.isEmpty():
            menu.addAction(_("You have recorded no golden trajectory of this task")).setEnabled(False)
        menu.triggered.connect(self._golden_picked)
        menu.popup(self._view.mapToGlobal(QPoint(0, 0)) if self._view.isVisible() else QCursor.pos())

    @Slot(QAction)
    def _golden_picked(self, action: QAction) -> None:
        self.choose_golden(str(action.data()))

    def sign(self) -> None:
        """Sign the own proposal: nobody changes it then, and the other one is shown."""
        self._propose(Proposing.sign)

    def withdraw(self) -> None:
        """Take the signature back, to change the proposal."""
        self._propose(Proposing.withdraw)

    def delete(self) -> None:
        """Delete the own proposal; it can be undone."""
        self._propose(Proposing.discard)

    def _propose(self, change: Callable[[Proposing], StateWorkChange]) -> None:
        self._reviews.act_as(Proposing, change)

    # -- the definition ----------------------------------------------------------
    @Slot(str, str)
    def decide(self, row_id: str, choice: str) -> None:
        """Decide a row: take what one operator proposes, drop it, or open the dialog to edit it."""
        row = self._row(row_id)
        if row is None or not self._may_decide():
            return
        if choice == EDITED:
            self._edit(row_id)
        else:
            self._define(lambda defining: defining.decide(row_id, choice))

    @Slot(str, str)
    def _key_pressed(self, row_id: str, letter: str) -> None:
        row = self._row(row_id)
        if row is None:
            return
        if letter == _UNDECIDE and row.chosen and self._may_decide():
            self._define(lambda defining: defining.take_back(row_id))
        elif choice := choice_for_key(row, letter):
            self.decide(row_id, choice)

    def _row(self, row_id: str) -> ComparisonRow | None:
        return next((row for row in self._view.comparison.rows if row.id == row_id), None)

    def _may_decide(self) -> bool:
        """Whether the person settles differences now; when not, a sentence says why."""
        stage = stage_of(self._reviews.require())
        if stage is ProposalStage.DEFINE:
            return True
        if stage is ProposalStage.FINISHED:
            problem = UserError(
                _("The states are agreed"), "", _("Open the definition again to decide otherwise")
            )
            self._services.toasts.show_error(problem)
        elif stage is ProposalStage.STALE:
            self._services.toasts.show_error(
                UserError(self._reviews.require().stale_reason, "", _("Align the proposals again"))
            )
        elif self._reviews.require().alignment is not None:
            names = ", ".join(self._reviews.require().operators)
            self._services.toasts.show_error(
                UserError(_("The operators settle their differences: {names}", names=names))
            )
        return False

    def _edit(self, row_id: str) -> None:
        alignment = self._reviews.require().alignment
        pair = alignment.pair(row_id) if alignment is not None else None
        if alignment is None or pair is None:
            return
        draft = agreed_draft(alignment, pair, self._reviews.require().definition)
        others = [
            (other.key, f"{other.key}  {other.states[0].label}")
            for other in alignment.pairs
            if other is not pair
        ]
        dialog = StateEditDialog(
            self._view.window(),
            _("The state as you agree on it"),
            _("It takes the place of both proposals."),
            draft,
            sources_of(alignment, pair),
            others,
        )

        def edited(state: ProposedState) -> None:
            self._define(lambda defining: defining.decide(row_id, EDITED, state))

        dialog.edited.connect(edited)
        dialog.open()

    # -- pairs ---------------------------------------------------------------------
    @Slot(str, QPoint)
    def _open_row_menu(self, row_id: str, at: QPoint) -> None:
        """Offer to part a pair, or to pair a state that one operator alone proposes."""
        alignment = self._reviews.require().alignment
        pair = alignment.pair(row_id) if alignment is not None else None
        if alignment is None or pair is None or stage_of(self._reviews.require()) is not ProposalStage.DEFINE:
            return
        menu = PopupMenu(self._view)
        if pair.a is not None and pair.b is not None:
            menu.addAction(_("These are two states")).setData((pair.a.id, pair.b.id, False))
        else:
            for other in alignment.pairs:
                a, b = (pair.a or other.a, pair.b or other.b)
                if a is None or b is None or (other.a is not None and other.b is not None):
                    continue
                title = _("The same as {state}", state=f"{other.key}  {other.states[0].label}")
                menu.addAction(menu_text(title)).setData((a.id, b.id, True))
        if menu.isEmpty():
            menu.addAction(_("No other state is without a counterpart")).setEnabled(False)
        menu.triggered.connect(self._pair_chosen)
        menu.popup(at)

    @Slot(QAction)
    def _pair_chosen(self, action: QAction) -> None:
        a, b, same = action.data()
        self.pair(a, b, same=same)

    def pair(self, a: str, b: str, *, same: bool) -> None:
        """Say that a state of operator A and one of B are the same, or that they are two."""
        self._define(lambda defining: defining.pair_states(a, b, same=same))

    def next_difference(self) -> None:
        """Go to the next row that is not settled."""
        if not self._view.go_to_next_difference():
            raise UserError(_("Every difference is settled"))
        self._view.setFocus()

    def settle_agreed(self) -> None:
        """Agree on every row on which both operators say the same."""
        self._define(Defining.settle_agreed)

    def realign(self) -> None:
        """Align the proposals again after one of them changed."""
        self._define(Defining.realign)

    def finish(self) -> None:
        """Write what both operators agreed on, and hand it to an auditor."""
        self._define(Defining.finish)

    def reopen(self) -> None:
        """Open a finished definition again."""
        self._define(Defining.reopen)

    def _define(self, change: Callable[[Defining], StateWorkChange]) -> None:
        """Make a change of the definition, which is started with the first one."""

        def start_and_change(defining: Defining) -> StateWorkChange:
            if defining.is_started:
                return change(defining)
            started = defining.start()
            try:
                changed = change(defining)
            except BaseException:  # a job that was cancelled too: a definition without its change would stay
                defining.work.merge(started.after, started.before)
                raise
            return replace(changed, before=None)  # one undo takes back both

        self._reviews.act_as(Defining, start_and_change)

    # -- what a row leads to -------------------------------------------------------
    def state_of_row(self, row_id: str) -> str:
        """The state of ``rules/states.yaml`` that a row became, or of the open proposal; empty for none."""
        review = self._reviews.review
        if review is None:
            return ""
        if review.open_proposal is not None:
            return row_id[1:]
        decision = review.definition.decision(row_id) if review.definition is not None else None
        return decision.agreed_id if decision is not None else ""

    def row_of_state(self, state_id: str) -> str:
        """The row that became a state; empty when none did."""
        rows = self._view.comparison.rows
        return next((row.id for row in rows if state_id and self.state_of_row(row.id) == state_id), "")

    def show_screen(self, row_id: str) -> None:
        """Show the screen that reaches the state of a row, in the golden trajectory of its operator."""
        review, row = self._reviews.review, self._row(row_id)
        if review is None or row is None:
            return
        for side, cell in enumerate((row.left, row.right)):
            proposal = review.work.proposal(review.operators[side]) if side < len(review.operators) else None
            if cell is not None and cell.step is not None and proposal is not None:
                self._session.choose_trajectory(proposal.golden, cell.step)
                return
