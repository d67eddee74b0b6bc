"""Align the proposals of two operators: which of their states are one, and in what the two differ.

Swapping the operators mirrors the result, and identical proposals align state by state.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collector.model.i18n import _
from collector.rules.grammar.model import Condition, Group
from collector.states.documents.definition import pair_key
from collector.states.documents.proposal import Proposal, ProposedState
from collector.states.documents.proposed_rules import conditions_of

ONLY_A, ONLY_B = "only_a", "only_b"
WORDING, CONDITION, AFTER, OPTIONAL, ALTERNATIVES, STEP = (
    "wording", "condition", "after", "optional", "alternatives", "step",
)  # fmt: skip
DIFFERENCES = (ONLY_A, ONLY_B, WORDING, CONDITION, AFTER, OPTIONAL, ALTERNATIVES, STEP)
"""``step``: rules reach the two states at different steps of the same golden trajectory."""
_ENOUGH = 0.45
"""States with at least this score are taken for one."""
_LIKE = 0.4
"""The least similarity of two sentences of one state, when conditions cannot be compared."""
_EMPTY_WORDS = frozenset(
    ("a", "an", "and", "are", "at", "be", "been", "by", "for", "has", "have", "in", "is", "it", "its", "of",
     "on", "or", "that", "the", "to", "was", "with")
)  # fmt: skip
"""Words that do not tell one state from another."""
_WEIGHTS = {"sentence": 0.35, "condition": 0.3, "step": 0.25, "order": 0.1}
_SAME_CONDITION = 0.75
"""The least score of two states with equal conditions, however they are worded."""

ReachedSteps = tuple[int | None, int | None]
"""The steps that reach a state in A's and in B's golden trajectory, by rules."""
Reached = Mapping[str, ReachedSteps]
"""By id of each state that has conditions."""


@dataclass(frozen=True, slots=True)
class StatePair:
    """A state of A, one of B that is taken for the same, or one that only one of them proposes."""

    a: ProposedState | None
    b: ProposedState | None
    score: float = 0.0
    """How alike they are, 0 to 1; 0 when only one proposes it."""
    differences: tuple[str, ...] = ()
    """Among ``DIFFERENCES``; empty when both say the same."""

    @property
    def key(self) -> str:
        """Names the pair within its session."""
        return pair_key(self.a.id if self.a else "", self.b.id if self.b else "")

    @property
    def is_agreed(self) -> bool:
        """Whether both propose the same; a step alone that differs is worth a look, and no difference."""
        return self.a is not None and self.b is not None and set(self.differences) <= {STEP}

    @property
    def states(self) -> tuple[ProposedState, ...]:
        """The one or two states."""
        return tuple(state for state in (self.a, self.b) if state is not None)


@dataclass(frozen=True, slots=True)
class ProposalAlignment:
    """The pairs of two proposals, in an order that keeps that of both where it can."""

    a: Proposal
    b: Proposal
    pairs: tuple[StatePair, ...] = ()
    reached_a: Reached = field(default_factory=dict)
    """Of A's states."""
    reached_b: Reached = field(default_factory=dict)

    def pair(self, key: str) -> StatePair | None:
        """The pair of that key; None when there is none."""
        return next((pair for pair in self.pairs if pair.key == key), None)

    def key_of(self, side: str, state_id: str) -> str:
        """The key of the pair that holds a state of side ``a`` or ``b``; empty for an unknown one."""
        for pair in self.pairs:
            state = pair.a if side == "a" else pair.b
            if state is not None and state.id == state_id:
                return pair.key
        return ""


def align(
    a: Proposal, b: Proposal, reached_a: Reached | None = None, reached_b: Reached | None = None,
    pairing: Mapping[tuple[str, str], bool] | None = None,
) -> ProposalAlignment:  # fmt: skip
    """Align two proposals; ``reached_a`` and ``reached_b`` say where rules reach the states of each.

    ``pairing`` says of a state of A and one of B that they are one, or that they are not, whatever they say.
    """
    reached_a, reached_b, pairing = reached_a or {}, reached_b or {}, pairing or {}
    scores = {}
    places = [[_Placed.of(proposal, state) for state in proposal.states] for proposal in (a, b)]
    for i, mine in enumerate(places[0]):
        for j, theirs in enumerate(places[1]):
            wanted = pairing.get((mine.state.id, theirs.state.id))
            score = _score(mine, theirs, reached_a.get(mine.state.id), reached_b.get(theirs.state.id))
            if wanted or (wanted is None and score >= _ENOUGH):
                scores[i, j] = 1 + score if wanted else score
    matches: dict[int, int] = {}
    # Of two candidates that exclude each other the places tell them apart, the same way from both sides.
    for i, j in sorted(scores, key=lambda at: (-scores[at], abs(at[0] - at[1]), sum(at))):
        if i not in matches and j not in matches.values():
            matches[i] = j
    order = _order(a, b, matches)
    pairs = [
        StatePair(
            a.states[i] if i is not None else None,
            b.states[j] if j is not None else None,
            min(1.0, scores[i, j]) if i is not None and j is not None else 0.0,
        )
        for i, j in order
    ]
    plain = ProposalAlignment(a, b, tuple(pairs), reached_a, reached_b)
    differing = (
        StatePair(pair.a, pair.b, pair.score, tuple(_differences(plain, pair))) for pair in plain.pairs
    )
    return ProposalAlignment(a, b, tuple(differing), reached_a, reached_b)


def difference_sentence(alignment: ProposalAlignment, pair: StatePair) -> str:
    """What the operators differ in, as ``Wording; condition``; what they agree on when in nothing."""
    if pair.a is None or pair.b is None:
        who = alignment.a.who if pair.b is None else alignment.b.who
        return _("Only {who} proposes it", who=who)
    words = {
        WORDING: _("Wording"),
        CONDITION: _("Condition"),
        AFTER: _("Order"),
        OPTIONAL: _("Optional for {who} only", who=alignment.a.who if pair.a.optional else alignment.b.who),
        ALTERNATIVES: _("Alternatives"),
        STEP: _("Reached at different steps"),
    }
    if pair.differences:
        return "; ".join(words[name] for name in pair.differences)
    if pair.a.conditions:
        return _("Same sentence, same condition")
    return _("Same sentence, no condition")


# Scores


@dataclass(frozen=True, slots=True)
class _Placed:
    """A state with what is compared of it."""

    state: ProposedState
    conditions: Group
    place: float

    @classmethod
    def of(cls, proposal: Proposal, state: ProposedState) -> _Placed:
        return cls(state, conditions_of(state.conditions), _place(proposal, state))


def _score(
    mine: _Placed, theirs: _Placed, reached_mine: ReachedSteps | None, reached_theirs: ReachedSteps | None
) -> float:
    """How alike two states are, 0 to 1: of what can be compared, weighted."""
    own, other = mine.conditions, theirs.conditions
    parts = {"sentence": _similarity(mine.state.sentence, theirs.state.sentence)}
    if own.conditions and other.conditions:
        parts["condition"] = _overlap(own, other)
        if reached_mine is not None and reached_theirs is not None:
            parts["step"] = _same_steps(reached_mine, reached_theirs)
    elif parts["sentence"] < _LIKE:
        return 0.0
    parts["order"] = 1 - abs(mine.place - theirs.place)
    total = sum(_WEIGHTS[name] for name in parts)
    score = sum(_WEIGHTS[name] * value for name, value in parts.items()) / total
    if own.conditions and own == other:
        score = max(score, _SAME_CONDITION)
    return round(score, 6)


def _place(proposal: Proposal, state: ProposedState) -> float:
    """Where a state stands in its proposal: 0 the first, 1 the last."""
    return proposal.states.index(state) / max(1, len(proposal.states) - 1)


def _similarity(mine: str, theirs: str) -> float:
    """Similarity of two sentences by their words and letters, the same from both sides (Dice)."""
    own, other = _plain(mine), _plain(theirs)
    if own == other:
        return 1.0
    own_words, other_words = _words(own), _words(other)
    letters = _dice(_bigrams("".join(own_words)), _bigrams("".join(other_words)))
    return max(_dice(Counter(own_words), Counter(other_words)), letters)


def _plain(sentence: str) -> str:
    text = unicodedata.normalize("NFKC", sentence).casefold()
    return " ".join(text.split()).rstrip(" .!。！")


def _words(text: str) -> list[str]:
    words = re.findall(r"\w+", text)
    return [word for word in words if word not in _EMPTY_WORDS] or words


def _bigrams(letters: str) -> Counter[str]:
    return Counter(letters[at : at + 2] for at in range(len(letters) - 1)) or Counter([letters])


def _dice(mine: Counter[str], theirs: Counter[str]) -> float:
    total = mine.total() + theirs.total()
    return 2 * (mine & theirs).total() / total if total else 0.0


def _overlap(mine: Group, theirs: Group) -> float:
    """The share of leaf conditions that both have; 1 when the conditions are equal."""
    if mine == theirs:
        return 1.0
    own, other = _leaves(mine), _leaves(theirs)
    exact = len(own & other) / len(own | other)
    kinds = _dice(Counter(map(_subject, own)), Counter(map(_subject, other)))
    return max(exact, kinds / 2)


def _leaves(group: Group) -> frozenset[Condition]:
    return frozenset(condition for condition in group.walk() if not isinstance(condition, Group))


def _subject(condition: Condition) -> str:
    """What a condition looks at: its selector, else its type."""
    selector: Any = getattr(condition, "selector", "")
    return str(selector) or condition.type


def _same_steps(mine: ReachedSteps, theirs: ReachedSteps) -> float:
    """The share of golden trajectories in which rules reach both states at the same step."""
    return sum(own is not None and own == other for own, other in zip(mine, theirs, strict=True)) / 2


# Differences


def _differences(alignment: ProposalAlignment, pair: StatePair) -> list[str]:
    a, b = pair.a, pair.b
    if a is None or b is None:
        return [ONLY_B if a is None else ONLY_A]
    found = {
        WORDING: " ".join(a.sentence.split()) != " ".join(b.sentence.split()),
        CONDITION: conditions_of(a.conditions) != conditions_of(b.conditions),
        AFTER: _keys(alignment, "a", a.after) != _keys(alignment, "b", b.after),
        OPTIONAL: a.optional != b.optional,
        ALTERNATIVES: _keys(alignment, "a", a.alternatives) != _keys(alignment, "b", b.alternatives),
        STEP: _differ_in_step(alignment, a, b),
    }
    return [name for name, differs in found.items() if differs]


def _keys(alignment: ProposalAlignment, side: str, ids: Sequence[str]) -> frozenset[str]:
    return frozenset(alignment.key_of(side, state_id) for state_id in ids)


def _differ_in_step(alignment: ProposalAlignment, a: ProposedState, b: ProposedState) -> bool:
    mine, theirs = alignment.reached_a.get(a.id), alignment.reached_b.get(b.id)
    return mine is not None and theirs is not None and mine != theirs


# Order


def _order(a: Proposal, b: Proposal, matches: Mapping[int, int]) -> list[tuple[int | None, int | None]]:
    """The pairs as places in both lists, merged like two sorted lists, the same way from both sides."""
    of_b = {j: i for i, j in matches.items()}
    left, right = list(range(len(a.states))), list(range(len(b.states)))
    order: list[tuple[int | None, int | None]] = []
    while left or right:
        heads: list[tuple[int | None, int | None]] = []
        if left and left[0] not in matches:
            heads.append((left[0], None))
        if right and right[0] not in of_b:
            heads.append((None, right[0]))
        if not heads:
            heads = [
                (i, j) for i, j in matches.items() if (left and i == left[0]) or (right and j == right[0])
            ]
        chosen = min(heads, key=lambda head: _rank(a, b, head))
        order.append(chosen)
        left = [i for i in left if i != chosen[0]]
        right = [j for j in right if j != chosen[1]]
        matches = {i: j for i, j in matches.items() if i != chosen[0]}
    return order


def _rank(a: Proposal, b: Proposal, head: tuple[int | None, int | None]) -> tuple[float, list[str]]:
    states = [(a, head[0]), (b, head[1])]
    known = [(proposal, proposal.states[at]) for proposal, at in states if at is not None]
    place = sum(_place(proposal, state) for proposal, state in known) / len(known)
    return round(place, 9), sorted(state.sentence for _proposal, state in known)
