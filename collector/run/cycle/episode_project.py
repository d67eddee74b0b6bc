"""What episodes read of their project: tasks, rules, states and anomalies, kept while no file changes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.dialogs.dialog_forms import form_with_buttons
from collector.judge.evaluation.task_evaluation import TaskEvaluation
from collector.judge.evaluation.task_rules import TaskRules, rules_by_task
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import Task
from collector.project_rules.project_rules import ProjectRules
from collector.redaction_rules.rule_file import redaction_of
from collector.rules.grammar.model import INJECTION, Rule
from collector.run.cycle.conditions import ConditionRuns
from collector.run.cycle.episode_plan import EpisodePlan
from collector.run.cycle.episode_rules import EpisodeRules
from collector.run.cycle.fingerprint import Fingerprints
from collector.run.cycle.run_start import start_digest
from collector.run.experiment.asked_goldens import golden_digest
from collector.store.files.layout import ProjectPaths
from collector.store.project.project import Project
from collector.store.tasks.task_values import values_of
from collector.store.trajectory.fingerprint import GOLDEN, START
from collector.store.trajectory.planted_orders import ORDERS
from collector.variations.registry import Variations

_Stamp = tuple[tuple[str, int, int], ...]
_lock = threading.Lock()
_open: dict[Path, tuple[_Stamp, EpisodeProject]] = {}


@dataclass(frozen=True, slots=True)
class EpisodeProject:
    """A project as its files are now. Shared by threads, which only read it."""

    project: Project
    rules: tuple[Rule, ...]
    rules_of: Callable[[str], TaskRules]
    """The rules that judge a task, by its id."""
    anomalies: AnomalySource
    fingerprints: Fingerprints
    variations: Variations

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
        redaction_of(folder)  # what cannot be read hides nothing: no episode begins
        project, rules = of_project.project, tuple(of_project.rules())
        rules_of, anomalies = rules_by_task(project, rules), AnomalySource(project)
        variations = Variations(project.folder)
        return cls(
            project,
            rules,
            rules_of,
            anomalies,
            Fingerprints(rules_of, rules, anomalies, variations),
            variations,
        )

    def task(self, task_id: str) -> Task:
        """The task of that id. Raises UserError."""
        task = self.project.task(task_id)
        if task is None:
            raise UserError(_("The project has no task {id}", id=task_id))
        return task

    def episode_rules(self, plan: EpisodePlan, task: Task, before: int = 0) -> EpisodeRules:
        """The rules of an episode that begins ``before`` steps later than its trajectory.

        ``task`` has the values of its parameters.
        """
        rules = self.rules_of(task.id).bound(values_of(task, plan.cell.seed), task.target)
        judging = replace(rules, semantics=plan.semantics)
        conditions = ConditionRuns.of(
            plan.condition, task, self.rules, semantics=plan.semantics, seed=plan.cell.seed,
            anomalies=self._injectable(plan.condition.buttons), images=judging.images, before=before,
        )  # fmt: skip
        return EpisodeRules(TaskEvaluation(judging), conditions, task)

    def fingerprint(self, plan: EpisodePlan, task: Task) -> dict[str, str]:
        """The digest of each part that would make an episode that begins now."""
        parts = self.fingerprints.of(plan, task)
        if plan.cell.offline:
            golden = golden_digest(self.project, task.id, plan.cell.offline)
            return {**parts, GOLDEN: golden} if golden else parts
        start = start_digest(self.project, plan.cell.start) if plan.cell.start else ""
        return {**parts, START: start} if start else parts

    def planted(self, variation: str) -> dict[str, Any]:
        """What an episode keeps of the orders to the agent that its variation plants."""
        orders = self.variations.resolve(variation).orders if variation else ()
        return {ORDERS: [order.plain for order in orders]} if orders else {}

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
        return replace(self.rules_of(task.id), semantics=plan.semantics).version(task, injections)


def _stamp_of(folder: Path) -> _Stamp:
    """Names, times and sizes of the files that are read."""
    paths = ProjectPaths(folder)
    files = [
        paths.settings,
        paths.tasks,
        paths.library,
        paths.redaction,
        *paths.rule_files(),
        *paths.variations(),
    ]
    stamp = []
    for path in files:
        try:
            facts = path.stat()
        except OSError:
            continue
        stamp.append((str(path), facts.st_mtime_ns, facts.st_size))
    return tuple(stamp)
