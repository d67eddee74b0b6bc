"""An auditor's work on the agreed states of a task: answer A3's criteria, decide on each state, sign.

Whoever proposed states does not audit them, and works blind: without the names of the operators and without
other audits. Sufficiency is asked once of all states (A3, section 3.2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from collector.model.errors import UserError
from collector.model.essential_state import AGREED, AUDITED, EssentialState
from collector.model.message import _
from collector.states.defining import realignment_sentence
from collector.states.documents.audit import (
    ANSWERS,
    CRITERION_TITLES,
    FIX,
    NO,
    REJECT,
    STATE_CRITERIA,
    SUFFICIENCY,
    VERDICTS_OF_AUDIT,
    VISUAL_VERIFIABILITY,
    Audit,
    AuditedState,
    CriterionAnswer,
)
from collector.states.documents.proposal import ProposedState
from collector.states.documents.proposed_rules import conditions_of
from collector.states.documents.workflow_act import SIGNED, STARTED, WITHDRAWN, act_now
from collector.states.proposing import require_task, require_valid_state
from collector.states.work_change import StateWorkChange, save_with_task
from collector.states.work_files.digests import agreed_digest
from collector.states.work_files.state_work import StateWork, TaskWork
from collector.store.tasks.state_file import StateChange

_CONDITIONS = "conditions"


@dataclass(frozen=True, slots=True)
class Auditing:
    """The audit of one task by one person.

    Methods that change something return the change, which can be undone; all raise UserError with a sentence
    when they are refused.
    """

    work: StateWork
    task_id: str
    who: str

    def start(self) -> StateWorkChange:
        """Begin the audit of the states as they are agreed now.

        After a new definition it begins anew: answers on states that did not change stay.
        """
        require_task(self.work, self.task_id, self.who)
        of_task = self.work.of_task(self.task_id)
        self._require_auditor(of_task)
        finished = self._definition_time(of_task)
        states = self.states()

        def started(audit: Audit | None) -> Audit:
            if audit is not None and audit.definition == finished:
                raise UserError(
                    _("{who} audits {task} already", who=self.who, task=self.task_id), "", _("Go on with it")
                )
            begun = act_now(STARTED, self.who)
            if audit is None:
                return Audit(self.task_id, self.who, definition=finished, acts=(begun,))
            ended = (act_now(WITHDRAWN, self.who),) if audit.signed else ()
            kept = tuple(
                replace(review, verdict="", note="") if review.verdict == REJECT else review
                for review in audit.states
                if review.state in states and review.digest == agreed_digest(states[review.state])
            )
            return replace(
                audit,
                states=kept,
                sufficiency=CriterionAnswer(),
                definition=finished,
                acts=(*audit.acts, *ended, begun),
            )

        return self._change(_("begin the audit of {task}", task=self.task_id), started)

    def states(self) -> Mapping[str, EssentialState]:
        """The states under audit by id, in the order of the task."""
        self.work.project.reload()
        task, states = self.work.project.task(self.task_id), self.work.project.states
        names = task.essential_states if task is not None else ()
        return {name: states[name] for name in names if name in states}

    # Answers

    def answer(self, criterion: str, value: str, note: str = "", state_id: str = "") -> StateWorkChange:
        """Answer a criterion: of a state, or ``sufficiency`` of all states; an empty value opens it again."""
        if value not in ("", *ANSWERS):
            raise ValueError(f"no answer: {value!r} (expected {', '.join(ANSWERS)})")
        answer = CriterionAnswer(value, note.strip())
        title = _("answer {criterion} of {task}", criterion=_(CRITERION_TITLES[criterion]), task=self.task_id)
        if criterion == SUFFICIENCY:
            return self._edit(title, lambda audit: replace(audit, sufficiency=answer))

        def answered(review: AuditedState) -> AuditedState:
            if criterion == VISUAL_VERIFIABILITY:
                return replace(review, visual_verifiability=answer)
            return replace(review, criticality=answer)

        return self._review(title, state_id, answered)

    def decide(
        self, state_id: str, verdict: str, note: str = "", fixed: ProposedState | None = None
    ) -> StateWorkChange:
        """Accept a state, accept it as ``fixed``, or reject it with a note; an empty verdict opens it again.

        The ids that ``fixed`` names are those of ``rules/states.yaml``.
        """
        if verdict not in ("", *VERDICTS_OF_AUDIT):
            raise ValueError(f"no verdict: {verdict!r} (expected {', '.join(VERDICTS_OF_AUDIT)})")
        if verdict == REJECT and not note.strip():
            raise UserError(
                _("A rejection needs a note"), _("the operators define the state again, and have to know why")
            )
        states = self.states()
        if verdict == FIX:
            fixed = self._valid_fix(state_id, fixed, states)

        def decided(review: AuditedState) -> AuditedState:
            return replace(
                review, verdict=verdict, note=note.strip(), fixed=fixed if verdict == FIX else None
            )

        return self._review(_("audit {state}", state=state_id), state_id, decided)

    # The signature

    def sign(self) -> StateWorkChange:
        """Sign the audit. States that are all accepted become audited; a rejection sends the task back."""
        of_task = self.work.of_task(self.task_id)
        audit = self._require_open(of_task.audit(self.who), of_task)
        states = self.states()
        self._require_complete(audit, states)
        rejected = audit.has_rejected or any(
            other.signed and other.has_rejected
            for other in of_task.audits
            if other.who != self.who and other.definition == audit.definition
        )
        changes = () if rejected else self._accepted(audit, states)
        after = {change.id: change.after for change in changes}
        digests = {name: agreed_digest(after.get(name) or state) for name, state in states.items()}

        def signed(current: Audit) -> Audit:
            reviews = tuple(replace(review, digest=digests[review.state]) for review in current.states)
            return replace(current, states=reviews, acts=(*current.acts, act_now(SIGNED, self.who)))

        return self._with_states(
            self._edit(_("sign the audit of {task}", task=self.task_id), signed), changes
        )

    def withdraw(self) -> StateWorkChange:
        """Take the signature back; states that no other audit accepts are agreed again, not audited."""
        of_task = self.work.of_task(self.task_id)
        states = self.states()

        def withdrawn(audit: Audit | None) -> Audit:
            if audit is None or not audit.signed:
                raise UserError(_("There is no signature of {who} to take back", who=self.who))
            return replace(audit, acts=(*audit.acts, act_now(WITHDRAWN, self.who)))

        change = self._change(_("take back the audit of {task}", task=self.task_id), withdrawn)
        others = [audit for audit in of_task.audits if audit.who != self.who and accepts(audit, of_task)]
        changes = tuple(
            StateChange(state, replace(state, status=AGREED))
            for state in states.values()
            if state.status == AUDITED and not others
        )
        return self._with_states(change, changes)

    def _with_states(self, change: StateWorkChange, changes: tuple[StateChange, ...]) -> StateWorkChange:
        """Change the states with an audit that was changed; when they cannot be, take it back."""
        try:
            if changes:
                save_with_task(self.work, changes, None)
        except BaseException:
            self.work.merge(change.after, change.before)
            raise
        return replace(change, states=changes)

    # What may be done

    def _change(self, title: str, change: Callable[[Audit | None], Audit]) -> StateWorkChange:
        before, after = self.work.change_audit(self.task_id, self.who, change)
        return StateWorkChange(title, before, after)

    def _edit(self, title: str, edit: Callable[[Audit], Audit]) -> StateWorkChange:
        of_task = self.work.of_task(self.task_id)
        return self._change(title, lambda audit: edit(self._require_open(audit, of_task)))

    def _review(
        self, title: str, state_id: str, edit: Callable[[AuditedState], AuditedState]
    ) -> StateWorkChange:
        states = self.states()
        state = _state(states, state_id)

        def edited(audit: Audit) -> Audit:
            review = audit.state(state_id) or AuditedState(state_id)
            reviews = {known.state: known for known in audit.states}
            reviews[state_id] = edit(replace(review, digest=agreed_digest(state)))
            ordered = [name for name in states if name in reviews]
            gone = [name for name in reviews if name not in states]
            return replace(audit, states=tuple(reviews[name] for name in (*ordered, *gone)))

        return self._edit(title, edited)

    def _require_auditor(self, of_task: TaskWork) -> None:
        definition = of_task.definition
        operators = {*of_task.operators, *(definition.operators if definition is not None else ())}
        if self.who in operators or of_task.has_unread_proposal(self.who):
            raise UserError(
                _("{who} proposed states for {task}", who=self.who, task=self.task_id),
                _("an audit is independent: somebody else does it"),
            )

    def _definition_time(self, of_task: TaskWork) -> str:
        definition = of_task.definition
        if definition is None or not definition.finished:
            raise UserError(
                _("The states of {task} are not agreed yet", task=self.task_id),
                "",
                _("The audit begins when both operators have finished the definition"),
            )
        if realignment_sentence(of_task):  # it names an operator, whom an auditor is not to know
            raise UserError(
                _("The states of {task} are defined again", task=self.task_id),
                _("a proposal was changed since"),
                _("The audit begins when the definition is finished"),
            )
        return definition.finished

    def _require_open(self, audit: Audit | None, of_task: TaskWork) -> Audit:
        if audit is None:
            raise UserError(
                _("{who} does not audit {task} yet", who=self.who, task=self.task_id),
                "",
                _("Begin with `waymark states audit start {task}`", task=self.task_id),
            )
        if audit.signed:
            raise UserError(
                _("The audit is signed and cannot be changed"), "", _("Take back the signature first")
            )
        if audit.definition != self._definition_time(of_task):
            raise UserError(
                _("The states of {task} were defined anew since", task=self.task_id),
                "",
                _("Begin the audit again"),
            )
        return audit

    def _require_complete(self, audit: Audit, states: Mapping[str, EssentialState]) -> None:
        if not states:
            raise UserError(_("Task {task} has no states to audit", task=self.task_id))
        for name, state in states.items():
            review = audit.state(name)
            missing = [
                _(CRITERION_TITLES[criterion])
                for criterion in STATE_CRITERIA
                if review is None or not review.answer(criterion).value
            ]
            if review is None or missing or not review.verdict:
                what = ", ".join(missing) or _("accept, fix or reject")
                raise UserError(
                    _("The audit is not complete"), _("{state} lacks: {what}", state=name, what=what)
                )
            if review.digest != agreed_digest(state):
                raise UserError(
                    _("{state} was changed since you looked at it", state=name), "", _("Review it again")
                )
            if review.verdict != REJECT:
                _require_consistent(review, name)
        if not audit.sufficiency.value:
            raise UserError(
                _("The audit is not complete"), _("sufficiency of all states together is not answered")
            )
        if audit.sufficiency.value == NO and not audit.sufficiency.note:
            raise UserError(
                _("States that do not cover the task need a note"),
                _("the operators have to know what is missing"),
            )

    def _accepted(self, audit: Audit, states: Mapping[str, EssentialState]) -> tuple[StateChange, ...]:
        """The states as the auditor accepts them."""
        changes = []
        for name, state in states.items():
            review = audit.state(name)
            after = replace(state, status=AUDITED)
            if review is not None and review.fixed is not None:
                after = _as_fixed(after, review.fixed)
            if after != state:
                changes.append(StateChange(state, after))
        return tuple(changes)

    def _valid_fix(
        self, state_id: str, fixed: ProposedState | None, states: Mapping[str, EssentialState]
    ) -> ProposedState:
        if fixed is None:
            raise UserError(
                _("A correction has to say what is corrected"), "", _("Give the state as it should be")
            )
        corrected = replace(fixed, id=state_id, step=None)
        others = [proposed_of(state) for name, state in states.items() if name != state_id]
        require_valid_state(corrected, [*others, corrected])
        return corrected


def accepts(audit: Audit, of_task: TaskWork) -> bool:
    """Whether a signed audit accepts the states as they were defined last."""
    definition = of_task.definition
    finished = definition.finished if definition is not None else ""
    return bool(audit.signed) and audit.definition == finished and not audit.has_rejected


def proposed_of(state: EssentialState) -> ProposedState:
    """A state of the project as a value of the workflow, to judge or to correct it."""
    return ProposedState(
        state.id, state.sentence, state.extra.get(_CONDITIONS) or None, state.after, state.optional,
        state.alternatives,
    )  # fmt: skip


def _as_fixed(state: EssentialState, fixed: ProposedState) -> EssentialState:
    extra = dict(state.extra)
    if conditions_of(extra.get(_CONDITIONS)) != conditions_of(fixed.conditions):
        extra.pop(_CONDITIONS, None)
        if fixed.conditions:
            extra[_CONDITIONS] = fixed.conditions
    return replace(
        state,
        sentence=fixed.sentence.strip(),
        after=fixed.after,
        optional=fixed.optional,
        alternatives=fixed.alternatives,
        extra=extra,
    )


def _require_consistent(review: AuditedState, name: str) -> None:
    for criterion in STATE_CRITERIA:
        if review.answer(criterion).value == NO and review.verdict != FIX:
            raise UserError(
                _("{state} cannot be accepted", state=name),
                _("{criterion} is answered with no", criterion=_(CRITERION_TITLES[criterion])),
                _("Correct it, reject it, or answer otherwise"),
            )


def _state(states: Mapping[str, EssentialState], state_id: str) -> EssentialState:
    state = states.get(state_id)
    if state is None:
        raise UserError(
            _("There is no state {id}", id=state_id),
            "",
            _("The states are: {known}", known=", ".join(states)),
        )
    return state
