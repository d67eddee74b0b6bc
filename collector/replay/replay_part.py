"""The part of a recording that is replayed: all of it, one step, or what comes from a step on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step


@dataclass(frozen=True, slots=True)
class ReplayPart:
    """Steps by their index, from 0, both included. The phone stands where the first of them begins."""

    first: int = 0
    last: int | None = None
    """None for the last step of the recording."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out, so that the phone is set up for the beginning."""
        return self.first == 0 and self.last is None

    @property
    def ends_the_task(self) -> bool:
        """Whether the last step is among them, so that the task can be judged."""
        return self.last is None

    def of(self, steps: Sequence[Step]) -> list[Step]:
        """The steps of the part among those that act for the task."""
        end = self.last
        return [step for step in steps if self.first <= step.index and (end is None or step.index <= end)]

    def require(self, recorded: Sequence[Step], steps: Sequence[Step]) -> None:
        """Raise UserError when the part has no step; ``steps`` are those of ``recorded`` that act."""
        if self.is_whole or self.of(steps):
            return
        known = {step.index: step for step in recorded}
        wanted = known.get(self.first)
        if wanted is None:
            why = _("its steps are 1 to {last}", last=max(known, default=0) + 1)
        elif wanted.action is None:
            why = _("nothing is done there")
        else:
            why = _("it belongs to an interruption, which a replay does not meet")
        raise UserError(_("Step {number} cannot be replayed", number=self.first + 1), why)
