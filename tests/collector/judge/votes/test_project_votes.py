"""The votes that the catalogue knows are those of the files: of rules, models and people, settled or not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from collector.judge.votes.project_votes import read_votes
from collector.model.resources import asset
from collector.model.verdicts.judgement import PERSON, TASK, Judgement, Subject
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files import layout
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements
from collector.store.trajectory.reviews.person_reviews import remove_reviews
from collector.store.trajectory.writer import TrajectoryWriter


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.open(shutil.copytree(asset("sample"), tmp_path / "sample"))


def _unknown(project: Project) -> list[str]:
    """The trajectories of whose votes the catalogue does not know."""
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        return [votes.folder.name for votes in catalogue.votes() if votes.subjects is None]


def test_the_catalogue_knows_what_files_say_also_of_labels_edits_and_what_was_settled(
    project: Project,
) -> None:
    folders = list(project.trajectory_folders())
    labelled = next(folder for folder in folders if list((folder / layout.ANNOTATIONS).glob("*.json")))
    remove_reviews(labelled)  # the steps of a review stay as they are
    with TrajectoryWriter.open(labelled) as writer:
        writer.delete(0)
    settled = Judgement("lead", PERSON, "", Subject(TASK), "failure", settles=True)
    add_judgements(folders[0], [settled])
    known = read_votes(project)
    assert known == read_votes(project, folders)
    assert any(subject.settled for subject in known.subjects)
    assert any(subject.steps.keys() & set(subject.people) for subject in known.subjects)
    assert _unknown(project) == []


def test_files_are_asked_where_only_the_project_knows_the_id_of_a_state(project: Project) -> None:
    folder = next(iter(project.trajectory_folders()))
    state = project.states[project.task(folder.parent.name).essential_states[0]]  # type: ignore[union-attr]
    old = {"version": 1, "who": "ann", "achieved_states": [{"step": 1, "sentence": state.sentence}]}
    (folder / layout.ANNOTATIONS / "ann.json").write_text(json.dumps(old))
    votes = read_votes(project)
    assert votes == read_votes(project, list(project.trajectory_folders()))
    assert any(subject.state == state.id and subject.steps.get("ann") == 1 for subject in votes.subjects)
    assert _unknown(project) == [folder.name]
