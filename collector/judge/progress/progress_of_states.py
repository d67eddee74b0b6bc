"""How far the essential states of each task of a project are, from its rules and its catalogue alone."""

from __future__ import annotations

from collections.abc import Sequence

from collector.judge.progress.summary_cache import task_summaries
from collector.judge.progress.task_summary import TaskSummary
from collector.model.verdicts.state_progress import StateProgress
from collector.store.catalogue.catalogue import Catalogue, GoldenVerdict
from collector.store.project.project import Project


def state_progress(project: Project) -> dict[str, StateProgress]:
    """By id of each task how far its states are; no trajectory is opened.

    The catalogue is taken as it is: refresh it before. Raises RuleError and StoreError.
    """
    progress = {task.id: StateProgress() for task in project.tasks}
    summaries = {task: summary for task, summary in task_summaries(project).items() if summary.states}
    if summaries:  # without states there is nothing to ask of goldens, of which there may be 100,000
        with Catalogue(project) as catalogue:
            goldens = catalogue.golden_verdicts()
        progress |= {task: _of_task(summary, goldens.get(task, ())) for task, summary in summaries.items()}
    return progress


def _of_task(summary: TaskSummary, goldens: Sequence[GoldenVerdict]) -> StateProgress:
    present = [golden for golden in goldens if golden.version == summary.version]
    return StateProgress(
        by_rules=summary.by_rules,
        by_people=len(summary.states) - summary.by_rules,
        status=summary.status,
        golden=len(goldens),
        verified=sum(golden.reached.issuperset(summary.needed) for golden in present),
        unjudged=len(goldens) - len(present),
        reached=frozenset(name for golden in goldens for name in golden.seen if name in summary.states),
        missed=frozenset(name for golden in goldens for name in golden.missed if name in summary.states),
    )
