"""The rows of the Proposals tab, from what two operators propose and what was decided between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from collector.model.i18n import _, ngettext
from collector.states.defining import is_decided
from collector.states.documents.definition import (
    CHOOSE_A,
    CHOOSE_B,
    DROPPED,
    EDITED,
    Definition,
    StateDecision,
)
from collector.states.documents.proposal import Proposal, ProposedState
from collector.states.documents.proposed_rules import conditions_of
from collector.states.proposal_alignment import ProposalAlignment, Reached, StatePair, difference_sentence
from studio.bridge.review.task_review import TaskReview
from studio.views.states.condition_line import condition_line
from studio.views.states.proposals.state_edit_dialog import StateSource
from studio.widgets.operator_comparison.rows import (
    Comparison,
    ComparisonRow,
    ProposalCell,
    RowChoice,
    RowKind,
    SideHead,
)


def comparison_of(
    review: TaskReview, goldens: Mapping[str, str], edited: Sequence[ProposedState] | None = None
) -> Comparison:
    """What the tab shows to the person of ``review``; ``goldens`` are titles of trajectories by id.

    ``edited`` are the states of the person's open proposal, which may not be saved yet.
    """
    alignment = review.alignment
    if alignment is None:
        return _apart(review, goldens, edited)
    definition = review.work.definition
    rows = tuple(_row(alignment, pair, definition) for pair in alignment.pairs)
    kept = sum(1 for row in rows if row.chosen != DROPPED)
    agreed = SideHead(
        _("Agreed"),
        _("{task} in states.yaml", task=review.task_id),
        ngettext("one essential state", "{count} essential states", kept),
    )
    return Comparison(_head(alignment.a, "A", goldens), agreed, _head(alignment.b, "B", goldens), rows)


def settled_of(review: TaskReview) -> tuple[int, int] | None:
    """How many pairs are settled, and how many there are; None while proposals must not be compared."""
    alignment, definition = review.alignment, review.definition
    if alignment is None:
        return None
    settled = sum(definition is not None and is_decided(definition, pair) for pair in alignment.pairs)
    return settled, len(alignment.pairs)


def choice_for_key(row: ComparisonRow, letter: str) -> str:
    """The choice that a letter makes on a row; empty when it makes none there."""
    is_alone = row.left is None or row.right is None
    choices = {
        "A": CHOOSE_A if row.left is not None else "",
        "B": CHOOSE_B if row.right is not None else "",
        "K": (CHOOSE_A if row.left is not None else CHOOSE_B) if is_alone else "",
        "E": EDITED,
        "D": DROPPED,
    }
    return choices.get(letter, "")


# -- one operator at a time ------------------------------------------------------


def _apart(
    review: TaskReview, goldens: Mapping[str, str], edited: Sequence[ProposedState] | None
) -> Comparison:
    """Both columns while they must not be compared: what may be seen, and why the rest is hidden."""
    operators = list(review.work.operators[:2])
    if review.may_propose and review.person not in operators:
        operators.append(review.person)  # the column that is theirs once they start
    columns = zip((*operators, "", "")[:2], "AB", strict=True)
    sides = [_side(review, who, side, goldens, edited) for who, side in columns]
    (left, mine, hidden_left), (right, theirs, hidden_right) = sides
    rows = [_alone(state, "A", mine) for state in mine] + [_alone(state, "B", theirs) for state in theirs]
    is_agreed = review.definition is not None and bool(review.definition.finished)
    about = _("{task} in states.yaml", task=review.task_id) if is_agreed else _("not yet")
    return Comparison(left, SideHead(_("Agreed"), about), right, tuple(rows), hidden_left, hidden_right)


def _side(
    review: TaskReview,
    who: str,
    side: str,
    goldens: Mapping[str, str],
    edited: Sequence[ProposedState] | None,
) -> tuple[SideHead, Sequence[ProposedState], str]:
    """The head of a column, the states that may be seen in it, and why none may."""
    if not who:
        return SideHead(_("Operator {side}", side=side)), (), _("Nobody has started this proposal yet")
    proposal = review.work.proposal(who)
    if proposal is None:
        return (
            SideHead(who, _("operator {side}", side=side)),
            (),
            _("Start your proposal: the states you see in your own golden trajectory"),
        )
    permission = review.permission(who)
    if not permission.is_allowed:
        if review.may_see_names:
            return SideHead(who, _("operator {side}", side=side)), (), permission.reason
        return SideHead(_("Operator {side}", side=side)), (), permission.reason
    if who == review.person and not proposal.signed and edited is not None:
        proposal = replace(proposal, states=tuple(edited))
    return _head(proposal, side, goldens), proposal.states, "" if proposal.states else _empty(review, who)


def _empty(review: TaskReview, who: str) -> str:
    if who == review.person:
        return _("No states yet: add them with New essential state, or by clicking what is to be seen")
    return _("{who} proposes no states", who=who)


def _head(proposal: Proposal, side: str, goldens: Mapping[str, str]) -> SideHead:
    count = ngettext("one essential state", "{count} essential states", len(proposal.states))
    golden = goldens.get(proposal.golden, "")
    about = _("operator {side}", side=side)
    if golden:
        about = _("operator {side}, {golden}", side=side, golden=golden)
    return SideHead(proposal.who, about, count)


def _alone(state: ProposedState, side: str, states: Sequence[ProposedState]) -> ComparisonRow:
    cell = _cell(state, side, states, state.step)
    is_left = side == "A"
    return ComparisonRow(
        f"{side}{state.id}", cell if is_left else None, None if is_left else cell, RowKind.ALONE, ""
    )


# -- both ----------------------------------------------------------------------


def _row(alignment: ProposalAlignment, pair: StatePair, definition: Definition | None) -> ComparisonRow:
    is_settled = definition is not None and is_decided(definition, pair)
    decision = definition.decision(pair.key) if definition is not None and is_settled else None
    is_finished = definition is not None and bool(definition.finished)
    a, b = pair.a, pair.b
    left = _cell(a, "A", alignment.a.states, _step(a, alignment.reached_a, 0)) if a is not None else None
    right = _cell(b, "B", alignment.b.states, _step(b, alignment.reached_b, 1)) if b is not None else None
    kind = (
        RowKind.ONE_SIDED if a is None or b is None else RowKind.SAME if pair.is_agreed else RowKind.DIFFERENT
    )
    row = ComparisonRow(pair.key, left, right, kind, difference_sentence(alignment, pair))
    if decision is not None:
        row = replace(row, chosen=decision.choice, decision=_decided(alignment, pair, decision))
    return row if is_finished else replace(row, choices=_choices(alignment, pair, decision))


def _choices(
    alignment: ProposalAlignment, pair: StatePair, decision: StateDecision | None
) -> tuple[RowChoice, ...]:
    edit = RowChoice(EDITED, _("Edit..."), "E", _("Write the state together"))
    drop = RowChoice(DROPPED, _("Drop"), "D", _("Leave the state out"))
    if pair.a is None or pair.b is None:
        side = CHOOSE_A if pair.b is None else CHOOSE_B
        return RowChoice(side, _("Keep"), "K", _("Keep the state")), drop, edit
    if pair.is_agreed:
        agree = RowChoice(CHOOSE_A, _("Agree"), "A", _("Both propose the same"))
        return () if decision is not None and decision.choice == CHOOSE_A else (agree, edit)
    a, b = alignment.a.who, alignment.b.who
    return (
        RowChoice(CHOOSE_A, a, "A", _("Take the state as {who} proposes it", who=a)),
        RowChoice(CHOOSE_B, b, "B", _("Take the state as {who} proposes it", who=b)),
        edit,
    )


def _decided(alignment: ProposalAlignment, pair: StatePair, decision: StateDecision) -> str:
    """What was decided, in a few words."""
    if decision.choice == EDITED:
        return _("edited: {sentence}", sentence=decision.state.label if decision.state is not None else "")
    if decision.choice == DROPPED:
        return _("dropped")
    if pair.is_agreed:
        return _("agreed")
    if pair.a is None or pair.b is None:
        return _("kept")
    who = alignment.a.who if decision.choice == CHOOSE_A else alignment.b.who
    return _("as {who} proposes", who=who)


def _cell(state: ProposedState, side: str, states: Sequence[ProposedState], step: int | None) -> ProposalCell:
    numbers = {known.id: f"{side}{place}" for place, known in enumerate(states, start=1)}
    facts = []
    if step is not None:
        facts.append(_("step {number}", number=step + 1))
    if state.after:
        names = ", ".join(numbers.get(name, name) for name in state.after)
        facts.append(_("after {states}", states=names))
    if state.alternatives:
        names = ", ".join(numbers.get(name, name) for name in state.alternatives)
        facts.append(_("or instead {states}", states=names))
    if state.optional:
        facts.append(_("optional"))
    condition = condition_line(conditions_of(state.conditions))
    return ProposalCell(numbers.get(state.id, state.id), state.label, condition, " · ".join(facts), step)


def _step(state: ProposedState, reached: Reached, side: int) -> int | None:
    """The step that the operator names, else the one that rules find in the operator's own trajectory."""
    if state.step is not None:
        return state.step
    return reached[state.id][side] if state.id in reached else None


# -- editing a row ----------------------------------------------------------------


def sources_of(alignment: ProposalAlignment, pair: StatePair) -> list[StateSource]:
    """What each operator proposes, with the keys of the pairs that it names."""
    sides = (("a", pair.a, alignment.a.who), ("b", pair.b, alignment.b.who))
    return [
        StateSource(who, _with_keys(alignment, side, state, pair))
        for side, state, who in sides
        if state is not None
    ]


def agreed_draft(
    alignment: ProposalAlignment, pair: StatePair, definition: Definition | None
) -> ProposedState:
    """What the editor of a pair begins with: what was decided before, else what operator A proposes."""
    decision = definition.decision(pair.key) if definition is not None else None
    if decision is not None and decision.state is not None:
        return decision.state
    sources = sources_of(alignment, pair)
    is_b = decision is not None and decision.choice == CHOOSE_B
    return sources[-1 if is_b else 0].state


def _with_keys(
    alignment: ProposalAlignment, side: str, state: ProposedState, pair: StatePair
) -> ProposedState:
    def keys(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(filter(None, (alignment.key_of(side, name) for name in names)))

    return replace(
        state, id=pair.key, after=keys(state.after), alternatives=keys(state.alternatives), step=None
    )
