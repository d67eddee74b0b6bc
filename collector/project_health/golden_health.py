"""Goldens that could not be replayed the last time somebody tried."""

from __future__ import annotations

from collections.abc import Iterator

from collector.model.episode import REPLAY_AGENT
from collector.model.i18n import _, ngettext
from collector.model.verdicts.judgement import SUCCESS
from collector.project_health.health_finding import FixKind, HealthFinding, HealthFix, health_finding
from collector.project_health.project_facts import ProjectFacts
from collector.store.catalogue.health_rows import TouchedTrajectory

_FOLLOWING_KINDS = ("golden",)
"""Kinds of agents that repeat a golden and end where a screen differs."""


def goldens_not_replayable(facts: ProjectFacts) -> Iterator[HealthFinding]:
    """Goldens whose newest replay without an anomaly or a variation did not do the task."""
    newest: dict[tuple[str, str], TouchedTrajectory] = {}
    for run in facts.rows.plain_runs(facts.agents_of(_FOLLOWING_KINDS)):
        if followed := _golden_of(run):
            newest[run.task, followed] = run
    tasks = {task.id for task in facts.tasks}
    untried = 0
    for golden in facts.rows.goldens():
        if golden.task not in tasks:
            continue
        replayed = newest.get((golden.task, golden.id))
        untried += replayed is None
        if replayed is None or replayed.outcome == SUCCESS:
            continue
        yield health_finding(
            "golden-not-replayable",
            _("The golden {golden} of task {id} could not be replayed the last time",
              golden=golden.id, id=golden.task),
            replayed.reason or _("Its replay {run} did not do the task", run=replayed.id),
            _("See where its replay {run} stops, and record it again", run=replayed.id),
            where=replayed.folder, task=golden.task, steps=(max(0, replayed.actions - 1),),
            fix=HealthFix(FixKind.RECORD_AGAIN, golden.task),
        )  # fmt: skip
    if untried:
        facts.leave_out("golden-not-replayable", ngettext(
            "{count} golden was never replayed", "{count} goldens were never replayed", untried,
        ))  # fmt: skip


def _golden_of(run: TouchedTrajectory) -> str:
    """The golden that a run repeats: what the agent says, or the cell of a replay of the studio."""
    if run.agent == REPLAY_AGENT:
        return run.cell.partition(" / ")[0]
    return run.touches.followed
