"""Read what the studies of judges need from a project, and make their tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from collector.judge.votes.project_votes import read_votes
from collector.judge.votes.votes import judges_against
from collector.metrics.episode_columns import RECORDED, EpisodeColumns
from collector.metrics.judge_studies.bias import bias_tables
from collector.metrics.judge_studies.quality import StudiedVotes, quality_tables
from collector.metrics.loading import judges_of_project, load_episodes
from collector.metrics.report import ReportTable
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.verdicts.voted_subject import PEOPLE
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project

Progress = Callable[[int, int], None]


def studied_votes(
    project: Project, against: str = PEOPLE, folders: Collection[Path] | None = None,
    progress: Progress | None = None,
) -> StudiedVotes:  # fmt: skip
    """The votes on the trajectories in ``folders``, or on all of a project; ``progress`` is of its index."""
    votes = read_votes(project, progress=progress)
    kept = votes.subjects
    if folders is not None:
        wanted = frozenset(folders)
        kept = tuple(subject for subject in kept if subject.folder in wanted)
    types = {task.id: task.type for task in project.tasks if task.type}
    return StudiedVotes(kept, votes.judges, against, types)


def require_reference(votes: StudiedVotes) -> None:
    """Raise UserError when the reference judged nothing of what is studied."""
    if votes.against == PEOPLE:
        if not any(subject.people or subject.settled for subject in votes.subjects):
            raise UserError(
                _("No person judged or labelled anything here"), "",
                _("Label some trajectories in Review, or name a judge with --against"),
            )  # fmt: skip
    elif votes.against not in votes.judges:
        raise UserError(
            _("{name} judged nothing in this project", name=votes.against), "",
            _("Name one of: {known}", known=", ".join((*votes.judges, PEOPLE))),
        )  # fmt: skip


def bias_study(
    project: Project, catalogue: Catalogue, votes: StudiedVotes, keys: Iterable[int]
) -> tuple[ReportTable, ...]:
    """The tables on the bias of judges, of the runs that have one of ``keys``. Raises StoreError."""
    folders = {key: project.folder / folder for key, folder in catalogue.folders_of(list(keys)).items()}
    chosen = np.array(list(folders), np.int64)
    judges = [judge for judge in judges_of_project(project, catalogue) if judge != RECORDED]

    def table_of(judge: str) -> EpisodeColumns:
        loaded = load_episodes(project, "", judge, catalogue)
        return loaded.where(np.isin(loaded.keys, chosen))

    others = [judge for judge in judges_against(votes.subjects, judges, votes.against) if judge != PEOPLE]
    return bias_tables(judges, table_of, folders, votes.against, others)


def judge_tables(
    project: Project, catalogue: Catalogue, keys: Collection[int], *, is_narrowed: bool = False
) -> tuple[ReportTable, ...]:
    """The quality of judges and their bias, against people, of the runs with ``keys``. Raises StoreError.

    Quality is that of all trajectories, golden ones included, unless ``is_narrowed``.
    """
    folders = {project.folder / folder for folder in catalogue.folders_of(list(keys)).values()}
    votes = studied_votes(project, folders=folders if is_narrowed else None)
    note = _("Counted are the chosen runs alone.")
    if not is_narrowed:
        note = _("Counted are all trajectories that people judged or labelled, golden ones included.")
    quality = (replace(table, notes=(note, *table.notes)) for table in quality_tables(votes))
    return (*quality, *bias_study(project, catalogue, votes, keys))
