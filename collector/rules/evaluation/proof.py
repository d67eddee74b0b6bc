"""Proofs: why a rule holds or not, what each clause found, what it lacks and how near it came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from collector.model.geometry import Rect
from collector.model.tree import Node
from collector.rules.grammar.model import Condition, Group

_ENOUGH = 8
"""Nodes named in a proof; a selector may match hundreds."""
CRASHES = "crashes"
"""A note: D-GARA's engine would stop here with an error."""
NO_TREE = "unseen-tree"
"""A note: it looks at nodes, and the screen has no tree."""
TOO_MANY_STEPS = "too-many-steps"
"""A note: its XPath was given up on this screen, so that nothing is known."""
TOO_EARLY = "too-early"
"""A note: the step comes before the condition's ``min_step``."""


class ProofOutcome(StrEnum):
    """The outcome of a rule on a state."""

    FIRES = "fires"
    NEAR = "near"
    """It does not hold, and one single thing is lacking."""
    SILENT = "silent"


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """One condition's verdict and its reasons. Nodes are given by their place in document order."""

    condition: Condition
    holds: bool
    nodes: tuple[int, ...] = ()
    """Nodes that satisfy it; for a condition on absence, the nodes that are there."""
    have: int = 0
    need: int = 0
    """Counts against the threshold, where the condition has one."""
    missing: tuple[str, ...] = ()
    """Keywords that were not seen."""
    actual: str = ""
    """The value that was there instead of the wanted one."""
    near: tuple[int, ...] = ()
    """Nodes that nearly satisfy it."""
    parts: tuple[Proof, ...] = ()
    note: str = ""
    """Name of the quirk of ``dgara_semantics`` that decided; empty for none."""
    deficit: int = 0
    """How many things would have to change for it to hold."""
    evidence: int = 0
    """How many things particular to this screen speak for it."""
    score: float | None = None
    """Of a picture: how sure the match is, 0 to 1."""
    area: Rect | None = None
    """Of a picture: where on the screen it is seen best."""
    unseen: bool = False
    """It does not hold because what it looks at is not known, so its opposite does not hold either."""

    @property
    def outcome(self) -> ProofOutcome:
        if self.holds:
            return ProofOutcome.FIRES
        return ProofOutcome.NEAR if self.deficit == 1 and self.evidence > 0 else ProofOutcome.SILENT

    def walk(self) -> Iterator[Proof]:
        """This proof and all inside it, outermost first."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def leaves(self) -> Iterator[Proof]:
        """The proofs of the conditions that are no groups, in the order they are written."""
        return (proof for proof in self.walk() if not isinstance(proof.condition, Group))


def all_of(condition: Condition, parts: tuple[Proof, ...]) -> Proof:
    """The proof of a group in which every part must hold."""
    holds, unseen = True, False
    deficit = evidence = 0
    for part in parts:
        holds = holds and part.holds
        unseen = unseen or part.unseen
        deficit += part.deficit
        evidence += part.evidence
    unseen = unseen and all(part.holds or part.unseen for part in parts)
    return Proof(condition, holds, parts=parts, deficit=deficit, evidence=evidence, unseen=unseen)


def any_of(condition: Condition, parts: tuple[Proof, ...]) -> Proof:
    """The proof of a group in which one part must hold; it is as near as its nearest part."""
    holds = any(part.holds for part in parts)
    if not parts:
        return Proof(condition, False, deficit=1)
    best = min(parts, key=lambda part: (part.deficit, -part.evidence))
    deficit = 0 if holds else max(1, best.deficit)
    unseen = not holds and any(part.unseen for part in parts)
    return Proof(condition, holds, parts=parts, deficit=deficit, evidence=best.evidence, unseen=unseen)


def none_of(condition: Condition, parts: tuple[Proof, ...]) -> Proof:
    """The proof of a group in which no part may hold; that something is absent is no evidence."""
    holding, unseen = sum(part.holds for part in parts), sum(part.unseen for part in parts)
    deficit = holding + unseen
    return Proof(condition, deficit == 0, parts=parts, deficit=deficit, unseen=unseen > 0 and not holding)


def orders_of(nodes: Iterable[Node]) -> tuple[int, ...]:
    """The places of the first few nodes in document order, as a proof names them."""
    return tuple(node.order for node in list(nodes)[:_ENOUGH])
