"""The agreed states of a definition session: what its decisions come to, and how the project gets them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from collector.model.errors import UserError
from collector.model.essential_state import AGREED, EssentialState, new_state_id
from collector.model.i18n import _
from collector.model.task import Task
from collector.states.documents.definition import (
    CHOOSE_A,
    CHOOSE_B,
    DROPPED,
    EDITED,
    Definition,
    StateDecision,
)
from collector.states.documents.proposal import ProposedState
from collector.states.documents.proposed_rules import conditions_of
from collector.states.proposal_alignment import ProposalAlignment, StatePair
from collector.states.proposing import after_circle
from collector.store.tasks.state_file import StateChange

_CONDITIONS = "conditions"


@dataclass(frozen=True, slots=True)
class AgreedStates:
    """What a finished session writes."""

    ids: Mapping[str, str]
    """By key of a pair that is kept, the id of its state, in the order of the task."""
    changes: tuple[StateChange, ...]


def chosen_states(alignment: ProposalAlignment, definition: Definition) -> dict[str, ProposedState]:
    """The states that are kept, by the keys of their pairs; what they name are keys as well.

    A state that comes after a dropped one comes after what that one came after. Raises UserError while a pair
    is not decided, and for states that wait for each other.
    """
    decisions = {decision.key: decision for decision in definition.decisions if decision.choice}
    open_pairs = [pair.key for pair in alignment.pairs if pair.key not in decisions]
    if open_pairs:
        raise UserError(
            _("Not every difference is settled"),
            _("to be decided: {pairs}", pairs=", ".join(open_pairs)),
            _("Decide them first"),
        )
    named = {pair.key: _with_keys(alignment, pair, decisions[pair.key]) for pair in alignment.pairs}
    kept = [pair.key for pair in alignment.pairs if decisions[pair.key].choice != DROPPED]
    if not kept:
        raise UserError(_("No state is kept"), _("a task needs at least one"), _("Keep one of them"))
    states = {}
    for key in kept:
        state = named[key]
        after = _without_dropped(state.after, named, kept)
        alternatives = [name for name in state.alternatives if name in kept and name != key]
        states[key] = replace(
            state,
            after=tuple(name for name in after if name != key),
            alternatives=tuple(dict.fromkeys(alternatives)),
        )
    if circle := after_circle(states.values()):
        raise UserError(
            _("These states wait for each other: {states}", states=", ".join(circle)),
            _("each comes after another of them"),
            _("Decide otherwise, or edit one of them"),
        )
    return states


def agree(
    task: Task, definition: Definition, chosen: Mapping[str, ProposedState],
    states: Mapping[str, EssentialState], tasks: Iterable[Task],
) -> AgreedStates:  # fmt: skip
    """Give each chosen state an id, and say how ``states`` of the project change.

    A pair keeps the id that it had. Else a state of the task that says the same gives its id, so that marks
    and judgements of it stay; a new id is the last choice. A state that other tasks name is never changed.
    """
    shared = {name for other in tasks if other.id != task.id for name in other.essential_states}
    free = [
        states[name] for name in task.essential_states if name in states and name not in shared
    ]  # states of the task that a pair may take
    ids: dict[str, str] = {}
    for key in chosen:
        decision = definition.decision(key)
        known = decision.agreed_id if decision is not None else ""
        if known and known not in ids.values() and known not in shared:
            ids[key] = known
    free = [state for state in free if state.id not in ids.values()]
    for key, state in chosen.items():
        twin = next((known for known in free if _says_same(known, state)), None)
        if key not in ids and twin is not None:
            ids[key] = twin.id
            free.remove(twin)
    taken = {*states, *ids.values()}
    for number, key in enumerate(chosen, 1):
        if key not in ids:
            ids[key] = new_state_id(task.id, number, taken)
            taken.add(ids[key])
    ordered = {key: ids[key] for key in chosen}
    changes = []
    for key, state_id in ordered.items():
        before = states.get(state_id)
        after = _essential(chosen[key], state_id, ordered, before)
        if before != after:
            changes.append(StateChange(before, after))
    return AgreedStates(ordered, tuple(changes))


def _essential(
    state: ProposedState, state_id: str, ids: Mapping[str, str], before: EssentialState | None
) -> EssentialState:
    """The state as the project gets it. What nobody decided stays: conditions, and alternatives elsewhere."""
    extra = dict(before.extra) if before is not None else {}
    conditions = conditions_of(state.conditions)
    if conditions.conditions and conditions != conditions_of(extra.get(_CONDITIONS)):
        extra[_CONDITIONS] = state.conditions
    alternatives = [ids[name] for name in state.alternatives]
    if before is not None:
        alternatives += (name for name in before.alternatives if name not in ids.values())
    return EssentialState(
        state_id,
        state.sentence.strip(),
        before.task if before is not None else "",
        tuple(ids[name] for name in state.after),
        state.optional,
        tuple(alternatives),
        AGREED,
        before.risk if before is not None else "",
        extra,
    )


def _says_same(known: EssentialState, state: ProposedState) -> bool:
    """Whether a state of the project is the chosen one: the same sentence, or the same conditions."""
    if " ".join(known.sentence.split()).casefold() == " ".join(state.sentence.split()).casefold():
        return True
    conditions = conditions_of(state.conditions)
    return bool(conditions.conditions) and conditions == conditions_of(known.extra.get(_CONDITIONS))


def _with_keys(alignment: ProposalAlignment, pair: StatePair, decision: StateDecision) -> ProposedState:
    """The decided state of a pair, with the keys of the pairs that it names."""
    if decision.choice == EDITED and decision.state is not None:
        return replace(decision.state, id=pair.key)
    side = "b" if decision.choice == CHOOSE_B or pair.a is None else "a"
    state = pair.b if side == "b" else pair.a
    if state is None or (decision.choice == CHOOSE_A and pair.a is None):
        state = pair.states[0]
    return replace(
        state,
        id=pair.key,
        after=tuple(filter(None, (alignment.key_of(side, name) for name in state.after))),
        alternatives=tuple(filter(None, (alignment.key_of(side, name) for name in state.alternatives))),
    )


def _without_dropped(
    names: Iterable[str], named: Mapping[str, ProposedState], kept: Iterable[str]
) -> list[str]:
    """The names that are kept; in place of a dropped one what it comes after."""
    waiting, seen, result = list(names), set[str](), []
    known = set(kept)
    while waiting:
        name = waiting.pop(0)
        if name in seen or name not in named:
            continue
        seen.add(name)
        if name in known:
            result.append(name)
        else:
            waiting[:0] = named[name].after
    return result
