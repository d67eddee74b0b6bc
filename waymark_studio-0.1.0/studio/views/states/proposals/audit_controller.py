"""The commands of an audit: begin, answer, accept, correct, reject, sign."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.states.auditing import Auditing, proposed_of
from collector.states.documents.audit import ACCEPT, FIX, REJECT, SUFFICIENCY, AuditedState, CriterionAnswer
from collector.states.documents.proposal import ProposedState
from collector.states.work_change import StateWorkChange
from studio.views.services import WindowServices
from studio.views.states.proposals.state_edit_dialog import StateEditDialog
from studio.views.states.session import StatesSession
from studio.widgets.dialogs.dialog import Dialog, show_problem
from studio.widgets.state_audit.checklist import AuditChecklist

_ACTIONS = {ACCEPT: "states.accept", FIX: "states.fix-and-accept", REJECT: "states.reject"}


class AuditController(QObject):
    """Changes go through the bridge; each can be undone."""

    def __init__(
        self, session: StatesSession, services: WindowServices, checklist: AuditChecklist, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._services, self._checklist = session, services, checklist
        self._reviews = services.state_reviews
        handle = services.commander.handle
        handle("states.start-audit", self.start)
        handle("states.accept", self.accept)
        handle("states.fix-and-accept", self.fix)
        handle("states.reject", self.reject)
        handle("states.sign-audit", self.sign)
        handle("states.withdraw-audit", self.withdraw)
        checklist.chosen.connect(self._choose)
        checklist.answered.connect(self._answer)
        checklist.noted.connect(self._note)
        checklist.decided.connect(self._decide)
        checklist.signed.connect(self._sign)

    def _act(self, change: Callable[[Auditing], StateWorkChange]) -> None:
        self._reviews.act_as(Auditing, change)

    # -- the audit ---------------------------------------------------------------
    def start(self) -> None:
        """Begin an audit, or begin it again after the states were defined anew."""
        self._act(Auditing.start)

    def sign(self) -> None:
        """Sign the audit, with notes that are still being typed."""
        self._checklist.save_notes()
        self._act(Auditing.sign)

    def withdraw(self) -> None:
        """Take the signature back, to change the audit."""
        self._act(Auditing.withdraw)

    @Slot()
    def _sign(self) -> None:
        self._services.run_command("states.sign-audit")

    # -- answers -------------------------------------------------------------------
    @Slot(str)
    def _choose(self, state_id: str) -> None:
        """Show a state here, in the graph and on the film strip."""
        self._session.select(state_id, follow=True)
        if self._session.state_id != state_id:  # it is not among those that are shown
            self._checklist.show_sheet(self._checklist.sheet, state_id)

    def _known(self, state_id: str, criterion: str) -> CriterionAnswer:
        """What the auditor answered before."""
        audit = self._reviews.require().audit
        if audit is None:
            return CriterionAnswer()
        if criterion == SUFFICIENCY:
            return audit.sufficiency
        return (audit.state(state_id) or AuditedState(state_id)).answer(criterion)

    @Slot(str, str, str)
    def _answer(self, state_id: str, criterion: str, answer: str) -> None:
        note = self._checklist.criteria[criterion].note.text()
        self._act(lambda auditing: auditing.answer(criterion, answer, note, state_id))

    @Slot(str, str, str)
    def _note(self, state_id: str, criterion: str, note: str) -> None:
        answer = self._known(state_id, criterion).value
        self._act(lambda auditing: auditing.answer(criterion, answer, note, state_id))

    # -- decisions -------------------------------------------------------------------
    @Slot(str, str)
    def _decide(self, state_id: str, decision: str) -> None:
        self._session.select(state_id)
        self._services.run_command(_ACTIONS[decision], state=state_id)

    def _state(self, state: str) -> str:
        """The state that a command is about: the one named, else the one on show."""
        state_id = state or self._checklist.current
        if state_id not in self._reviews.require().audited_states:
            raise UserError(_("No state of the audit is selected"), "", _("Choose one in the list"))
        return state_id

    def accept(self, state: str = "") -> None:
        """Accept a state as it is agreed."""
        state_id = self._state(state)
        self._act(lambda auditing: auditing.decide(state_id, ACCEPT))
        self._go_on(state_id)

    def fix(self, state: str = "") -> None:
        """Correct a state in a dialog, and accept it so."""
        state_id = self._state(state)
        review = self._reviews.require()
        states = review.audited_states
        answered = review.audit.state(state_id) if review.audit is not None else None
        draft = answered.fixed if answered is not None and answered.fixed is not None else None
        others = [(name, other.label) for name, other in states.items() if name != state_id]
        dialog = StateEditDialog(
            self._checklist.window(),
            _("The state as you correct it"),
            _("It is written into rules/states.yaml when you sign the audit."),
            draft or proposed_of(states[state_id]),
            (),
            others,
        )

        def fixed(corrected: ProposedState) -> None:
            self._act(lambda auditing: auditing.decide(state_id, FIX, fixed=corrected))
            self._go_on(state_id)

        dialog.edited.connect(fixed)
        dialog.open()

    def reject(self, state: str = "", note: str = "") -> None:
        """Reject a state; without a ``note`` a dialog asks for it."""
        state_id = self._state(state)
        if note:
            self._reject(state_id, note)
            return
        label = self._reviews.require().audited_states[state_id].label
        dialog = RejectDialog(self._checklist.window(), label)

        def rejected(written: str) -> None:
            self._reject(state_id, written)

        dialog.rejected_with.connect(rejected)
        dialog.open()

    def _reject(self, state_id: str, note: str) -> None:
        self._act(lambda auditing: auditing.decide(state_id, REJECT, note))
        self._go_on(state_id)

    def _go_on(self, state_id: str) -> None:
        """Show the next state that is not decided, when this one has all its answers."""
        row = self._checklist.sheet.row(state_id)
        if row is None or row.answered < len(row.criteria):
            return
        following = self._checklist.sheet.next_undecided(state_id)
        if following and following != state_id:
            self._choose(following)


_NOTE_HEIGHT = 88


class RejectDialog(Dialog):
    """Emits ``rejected_with(note)`` when it is accepted with a note."""

    rejected_with = Signal(str)

    def __init__(self, parent: QWidget, state: str) -> None:
        sentence = _("{state}. The operators read your note and define the state again.", state=state)
        super().__init__(_("Reject the state"), _("Reject"), parent, sentence=sentence)
        self.note = QPlainTextEdit()
        self.note.setTabChangesFocus(True)
        self.note.setFixedHeight(_NOTE_HEIGHT)
        self.note.setPlaceholderText(_("What is wrong with it, and what would be right"))
        self._problem = self.add_field(_("Note"), self.note)
        self.note.setFocus()

    @Slot()
    def accept(self) -> None:
        """Emit the note; a rejection without one helps nobody."""
        note = self.note.toPlainText().strip()
        show_problem(self._problem, self.note, "" if note else _("Say why it is rejected"))
        if note:
            self.rejected_with.emit(note)
            super().accept()
