"""What a solvability check runs: which tasks meet which anomalies, where, and with which answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from collector.anomalies.injector import InjectionRequest
from collector.anomalies.model import Anomaly
from collector.anomalies.trust.command_preview import CommandSet
from collector.model.task import Task
from collector.project_rules.project_rules import ProjectRules
from collector.replay.solvability.cases import AUTO, DECLARED, SolvabilityTask, solvability_task, trial_cases
from collector.replay.task_steps import task_steps
from collector.rules.grammar.model import Rule
from collector.store.project.project import Project

_RUN_S, _STEP_S, _ANSWER_S = 5.0, 2.5, 4.0
"""Estimated seconds of a run before its first step, of a step, and of a dialog until it is answered."""


@dataclass(frozen=True, slots=True)
class SolvabilityInput:
    """What a project gives a solvability check: tasks with their golden trajectories, and rules."""

    cases: Mapping[str, SolvabilityTask] = field(default_factory=dict)
    """By id of the task."""
    rules: tuple[Rule, ...] = ()

    def named(self, tasks: Sequence[str]) -> set[str]:
        """Ids of the anomalies that the rules of ``tasks`` inject."""
        cases = (self.cases[task] for task in tasks if task in self.cases)
        return {anomaly_id for case in cases for anomaly_id in case.named}


def read_solvability_input(
    project: Project, tasks: Sequence[Task], *, without_golden: bool = False
) -> SolvabilityInput:
    """Read the rules and golden trajectories of a project. Raises RuleError, Damaged.

    Tasks without a golden trajectory are left out unless ``without_golden`` is set.
    """
    rules = ProjectRules(project).rules()
    cases = (solvability_task(project, task, rules) for task in tasks)
    cases_by_task = {case.task.id: case for case in cases if case.goldens or without_golden}
    return SolvabilityInput(cases_by_task, tuple(rules))


@dataclass(frozen=True, slots=True)
class SolvabilityPlan:
    """Which tasks meet which anomalies, where, and how the dialogs are answered."""

    tasks: tuple[str, ...] = ()
    anomalies: tuple[Anomaly, ...] = ()
    """Those every task meets that ``by_task`` does not name."""
    at: str = AUTO
    answer: str = DECLARED
    fresh: bool = False
    """Delete the data of the task's app before each run."""
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    """By task the redacted texts to type, in order; kept in memory alone."""
    by_task: Mapping[str, tuple[Anomaly, ...]] = field(default_factory=dict)
    """By id of a task the anomalies it meets."""
    records: bool = True
    """Record each replay as a run of the project."""

    def anomalies_of(self, task: str) -> tuple[Anomaly, ...]:
        """The anomalies that ``task`` meets."""
        return self.by_task.get(task, self.anomalies)

    def requests(self, given: SolvabilityInput) -> Iterator[InjectionRequest]:
        """Everything that may be injected, with the follow-ups of the tasks' rules."""
        commands = self.commands(given)
        for anomaly in commands.anomalies:
            yield InjectionRequest(anomaly)
            for rule in commands.rules:
                for action in rule.actions:
                    if action.interference_id == anomaly.id:
                        yield InjectionRequest(anomaly, follow_up=action.follow_up)

    def commands(self, given: SolvabilityInput) -> CommandSet:
        """The shell commands the check may run: those of its anomalies and of its tasks' rules."""
        anomalies = {anomaly.id: anomaly for task in self.tasks for anomaly in self.anomalies_of(task)}
        cases = [given.cases[task] for task in self.tasks if task in given.cases]
        rules = {rule.id: rule for case in cases for rule in case.rules}
        return CommandSet(list(anomalies.values()), list(rules.values()))

    def weights(self, given: SolvabilityInput) -> Iterator[tuple[str, list[float]]]:
        """Yield each task with the estimated seconds of its runs: without an anomaly, and under each.

        An anomaly that cannot be met takes no time.
        """
        for task in self.tasks:
            case = given.cases.get(task)
            if case is None or not case.goldens:
                continue
            golden = case.goldens[0]
            plain = _RUN_S + _STEP_S * len(task_steps(golden.steps, case.task.package))
            trials = (
                list(trial_cases(case, anomaly, golden, answer=self.answer, at=self.at))
                for anomaly in self.anomalies_of(task)
            )
            runs = [[plain + _ANSWER_S] * len(cases) or [0.0] for cases in trials]
            yield task, [plain, *(seconds for seconds_of in runs for seconds in seconds_of)]
