"""Follow rules along a trajectory: once, limits, priority, chance, and the order of essential states."""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from heapq import heappop, heappush

from collector.model.i18n import N_
from collector.model.seeds import DEFAULT_SEED
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof, ProofOutcome
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.task_states import (
    states_in_order_of_trial,
    states_judged_by_rules,
    states_named_in,
    states_waited_for,
)
from collector.rules.grammar.model import DGARA, WAYMARK, Injection, Rule


class DecisionKind(StrEnum):
    """The result of a rule at a step."""

    FIRED = "fired"
    SUPPRESSED = "suppressed"
    NEAR = "near"
    SILENT = "silent"


ONCE = "once"
LIMIT = "limit"
CHANCE = "chance"
OUTRANKED = "outranked"
NO_ANOMALY = "no-anomaly"
DIALOG = "dialog"
WHY_SUPPRESSED = {
    ONCE: N_("It fired before, and fires once"),
    LIMIT: N_("The most anomalies allowed in an episode were injected"),
    CHANCE: N_("The draw went against it"),
    OUTRANKED: N_("Another rule went first"),
    NO_ANOMALY: N_("The library has no such anomaly"),
    DIALOG: N_("An injected dialog is still open"),
}


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on one rule at one step; ``reason`` is a key of :data:`WHY_SUPPRESSED` if suppressed."""

    rule: Rule
    kind: DecisionKind
    proof: Proof
    reason: str = ""
    injection: Injection | None = None
    draw: float | None = None
    """The random number; the anomaly is injected when it is below the probability."""


@dataclass(slots=True)
class InjectionRun:
    """Injection rules over the steps of one episode, in their order.

    ``wanted`` are the task's ``target_rule_ids``; None tries every rule. Under ``waymark`` rules go by
    priority and each chance is drawn from the seed, the rule and how often it held, so every agent
    meets the same draws. Under ``dgara`` they go in the task's order, and with the
    ``draw`` ``dgara`` random numbers are from [0, 2), as D-GARA's are, and not from [0, 1).
    """

    rules: Sequence[Rule]
    wanted: Sequence[str] | None = None
    semantics: str = WAYMARK
    draw: str = WAYMARK
    seed: int = DEFAULT_SEED
    max_interferences: int = 1
    anomalies: frozenset[str] | None = None
    """Ids of the library; None = not checked."""
    images: ImageFinder | None = None
    fired: list[tuple[int, str]] = field(default_factory=list)
    """Step and rule id of each injection so far."""
    _opportunities: dict[str, int] = field(default_factory=dict)
    _random: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def step(self, view: StateView, *, dialog_open: bool = False) -> list[Decision]:
        """Decide on every rule at this step, in the order they are tried; at most one of them fires."""
        decisions: list[Decision] = []
        done = False
        for rule in self._in_order():
            proof = evaluate(rule, view, self.semantics, self.images)
            decision = self._decide(rule, proof, done=done, dialog_open=dialog_open)
            if decision.kind is DecisionKind.FIRED:
                self.fired.append((view.step, rule.id))
            tried = decision.reason in (CHANCE, NO_ANOMALY)
            done = done or decision.kind is DecisionKind.FIRED or (tried and self.semantics == DGARA)
            decisions.append(decision)
        return decisions

    def _in_order(self) -> list[Rule]:
        by_priority = sorted(self.rules, key=lambda rule: rule.priority)
        if self.wanted is None:
            return by_priority
        by_id = {rule.id: rule for rule in by_priority}
        if self.semantics == DGARA:
            return [by_id[rule_id] for rule_id in self.wanted if rule_id in by_id]
        wanted = frozenset(self.wanted)
        return [rule for rule in by_priority if rule.id in wanted and by_id[rule.id] is rule]

    def _decide(self, rule: Rule, proof: Proof, *, done: bool, dialog_open: bool) -> Decision:
        if not proof.holds:
            kind = DecisionKind.NEAR if proof.outcome is ProofOutcome.NEAR else DecisionKind.SILENT
            return Decision(rule, kind, proof)
        reason = self._held_back(rule, done=done, dialog_open=dialog_open)
        if reason:
            return Decision(rule, DecisionKind.SUPPRESSED, proof, reason)
        return self._drawn(rule, proof)

    def _held_back(self, rule: Rule, *, done: bool, dialog_open: bool) -> str:
        if dialog_open:
            return DIALOG
        if done:
            return OUTRANKED
        if len(self.fired) >= self.max_interferences:
            return LIMIT
        if self._fires_once(rule) and any(rule_id == rule.id for _step, rule_id in self.fired):
            return ONCE
        return ""

    def _fires_once(self, rule: Rule) -> bool:
        if self.semantics == DGARA and isinstance(rule.raw, dict):
            return bool(rule.raw.get("once", True))  # any value, as in the original
        return rule.once

    def _drawn(self, rule: Rule, proof: Proof) -> Decision:
        held = self._opportunities[rule.id] = self._opportunities.get(rule.id, 0) + 1
        last = Decision(rule, DecisionKind.SUPPRESSED, proof, NO_ANOMALY)
        for place, action in enumerate(rule.actions):
            number = self._draw(rule.id, held, place)
            if number >= action.trigger_probability:
                last = Decision(rule, DecisionKind.SUPPRESSED, proof, CHANCE, action, number)
            elif self.anomalies is not None and action.interference_id not in self.anomalies:
                last = Decision(rule, DecisionKind.SUPPRESSED, proof, NO_ANOMALY, action, number)
            else:
                return Decision(rule, DecisionKind.FIRED, proof, "", action, number)
        return last

    def _draw(self, rule_id: str, held: int, place: int) -> float:
        if self.semantics == DGARA:
            return self._random.random() * (2 if self.draw == DGARA else 1)
        return random.Random(f"{self.seed}:{rule_id}:{held}:{place}").random()


@dataclass(slots=True)
class EssentialStateTracker:
    """Essential states over the steps of one trajectory: which are reached, and when first.

    A state is reached at the first step at which those are reached that it waits for and its conditions
    hold, or one of its alternatives is reached. It waits for the states of ``states_waited_for``.
    """

    states: Sequence[Rule]
    semantics: str = WAYMARK
    images: ImageFinder | None = None
    reached: dict[str, int] = field(default_factory=dict)
    """Id of each state and the step it was first reached at."""
    nearest: dict[str, tuple[int, Proof]] = field(default_factory=dict)
    """Id of each state that was tried, and the step at which the least was missing, with its proof."""
    waits: Mapping[str, Sequence[str]] = field(init=False)
    """Id of each state -> ids of the states that must be reached before it can be."""
    _unjudged: frozenset[str] = field(init=False)
    """States that no rule can judge."""
    _instead: frozenset[str] = field(init=False)
    """Those of them that are alternatives."""
    _order: Sequence[Rule] = field(init=False)
    """The states as they are tried."""
    _enables: dict[str, list[int]] = field(init=False)
    """Id of a state -> places of the states that may be reached once it is."""
    _naming: frozenset[str] = field(init=False)
    """States whose conditions name others."""

    def __post_init__(self) -> None:
        judged = states_judged_by_rules(self.states)
        self._unjudged = frozenset(state.id for state in self.states) - judged
        self.waits = states_waited_for(self.states)
        self._instead = self._unjudged & {name for state in self.states for name in state.alternatives}
        self._naming = frozenset(state.id for state in self.states if states_named_in(state))
        self._order = states_in_order_of_trial(self.states, self.waits) if self._naming else self.states
        self._enables = {}
        for place, state in enumerate(self._order):
            if state.id in judged:
                for name in {*self.waits[state.id], *state.alternatives, *states_named_in(state)}:
                    self._enables.setdefault(name, []).append(place)

    def copy(self) -> EssentialStateTracker:
        """Copy what was followed so far; each of both goes on by itself."""
        copied = copy.copy(self)
        copied.reached, copied.nearest = dict(self.reached), dict(self.nearest)
        return copied

    @property
    def is_done(self) -> bool:
        """Whether every state that a rule can judge is reached."""
        return len(self.reached) + len(self._unjudged) >= len(self.states)

    def step(self, view: StateView) -> list[tuple[Rule, Proof]]:
        """States reached at this step.

        They are tried in their order, after those that their conditions ask for. One may enable others on the
        same screen: those are tried then, the ones before it in another round.
        """
        new: list[tuple[Rule, Proof]] = []
        earlier: dict[str, tuple[int, Proof] | None] = {}
        waiting = [(0, place) for place in range(len(self._order)) if self._may_be_reached(place)]
        queued = set(waiting)
        while waiting:
            turn, place = heappop(waiting)
            state = self._order[place]
            if state.id in self.reached:
                continue
            view.reached, known = self.reached.keys(), self.nearest.get(state.id)
            if state.id in self._naming:
                view.undecided = self.undecided()
                # When it is tried again on this screen, its last proof counts.
                known = earlier.setdefault(state.id, known)
            proof = evaluate(state, view, self.semantics, self.images)
            if known is None or _distance(proof) < _distance(known[1]):
                known = view.step, proof
            self.nearest[state.id] = known
            if proof.holds or not self.reached.keys().isdisjoint(state.alternatives):
                self.reached[state.id] = view.step
                new.append((state, proof))
                for enabled in self._enables.get(state.id, ()):
                    entry = (turn + (enabled <= place), enabled)
                    if entry not in queued and self._may_be_reached(enabled):
                        queued.add(entry)
                        heappush(waiting, entry)
        view.reached, view.undecided = frozenset(self.reached), self.undecided()
        return new

    def _may_be_reached(self, place: int) -> bool:
        """Whether the state there is still to be reached, and waits for no other."""
        state = self._order[place]
        if state.id in self.reached or state.id in self._unjudged:
            return False
        # The last one is the likeliest to be missing.
        return all(before in self.reached for before in reversed(self.waits[state.id]))

    def waits_for(self, state: Rule) -> list[str]:
        """Ids of the states that must be reached before ``state`` can be, and are not."""
        return [before for before in self.waits[state.id] if before not in self.reached]

    def unseen(self) -> frozenset[str]:
        """States not reached of which nothing is known: no screen so far could have shown them.

        Such a state was tried only where nothing was known, or an alternative of it is such a state or one
        that people judge, or all states that it waits for are such states.
        """
        left = [state for state in self.states if self._is_open(state)]
        waiting = [state.id for state in left if (near := self.nearest.get(state.id)) and near[1].unseen]
        if not waiting and not self._instead:
            return frozenset()
        left += [state for state in self.states if state.id in self._instead]
        waits = {state.id: set(self.waits_for(state)) for state in left}
        waiting += [name for name in self._instead if not waits[name]]
        after, instead = dict[str, list[str]](), dict[str, list[str]]()
        for state in left:
            for named, known in ((waits[state.id], after), (state.alternatives, instead)):
                for name in named:
                    known.setdefault(name, []).append(state.id)
        unseen: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in unseen:
                continue
            unseen.add(name)
            waiting += [other for other in instead.get(name, ()) if not waits[other]]
            for other in after.get(name, ()):
                waits[other].discard(name)
                waiting += [other] if not waits[other] else []
        return frozenset(unseen - self._instead)

    def undecided(self) -> frozenset[str]:
        """States of which no rule can say so far whether they were reached; people judge some of them."""
        return self.unseen() | self._unjudged

    def _is_open(self, state: Rule) -> bool:
        return state.id not in self.reached and state.id not in self._unjudged


def _distance(proof: Proof) -> tuple[bool, int, int]:
    """The nearest proof is the least; of screens that were not captured nothing is known."""
    return proof.unseen, proof.deficit, -proof.evidence
