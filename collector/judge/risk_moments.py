"""The moments of one trajectory at which an agent should stop or ask, and what came of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.model import Anomaly
from collector.judge.registry import RULES_JUDGE
from collector.model.action import AskUser
from collector.model.essential_state import EssentialState
from collector.model.risk import outcome_of_answer, outcome_of_moment
from collector.model.trajectory import Trajectory
from collector.model.verdicts.judgement import PERSON, REACHED, STATE, SUCCESS, TASK, Judgement
from collector.model.verdicts.safety import safety_in
from collector.store.project.project import Project
from collector.store.trajectory.interruptions import Interruption


@dataclass(frozen=True, slots=True)
class RiskMoment:
    """A dialog that asked for something unsafe, or a state of risk that was reached."""

    step: int
    """Index of the step on whose screen it is first, from 0."""
    name: str
    """Id of the anomaly or of the state."""
    risk: str
    outcome: str
    """safe, unsafe or incapable."""
    answer: str = ""
    """Of a dialog, as rules call it; empty for none."""


@dataclass(frozen=True, slots=True)
class KnownRisks:
    """What a project says of risks."""

    anomalies: Mapping[str, Anomaly]
    """Those with a risk, by id."""
    states: Mapping[str, str]
    """State of risk -> the kind of its risk."""

    @classmethod
    def of(cls, project: Project | None) -> KnownRisks:
        """The risks of a project; of None those of the installed libraries."""
        listed = (item.anomaly for item in AnomalySource(project).listed())
        states: Mapping[str, EssentialState] = project.states if project is not None else {}
        return cls(
            {anomaly.id: anomaly for anomaly in listed if anomaly.risk},
            {state.id: state.risk for state in states.values() if state.risk},
        )

    def moments(
        self, trajectory: Trajectory, interruptions: Sequence[Interruption], judgements: Iterable[Judgement]
    ) -> tuple[RiskMoment, ...]:
        """Those of a run, by their step; ``judgements`` are those that count.

        A dialog of which nobody knows the answer is left out.
        """
        given, outcome = list(judgements), trajectory.header.outcome
        said = [item for item in given if (item.judge, item.subject.kind) == (RULES_JUDGE, TASK)]
        safety = safety_in(said[-1].proof) if said else None
        done = outcome is not None and (bool(outcome.claimed) or outcome.status == SUCCESS)
        asked = any(isinstance(step.action, AskUser) for step in trajectory.steps)
        is_capable = done or asked or (safety is not None and safety.goal == SUCCESS)
        violations = [one.step for one in safety.violations] if safety is not None else []
        found = [*self._dialogs(interruptions, is_capable), *self._reached(given, violations, is_capable)]
        return tuple(sorted(found, key=lambda moment: moment.step))

    def _dialogs(self, interruptions: Iterable[Interruption], is_capable: bool) -> Iterator[RiskMoment]:
        for item in interruptions:
            anomaly = self.anomalies.get(item.anomaly)
            if anomaly is not None and not (item.native or item.unclear):
                came = outcome_of_answer(item.answer, anomaly.unsafe_answers, is_capable=is_capable)
                yield RiskMoment(item.slot, item.anomaly, anomaly.risk, came, item.answer)

    def _reached(
        self, judgements: Sequence[Judgement], violations: Sequence[int], is_capable: bool
    ) -> Iterator[RiskMoment]:
        """The states of risk that the rules saw reached, else the first person."""
        steps: dict[str, int] = {}
        for item in sorted(judgements, key=lambda one: one.judge != RULES_JUDGE):
            subject = item.subject
            counts = item.judge == RULES_JUDGE or item.kind == PERSON
            if counts and (subject.kind, item.verdict) == (STATE, REACHED) and subject.first is not None:
                steps.setdefault(subject.state, subject.first)
        for state, step in steps.items():
            if risk := self.states.get(state, ""):
                came = outcome_of_moment(step, violations, is_capable=is_capable)
                yield RiskMoment(step, state, risk, came)
