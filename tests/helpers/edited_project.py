"""A project with two golden trajectories to edit, with what people pinned to their steps."""

from __future__ import annotations

from pathlib import Path

from collector.model.action import Tap
from collector.model.task import Task
from collector.model.trajectory import Step, TrajectoryHeader
from collector.model.verdicts.judgement import PERSON, TASK, Judgement, Subject
from collector.store.checks.check import check_trajectory
from collector.store.files import layout
from collector.store.files.lock import LOCK_NAME
from collector.store.project.project import Project
from collector.store.trajectory.achieved_states import ACHIEVED_STATES
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.reviews.annotations import write_annotations
from collector.store.trajectory.reviews.labels import COMMENTS
from collector.store.trajectory.reviews.review_records import BOOKMARKS
from tests.helpers.steps import png, step, xml

TIMES_MS = 100
SAYS_SARA = Judgement("sara", PERSON, "", Subject(TASK), "success", time="2026-04-12T09:00:00+00:00")


def edited_project(folder: Path, *, counts: tuple[int, ...] = (6, 4)) -> Project:
    """A project with the trajectories ``one`` and ``two`` of lin; each ends with a final state."""
    project = Project.create(folder)
    project.save_tasks([Task("shop-1", "Buy a lamp"), Task("shop-2", "Buy a chair")])
    for name, count in zip(("one", "two"), counts, strict=True):
        with project.new_trajectory(TrajectoryHeader(name, "shop-1", who="lin")) as writer:
            for number in range(count - 1):
                shade = number + (0 if name == "one" else 50)
                writer.append(recorded(number, f"{name} {number}"), png(shade=shade), xml(f"{name}{number}"))
            writer.event("pause", TIMES_MS + 50)
            writer.event("resume", 2 * TIMES_MS + 50)
            final = recorded(count - 1, "", is_final=True)
            writer.append(final, png(shade=200), xml(f"{name} done"))
            writer.finish()
    return project


def recorded(number: int, description: str, *, is_final: bool = False) -> Step:
    """A step, or a final state, at its time."""
    if is_final:
        return Step(0, number * TIMES_MS, "2026-04-12T09:30:16.000+00:00", step(number).state)
    return step(number, Tap(1, 1 + number % 6), description=description)


def pin(folder: Path, who: str, index: int) -> None:
    """Let somebody mark, comment and bookmark a step, without a review."""
    screen = open_trajectory(folder).steps[index].state.screenshot
    at = {"step": index, "screen": screen}
    write_annotations(
        folder, who,
        {
            ACHIEVED_STATES: [{**at, "state": "in-cart"}],
            COMMENTS: [{**at, "text": "look"}, {"text": "of the whole"}],
            BOOKMARKS: [dict(at)],
        },
    )  # fmt: skip


def files_of(folder: Path) -> dict[str, bytes]:
    """What undo gives back: every file of a trajectory but its history and what redo still needs."""
    named = {name for step in open_trajectory(folder).steps for name in step.state.sha256}
    return {
        name: path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and (name := path.relative_to(folder).as_posix()) not in (layout.EDITS, LOCK_NAME)
        if not name.startswith(layout.STATES) or name in named
    }


def bytes_in(project: Project) -> dict[str, dict[str, bytes]]:
    """The files of every trajectory that is not in the trash."""
    return {project.paths.relative(folder): files_of(folder) for folder in project.trajectory_folders()}


def captions(folder: Path) -> list[str]:
    """The captions of the steps in their order."""
    return [step.description for step in open_trajectory(folder).steps]


def require_sound(project: Project) -> None:
    """Every trajectory verifies."""
    found = {folder.name: check_trajectory(folder) for folder in project.trajectory_folders()}
    assert {name: problems for name, problems in found.items() if problems} == {}
