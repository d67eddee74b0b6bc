"""Propose rules from a trajectory: success rules that hold only at its end, and screens to interrupt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from collector.model.i18n import _, ngettext
from collector.rules.conditions.current_package_is import CurrentPackageIs
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.evaluation.explanation import sentence, title
from collector.rules.grammar.model import INJECTION, SUCCESS, Condition, Group, Injection, Rule
from collector.rules.suggest.candidates import share
from collector.rules.suggest.facts import Fact, facts_of
from collector.rules.suggest.samples import Sample, Samples, is_content, signature_of, thinned

MOST = 6
_MOST_OF_A_KIND = 4
"""Most proposals of one kind for a whole trajectory."""
_KEYWORDS = 4
_LONGEST_KEYWORD = 24
_SHORTEST_KEYWORD = 2
_MOST_COMBINED = 3


@dataclass(frozen=True, slots=True)
class RuleProposal:
    """A proposed rule, its score from 0 to 100, and the reason."""

    rule: Rule
    score: int
    title: str
    reason: str
    index: int
    """Index of the state it is made from."""

    @property
    def sentence(self) -> str:
        """What the conditions of the rule say, in words."""
        return sentence(self.rule.conditions)


def propose_rules(
    samples: Sequence[Sample], trajectory_id: str, task_id: str, interference_id: str
) -> list[RuleProposal]:
    """Rules that one trajectory of a task suggests: success rules first, then injections, few of each.

    ``samples`` are all recorded states, of this trajectory and of others.
    """
    own = [sample for sample in samples if sample.trajectory == trajectory_id]
    ends = [
        sample
        for sample in samples
        if sample.last and sample.task == task_id and sample.trajectory != trajectory_id
    ]
    stem = task_id.replace("-", "_")
    success = propose_success(own, f"{stem}_done", ends)
    injections = propose_injections(own, samples, interference_id, stem)
    return [*success[:_MOST_OF_A_KIND], *injections[:_MOST_OF_A_KIND]]


def propose_success(own: Sequence[Sample], rule_id: str, ends: Sequence[Sample] = ()) -> list[RuleProposal]:
    """Success rules that hold on the last state of ``own`` and on none before it, best first.

    ``ends`` are the last states of other golden trajectories of the task: what also holds there counts more.
    """
    if not own or own[-1].view.tree is None:
        return []
    last = facts_of(own[-1].view)
    before = [facts_of(sample.view) for sample in own[:-1]]
    shared = [facts_of(end.view) for end in ends]
    single = last.difference(*before) if before else last
    sets: list[tuple[Fact, ...]] = [(fact,) for fact in single]
    if not sets and (combined := _combined(last, before)):
        sets = [combined]
    ranked = sorted(sets, key=lambda facts: (-_worth(facts, shared), sum(len(f.value) for f in facts), facts))
    return [_success(facts, rule_id, own, shared) for facts in _varied(ranked)[:MOST]]


def _worth(facts: tuple[Fact, ...], shared: list[frozenset[Fact]]) -> int:
    worth = min(fact.worth for fact in facts) - 8 * (len(facts) - 1)
    if shared:
        held = sum(all(fact in end for fact in facts) for end in shared) / len(shared)
        worth = round(worth * (0.4 + 0.6 * held))
    return max(0, worth)


def _varied(ranked: list[tuple[Fact, ...]]) -> list[tuple[Fact, ...]]:
    """At most two proposals on one element, so that the list shows what else there is."""
    chosen: list[tuple[Fact, ...]] = []
    for facts in ranked:
        about = (facts[0].name, facts[0].value)
        if sum((others[0].name, others[0].value) == about for others in chosen) < 2:
            chosen.append(facts)
    return chosen


def _combined(last: frozenset[Fact], before: list[frozenset[Fact]]) -> tuple[Fact, ...]:
    """A few facts that hold together only at the end; empty when no three of them do."""
    left = list(before)
    chosen: list[Fact] = []
    while left and len(chosen) < _MOST_COMBINED:
        best = max(
            last, key=lambda fact: (sum(fact not in state for state in left), fact.worth, fact), default=None
        )
        if best is None or all(best in state for state in left):
            return ()
        chosen.append(best)
        left = [state for state in left if best in state]
    return () if left else tuple(chosen)


def _success(
    facts: tuple[Fact, ...], rule_id: str, own: Sequence[Sample], shared: list[frozenset[Fact]]
) -> RuleProposal:
    conditions = tuple(fact.condition() for fact in facts)
    rule = Rule(id=rule_id, kind=SUCCESS, conditions=Group(conditions=conditions))
    reason = ngettext(
        "Holds at the end and not in the one state before",
        "Holds at the end and in none of the {count} states before",
        len(own) - 1,
    )
    if shared:
        held = sum(all(fact in end for fact in facts) for end in shared)
        reason = _(
            "{reason}; also at the end of {count} of {total} other runs",
            reason=reason, count=held, total=len(shared),
        )  # fmt: skip
    return RuleProposal(rule, _worth(facts, shared), _titles(conditions), reason, own[-1].index)


def propose_injections(
    own: Sequence[Sample], every: Sequence[Sample], interference_id: str, prefix: str
) -> list[RuleProposal]:
    """Screens of ``own`` worth interrupting, each once, as injection rules; best first.

    The first and last states are left out: there is nothing to interrupt.
    ``every`` are the samples to judge by; ids of new rules begin with ``prefix``.
    """
    seen: list[Sample] = []
    proposals: list[RuleProposal] = []
    judged_by = [sample.held() for sample in thinned(every, own[0].trajectory)] if own else []
    for sample in own[1:-1]:
        if any(sample.signature.alike(other.signature) for other in seen):
            continue
        seen.append(sample)
        proposal = _injection(sample, judged_by, interference_id, f"{prefix}_{len(seen)}")
        if proposal is not None:
            proposals.append(proposal)
    return sorted(proposals, key=lambda proposal: -proposal.score)[:MOST]


def _injection(
    sample: Sample, every: Sequence[Sample], interference_id: str, rule_id: str
) -> RuleProposal | None:
    samples = Samples(sample.view, every, sample.trajectory)
    keywords = _keywords(sample, samples)
    if not keywords:
        return None
    threshold = share(len(keywords) - 1, len(keywords)) if len(keywords) > 2 else 1.0
    conditions: list[Condition] = [SemanticElementExists(keywords=keywords, match_threshold=threshold)]
    package = signature_of(sample.view).package
    if package:
        conditions.append(CurrentPackageIs(value=package))
    group = Group(conditions=tuple(conditions))
    standing = samples.standing(group)
    actions = (Injection(interference_id=interference_id),)
    rule = Rule(id=rule_id, kind=INJECTION, conditions=group, actions=actions)
    stable = standing.same / standing.of_same if standing.of_same else 1.0
    precise = 1 - standing.elsewhere / standing.of_elsewhere if standing.of_elsewhere else 1.0
    reason = _(
        "Fires at step {step}; on {same} of {of_same} states of this screen, {elsewhere} of others",
        step=sample.index + 1, same=standing.same, of_same=standing.of_same,
        elsewhere=standing.elsewhere,
    )  # fmt: skip
    return RuleProposal(rule, round(100 * stable * precise), _titles(group.conditions), reason, sample.index)


def _keywords(sample: Sample, samples: Samples) -> tuple[str, ...]:
    """Texts that are on most states of this screen and on few others."""
    labels = dict.fromkeys(
        node.label.strip()
        for node in sample.view.nodes
        if is_content(node) and _SHORTEST_KEYWORD <= len(node.label.strip()) <= _LONGEST_KEYWORD
    )
    scored: list[tuple[float, int, str]] = []
    for place, word in enumerate(labels):
        if word.replace(":", "").replace(".", "").strip("$%").isdigit():
            continue
        same = _share_with(word, samples.same)
        elsewhere = _share_with(word, samples.others)
        scored.append((elsewhere - same, place, word))
    return tuple(word for _score, _place, word in sorted(scored)[:_KEYWORDS])


def _share_with(word: str, samples: Sequence[Sample]) -> float:
    return sum(sample.view.has_keyword(word) for sample in samples) / len(samples) if samples else 0.0


def _titles(conditions: Sequence[Condition]) -> str:
    return "; ".join(title(condition) for condition in conditions)
