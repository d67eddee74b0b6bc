"""An operator's work on a proposal: open it, add and change states, sign it. Each act is saved at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from collector.model.errors import UserError
from collector.model.message import _
from collector.states.documents.proposal import Proposal, ProposedState, new_local_id
from collector.states.documents.proposed_rules import condition_problem
from collector.states.documents.workflow_act import SIGNED, STARTED, WITHDRAWN, act_now
from collector.states.work_change import StateWorkChange
from collector.states.work_files.blindness import OPERATORS
from collector.states.work_files.goldens import is_same_course, open_golden, open_own_golden
from collector.states.work_files.state_work import StateWork, TaskWork


@dataclass(frozen=True, slots=True)
class Proposing:
    """The proposal of one operator for one task.

    Every method returns the change it made, which can be undone, and raises UserError with a sentence when it
    is refused.
    """

    work: StateWork
    task_id: str
    who: str

    # The proposal

    def start(self, golden: str = "") -> StateWorkChange:
        """Open a proposal; ``golden`` is the operator's own trajectory and can be chosen later."""
        self._require_operator()
        if golden:
            open_own_golden(self.work.project, self.task_id, golden, self.who)
        self.work.project.write_task_headings()

        def started(proposal: Proposal | None) -> Proposal:
            if proposal is not None:
                raise UserError(
                    _("{who} has a proposal for {task} already", who=self.who, task=self.task_id),
                    "",
                    _("Go on with it"),
                )
            return Proposal(self.task_id, self.who, golden, acts=(act_now(STARTED, self.who),))

        return self._change(_("open a proposal for {task}", task=self.task_id), started)

    def choose_golden(self, golden: str) -> StateWorkChange:
        """Name the operator's golden trajectory; steps of states that it does not have are forgotten."""
        stored = open_own_golden(self.work.project, self.task_id, golden, self.who)
        length = len(stored.steps)

        def chosen(proposal: Proposal) -> Proposal:
            states = (
                replace(state, step=None) if state.step is not None and state.step >= length else state
                for state in proposal.states
            )
            return replace(proposal, golden=golden, states=tuple(states))

        return self._edit(_("choose the golden trajectory {id}", id=golden), chosen)

    def discard(self) -> StateWorkChange:
        """Delete the proposal, which must not be signed."""

        def discarded(proposal: Proposal | None) -> None:
            self._require_open(proposal)

        return self._change(_("delete the proposal for {task}", task=self.task_id), discarded)

    # Its states

    def add(self, state: ProposedState, position: int | None = None) -> StateWorkChange:
        """Add a state at a position, by default the last; it gets the next free id."""

        def added(proposal: Proposal) -> Proposal:
            new = replace(state, id=new_local_id(known.id for known in proposal.states))
            self._require_valid(new, (*proposal.states, new), proposal.golden)
            states = list(proposal.states)
            states.insert(len(states) if position is None else position, new)
            return replace(proposal, states=tuple(states))

        return self._edit(_("propose {state}", state=state.label), added)

    def edit(self, state_id: str, **values: Any) -> StateWorkChange:
        """Change values of a state, by the names of the fields of :class:`ProposedState`."""

        def edited(proposal: Proposal) -> Proposal:
            state = replace(_state(proposal, state_id), **{**values, "id": state_id})
            states = tuple(state if known.id == state_id else known for known in proposal.states)
            self._require_valid(state, states, proposal.golden)
            return replace(proposal, states=states)

        return self._edit(_("change state {id}", id=state_id), edited)

    def move(self, state_id: str, position: int) -> StateWorkChange:
        """Put a state at another position, counted from 0."""

        def moved(proposal: Proposal) -> Proposal:
            state = _state(proposal, state_id)
            states = [known for known in proposal.states if known.id != state_id]
            states.insert(max(0, position), state)
            return replace(proposal, states=tuple(states))

        return self._edit(_("move state {id}", id=state_id), moved)

    def remove(self, state_id: str) -> StateWorkChange:
        """Remove a state; others no longer name it."""

        def removed(proposal: Proposal) -> Proposal:
            _state(proposal, state_id)
            return replace(
                proposal,
                states=tuple(
                    replace(
                        state,
                        after=_without(state.after, state_id),
                        alternatives=_without(state.alternatives, state_id),
                    )
                    for state in proposal.states
                    if state.id != state_id
                ),
            )

        return self._edit(_("remove state {id}", id=state_id), removed)

    # The signature

    def sign(self) -> StateWorkChange:
        """Sign the proposal: the operators see each other's proposal once their own is signed."""

        def signed(proposal: Proposal) -> Proposal:
            if not proposal.golden:
                raise UserError(
                    _("The proposal names no golden trajectory"), "", _("Choose your own one of this task")
                )
            open_own_golden(self.work.project, self.task_id, proposal.golden, self.who)
            if not proposal.states:
                raise UserError(_("The proposal has no states yet"), "", _("Add at least one"))
            for state in proposal.states:
                self._require_valid(state, proposal.states, proposal.golden)
            return replace(proposal, acts=(*proposal.acts, act_now(SIGNED, self.who)))

        return self._edit(_("sign the proposal for {task}", task=self.task_id), signed)

    def withdraw(self) -> StateWorkChange:
        """Take the signature back, to change the proposal."""

        def withdrawn(proposal: Proposal | None) -> Proposal:
            if proposal is None or not proposal.signed:
                raise UserError(_("There is no signature of {who} to take back", who=self.who))
            return replace(proposal, acts=(*proposal.acts, act_now(WITHDRAWN, self.who)))

        return self._change(_("take back the signature for {task}", task=self.task_id), withdrawn)

    # What may be changed

    def _change(self, title: str, change: Callable[[Proposal | None], Proposal | None]) -> StateWorkChange:
        before, after = self.work.change_proposal(self.task_id, self.who, change)
        return StateWorkChange(title, before, after)

    def _edit(self, title: str, edit: Callable[[Proposal], Proposal]) -> StateWorkChange:
        return self._change(title, lambda proposal: edit(self._require_open(proposal)))

    def _require_open(self, proposal: Proposal | None) -> Proposal:
        if proposal is None:
            raise UserError(
                _("{who} has no proposal for {task}", who=self.who, task=self.task_id),
                "",
                _("Open one with `waymark states propose start {task}`", task=self.task_id),
            )
        if proposal.signed:
            raise UserError(
                _("The proposal is signed and cannot be changed"), "", _("Take back the signature first")
            )
        return proposal

    def _require_operator(self) -> None:
        require_task(self.work, self.task_id, self.who)
        work = self.work.of_task(self.task_id)
        if work.audit(self.who) is not None:
            raise UserError(
                _("{who} audits the states of {task}", who=self.who, task=self.task_id),
                _("who audits does not propose"),
            )
        others = [who for who in work.operators if who != self.who]
        if len(others) >= OPERATORS:
            raise UserError(
                _("Two operators propose states for {task} already", task=self.task_id), ", ".join(others)
            )

    def _require_valid(self, state: ProposedState, states: Sequence[ProposedState], golden: str) -> None:
        require_valid_state(state, states)
        if state.step is not None and golden:
            steps = len(open_golden(self.work.project, self.task_id, golden).steps)
            if state.step >= steps:
                raise UserError(
                    _("{golden} has no step {step}", golden=golden, step=state.step + 1),
                    _("its steps are 1 to {last}", last=steps),
                )


def require_task(work: StateWork, task_id: str, who: str) -> None:
    """Raise UserError when the project has no such task, or the person no name."""
    if work.project.task(task_id) is None:
        raise UserError(_("There is no task {id}", id=task_id), "", _("`waymark task list` shows them"))
    if not who.strip():
        raise UserError(_("The work on states needs a name"), _("it is kept under the name of who does it"))


def require_valid_state(state: ProposedState, states: Sequence[ProposedState]) -> None:
    """Raise UserError when a state cannot stand among ``states``, which it is one of."""
    if not state.sentence.strip():
        raise UserError(_("A state needs a sentence"), _("it says what is to be seen when it is reached"))
    known = {other.id for other in states}
    for name in (*state.after, *state.alternatives):
        if name not in known:
            raise UserError(
                _("There is no state {id}", id=name),
                "",
                _("The states are: {known}", known=", ".join(other.id for other in states)),
            )
        if name == state.id:
            raise UserError(_("State {id} cannot come after itself or replace itself", id=name))
    if circle := after_circle(states):
        raise UserError(_("These states wait for each other: {states}", states=", ".join(circle)))
    if problem := condition_problem(state.conditions):
        raise UserError(_("The conditions of {state} cannot be judged", state=state.label), problem)


def after_circle(states: Iterable[ProposedState]) -> list[str]:
    """Ids of states that come after each other in a circle; empty when there is none."""
    waiting = {state.id: set(state.after) for state in states}
    for names in waiting.values():
        names &= waiting.keys()
    while free := [name for name, before in waiting.items() if not before]:
        for name in free:
            del waiting[name]
        for before in waiting.values():
            before.difference_update(free)
    return list(waiting)


def same_course_warning(work: StateWork, of_task: TaskWork) -> str:
    """A sentence when the operators' golden trajectories take the same course of actions; else empty."""
    goldens = [proposal.golden for proposal in of_task.proposals if proposal.golden][:OPERATORS]
    if len(goldens) < OPERATORS:
        return ""
    try:
        first, second = (open_golden(work.project, of_task.task, golden) for golden in goldens)
    except UserError:
        return ""
    if not is_same_course(first, second):
        return ""
    return _("Both golden trajectories take the same course of actions; A3 asks for distinct strategies")


def _state(proposal: Proposal, state_id: str) -> ProposedState:
    state = proposal.state(state_id)
    if state is None:
        known = ", ".join(known.id for known in proposal.states)
        raise UserError(
            _("The proposal has no state {id}", id=state_id), "", _("Its states are: {known}", known=known)
        )
    return state


def _without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(known for known in names if known != name)
