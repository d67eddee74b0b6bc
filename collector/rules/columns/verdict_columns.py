"""Verdicts of one condition or rule on every state of a corpus, as columns, and how groups combine them.

The arrays agree with :mod:`collector.rules.evaluation.proof` on every state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from collector.rules.evaluation.proof import CRASHES, Proof, ProofOutcome

Flags = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.signedinteger[Any]]
_MOST_IN_A_BYTE = 100
"""Less than what fits, so that one may be added."""
SILENT, NEAR, FIRES = 0, 1, 2
OUTCOMES = (ProofOutcome.SILENT, ProofOutcome.NEAR, ProofOutcome.FIRES)
"""The outcome for each number in a column of outcomes."""


@dataclass(frozen=True, slots=True, eq=False)
class VerdictColumns:
    """``holds``, ``deficit`` and ``evidence`` as in a ``Proof``, shape (n,) each.

    ``crashed`` is True where D-GARA's engine would stop with an error; None = nowhere.
    """

    holds: Flags
    deficit: Counts
    evidence: Counts
    crashed: Flags | None = None
    unseen: Flags | None = None
    """As in a ``Proof``; None = nowhere."""

    @property
    def outcomes(self) -> npt.NDArray[np.uint8]:
        """:data:`SILENT`, :data:`NEAR` or :data:`FIRES` for each state."""
        near = (self.deficit == 1) & (self.evidence > 0)
        return np.where(self.holds, FIRES, np.where(near, NEAR, SILENT)).astype(np.uint8)

    def narrowed(self) -> VerdictColumns:
        """These verdicts with counts of a byte each, where all of them fit: to be kept, not written to."""
        return replace(self, deficit=_narrowed(self.deficit), evidence=_narrowed(self.evidence))

    def taken(self, places: npt.NDArray[np.intp]) -> VerdictColumns:
        """The verdicts at ``places``, in that order."""
        crashed = self.crashed[places] if self.crashed is not None else None
        unseen = self.unseen[places] if self.unseen is not None else None
        return VerdictColumns(
            self.holds[places], self.deficit[places], self.evidence[places], crashed, unseen
        )  # fmt: skip

    def replaced(self, places: npt.NDArray[np.intp], other: VerdictColumns) -> VerdictColumns:
        """These verdicts, and at ``places`` those of ``other`` there."""

        def put(own: npt.NDArray[Any], others: npt.NDArray[Any]) -> npt.NDArray[Any]:
            made = own.astype(np.result_type(own, others))
            made[places] = others[places]
            return made

        def put_flags(own: Flags | None, others: Flags | None) -> Flags | None:
            if own is None and others is None:
                return None
            nowhere = np.zeros(len(self.holds), np.bool_)
            return put(nowhere if own is None else own, nowhere if others is None else others)

        return VerdictColumns(
            put(self.holds, other.holds), put(self.deficit, other.deficit),
            put(self.evidence, other.evidence),
            put_flags(self.crashed, other.crashed), put_flags(self.unseen, other.unseen),
        )  # fmt: skip

    def where_seen(self, unseen: Flags) -> VerdictColumns:
        """The verdicts of a condition where nothing is known of what it looks at on the ``unseen`` states."""
        if not unseen.any():
            return self
        if self.unseen is not None:
            unseen = unseen | self.unseen
        return VerdictColumns(
            self.holds & ~unseen, np.where(unseen, 1, self.deficit).astype(np.int32),
            np.where(unseen, 0, self.evidence).astype(np.int32), self.crashed, unseen,
        )  # fmt: skip


def _narrowed(counts: Counts) -> Counts:
    fits = not len(counts) or (counts.min() >= 0 and counts.max() <= _MOST_IN_A_BYTE)
    return counts.astype(np.int8) if fits else counts


def same_verdict(count: int, *, holds: bool, deficit: int = 0) -> VerdictColumns:
    """One verdict for each of ``count`` states, without evidence."""
    return VerdictColumns(np.full(count, holds), np.full(count, deficit, np.int32), np.zeros(count, np.int32))


def verdicts_where(holds: Flags, evidence: Counts | Flags | None = None) -> VerdictColumns:
    """Verdicts of a condition that lacks exactly one thing where it does not hold."""
    proof = np.zeros(len(holds), np.int32) if evidence is None else evidence.astype(np.int32)
    return VerdictColumns(holds, (~holds).astype(np.int32), proof)


def verdicts_by_count(have: Counts, need: int, *, possible: bool = True) -> VerdictColumns:
    """Verdicts of a condition that needs ``need`` things and has ``have`` of them."""
    holds = (have >= need) & possible
    deficit = np.where(holds, 0, np.maximum(1, need - have)).astype(np.int32)
    return VerdictColumns(holds, deficit, have.astype(np.int32))


def of_proofs(proofs: Sequence[Proof]) -> VerdictColumns:
    """The verdicts of proofs, in their order."""
    holds = np.array([proof.holds for proof in proofs], np.bool_)
    deficit = np.array([proof.deficit for proof in proofs], np.int32)
    evidence = np.array([proof.evidence for proof in proofs], np.int32)
    crashed = np.array([proof.note == CRASHES for proof in proofs], np.bool_)
    unseen = np.array([proof.unseen for proof in proofs], np.bool_)
    return VerdictColumns(holds, deficit, evidence, crashed, unseen if unseen.any() else None)


def all_of(count: int, parts: Sequence[VerdictColumns]) -> VerdictColumns:
    """As :func:`collector.rules.evaluation.proof.all_of`."""
    holds = np.ones(count, np.bool_)
    deficit, evidence = np.zeros(count, np.int32), np.zeros(count, np.int32)
    for part in parts:
        holds &= part.holds
        deficit += part.deficit
        evidence += part.evidence
    unseen = _any_unseen(count, parts)
    if unseen is not None:
        for part in parts:
            unseen &= part.holds if part.unseen is None else part.holds | part.unseen
    return VerdictColumns(holds, deficit, evidence, unseen=unseen)


def any_of(count: int, parts: Sequence[VerdictColumns]) -> VerdictColumns:
    """As :func:`collector.rules.evaluation.proof.any_of`."""
    if not parts:
        return same_verdict(count, holds=False, deficit=1)
    holds = parts[0].holds.copy()
    deficit, evidence = parts[0].deficit.astype(np.int32), parts[0].evidence.astype(np.int32)
    for part in parts[1:]:
        holds |= part.holds
        nearer = (part.deficit < deficit) | ((part.deficit == deficit) & (part.evidence > evidence))
        deficit[nearer], evidence[nearer] = part.deficit[nearer], part.evidence[nearer]
    deficit = np.where(holds, 0, np.maximum(1, deficit)).astype(np.int32)
    unseen = _any_unseen(count, parts)
    return VerdictColumns(holds, deficit, evidence, unseen=unseen & ~holds if unseen is not None else None)


def none_of(count: int, parts: Sequence[VerdictColumns]) -> VerdictColumns:
    """As :func:`collector.rules.evaluation.proof.none_of`."""
    deficit = np.zeros(count, np.int32)
    for part in parts:
        deficit += part.holds
    evidence, holding = np.zeros(count, np.int32), deficit > 0
    unseen = _any_unseen(count, parts)
    if unseen is not None:
        for part in parts:
            deficit += 0 if part.unseen is None else part.unseen
        unseen &= ~holding
    return VerdictColumns(deficit == 0, deficit, evidence, unseen=unseen)


def _any_unseen(count: int, parts: Sequence[VerdictColumns]) -> Flags | None:
    """Where one of the parts is not known; None = nowhere."""
    flags = [part.unseen for part in parts if part.unseen is not None]
    return np.logical_or.reduce([np.zeros(count, np.bool_), *flags]) if flags else None


def from_step(verdicts: VerdictColumns, early: Flags) -> VerdictColumns:
    """The verdicts with False where ``early`` says that the step is before the condition's ``min_step``."""
    unseen = verdicts.unseen & ~early if verdicts.unseen is not None else None
    return VerdictColumns(
        verdicts.holds & ~early, verdicts.deficit + early, verdicts.evidence, verdicts.crashed, unseen
    )


GROUPS = {"all": all_of, "any": any_of, "not": none_of}
