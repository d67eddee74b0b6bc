"""What a survey of solvability is to do, what it has to do it with, and how far it is; no Qt."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from collector.anomalies.injector import InjectionRequest
from collector.anomalies.model import Anomaly
from collector.model.task import Task
from collector.replay.solvability_cases import AUTO, DECLARED, SolvabilityTask, solvability_task, trial_cases
from collector.replay.solvability_trials import SolvabilityTrial, TrialResult, TrialStep
from collector.replay.task_steps import task_steps
from collector.rules.grammar.model import Rule
from collector.rules.lint.files import rules_in
from collector.store.project import Project

_RUN_S, _STEP_S, _ANSWER_S = 5.0, 2.5, 4.0
"""What a run takes on a phone before its first step, a step, and a dialog until it is answered."""


@dataclass(frozen=True, slots=True)
class SolvabilityInput:
    """What a project has for a survey: its tasks with golden trajectories, and its rules."""

    cases: Mapping[str, SolvabilityTask] = field(default_factory=dict)
    """By id of the task; only those with a golden trajectory."""
    rules: tuple[Rule, ...] = ()

    def named(self, tasks: Sequence[str]) -> set[str]:
        """Ids of the anomalies that the rules of ``tasks`` inject."""
        found = (self.cases[task] for task in tasks if task in self.cases)
        return {action.interference_id for one in found for rule in one.rules for action in rule.actions}


def read_solvability_input(project: Project, tasks: Sequence[Task]) -> SolvabilityInput:
    """Read rules and golden trajectories; waits for the disk. Raises RuleError, Damaged."""
    rules = rules_in(project.paths.rule_files())
    cases = (solvability_task(project, task, rules) for task in tasks)
    return SolvabilityInput({case.task.id: case for case in cases if case.goldens}, tuple(rules))


@dataclass(frozen=True, slots=True)
class SolvabilityPlan:
    """Which tasks meet which anomalies, where, and how they are answered."""

    tasks: tuple[str, ...] = ()
    anomalies: tuple[Anomaly, ...] = ()
    at: str = AUTO
    answer: str = DECLARED
    fresh: bool = False
    """Delete the data of the task's app before each run."""
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    """By task what to type where the recording hid it, in order; kept in memory alone."""

    def requests(self, ground: SolvabilityInput) -> Iterator[InjectionRequest]:
        """All that may be injected, with what the tasks' rules let follow."""
        rules = [rule for task in self.tasks if task in ground.cases for rule in ground.cases[task].rules]
        for anomaly in self.anomalies:
            actions = [
                action for rule in rules for action in rule.actions if action.interference_id == anomaly.id
            ]
            yield InjectionRequest(anomaly)
            yield from (InjectionRequest(anomaly, follow_up=action.follow_up) for action in actions)

    def weights(self, ground: SolvabilityInput) -> Iterator[tuple[str, list[float]]]:
        """Of each task the seconds its runs may take: without an anomaly, and under each.

        What cannot be met is told, and takes no time.
        """
        for task in self.tasks:
            one = ground.cases.get(task)
            if one is None:
                continue
            golden = one.goldens[0]
            plain = _RUN_S + _STEP_S * len(task_steps(golden.steps, one.task.package))
            listed = (
                list(trial_cases(one, anomaly, golden, answer=self.answer, at=self.at))
                for anomaly in self.anomalies
            )
            runs = [[plain + _ANSWER_S] * len(cases) or [0.0] for cases in listed]
            yield task, [plain, *(seconds for one_anomaly in runs for seconds in one_anomaly)]


class SolvabilityProgress:
    """How far a survey is, told what happens as it happens."""

    def __init__(self, plan: SolvabilityPlan, ground: SolvabilityInput, pace: float = 1.0) -> None:
        """``pace`` is how long its phone took for what was to take a second, the last time."""
        self._pace = pace
        self._weights = dict(plan.weights(ground))
        self._done: dict[str, int] = dict.fromkeys(self._weights, 0)
        self._began = time.monotonic()
        self.doing: TrialStep | None = None

    @property
    def runs(self) -> int:
        """How many replays there are to do."""
        return sum(seconds > 0 for weight in self._weights.values() for seconds in weight)

    @property
    def done(self) -> int:
        """How many of them are done, or will not be."""
        return sum(seconds > 0 for seconds in self._gone)

    @property
    def seconds(self) -> float:
        """What all of them may take."""
        return self._pace * sum(sum(weight) for weight in self._weights.values())

    @property
    def left_s(self) -> float:
        """Seconds until the end, by what the runs done so far took."""
        begun = 0.0 if self.done else time.monotonic() - self._began
        return max(0.0, (self.seconds / self._pace - sum(self._gone)) * self.pace - begun)

    @property
    def pace(self) -> float:
        """How long its phone takes for what was to take a second; measured once a run is done."""
        gone = sum(self._gone)
        return (time.monotonic() - self._began) / gone if gone else self._pace

    @property
    def _gone(self) -> list[float]:
        """The weights of what is done."""
        listed = (weight[: self._done[task]] for task, weight in self._weights.items())
        return [seconds for one in listed for seconds in one]

    def at(self, doing: TrialStep) -> None:
        """A step begins; the first under an anomaly says that the task can be replayed without."""
        if doing.anomaly and self._done.get(doing.task) == 0:
            self._done[doing.task] = 1
        self.doing = doing

    def ended(self, trial: SolvabilityTrial) -> None:
        """A run ended; a task that cannot be replayed is done with."""
        known = len(self._weights.get(trial.task, ()))
        if trial.result is TrialResult.BROKEN and not trial.anomaly:
            self._done[trial.task] = known
        elif known:
            self._done[trial.task] = min(known, max(1, self._done[trial.task]) + 1)
