"""``waymark project check``: do the files hold what they promise? Every problem has a stable code.

Nothing is changed. Codes are documented in ``docs/guide/formats.md``; a code once given keeps its meaning.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import LEVELS, Task
from collector.model.trajectory import Step
from collector.store import layout
from collector.store.errors import Damaged, FromTheFuture, UnsafePath
from collector.store.format_versions import ANNOTATIONS
from collector.store.names import folder_name, inside
from collector.store.project import Project
from collector.store.reader import StoredTrajectory, open_trajectory
from collector.store.recover import needs_recovery

ERROR = "error"
WARNING = "warning"
_BLOCK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, where, and how bad: an error means something recorded is not as it was."""

    code: str
    severity: str
    where: str
    """Path relative to the project, with forward slashes."""
    text: str
    step: int | None = None

    def as_dict(self) -> dict[str, object]:
        return {
            "code": self.code,
            "severity": self.severity,
            "where": self.where,
            "step": self.step,
            "text": self.text,
        }


def check_project(project: Project, progress: Callable[[Path], None] | None = None) -> list[Problem]:
    """Every problem of a project: its tasks, its trajectories, and how they fit together."""
    problems = [*_check_tasks(project)]
    seen: set[str] = set()
    for folder in project.trajectory_folders():
        if progress:
            progress(folder)
        where = folder.relative_to(project.folder).as_posix()
        problems += check_trajectory(folder, where)
        problems += _check_place(project, folder, where, seen)
    problems += _check_layout(project)
    return problems


def check_trajectory(folder: Path, where: str = "") -> list[Problem]:
    """Every problem of one trajectory's folder."""
    where = where or folder.name
    try:
        stored = open_trajectory(folder)
    except FromTheFuture as error:
        return [Problem("from-the-future", ERROR, where, str(error))]
    except UserError as error:
        return [Problem("header-damaged", ERROR, where, str(error))]
    problems = [Problem("steps-damaged", ERROR, where, text) for text in stored.problems]
    if needs_recovery(folder):
        text = _("It was not closed by the program that wrote it; `waymark project recover` mends it")
        problems.append(Problem("needs-recovery", WARNING, where, text))
    for position, step in enumerate(stored.steps):
        problems += _check_step(stored, where, position, step)
    problems += _check_actions(stored, where)
    problems += _check_strays(stored, where)
    problems += _check_annotations(folder, where)
    return problems


def _check_step(stored: StoredTrajectory, where: str, position: int, step: Step) -> Iterator[Problem]:
    if step.index != position:
        text = _("Step {index} stands in place {place}", index=step.index, place=position)
        yield Problem("order", ERROR, where, text, position)
    for name in (step.state.screenshot, step.state.tree):
        if not name:
            continue
        try:
            found = _digest(inside(stored.folder, name))
        except UnsafePath as error:
            yield Problem("path-unsafe", ERROR, where, str(error), position)
            continue
        except OSError:
            yield Problem("blob-missing", ERROR, where, _("{name} is missing", name=name), position)
            continue
        promised = step.state.sha256.get(name)
        if promised is None:
            yield Problem("hash-missing", WARNING, where, _("{name} has no digest", name=name), position)
        elif found != promised:
            text = _("{name} is not the file that was recorded", name=name)
            yield Problem("hash-differs", ERROR, where, text, position)


def _check_actions(stored: StoredTrajectory, where: str) -> Iterator[Problem]:
    """Gaps between actions; a trajectory of states alone, as some formats are, has none."""
    if not stored.trajectory.actions:
        return
    for position, step in enumerate(stored.steps[:-1]):
        if step.action is None:
            text = _("The step has no action, though it is not the last")
            yield Problem("action-missing", WARNING, where, text, position)


def _digest(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            found.update(block)
    return found.hexdigest()


def _check_strays(stored: StoredTrajectory, where: str) -> Iterator[Problem]:
    try:
        found = layout.read_steps(stored.folder)
    except (Damaged, ValueError):
        return  # told already
    known = found.blob_names()
    states = stored.folder / layout.STATES
    for path in sorted(states.iterdir()) if states.is_dir() else ():
        name = f"{layout.STATES}/{path.name}"
        if name not in known:
            yield Problem("stray", WARNING, where, _("{name} belongs to no step", name=name))


def _check_annotations(folder: Path, where: str) -> Iterator[Problem]:
    for path in sorted((folder / layout.ANNOTATIONS).glob("*")):
        try:
            ANNOTATIONS.upgrade(layout.read_document(path), path.name)
        except UserError as error:
            yield Problem(
                "annotation-damaged", ERROR, f"{where}/{layout.ANNOTATIONS}/{path.name}", str(error)
            )


def _check_place(project: Project, folder: Path, where: str, seen: set[str]) -> Iterator[Problem]:
    try:
        header = open_trajectory(folder).header
    except UserError:
        return  # told already
    if project.task(header.task_id) is None:
        text = _("Its task {id} is not in tasks.yaml", id=header.task_id)
        yield Problem("task-unknown", WARNING, where, text)
    if folder.parent.name != folder_name(header.task_id) or folder.name != folder_name(header.id):
        text = _("Its header says {task}/{id}, which is not where it lies", task=header.task_id, id=header.id)
        yield Problem("misplaced", WARNING, where, text)
    if header.id in seen:
        yield Problem("id-twice", WARNING, where, _("Another trajectory has the id {id} too", id=header.id))
    seen.add(header.id)


def _check_tasks(project: Project) -> Iterator[Problem]:
    folded: dict[str, Task] = {}
    for task in project.tasks:
        if not task.instruction.strip():
            yield Problem("task-empty", WARNING, "tasks.yaml", _("Task {id} has no instruction", id=task.id))
        if task.level and task.level not in LEVELS:
            text = _("Task {id} has the level {level}, which is unusual", id=task.id, level=task.level)
            yield Problem("task-level", WARNING, "tasks.yaml", text)
        other = folded.setdefault(folder_name(task.id).casefold(), task)
        if other is not task:
            text = _(
                "Tasks {one} and {other} share a folder on Windows and macOS", one=other.id, other=task.id
            )
            yield Problem("task-folder", WARNING, "tasks.yaml", text)


def _check_layout(project: Project) -> Iterator[Problem]:
    if not project.trajectories.is_dir():
        return
    for task_folder in sorted(project.trajectories.iterdir()):
        if not task_folder.is_dir():
            continue
        for folder in sorted(task_folder.iterdir()):
            if folder.is_dir() and not (folder / layout.HEADER).exists():
                where = folder.relative_to(project.folder).as_posix()
                text = _("The folder is no trajectory: it has no {name}", name=layout.HEADER)
                yield Problem("not-a-trajectory", WARNING, where, text)
