"""Essential states that tell nothing: no golden reaches them, or every run does."""

from __future__ import annotations

from collections.abc import Iterator

from collector.metrics.needed_states import NeededState, needed_states
from collector.model.i18n import _, ngettext
from collector.model.task import Task
from collector.project_health.health_finding import FixKind, HealthFinding, HealthFix, health_finding
from collector.project_health.project_facts import ProjectFacts
from collector.project_health.rates import all_of
from collector.rules.evaluation.task_states import TaskStates
from collector.rules.grammar.model import STATE
from collector.store.catalogue.open_subjects import StateCounts

_NONE = StateCounts()


def states_never_reached(facts: ProjectFacts) -> Iterator[HealthFinding]:
    """Needed states that no golden reaches that anybody judged; alternatives count for each other."""
    verdicts, unjudged = facts.catalogue.golden_verdicts(), 0
    for task, needed in _needed(facts):
        goldens = verdicts.get(task.id, [])
        said = [needed.verdict(golden.seen, golden.missed) for golden in goldens]
        judged = [verdict for verdict in said if verdict is not None]
        unjudged += not judged
        if not judged or any(judged):
            continue
        state = needed.ids[0]
        place = facts.place_of_rule(STATE, state)
        yield health_finding(
            "state-never-reached",
            ngettext(
                "The only judged golden of task {id} does not reach the essential state {state}",
                "None of {count} judged goldens of task {id} reaches the essential state {state}",
                len(judged), id=task.id, state=state,
            ),
            _("Runs are asked for what not even people do"),
            _("Correct its conditions, or make it optional"),
            where=place or facts.place_of_task(task.id), task=task.id,
            fix=HealthFix(FixKind.MAKE_OPTIONAL, state) if place else HealthFix(FixKind.EDIT_TASK, task.id),
        )  # fmt: skip
    if unjudged:
        facts.leave_out("state-never-reached", ngettext(
            "{count} essential state was judged in no golden",
            "{count} essential states were judged in no golden", unjudged,
        ))  # fmt: skip


def states_always_reached(facts: ProjectFacts) -> Iterator[HealthFinding]:
    """Needed states that every run reaches, random ones too; agents that repeat goldens are left out."""
    knowing = facts.knowing_agents - facts.random_agents
    counts, few = facts.rows.states_of_runs(knowing), 0
    for task, needed in _needed(facts):
        for state in needed.ids:
            known = counts.get((task.id, state), _NONE)
            if known.judged < facts.thresholds.runs:
                few += 1
            elif known.reached == known.judged:
                place = facts.place_of_rule(STATE, state)
                yield health_finding(
                    "state-always-reached",
                    _("All of {count} runs of task {id} reach the essential state {state}",
                      id=task.id, count=known.judged, state=state),
                    all_of(known.judged),
                    _("It tells no run from another: make it optional, or ask for more"),
                    where=place or facts.place_of_task(task.id), task=task.id,
                    fix=HealthFix(FixKind.MAKE_OPTIONAL, state) if place else None,
                )  # fmt: skip
    if few:
        facts.leave_out("state-always-reached", ngettext(
            "{count} essential state was judged in fewer than {least} runs",
            "{count} essential states were judged in fewer than {least} runs", few,
            least=facts.thresholds.runs,
        ))  # fmt: skip


def _needed(facts: ProjectFacts) -> Iterator[tuple[Task, NeededState]]:
    states = facts.project.states
    of_project = TaskStates(states.values(), facts.project.tasks)
    for task in facts.tasks:
        for needed in needed_states(task, of_project, states):
            yield task, needed
