"""What episodes read of their project: tasks, rules, states and anomalies, kept while no file changes."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.dialog_forms import form_with_buttons
from collector.judge.task_evaluation import TaskEvaluation
from collector.judge.task_rules import TaskRules, success_rule
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import Task
from collector.project_rules.project_rules import ProjectRules
from collector.rules.evaluation.image_matching import ImageFiles
from collector.rules.evaluation.task_states import TaskStates
from collector.rules.grammar.model import INJECTION, STATE, Rule
from collector.run.cycle.conditions import ConditionRuns
from collector.run.cycle.episode_plan import EpisodePlan
from collector.run.cycle.episode_rules import EpisodeRules
from collector.store.layout import ProjectPaths
from collector.store.project import Project

_Stamp = tuple[tuple[str, int, int], ...]
_lock = threading.Lock()
_open: dict[Path, tuple[_Stamp, EpisodeProject]] = {}


@dataclass(frozen=True, slots=True)
class EpisodeProject:
    """A project as its files are now. Shared by threads, which only read it."""

    project: Project
    rules: tuple[Rule, ...]
    states: TaskStates[Rule]
    anomalies: AnomalySource
    images: ImageFiles

    @classmethod
    def load(cls, folder: Path) -> EpisodeProject:
        """Read the project in ``folder``, unless no file changed since. Raises StoreError and RuleError."""
        with _lock:
            stamp = _stamp_of(folder)
            known = _open.get(folder)
            if known is None or known[0] != stamp:
                known = _open[folder] = stamp, cls._read(folder)
            return known[1]

    @classmethod
    def _read(cls, folder: Path) -> EpisodeProject:
        of_project = ProjectRules.open(folder)
        project, rules = of_project.project, tuple(of_project.rules())
        states = TaskStates((rule for rule in rules if rule.kind == STATE), project.tasks)
        return cls(project, rules, states, AnomalySource(project), of_project.images)

    def task(self, task_id: str) -> Task:
        """The task of that id. Raises UserError."""
        task = self.project.task(task_id)
        if task is None:
            raise UserError(_("The project has no task {id}", id=task_id))
        return task

    def episode_rules(self, plan: EpisodePlan, task: Task) -> EpisodeRules:
        """The rules of an episode that begins."""
        conditions = ConditionRuns.of(
            plan.condition, task, self.rules, semantics=plan.semantics, seed=plan.cell.seed,
            anomalies=self._injectable(plan.condition.buttons), images=self.images,
        )  # fmt: skip
        return EpisodeRules(TaskEvaluation(self._task_rules(plan, task)), conditions, task)

    def _injectable(self, buttons: int | None) -> frozenset[str]:
        """Ids of the anomalies that there are in a form with so many buttons."""
        known = [item.anomaly for item in self.anomalies.listed()]
        return frozenset(item.id for item in known if form_with_buttons(item, buttons, known) is not None)

    def version(self, plan: EpisodePlan, task: Task) -> str:
        """A digest of all rules that decide anything in an episode."""
        injections = (
            [rule for rule in self.rules if rule.kind == INJECTION]
            if plan.condition.rules is not None
            else []
        )
        return self._task_rules(plan, task).version(task, injections)

    def _task_rules(self, plan: EpisodePlan, task: Task) -> TaskRules:
        return TaskRules(
            self.states.of(task.id, task), success_rule(self.rules, task), plan.semantics, self.images,
            self.states.needed(task.id, task),
        )  # fmt: skip


def _stamp_of(folder: Path) -> _Stamp:
    """Names, times and sizes of the files that are read."""
    paths = ProjectPaths(folder)
    files = [paths.settings, paths.tasks, paths.library, *paths.rule_files()]
    stamp = []
    for path in files:
        try:
            facts = path.stat()
        except OSError:
            continue
        stamp.append((str(path), facts.st_mtime_ns, facts.st_size))
    return tuple(stamp)
