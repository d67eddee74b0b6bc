"""What all checks of health share: tasks, rules, agents and thresholds, and where each is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from collector.agents.kinds import REPEATING_KINDS
from collector.agents.registry import agent_kinds
from collector.judge.evaluation.task_rules import TaskRules, rules_by_task
from collector.model.episode import REPLAY_AGENT
from collector.model.errors import UserError
from collector.model.task import Task
from collector.project_health.health_finding import FixKind, HealthFix, HealthReport, Unmeasured
from collector.rules.grammar.model import Rule
from collector.rules.grammar.rule_files import read_text
from collector.rules.grammar.rule_text import rule_text
from collector.rules.lint.indexes import TaskIndex
from collector.run.experiment.files import check_experiment
from collector.run.experiment.scope import ExperimentScope
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files.layout import TASKS_FILE
from collector.store.project.health_settings import HealthSettings
from collector.store.project.project import Project

if TYPE_CHECKING:
    from collector.metrics.episode_columns import EpisodeColumns

_RANDOM_KINDS = ("monkey",)
"""Kinds of agents whose actions are random."""
_KNOWING_KINDS = (*_RANDOM_KINDS, *REPEATING_KINDS, "oracle")
"""Kinds that say nothing of how hard a task is: they know the way, or do not look for one."""

_RECORDED_BY = {"done-at-random": FixKind.RECORD_RUNS, "golden-not-replayable": FixKind.REPLAY}
"""Name of a kind -> what records what it is told from."""


class ProjectFacts:
    """Read once for all checks. ``catalogue`` is up to date; ``report`` takes what cannot be told."""

    def __init__(
        self, project: Project, catalogue: Catalogue, report: HealthReport, tasks: Collection[str] = ()
    ) -> None:
        """``tasks`` are ids of those that are looked at; none for all."""
        self.project, self.catalogue, self.report = project, catalogue, report
        self.rows = catalogue.health_rows()
        self._chosen = frozenset(tasks)

    @cached_property
    def thresholds(self) -> HealthSettings:
        """How much has to be known before something is said. Raises Damaged."""
        return self.project.health

    @cached_property
    def tasks(self) -> Sequence[Task]:
        """The tasks that are looked at."""
        return [task for task in self.project.tasks if self.is_asked(task.id)]

    def is_asked(self, task: str) -> bool:
        """Whether a task is looked at."""
        return not self._chosen or task in self._chosen

    @property
    def looks_at_all(self) -> bool:
        """Whether what belongs to no single task is looked at."""
        return not self._chosen

    def leave_out(self, name: str, sentence: str) -> None:
        """Note what too little was recorded of."""
        kind = _RECORDED_BY.get(name)
        fix = HealthFix(kind, "") if kind is not None else None
        self.report.unmeasured.append(Unmeasured(name, sentence, fix))

    @cached_property
    def episodes(self) -> EpisodeColumns:
        """All runs as metrics count them."""
        from collector.metrics.loading import load_episodes  # loads numpy

        return load_episodes(self.project, catalogue=self.catalogue)

    # -- rules ---------------------------------------------------------------
    @cached_property
    def _read_rules(self) -> tuple[list[Rule], dict[tuple[str, str], str]]:
        rules, places = list[Rule](), dict[tuple[str, str], str]()
        for path in self.project.paths.rule_files():
            name = self.project.paths.relative(path)
            try:
                file = rule_text(read_text(path), name).file
            except UserError:  # which the check of the project says
                continue
            rules += file.rules
            places |= {(rule.kind, rule.id): f"{name}:{rule.id_place.line}" for rule in file.rules}
        return rules, places

    @cached_property
    def rules(self) -> list[Rule]:
        """The rules of all files that can be read."""
        return self._read_rules[0]

    def place_of_rule(self, kind: str, rule_id: str) -> str:
        """File and line of a rule; empty for one that no file has."""
        return self._read_rules[1].get((kind, rule_id), "")

    @cached_property
    def rules_of(self) -> Callable[[str], TaskRules]:
        """Gives the rules of the task with an id."""
        return rules_by_task(self.project, self.rules)

    def place_of_task(self, task: str) -> str:
        """File and line of a task."""
        line = self._task_lines.get(task)
        return f"{TASKS_FILE}:{line}" if line else TASKS_FILE

    @cached_property
    def _task_lines(self) -> dict[str, int]:
        try:
            index = TaskIndex.read(read_text(self.project.paths.tasks), TASKS_FILE)
        except UserError:
            return {}
        return {task.id.text: task.id.place.line for task in index.tasks}

    # -- agents --------------------------------------------------------------
    @cached_property
    def _kinds(self) -> dict[str, str]:
        """Name of each agent of an experiment -> its kind; kinds stand for themselves."""
        kinds = agent_kinds().kinds
        known = {name: name for name in kinds}
        for path in self.project.paths.experiments():
            try:
                experiment = check_experiment(path, ExperimentScope(kinds)).experiment
            except UserError:
                continue
            known |= {entry.id: entry.kind for entry in experiment.agents}
        return known

    def agents_of(self, kinds: Iterable[str]) -> frozenset[str]:
        """The names of the agents of some kinds."""
        wanted = frozenset(kinds)
        return frozenset(name for name, kind in self._kinds.items() if kind in wanted)

    @cached_property
    def random_agents(self) -> frozenset[str]:
        """Agents whose actions are random."""
        return self.agents_of(_RANDOM_KINDS)

    @cached_property
    def knowing_agents(self) -> frozenset[str]:
        """Agents that know the way or act at random: their successes say nothing of a task."""
        return self.agents_of(_KNOWING_KINDS) | {REPLAY_AGENT}
