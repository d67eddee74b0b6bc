"""Walk the conditions of a rule with their paths, and find what belongs to a path."""

from __future__ import annotations

from collections.abc import Iterator

from collector.rules.evaluation.proof import Proof
from collector.rules.grammar.model import Condition, Group
from rule_editor.document.rules.condition_slots import ConditionPath


def walk(group: Group) -> Iterator[tuple[ConditionPath, Condition]]:
    """Every condition of a rule with its path; the top group itself is ``()``."""
    stack: list[tuple[ConditionPath, Condition]] = [((), group)]
    while stack:
        path, condition = stack.pop()
        yield path, condition
        parts = list(enumerate(condition.parts))
        stack.extend(((*path, place), part) for place, part in reversed(parts))


def proof_at(proof: Proof | None, path: ConditionPath) -> Proof | None:
    """The proof of the condition at ``path``; None when the proof does not go that deep."""
    for place in path:
        if proof is None or place >= len(proof.parts):
            return None
        proof = proof.parts[place]
    return proof


def negated(top: Group, path: ConditionPath) -> bool:
    """Whether the rule needs the condition not to hold: it is inside an odd number of ``not``."""
    turns, part = 0, top
    for place in path:
        turns += part.kind == "not"
        inside = part.conditions[place]
        if not isinstance(inside, Group):
            break
        part = inside
    return turns % 2 == 1


def can_move(path: ConditionPath, parent: ConditionPath) -> bool:
    """Whether a condition can move into the group at ``parent``, which must not be in it."""
    return bool(path) and parent[: len(path)] != path
