"""Two descendants of a proposal become one: nothing that one side alone changed is lost."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from collector.model.editing.three_way_merge import ThreeWayMerge, merge
from collector.states.documents.proposal import Proposal, ProposedState
from collector.states.documents.proposal_codec import proposal_document, proposal_of
from collector.states.documents.workflow_act import SIGNED, STARTED, WITHDRAWN, WorkflowAct

KEYS = ("id",)
STARTS = (WorkflowAct(STARTED, "lin", "0"),)
BASE = Proposal(
    "t", "lin", "g", tuple(ProposedState(str(number), f"S{number}") for number in (1, 2, 3)), STARTS
)


@st.composite
def edited(draw: st.DrawFn, first_id: int) -> Proposal:
    """A descendant: states removed, added, changed and moved; new ids begin at ``first_id``."""
    states = [state for state in BASE.states if draw(st.booleans())]
    states = [replace(state, optional=draw(st.booleans())) for state in states]
    new = range(first_id, first_id + draw(st.integers(0, 2)))
    states += [ProposedState(str(number), f"S{number}") for number in new]
    acts = [WorkflowAct(kind, "lin", str(first_id + at)) for at, kind in enumerate((SIGNED, WITHDRAWN))]
    return replace(
        BASE, states=tuple(draw(st.permutations(states))), acts=(*STARTS, *acts[: draw(st.integers(0, 2))])
    )


def merged(base: Proposal, mine: Proposal, theirs: Proposal) -> tuple[Proposal, ThreeWayMerge]:
    documents = [proposal_document(side) for side in (base, mine, theirs)]
    result = merge(documents[0], documents[1], documents[2], KEYS)
    return proposal_of(result.value, "p.yaml"), result


@settings(max_examples=40, deadline=None)
@given(edited(10))
def test_a_change_of_one_side_is_the_result(changed: Proposal) -> None:
    for mine, theirs in ((changed, BASE), (BASE, changed), (changed, changed)):
        assert merged(BASE, mine, theirs)[0] == changed


@settings(max_examples=60, deadline=None)
@given(edited(10), edited(20))
def test_both_sides_keep_what_they_changed(mine: Proposal, theirs: Proposal) -> None:
    result, both = merged(BASE, mine, theirs)
    if both.conflicts:
        # One side removed a state that the other changed.
        sides = [{state.id: state for state in side.states} for side in (mine, theirs)]
        assert any(
            any(state.id not in sides[at] and sides[1 - at].get(state.id, state) != state for at in (0, 1))
            for state in BASE.states
        )
        return
    known = {state.id for state in BASE.states}
    kept = {state.id for state in result.states}
    for side in (mine, theirs):
        ids = {state.id for state in side.states}
        assert ids - known <= kept, "an added state is there"
        assert not (known - ids) & kept, "a removed state is gone"
        assert set(side.acts) <= set(result.acts)
        for state in side.states:
            if state.id in known and state != BASE.state(state.id):
                assert result.state(state.id) == state


def test_what_both_changed_differently_is_a_conflict() -> None:
    sides = [
        replace(BASE, states=(replace(BASE.states[0], sentence=text), *BASE.states[1:])) for text in "ab"
    ]
    (conflict,) = merged(BASE, *sides)[1].conflicts
    assert conflict.path == ("states", "1", "sentence")
