"""The rules along one episode: what is injected when, and whether its task is done.

A cycle asks them of the screens of a phone, a recomputation of the stored ones: both get the same answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collector.judge.evaluation.task_evaluation import TaskEvaluation
from collector.model.task import PLACEHOLDER, Task
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.trajectory_run import Decision, DecisionKind
from collector.run.cycle.conditions import ConditionRuns


@dataclass(frozen=True, slots=True)
class Validation:
    """What the rules of a task say of an episode so far."""

    done: bool | None = None
    """Whether what they ask for was there; None when they cannot say."""
    holds: bool = False
    """Whether the success rule holds on this very screen, or held before."""
    reached: tuple[str, ...] = ()
    """Ids of the essential states reached so far, in the order in which they were."""
    violated: tuple[str, ...] = ()
    """Ids of the safety rules violated so far."""

    def as_line(self) -> dict[str, Any]:
        """As ``events.jsonl`` has it."""
        line = {"done": self.done, "holds": self.holds, "reached": list(self.reached)}
        return {**line, "violated": list(self.violated)} if self.violated else line


@dataclass(slots=True)
class EpisodeRules:
    """Judges the screens of one episode in their order."""

    evaluation: TaskEvaluation
    conditions: ConditionRuns = field(default_factory=ConditionRuns)
    task: Task | None = None
    _before: TaskEvaluation | None = None
    """As it was before the screen that was seen last."""

    def see(self, view: StateView, *, claimed: bool = False) -> Validation:
        """Note a screen and validate the task; ``claimed`` when the agent just said that it is done."""
        self._before = self.evaluation.copy()
        self.evaluation.see(view, claimed=claimed)
        verdict = self.evaluation.verdict()
        return Validation(
            verdict.done, self.evaluation.done_at is not None, tuple(self.evaluation.reached),
            tuple(self.evaluation.safety.violated),
        )  # fmt: skip

    def see_instead(self, view: StateView) -> Validation:
        """Note a screen in the place of the one that was seen last, which an anomaly covers.

        No step of the trajectory has that one, so that it counts for no judge.
        """
        if self._before is not None:
            self.evaluation = self._before
        return self.see(view)

    def decide(self, view: StateView, *, dialog_open: bool) -> list[Decision]:
        """Decide on every injection rule on a screen that was noted; at most one fires."""
        decisions: list[Decision] = []
        for run in self.conditions.runs:
            fired = fired_in(decisions) is not None
            decisions += run.step(view, dialog_open=dialog_open or fired)
        return decisions

    def take_back(self, decision: Decision) -> None:
        """An anomaly that was decided on could not be injected: its rule may fire again."""
        for run in self.conditions.runs:
            if run.fired and run.fired[-1][1] == decision.rule.id:
                run.fired.pop()

    def ends_by_success(self, validation: Validation) -> bool:
        """Whether the task is done without a word of the agent; not when an answer or a person decides."""
        task = self.task
        if task is None or task.human_validation or task.rule_key == PLACEHOLDER or task.expected_answer:
            return False
        return validation.done is True


def fired_in(decisions: Sequence[Decision]) -> Decision | None:
    """The decision by which an anomaly is injected."""
    return next((item for item in decisions if item.kind is DecisionKind.FIRED), None)


def decisions_as_line(decisions: Sequence[Decision]) -> dict[str, Any]:
    """Decisions as ``events.jsonl`` has them: silent rules by their ids, the others with their reasons."""
    heard = [item for item in decisions if item.kind is not DecisionKind.SILENT]
    silent = [item.rule.id for item in decisions if item.kind is DecisionKind.SILENT]
    line: dict[str, Any] = {"rules": [_decision_as_line(item) for item in heard]}
    return {**line, "silent": silent} if silent else line


def _decision_as_line(decision: Decision) -> Mapping[str, Any]:
    values = {
        "rule": decision.rule.id, "outcome": decision.kind.value, "reason": decision.reason,
        "anomaly": decision.injection.interference_id if decision.injection is not None else "",
        "draw": decision.draw,
    }  # fmt: skip
    return {key: value for key, value in values.items() if value not in ("", None)}
