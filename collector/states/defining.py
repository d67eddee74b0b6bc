"""The definition session of a task: two operators settle the differences of their proposals.

Each decision is saved at once, so a session goes on after a restart. When it is finished, the agreed states
are written into ``rules/states.yaml`` and the task names them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from collector.model.errors import UserError
from collector.model.message import _, ngettext
from collector.states.agreed_states import agree, chosen_states
from collector.states.documents.definition import (
    CHOICES,
    CHOOSE_A,
    CHOOSE_B,
    EDITED,
    Definition,
    StateDecision,
)
from collector.states.documents.proposal import Proposal, ProposedState
from collector.states.documents.proposed_rules import condition_problem
from collector.states.documents.workflow_act import FINISHED, STARTED, WITHDRAWN, act_now
from collector.states.known_reach import known_reach
from collector.states.proposal_alignment import ProposalAlignment, Reached, StatePair, align
from collector.states.proposing import require_task
from collector.states.work_change import StateWorkChange, save_with_task
from collector.states.work_files.blindness import OPERATORS
from collector.states.work_files.digests import proposal_digest, states_digest
from collector.states.work_files.goldens import open_golden
from collector.states.work_files.state_work import StateWork, TaskWork


@dataclass(frozen=True, slots=True)
class Defining:
    """The session of one task, as the operator ``who`` works in it.

    Methods that change something return the change, which can be undone; all raise UserError with a sentence
    when they are refused.
    """

    work: StateWork
    task_id: str
    who: str

    # The session

    @property
    def is_started(self) -> bool:
        """Whether there is a definition of the task, open or finished."""
        return self.work.definition(self.task_id) is not None

    def start(self, operators: tuple[str, str] | None = None) -> StateWorkChange:
        """Open the session of two signed proposals; ``operators`` names them when there are more than two."""
        require_task(self.work, self.task_id, self.who)
        of_task = self.work.of_task(self.task_id)
        pair = self._operators(of_task, operators)
        self._require_operator(pair)
        digests = _digests(of_task, pair)
        a, b = (self._signed(of_task, name) for name in pair)
        # Every pair has its place in the file from the beginning, so that decisions on two branches merge.
        decisions = _decisions_on(read_alignment(self.work, a, b), ())

        def started(definition: Definition | None) -> Definition:
            if definition is not None:
                raise UserError(
                    _("The definition of {task} is open already", task=self.task_id), "", _("Go on with it")
                )
            return Definition(self.task_id, pair, digests, decisions, acts=(act_now(STARTED, self.who),))

        return self._change(_("open the definition of {task}", task=self.task_id), started)

    def realign(self) -> StateWorkChange:
        """Align changed proposals again: decisions on states that did not change stay."""
        of_task = self.work.of_task(self.task_id)
        alignment = self.alignment(of_task)

        def realigned(definition: Definition) -> Definition:
            acts = definition.acts
            if definition.finished:
                acts = (*acts, act_now(WITHDRAWN, self.who))
            return replace(
                definition,
                proposals=_digests(of_task, definition.operators),
                decisions=_decisions_on(alignment, definition.decisions),
                acts=acts,
            )

        return self._edit(_("align the proposals of {task} again", task=self.task_id), realigned)

    def alignment(self, of_task: TaskWork | None = None) -> ProposalAlignment:
        """The proposals of the session, aligned as they are now; rules say where each state is reached."""
        of_task = of_task or self.work.of_task(self.task_id)
        definition = of_task.definition
        pair = definition.operators if definition is not None else self._operators(of_task, None)
        a, b = (self._signed(of_task, who) for who in pair)
        return read_alignment(self.work, a, b, definition.pairing if definition is not None else {})

    # Decisions

    def decide(self, key: str, choice: str, state: ProposedState | None = None) -> StateWorkChange:
        """Decide on a pair: ``a``, ``b``, ``edited`` with the edited state, or ``dropped``.

        The ``after`` and ``alternatives`` of an edited state name pairs by their keys.
        """
        alignment = self.alignment()
        pair = self._pair(alignment, key)
        self._require_choice(alignment, pair, choice, state)
        title = _("decide {pair} of {task}", pair=key, task=self.task_id)
        edited = replace(state, id=key) if state is not None and choice == EDITED else None
        return self._decide(title, {key: (pair, choice, edited)})

    def settle_agreed(self) -> StateWorkChange:
        """Decide every open pair on which both operators agree. Raises UserError when there is none."""
        alignment = self.alignment()
        definition = self._definition()
        agreed = {
            pair.key: (pair, CHOOSE_A, None)
            for pair in alignment.pairs
            if pair.is_agreed and not is_decided(definition, pair)
        }
        if not agreed:
            raise UserError(_("Nothing is left that both operators agree on"))
        title = ngettext("settle {count} agreed state", "settle {count} agreed states", len(agreed))
        return self._decide(title, agreed)

    def take_back(self, key: str) -> StateWorkChange:
        """Open a decided pair again."""

        def taken_back(definition: Definition) -> Definition:
            self._require_open(definition)
            decision = definition.decision(key)
            if decision is None or not decision.choice:
                raise UserError(_("{pair} is not decided", pair=key))
            return _with_decision(definition, key, _opened(decision))

        return self._edit(_("open {pair} of {task} again", pair=key, task=self.task_id), taken_back)

    def pair_states(self, a: str, b: str, *, same: bool = True) -> StateWorkChange:
        """Say that a state of A and one of B are the same, or with ``same=False`` that they are two."""
        alignment = self.alignment()
        for proposal, state_id in ((alignment.a, a), (alignment.b, b)):
            if proposal.state(state_id) is None:
                raise UserError(_("{who} proposes no state {id}", who=proposal.who, id=state_id))

        def paired(definition: Definition) -> Definition:
            self._require_open(definition)
            others = {
                pair: known
                for pair, known in definition.pairing.items()
                if pair != (a, b) and not (same and known and (pair[0] == a or pair[1] == b))
            }
            pairing = {**others, (a, b): same}
            again = read_alignment(self.work, alignment.a, alignment.b, pairing)
            return replace(definition, pairing=pairing, decisions=_decisions_on(again, definition.decisions))

        title = _("pair A{a} and B{b} of {task}", a=a, b=b, task=self.task_id)
        return self._edit(title, paired)

    # The result

    def finish(self) -> StateWorkChange:
        """Write the agreed states into ``rules/states.yaml``, and their ids into the task."""
        project = self.work.project
        require_task(self.work, self.task_id, self.who)
        definition = self._definition()
        self._require_operator(definition.operators)
        self._require_open(definition)
        of_task = self.work.of_task(self.task_id)
        if sentence := realignment_sentence(of_task):
            raise UserError(sentence, "", _("Align them again"))
        chosen = chosen_states(self.alignment(of_task), definition)
        project.reload()
        task = project.task(self.task_id)
        assert task is not None
        agreed = agree(task, definition, chosen, project.states, project.tasks)
        named = replace(task, essential_states=tuple(agreed.ids.values()))
        tasks = save_with_task(self.work, agreed.changes, (task, named))
        # Another program may have taken an id in between: the tasks say which ones the states got.
        written = next(known for known in tasks if known.id == task.id)
        ids = dict(zip(agreed.ids, written.essential_states, strict=True))

        def finished(current: Definition) -> Definition:
            self._require_open(current)
            decisions = tuple(
                replace(decision, agreed_id=ids.get(decision.key, decision.agreed_id))
                for decision in current.decisions
            )
            return replace(current, decisions=decisions, acts=(*current.acts, act_now(FINISHED, self.who)))

        change = self._edit(_("agree on the states of {task}", task=self.task_id), finished)
        renamed = dict(zip(agreed.ids.values(), ids.values(), strict=True))
        changes = tuple(item.with_id(renamed.get(item.id, item.id)) for item in agreed.changes)
        return replace(change, states=changes, task=(task, written))

    def reopen(self) -> StateWorkChange:
        """Open a finished session again, to decide otherwise; the states stay until it is finished anew."""

        def reopened(definition: Definition) -> Definition:
            if not definition.finished:
                raise UserError(_("The definition of {task} is open", task=self.task_id))
            return replace(definition, acts=(*definition.acts, act_now(WITHDRAWN, self.who)))

        return self._edit(_("open the definition of {task} again", task=self.task_id), reopened)

    # What may be done

    def _decide(
        self, title: str, decided: Mapping[str, tuple[StatePair, str, ProposedState | None]]
    ) -> StateWorkChange:
        now = act_now(FINISHED, self.who).time

        def with_decisions(definition: Definition) -> Definition:
            self._require_open(definition)
            for key, (pair, choice, state) in decided.items():
                known = definition.decision(key)
                decision = StateDecision(
                    pair.a.id if pair.a else "", pair.b.id if pair.b else "", choice, state, self.who, now,
                    known.agreed_id if known is not None else "", states_digest(pair.states),
                )  # fmt: skip
                definition = _with_decision(definition, key, decision)
            return definition

        return self._edit(title, with_decisions)

    def _change(self, title: str, change: Callable[[Definition | None], Definition]) -> StateWorkChange:
        before, after = self.work.change_definition(self.task_id, change)
        return StateWorkChange(title, before, after)

    def _edit(self, title: str, edit: Callable[[Definition], Definition]) -> StateWorkChange:
        def edited(definition: Definition | None) -> Definition:
            definition = self._require_begun(definition)
            self._require_operator(definition.operators)
            return edit(definition)

        return self._change(title, edited)

    def _definition(self) -> Definition:
        return self._require_begun(self.work.definition(self.task_id))

    def _require_begun(self, definition: Definition | None) -> Definition:
        if definition is None:
            raise UserError(
                _("There is no definition of {task} yet", task=self.task_id),
                "",
                _("Open it with `waymark states define start {task}`", task=self.task_id),
            )
        return definition

    def _require_open(self, definition: Definition) -> None:
        if definition.finished:
            raise UserError(
                _("The definition of {task} is finished", task=self.task_id),
                "",
                _("Open it again to decide otherwise"),
            )

    def _require_operator(self, operators: tuple[str, str]) -> None:
        if self.who not in operators:
            raise UserError(
                _("{who} is none of the operators", who=self.who or "?"),
                _("the two who proposed states agree on them: {operators}", operators=", ".join(operators)),
            )

    def _operators(self, of_task: TaskWork, chosen: tuple[str, str] | None) -> tuple[str, str]:
        signed = tuple(proposal.who for proposal in of_task.proposals if proposal.signed)
        names = signed if chosen is None else chosen
        if len(signed) < OPERATORS:
            missing = [proposal.who for proposal in of_task.proposals if not proposal.signed]
            raise UserError(
                _("Two signed proposals are needed for {task}", task=self.task_id),
                _("not signed yet: {who}", who=", ".join(missing)) if missing else "",
                _("`waymark states propose sign {task}` signs one", task=self.task_id),
            )
        if len(names) != OPERATORS or len(set(names)) != OPERATORS or not set(names) <= set(signed):
            raise UserError(
                _("The definition is of two operators"),
                _("signed proposals are there of {who}", who=", ".join(signed)),
                _("Name two of them"),
            )
        return names[0], names[1]

    def _signed(self, of_task: TaskWork, who: str) -> Proposal:
        proposal = of_task.proposal(who)
        if proposal is None or not proposal.signed:
            raise UserError(
                _("The proposal of {who} is not signed", who=who),
                "",
                _("The definition goes on when it is signed again"),
            )
        return proposal

    def _pair(self, alignment: ProposalAlignment, key: str) -> StatePair:
        pair = alignment.pair(key)
        if pair is None:
            known = ", ".join(pair.key for pair in alignment.pairs)
            raise UserError(
                _("There is no pair {pair}", pair=key), "", _("The pairs are: {known}", known=known)
            )
        return pair

    def _require_choice(
        self, alignment: ProposalAlignment, pair: StatePair, choice: str, state: ProposedState | None
    ) -> None:
        if choice not in CHOICES:
            raise ValueError(f"no choice: {choice!r} (expected {', '.join(CHOICES)})")
        missing = {CHOOSE_A: (pair.a, alignment.a), CHOOSE_B: (pair.b, alignment.b)}.get(choice)
        if missing is not None and missing[0] is None:
            raise UserError(_("{who} does not propose {pair}", who=missing[1].who, pair=pair.key))
        if choice != EDITED:
            return
        if state is None or not state.sentence.strip():
            raise UserError(_("A state needs a sentence"), _("it says what is to be seen when it is reached"))
        for name in (*state.after, *state.alternatives):
            if name == pair.key:
                raise UserError(_("State {id} cannot come after itself or replace itself", id=name))
            self._pair(alignment, name)
        if problem := condition_problem(state.conditions):
            raise UserError(_("The conditions of {state} cannot be judged", state=state.label), problem)


def read_alignment(
    work: StateWork, a: Proposal, b: Proposal, pairing: Mapping[tuple[str, str], bool] | None = None
) -> ProposalAlignment:
    """Align two proposals by what they say and by where rules reach their states in both goldens."""
    goldens = [open_golden(work.project, proposal.task, proposal.golden) for proposal in (a, b)]

    def reached(proposal: Proposal) -> Reached:
        first, second = (known_reach(work.project, golden, proposal.states) for golden in goldens)
        return {
            state.id: (
                first[state.id].reached if state.id in first else None,
                second[state.id].reached if state.id in second else None,
            )
            for state in proposal.states
            if state.conditions
        }

    return align(a, b, reached(a), reached(b), pairing)


def realignment_sentence(of_task: TaskWork) -> str:
    """Why the proposals are to be aligned again, in a sentence; empty when they are as they were aligned."""
    definition = of_task.definition
    if definition is None:
        return ""
    changed = [
        who
        for who, digest in zip(definition.operators, definition.proposals, strict=True)
        if (proposal := of_task.proposal(who)) is None or proposal_digest(proposal) != digest
    ]
    if not changed:
        return ""
    return _("The proposal of {who} was changed since it was aligned", who=", ".join(changed))


def is_decided(definition: Definition, pair: StatePair) -> bool:
    """Whether a pair is decided as it is proposed now."""
    return _is_current(definition.decision(pair.key), pair)


def _is_current(decision: StateDecision | None, pair: StatePair | None) -> bool:
    return (
        decision is not None
        and pair is not None
        and decision.choice != ""
        and (decision.a, decision.b) == (pair.a.id if pair.a else "", pair.b.id if pair.b else "")
        and decision.digest == states_digest(pair.states)
    )


def _digests(of_task: TaskWork, operators: tuple[str, str]) -> tuple[str, str]:
    first, second = (of_task.proposal(who) for who in operators)
    return proposal_digest(first) if first else "", proposal_digest(second) if second else ""


def _with_decision(definition: Definition, key: str, decision: StateDecision) -> Definition:
    """The session with a decision in the place of the one before on the same pair."""
    decisions = [known for known in definition.decisions if known.key != key]
    at = next((at for at, known in enumerate(definition.decisions) if known.key == key), len(decisions))
    decisions.insert(at, decision)
    return replace(definition, decisions=tuple(decisions))


def _decisions_on(
    alignment: ProposalAlignment, decisions: Iterable[StateDecision]
) -> tuple[StateDecision, ...]:
    """A decision on every pair: those that still hold, open ones for all others.

    A pair that had an agreed state keeps its id, also when it is no pair any more.
    """
    known = {decision.key: decision for decision in decisions}
    result = []
    for pair in alignment.pairs:
        decision = known.pop(pair.key, None) or StateDecision()
        a, b = pair.a.id if pair.a else "", pair.b.id if pair.b else ""
        is_current = _is_current(decision, pair)
        result.append(decision if is_current else replace(_opened(decision), a=a, b=b))
    return (*result, *(_opened(decision) for decision in known.values() if decision.agreed_id))


def _opened(decision: StateDecision) -> StateDecision:
    """A decision taken back; the id of its agreed state stays."""
    return StateDecision(decision.a, decision.b, agreed_id=decision.agreed_id)
