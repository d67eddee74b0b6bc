"""An operator's proposal: the essential states of a task, as seen in the operator's own golden trajectory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.states.documents.workflow_act import SIGNED, WorkflowAct, standing_time, started_at


@dataclass(frozen=True, slots=True)
class ProposedState:
    """An essential state that one operator proposes. Its ids and those it names count there alone."""

    id: str
    sentence: str = ""
    conditions: Any = None
    """Plain values as under ``conditions`` in ``rules/states.yaml``; None when people and models judge it."""
    after: tuple[str, ...] = ()
    optional: bool = False
    alternatives: tuple[str, ...] = ()
    step: int | None = None
    """The step of the golden trajectory whose screen reaches it, counted from 0."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Other keys of its entry."""

    @property
    def label(self) -> str:
        """The sentence; the id of a state without one."""
        return self.sentence.strip() or self.id


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one operator proposes for one task. Nobody changes it while it is signed."""

    task: str
    who: str
    golden: str = ""
    """Id of the operator's golden trajectory; empty until it is chosen."""
    states: tuple[ProposedState, ...] = ()
    acts: tuple[WorkflowAct, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def started(self) -> str:
        """ISO 8601 time."""
        return started_at(self.acts)

    @property
    def signed(self) -> str:
        """ISO 8601 time of the signature; empty while it is open."""
        return standing_time(self.acts, SIGNED)

    def state(self, state_id: str) -> ProposedState | None:
        """The state of that id; None when there is none."""
        return next((state for state in self.states if state.id == state_id), None)


def new_local_id(taken: Iterable[str]) -> str:
    """The next free id within a proposal: ``1``, ``2``, ..."""
    known, number = set(taken), 1
    while str(number) in known:
        number += 1
    return str(number)
