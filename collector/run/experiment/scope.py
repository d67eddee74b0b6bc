"""What the names in an experiment refer to: tasks, anomalies, rules and kinds of agents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from collector.agents.kinds import AgentKind
from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.model import Anomaly
from collector.model.errors import UserError
from collector.model.task import Task
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import INJECTION, STATE, SUCCESS, WAYMARK, Rule
from collector.run.experiment.asked_goldens import asked_goldens
from collector.run.experiment.model import AskedGolden
from collector.run.experiment.recovery import RunError, run_errors
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.task_query import TaskQuery
from collector.store.project.project import Project
from collector.variations.registry import Variations


@dataclass(frozen=True)
class ExperimentScope:
    """The names that an experiment may use. Without a project only its kinds of agents are known."""

    kinds: Mapping[str, AgentKind] = field(default_factory=dict)
    has_project: bool = False
    """Whether names of tasks, anomalies and rules can be checked."""
    tasks: Mapping[str, Task] = field(default_factory=dict)
    """In the order of the project."""
    anomalies: Mapping[str, Anomaly] = field(default_factory=dict)
    """The project's, those of packages and the built-in ones, by id."""
    rules: tuple[Rule, ...] = ()
    """All rules of the project."""
    semantics: str = WAYMARK
    golden_counts: Callable[[], Mapping[str, int]] = dict
    """Golden trajectories by id of their task; read when they are first needed."""
    variations: Variations = field(default_factory=Variations)
    """The studio's, and those of the project."""
    project: Project | None = None
    """Where files that options name lie; None where they are not checked."""
    unreadable: tuple[UserError, ...] = ()
    """Why rules or anomalies of the project are not among the names."""
    _asked: dict[str, list[AskedGolden]] = field(default_factory=dict, repr=False, compare=False)

    def run_errors(self, query: str) -> list[RunError]:
        """The runs of the project that a query fits, with their first wrong steps; none without a project.

        Raises QueryError and StoreError.
        """
        return run_errors(self.project, query) if self.project is not None else []

    def goldens_of(self, task: str) -> list[AskedGolden]:
        """The golden trajectories of a task whose steps can be asked; read once a task."""
        if task not in self._asked and self.project is not None:
            self._asked[task] = asked_goldens(self.project, task)
        return self._asked.get(task, [])

    def select(self, query: str) -> list[str]:
        """Ids of the tasks that a query fits, in the order of the project. Raises QueryError."""
        parsed = TaskQuery(query)
        golden = self.golden_counts() if parsed.asks_for_golden else {}
        return [task.id for task in self.tasks.values() if parsed.fits(task, golden.get(task.id, 0))]

    @property
    def injection_rules(self) -> dict[str, Rule]:
        """The injection rules by id."""
        return {rule.id: rule for rule in self.rules if rule.kind == INJECTION}

    def can_judge(self, task: Task) -> bool:
        """Whether a rule, a target or an expected answer can judge an episode of the task."""
        if task.expected_answer is not None or task.target is not None:
            return True
        success = {rule.id for rule in self.rules if rule.kind == SUCCESS}
        states = {rule.id: rule for rule in self.rules if rule.kind == STATE}
        own = [*task.essential_states, *(rule.id for rule in states.values() if rule.task == task.id)]
        return task.rule_key in success or any(name in states and states[name].conditions for name in own)


def scope_of(project: Project, kinds: Mapping[str, AgentKind]) -> ExperimentScope:
    """The scope of a project as its files are now; what cannot be read has no names."""
    source, rules = AnomalySource(project), list[Rule]()
    unreadable = [source.own_problem] if source.own_problem is not None else []
    try:
        rules = source.rules()
    except RuleError as error:
        unreadable.append(error)

    @cache  # a refresh looks at every folder, and all experiments of a project ask
    def golden_counts() -> Mapping[str, int]:
        with Catalogue(project) as catalogue:
            catalogue.refresh()
            return catalogue.golden_counts()

    return ExperimentScope(
        kinds, True, {task.id: task for task in project.tasks},
        {listed.anomaly.id: listed.anomaly for listed in source.listed()}, tuple(rules), project.semantics,
        golden_counts, Variations(project.folder), project, tuple(unreadable),
    )  # fmt: skip
