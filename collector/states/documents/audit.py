"""An auditor's review of the agreed states of a task, by A3's three criteria."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.model.i18n import N_
from collector.states.documents.proposal import ProposedState
from collector.states.documents.workflow_act import SIGNED, WorkflowAct, standing_time, started_at

VISUAL_VERIFIABILITY, CRITICALITY = "visual_verifiability", "criticality"
SUFFICIENCY = "sufficiency"
STATE_CRITERIA = (VISUAL_VERIFIABILITY, CRITICALITY)
"""Asked of each state; ``SUFFICIENCY`` is asked of all states of the task together (A3, section 3.2)."""
CRITERION_TITLES = {
    VISUAL_VERIFIABILITY: N_("Visual verifiability"),
    CRITICALITY: N_("Criticality"),
    SUFFICIENCY: N_("Sufficiency"),
}
CRITERION_QUESTIONS = {
    VISUAL_VERIFIABILITY: N_("Can it be seen in consecutive screenshots and actions?"),
    CRITICALITY: N_("Must it be done, whichever way the task is done?"),
    SUFFICIENCY: N_("Do all states together cover the whole task?"),
}
YES, DOUBT, NO = "yes", "doubt", "no"
ANSWERS = (YES, DOUBT, NO)
ACCEPT, FIX, REJECT = "accept", "fix", "reject"
VERDICTS_OF_AUDIT = (ACCEPT, FIX, REJECT)
"""Accept as it is, accept with a correction, or send the task back to its definition."""


@dataclass(frozen=True, slots=True)
class CriterionAnswer:
    """What the auditor answers to one criterion."""

    value: str = ""
    """One of ``ANSWERS``; empty while it is open."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class AuditedState:
    """The review of one state."""

    state: str
    """Its id in ``rules/states.yaml``."""
    visual_verifiability: CriterionAnswer = CriterionAnswer()
    criticality: CriterionAnswer = CriterionAnswer()
    verdict: str = ""
    """One of ``VERDICTS_OF_AUDIT``; empty while it is open."""
    note: str = ""
    fixed: ProposedState | None = None
    """The state as corrected by the auditor; its ids are those of ``rules/states.yaml``."""
    digest: str = ""
    """Of the state as it was audited; a state with another digest was edited since."""
    extra: Mapping[str, Any] = field(default_factory=dict)

    def answer(self, criterion: str) -> CriterionAnswer:
        """The answer to one of ``STATE_CRITERIA``."""
        return self.visual_verifiability if criterion == VISUAL_VERIFIABILITY else self.criticality


@dataclass(frozen=True, slots=True)
class Audit:
    """What one auditor says of the states of one task."""

    task: str
    who: str
    states: tuple[AuditedState, ...] = ()
    sufficiency: CriterionAnswer = CriterionAnswer()
    """Of all states together."""
    definition: str = ""
    """Time at which the definition was finished that is audited."""
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

    @property
    def has_rejected(self) -> bool:
        """Whether the auditor rejects a state, or says that all together do not cover the task."""
        return self.sufficiency.value == NO or any(state.verdict == REJECT for state in self.states)

    @property
    def objections(self) -> str:
        """The notes on what was rejected, in one text."""
        notes = [state.note for state in self.states if state.verdict == REJECT]
        if self.sufficiency.value == NO:
            notes.append(self.sufficiency.note)
        return "; ".join(filter(None, notes))

    def state(self, state_id: str) -> AuditedState | None:
        """The review of a state; None while there is none."""
        return next((state for state in self.states if state.state == state_id), None)
