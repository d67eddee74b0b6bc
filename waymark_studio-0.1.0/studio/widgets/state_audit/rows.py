"""What the checklist of an auditor shows, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

ANSWER_ICONS: Mapping[str, str] = {
    "yes": "state-ok",
    "doubt": "state-warn",
    "no": "state-err",
    "": "state-todo",
}
"""The icon of an answer to a criterion; of none the ring of what is to do."""
DECISION_ICONS: Mapping[str, str] = {
    "accept": "state-ok",
    "fix": "state-info",
    "reject": "state-err",
    "": "state-todo",
}
"""The icon of a decision on a state."""


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """A criterion of an essential state: the answer of the auditor, and facts found by the program."""

    id: str
    title: str
    question: str
    """What the auditor answers, as ``Can it be seen on screenshots and actions?``."""
    answer: str = ""
    note: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    """Pairs of an icon and a sentence."""


@dataclass(frozen=True, slots=True)
class AuditedRow:
    """An essential state in the list of an audit."""

    id: str
    number: str
    sentence: str
    decision: str = ""
    decision_note: str = ""
    criteria: tuple[CriterionRow, ...] = ()

    @property
    def answered(self) -> int:
        """How many criteria have an answer."""
        return sum(1 for criterion in self.criteria if criterion.answer)


@dataclass(frozen=True, slots=True)
class AuditSheet:
    """Everything the checklist shows of one audit."""

    about: str
    """Whose audit it is, and that it is blind."""
    rows: tuple[AuditedRow, ...] = ()
    is_signed: bool = False
    is_read_only: bool = False
    problem: str = ""
    """Why it cannot be signed yet; empty when it can."""
    verdict: str = ""
    """What a signed audit says as a whole."""
    others: tuple[str, ...] = field(default=())
    """Sentences about other audits, which a signed auditor may see."""

    @property
    def decided(self) -> int:
        """How many states have a decision."""
        return sum(1 for row in self.rows if row.decision)

    def row(self, state_id: str) -> AuditedRow | None:
        """The row of a state; None when the audit has none."""
        return next((row for row in self.rows if row.id == state_id), None)

    def next_undecided(self, after: str) -> str:
        """The next state without a decision after one, from the start again; empty when all have one."""
        ids = [row.id for row in self.rows]
        start = ids.index(after) + 1 if after in ids else 0
        ordered = (*self.rows[start:], *self.rows[:start])
        return next((row.id for row in ordered if not row.decision), "")
