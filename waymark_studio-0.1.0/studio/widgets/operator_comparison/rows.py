"""The rows of two compared proposals, as values that the view paints."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RowKind(StrEnum):
    """How the two sides of a row relate; each kind has its own icon and tint."""

    SAME = "same"
    DIFFERENT = "different"
    ONE_SIDED = "one-sided"
    ALONE = "alone"
    """The other side is not shown, so there is nothing to compare."""


KIND_ICONS = {
    RowKind.SAME: "state-ok",
    RowKind.DIFFERENT: "state-warn",
    RowKind.ONE_SIDED: "state-info",
    RowKind.ALONE: "",
}
KIND_TINTS = {
    RowKind.SAME: "",
    RowKind.ALONE: "",
    RowKind.DIFFERENT: "warn-weak",
    RowKind.ONE_SIDED: "info-weak",
}


@dataclass(frozen=True, slots=True)
class ProposalCell:
    """An essential state as one operator proposes it."""

    number: str
    """Its number in the proposal, as ``A3``."""
    sentence: str
    condition: str
    place: str
    """Where it is reached and after what, as ``step 11, after A2``."""
    step: int | None = None
    """The index of the step that reaches it; None when it is not known."""


@dataclass(frozen=True, slots=True)
class RowChoice:
    """A decision that can be made on a row: its id, the text of its button and its key."""

    id: str
    text: str
    key: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One row: both sides, in what they differ, and what was decided."""

    id: str
    left: ProposalCell | None
    right: ProposalCell | None
    kind: RowKind
    summary: str
    """In what the sides differ, as ``Wording; condition``."""
    choices: tuple[RowChoice, ...] = ()
    chosen: str = ""
    """The id of the choice that was made; empty while the row is not settled."""
    decision: str = ""
    """What was decided, and by whom, as ``agreed by Lin``; empty while the row is not settled."""

    @property
    def is_settled(self) -> bool:
        """Whether a decision was made."""
        return bool(self.decision)

    @property
    def is_difference(self) -> bool:
        """Whether the sides differ and nothing was decided yet."""
        return self.kind in (RowKind.DIFFERENT, RowKind.ONE_SIDED) and not self.is_settled


@dataclass(frozen=True, slots=True)
class SideHead:
    """The head of a column: who, in which role, over which trajectory, and how many states."""

    name: str
    about: str = ""
    count: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything the view shows. A side that must not be seen yet has a ``hidden`` sentence."""

    left: SideHead
    agreed: SideHead
    right: SideHead
    rows: tuple[ComparisonRow, ...] = ()
    hidden_left: str = ""
    hidden_right: str = ""

    @property
    def settled(self) -> int:
        """How many rows are settled."""
        return sum(row.is_settled for row in self.rows)

    def next_difference(self, after: int) -> int | None:
        """The index of the next row to settle after row ``after``, from the start again at the end."""
        indexes = [index for index, row in enumerate(self.rows) if row.is_difference]
        if not indexes:
            indexes = [index for index, row in enumerate(self.rows) if not row.is_settled]
        return next((index for index in indexes if index > after), indexes[0] if indexes else None)
