"""Choose the golden trajectories of a task that an agent may follow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import TrajectoryHeader
from collector.model.verdicts.judgement import FAILURE, MODEL, SUCCESS, TASK
from collector.store.files.errors import StoreError
from collector.store.project.project import Project
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory, read_header, require_finished

TASK_PLACE = "{task}"
"""Stands for the id of the task in the name of a trajectory, as in ``{task}-lin``."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    folder: Path
    header: TrajectoryHeader
    verdict: str


def golden_trajectories(
    project: Project, task_id: str, *, name: str = "", who: str = "", seed: int = 0
) -> list[StoredTrajectory]:
    """The finished golden trajectories of a task, the one to follow first.

    Those judged successful come before those that nobody judged; the others are left out. Among equals the
    newest is first; ``seed`` moves the start of this order on, so that seed 0 takes the newest, seed 1 the
    one before. ``name`` names the one trajectory to follow, ``who`` the person whose are followed.
    Raises UserError when there is none.
    """
    if name:
        named = open_trajectory(project.find(f"{task_id}/{name.replace(TASK_PLACE, task_id)}"))
        require_finished(named.header)
        return [named]
    candidates = [entry for entry in _goldens(project, task_id) if not who or entry.header.who == who]
    good = [entry for entry in candidates if entry.verdict == SUCCESS]
    usable = good or [entry for entry in candidates if not entry.verdict]
    if not usable:
        raise _no_golden(task_id, candidates, who)
    newest = sorted(usable, key=lambda entry: (entry.header.started, entry.header.id), reverse=True)
    first = seed % len(newest)
    return [open_trajectory(entry.folder) for entry in (*newest[first:], *newest[:first])]


def _goldens(project: Project, task_id: str) -> Iterator[_Candidate]:
    for folder in project.trajectory_folders(task_id):
        try:
            header = read_header(folder)
        except StoreError:
            continue  # the check of the project reports it
        if header.is_golden:
            yield _Candidate(folder, header, _verdict(folder))


def _verdict(folder: Path) -> str:
    """What was settled on the task, otherwise a failure any judge saw, otherwise success; or empty.

    A model is heard only where neither rules nor people judged: it errs more often than whoever recorded it.
    """
    stored = read_judgements(folder)
    settled = [entry.verdict for subject, entry in stored.settled().items() if subject.kind == TASK]
    said = [entry for (_judge, subject), entry in stored.newest().items() if subject.kind == TASK]
    given = {entry.verdict for entry in said if entry.kind != MODEL} or {entry.verdict for entry in said}
    if settled:
        return settled[-1]
    return FAILURE if FAILURE in given else SUCCESS if SUCCESS in given else ""


def _no_golden(task_id: str, candidates: list[_Candidate], who: str) -> UserError:
    what = _("The task {task} has no golden trajectory to follow", task=task_id)
    if candidates:
        why = _("its golden trajectories were judged failures: {names}",
                names=", ".join(entry.header.id for entry in candidates))  # fmt: skip
    else:
        why = _("{who} has finished none", who=who) if who else _("none was finished")
    return UserError(what, why, _("Record one in the Record workspace, or name one in the agent's options"))
