"""How far the essential states of each task of a project are, from its rules and its catalogue alone."""

from __future__ import annotations

from collections.abc import Sequence

from collector.judge.outline_cache import task_outlines
from collector.judge.task_outline import TaskOutline
from collector.model.state_progress import StateProgress
from collector.store.catalogue import Catalogue, GoldenVerdict
from collector.store.project import Project


def state_progress(project: Project) -> dict[str, StateProgress]:
    """By id of each task how far its states are; no trajectory is opened.

    The catalogue is taken as it is: refresh it before. Raises RuleError and StoreError.
    """
    progress = {task.id: StateProgress() for task in project.tasks}
    outlines = {task: outline for task, outline in task_outlines(project).items() if outline.states}
    if outlines:  # without states there is nothing to ask of goldens, of which there may be 100,000
        with Catalogue(project) as catalogue:
            goldens = catalogue.golden_verdicts()
        progress |= {task: _of_task(outline, goldens.get(task, ())) for task, outline in outlines.items()}
    return progress


def _of_task(outline: TaskOutline, goldens: Sequence[GoldenVerdict]) -> StateProgress:
    present = [golden for golden in goldens if golden.version == outline.version]
    return StateProgress(
        by_rules=outline.by_rules,
        by_people=len(outline.states) - outline.by_rules,
        status=outline.status,
        golden=len(goldens),
        verified=sum(golden.reached.issuperset(outline.needed) for golden in present),
        unjudged=len(goldens) - len(present),
        reached=frozenset(name for golden in goldens for name in golden.seen if name in outline.states),
        missed=frozenset(name for golden in goldens for name in golden.missed if name in outline.states),
    )
