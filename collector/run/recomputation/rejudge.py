"""Judge stored episodes anew whose verdict alone is stale: only the rules that judge them changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from collector.judge.judging import judged_by_rules, keep_judgements
from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.verdicts.judgement import TASK
from collector.run.cycle.agent_files import AgentFiles
from collector.run.cycle.episode_plan import EpisodePlan
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.cycle.fingerprint import only_verdict_is_stale
from collector.run.cycle.outcomes import outcome_by
from collector.run.recomputation.recompute import folders_of_runs, plan_of_run
from collector.store.project.runs import replace_outcome
from collector.store.trajectory.fingerprint import FINGERPRINT, changed_parts, stored_fingerprint
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory


@dataclass(frozen=True, slots=True)
class Rejudged:
    """An episode that was judged anew."""

    trajectory: str
    task: str
    before: str
    """The status of its outcome; empty for an undecided one."""
    now: str


def rejudge_runs(folder: Path, names: Sequence[str]) -> Iterator[Rejudged]:
    """Judge anew, among the runs of ``names`` as :func:`recompute_runs` takes them, those that need no more.

    Their verdicts are stored, and their outcomes and fingerprints replaced. An episode that cannot be judged
    is left as it is: to recompute it says why. Raises UserError for a name that is none, before anything is
    judged, and for verdicts that cannot be written.
    """
    project = EpisodeProject.load(folder)
    files = AgentFiles(project.project)
    for run in folders_of_runs(project, names):
        try:
            stored = open_trajectory(run)
            task = project.task(stored.header.task_id)
            plan = plan_of_run(stored, task.id)
        except (UserError, ValueError):
            continue
        rejudged = _rejudged(stored, task, plan, project, files)
        if rejudged is not None:
            yield rejudged


def _rejudged(
    stored: StoredTrajectory, task: Task, plan: EpisodePlan, project: EpisodeProject, files: AgentFiles
) -> Rejudged | None:
    """Judge one anew; None when nothing changed, or more than its verdict is stale."""
    header = stored.header
    episode, outcome = header.episode, header.outcome
    if episode is None or outcome is None or outcome.infrastructure:
        return None
    known = stored_fingerprint(episode)
    # The files of its agent are as they were: what else its plan holds is that of the episode itself.
    now = project.fingerprint(replace(plan, agent_files=files.digests(plan.agent, task.id)), task)
    changed = changed_parts(known, now)
    if not only_verdict_is_stale(changed, plan.ends):
        return None
    given = judged_by_rules(project.project, project.rules, stored, plan.semantics)
    again = outcome_by(next(item for item in given if item.subject.kind == TASK), outcome, plan.semantics)
    keep_judgements(stored.folder, given)
    parts = {**known, **{part: now[part] for part in changed}}
    replace_outcome(stored.folder, again, replace(episode, extra={**episode.extra, FINGERPRINT: parts}))
    return Rejudged(header.id, task.id, outcome.status, again.status)
