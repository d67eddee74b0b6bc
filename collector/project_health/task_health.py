"""Tasks that tell no agent from another: done at the start, done at random, done by none, done by all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from collector.judge.evaluation.task_evaluation import TaskEvaluation
from collector.judge.evaluation.task_rules import TaskRules
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.model.task import Task
from collector.model.verdicts.judgement import SUCCESS
from collector.project_health.health_finding import FixKind, HealthFinding, HealthFix, health_finding
from collector.project_health.project_facts import ProjectFacts
from collector.project_health.rates import all_of, none_of
from collector.rules.columns.corpus import Corpus
from collector.rules.grammar.model import SUCCESS as SUCCESS_RULE
from collector.store.tasks.task_values import bound, recorded_values
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory

_FIRST_SCREENS = 3
"""The first screens of so many goldens of a task are tried."""


@dataclass(slots=True)
class RunCounts:
    """Runs of one task."""

    runs: int = 0
    successes: int = 0


# -- at the start ------------------------------------------------------------
def done_at_start(facts: ProjectFacts) -> Iterator[HealthFinding]:
    """Tasks that are done on the first screen of a golden, or of a run, before anything was done."""
    folders: dict[str, list[str]] = {}
    for golden in facts.rows.goldens():
        known = folders.setdefault(golden.task, [])
        if len(known) < _FIRST_SCREENS:
            known.append(golden.folder)
    for run in facts.rows.plain_runs(facts.random_agents):
        folders.setdefault(run.task, [run.folder])  # of a task without a golden
    without = 0
    for task in facts.tasks:
        rules = facts.rules_of(task.id)
        if not rules.decide or task.expected_answer is not None:
            continue  # nothing decides, or an answer has to be given beside
        without += task.id not in folders
        for folder in folders.get(task.id, ()):
            if (finding := _at_start(facts, task, rules, folder)) is not None:
                yield finding
                break
    if without:
        facts.leave_out("done-at-start", ngettext(
            "{count} task has no recording whose first screen could be tried",
            "{count} tasks have no recording whose first screen could be tried", without,
        ))  # fmt: skip


def _at_start(facts: ProjectFacts, task: Task, rules: TaskRules, folder: str) -> HealthFinding | None:
    try:
        stored = open_trajectory(facts.project.folder / folder)
        holds = bool(stored.steps) and _holds_on_first_screen(stored, task, rules)
    except UserError:  # a damaged recording, or a rule that cannot be evaluated: the check says it
        return None
    if not holds:
        return None
    place = facts.place_of_rule(SUCCESS_RULE, task.rule_key) if rules.success is not None else ""
    where = place or facts.place_of_task(task.id)
    return health_finding(
        "done-at-start",
        _("Task {id} is done on the first screen of {trajectory}",
          id=task.id, trajectory=stored.header.id),
        _("An agent that does nothing and says so passes it"),
        _("Ask in its success rule for something that is not there at the start"),
        where=where, task=task.id, fix=_rule_fix(place, task.id),
    )  # fmt: skip


def _rule_fix(place: str, task: str) -> HealthFix:
    return HealthFix(FixKind.SHOW_RULE, place) if place else HealthFix(FixKind.EDIT_TASK, task)


def _holds_on_first_screen(stored: StoredTrajectory, task: Task, rules: TaskRules) -> bool:
    if values := recorded_values(stored.header, task):
        task = bound(task, values)
        rules = rules.bound(values, task.target)
    first = replace(stored, trajectory=replace(stored.trajectory, steps=stored.steps[:1]))
    evaluation = TaskEvaluation(rules)
    evaluation.see(Corpus([first], tasks=[task], states=rules.states).view(0), claimed=True)
    return evaluation.verdict().done is True


# -- by runs -----------------------------------------------------------------
def done_at_random(facts: ProjectFacts) -> Iterator[HealthFinding]:
    """Tasks that agents of random actions have done."""
    agents = facts.random_agents
    counts = _counts_by_task(facts, agents, wanted=True)
    for task in facts.tasks:
        known = counts.get(task.id, RunCounts())
        if not known.successes:
            continue
        place = facts.place_of_rule(SUCCESS_RULE, task.rule_key)
        yield health_finding(
            "done-at-random",
            ngettext(
                "Random actions did task {id} in {hits} of {count} run",
                "Random actions did task {id} in {hits} of {count} runs",
                known.runs, id=task.id, hits=known.successes,
            ),
            _("Its rules hold without anybody doing what it asks for"),
            _("Look at these runs, and ask for more in its rules"),
            where=place or facts.place_of_task(task.id), task=task.id,
            fix=HealthFix(FixKind.LIST_RUNS, _runs_query(task.id, agents, SUCCESS)),
        )  # fmt: skip
    _leave_out_few(facts, "done-at-random", counts)


def _runs_query(task: str, agents: frozenset[str], outcome: str) -> str:
    named = f" agent:{next(iter(agents))}" if len(agents) == 1 else ""
    return f'task:"{task}" kind:run{named} outcome:{outcome}'


def never_or_always_done(facts: ProjectFacts) -> Iterator[HealthFinding]:
    """Tasks that no run of an agent does, and tasks that every run does."""
    counts = _counts_by_task(facts, facts.knowing_agents, wanted=False)
    for task in facts.tasks:
        known = counts.get(task.id, RunCounts())
        if known.runs < facts.thresholds.runs:
            continue
        fix = HealthFix(FixKind.LIST_RUNS, f'task:"{task.id}" kind:run')
        where = facts.place_of_task(task.id)
        if known.successes == 0:
            what = _("No run of {count} did task {id}", id=task.id, count=known.runs)
            to_do = _("See whether it can be done as it is worded, and whether its rules are too strict")
            yield health_finding(
                "never-done", what, none_of(known.runs), to_do, where=where, task=task.id, fix=fix
            )
        elif known.successes == known.runs:
            what = _("All of {count} runs did task {id}", id=task.id, count=known.runs)
            to_do = _("It tells no agent from another: make it harder, or leave it out")
            yield health_finding(
                "always-done", what, all_of(known.runs), to_do, where=where, task=task.id, fix=fix
            )
    for name in ("never-done", "always-done"):
        _leave_out_few(facts, name, counts)


def _counts_by_task(facts: ProjectFacts, agents: frozenset[str], *, wanted: bool) -> dict[str, RunCounts]:
    """The runs that count of ``agents``, or of all others, by task."""
    table = facts.episodes
    rows = zip(
        table.column("task")[table.counted].tolist(), table.column("agent")[table.counted].tolist(),
        table.is_success[table.counted].tolist(), strict=True,
    )  # fmt: skip
    counts: dict[str, RunCounts] = {}
    for (task, agent, is_success), count in Counter(rows).items():
        if (table.texts[agent] in agents) is wanted:
            known = counts.setdefault(table.texts[task], RunCounts())
            known.runs += count
            known.successes += count if is_success else 0
    return counts


def _leave_out_few(facts: ProjectFacts, name: str, counts: Mapping[str, RunCounts]) -> None:
    least = 1 if name == "done-at-random" else facts.thresholds.runs
    few = sum(counts.get(task.id, RunCounts()).runs < least for task in facts.tasks)
    if few:
        facts.leave_out(name, _few_text(name, few, least))


def _few_text(name: str, few: int, least: int) -> str:
    if name == "done-at-random":
        return ngettext(
            "{count} task has no judged run of random actions",
            "{count} tasks have no judged run of random actions",
            few,
        )
    return ngettext(
        "{count} task has fewer than {least} judged runs of agents",
        "{count} tasks have fewer than {least} judged runs of agents", few, least=least,
    )  # fmt: skip
