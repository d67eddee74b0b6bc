"""Read the votes of all judges on the trajectories of a project."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from collector.model.verdicts.voted_subject import VotedSubject, judges_of, voted_subjects
from collector.store.catalogue.catalogue import Catalogue, Progress
from collector.store.files.errors import StoreError
from collector.store.project.project import Project
from collector.store.trajectory.achieved_states import state_names
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import read_header
from collector.store.trajectory.reviews.label_judgements import judgements_that_count
from collector.store.trajectory.reviews.labels import read_all_labels


@dataclass(frozen=True, slots=True)
class ProjectVotes:
    """The subjects that somebody judged, and who judged them."""

    subjects: tuple[VotedSubject, ...] = ()
    judges: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    """Judges who are people."""
    problems: tuple[str, ...] = ()
    """One sentence for each line and file that could not be read."""

    def where(self, *, task: str = "", state: str = "") -> ProjectVotes:
        """The votes on a task and its states, or on one state; empty texts choose all."""
        subjects = tuple(
            subject
            for subject in self.subjects
            if (not task or subject.task == task) and (not state or subject.state == state)
        )
        judges, people = judges_of(subjects)
        return ProjectVotes(subjects, tuple(judges), tuple(people), self.problems)


def read_votes(
    project: Project, folders: Iterable[Path] | None = None,
    is_cancelled: Callable[[], bool] = lambda: False, progress: Progress | None = None,
) -> ProjectVotes:  # fmt: skip
    """The votes on the trajectories of a project, or on some of them: judgements, and labels of people.

    Of a whole project the catalogue knows them; ``progress`` is that of its refresh.
    """
    subjects: list[VotedSubject] = []
    problems: list[str] = []
    known = _of_folders(folders) if folders is not None else _of_catalogue(project, progress)
    for _folder, votes, said in _read(project, known):
        if is_cancelled():
            break
        subjects += votes
        problems += said
    judges, people_of_all = judges_of(subjects)
    return ProjectVotes(tuple(subjects), tuple(judges), tuple(people_of_all), tuple(problems))


def votes_by_trajectory(
    project: Project, folders: Iterable[Path]
) -> Iterator[tuple[Path, Sequence[VotedSubject]]]:
    """The votes on each of the trajectories in ``folders``, one at a time."""
    for folder, votes, _problems in _read(project, _of_folders(folders)):
        yield folder, votes


_Known = Iterator[tuple[Path, str, tuple[VotedSubject, ...] | None]]
"""Folders of trajectories with their tasks and the votes, if these are known without the files."""


def _read(project: Project, known: _Known) -> Iterator[tuple[Path, Sequence[VotedSubject], Sequence[str]]]:
    """Folder, votes and problems of each trajectory; what is not known is read from its files."""
    names = {task.id: state_names(task, project.states) for task in project.tasks}
    for folder, task, votes in known:
        if votes is not None:
            yield folder, votes, ()
            continue
        stored, people = read_judgements(folder), read_all_labels(folder, names.get(task))
        given = judgements_that_count(stored, people.values()).values()
        yield folder, voted_subjects(folder.name, task, given, stored.settled(), folder), stored.problems


def _of_folders(folders: Iterable[Path]) -> _Known:
    return ((folder, _task_of(folder), None) for folder in folders)


def _of_catalogue(project: Project, progress: Progress | None) -> _Known:
    with Catalogue(project) as catalogue:
        catalogue.refresh(progress)
        for votes in catalogue.votes():
            yield votes.folder, votes.task, votes.subjects


def _task_of(folder: Path) -> str:
    """The id of the task of a trajectory; the name of its folder when the header cannot be read."""
    try:
        return read_header(folder).task_id
    except StoreError:
        return folder.parent.name
