"""The cases of a solvability check: which task meets which anomaly, where, with which answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from collector.anomalies.model import COMPANION_KIND, Anomaly
from collector.model.anomaly_terms import DISMISS
from collector.model.task import Task
from collector.replay.setup import app_of_recording
from collector.replay.task_steps import task_steps
from collector.rules.grammar.model import INJECTION, Injection, Rule
from collector.store.files.errors import StoreError
from collector.store.project.project import Project
from collector.store.trajectory.reader import read_header

if TYPE_CHECKING:
    from collector.replay.replay import RecordedTrajectory

DECLARED = "declared"
"""The answer an anomaly's author expects."""
EACH = "each"
AUTO, BY_RULE, FIRST = "auto", "rule", "first"
"""Where to inject. ``auto``: by the task's rule that names the anomaly, or on the app's first screen."""


@dataclass(frozen=True, slots=True)
class SolvabilityTask:
    """A task, its golden trajectories, and the injection rules it names."""

    task: Task
    goldens: Sequence[RecordedTrajectory] = ()
    rules: Sequence[Rule] = ()

    @property
    def named(self) -> list[str]:
        """Ids of the anomalies its rules inject, each once."""
        return list(dict.fromkeys(action.interference_id for rule in self.rules for action in rule.actions))

    def injection(self, anomaly_id: str) -> tuple[Rule, Injection] | None:
        """The first rule, by priority, that injects an anomaly."""
        return next(
            (
                (rule, action)
                for rule in sorted(self.rules, key=lambda rule: rule.priority)
                for action in rule.actions
                if action.interference_id == anomaly_id
            ),
            None,
        )


def solvability_task(project: Project, task: Task, rules: Sequence[Rule]) -> SolvabilityTask:
    """A task of a project with its finished golden trajectories and those of ``rules`` it names."""
    # Checks leave many runs: of those only the header is read.
    folders = [folder for folder in project.trajectory_folders(task.id) if _is_finished_golden(folder)]
    goldens = list(project.open_trajectories(folders=folders))
    named = [rule for rule in rules if rule.kind == INJECTION and rule.id in task.target_rule_ids]
    return SolvabilityTask(task, goldens, named)


def _is_finished_golden(folder: Path) -> bool:
    try:
        header = read_header(folder)
    except StoreError:
        return False
    return header.is_golden


@dataclass(frozen=True, slots=True)
class TrialCase:
    """One trial: ``task`` meets ``anomaly`` at a step or when ``rule`` holds, and gives ``answer``."""

    task: Task
    anomaly: Anomaly
    answer: str
    """Its name in rules, ``dismiss`` for BACK; empty for a native anomaly, which asks nothing."""
    at: int | None = None
    """Which of the steps that do something; None = when the rule holds."""
    rule: Rule | None = None
    follow_up: Mapping[str, str] = field(default_factory=dict)


def answers_of(anomaly: Anomaly, wanted: str) -> list[str]:
    """The answers to give: the declared one, each of them, or one by name; none when there is no such."""
    if anomaly.kind != COMPANION_KIND:
        return [""]
    known = [answer.name for answer in anomaly.answers]
    if wanted == DECLARED:
        declared = anomaly.declared_answer
        return [declared.name if declared is not None else DISMISS]
    if wanted == EACH:
        return known or [DISMISS]
    return [wanted] if wanted in (*known, DISMISS) else []


def trial_cases(
    task: SolvabilityTask, anomaly: Anomaly, golden: RecordedTrajectory, *,
    answer: str = DECLARED, at: str = AUTO,
) -> Iterator[TrialCase]:  # fmt: skip
    """The trials of one task under one anomaly.

    ``at`` is ``auto``, ``rule``, ``first``, ``each`` or the index of a step.
    """
    named = task.injection(anomaly.id)
    for name in answers_of(anomaly, answer):
        if named is not None and at in (AUTO, BY_RULE):
            yield TrialCase(task.task, anomaly, name, None, named[0], named[1].follow_up)
        elif at != BY_RULE:
            for number in _places(task.task, golden, at):
                yield TrialCase(task.task, anomaly, name, number)


def _places(task: Task, golden: RecordedTrajectory, at: str) -> list[int]:
    app = app_of_recording(golden.steps, task.package)
    steps = task_steps(golden.steps, app)
    inside = [number for number, step in enumerate(steps) if step.state.package in ("", app)]
    if at.isdecimal():
        return [number for number, step in enumerate(steps) if step.index == int(at)]
    return inside if at == EACH else inside[:1] or [0]
