"""A run is read-only by one rule of the store: every edit is refused, and what is no edit is not."""

from __future__ import annotations

import pytest

from collector.cli import main as command
from collector.model.episode import Episode
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.model.verdicts.judgement import Judgement, Subject
from collector.store.project.project import Project
from collector.store.project.trajectory_changes import (
    apply_change,
    delete_trajectory,
    duplicate_trajectory,
    rename_trajectory,
)
from collector.store.redaction.step_redaction import StepRedaction
from collector.store.trajectory.judgements import add_judgements, read_judgements
from collector.store.trajectory.read_only_runs import RunNotEditable
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.reviews.annotations import read_annotations, write_annotations
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml

EDITS = {
    "delete": lambda writer: writer.delete(0),
    "trim": lambda writer: writer.trim(0, 1),
    "insert": lambda writer: writer.insert(0, step(5), png(), xml()),
    "replace": lambda writer: writer.replace(0, step(5), png(), xml()),
    "reword": lambda writer: writer.reword(0, note="no"),
    "undo": lambda writer: writer.undo(),
    "redo": lambda writer: writer.redo(),
}


@pytest.fixture
def project(tmp_path):
    return Project.create(tmp_path / "p")


@pytest.fixture
def writer(project):
    header = TrajectoryHeader("run-1", "shop-1", kind=RUN, episode=Episode(agent="gpt"))
    with project.new_trajectory(header) as writer:
        writer.append(step(1), png(), xml())
        writer.append(step(2), png(), xml())
        yield writer


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*.json*") if path.is_file()}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_no_edit_changes_a_run_while_it_is_recorded_or_after(writer, edit):
    before = contents(writer.folder)
    with pytest.raises(RunNotEditable, match="run-1 is a run and cannot be edited"):
        edit(writer)
    assert contents(writer.folder) == before
    assert writer.undo_title == writer.redo_title == ""
    writer.finish()
    with pytest.raises(RunNotEditable):
        edit(writer)


def test_a_run_that_has_ended_is_never_opened_again_to_write(writer):
    writer.append(step(3), png(), xml())
    writer.finish()
    with pytest.raises(RunNotEditable):
        writer.append(step(4), png(), xml())
    writer.close()
    with pytest.raises(RunNotEditable):
        TrajectoryWriter.open(writer.folder, take_over=True)


def test_a_run_that_was_cut_short_is_not_gone_on_with(writer):
    writer.close()
    (writer.folder / ".lock").write_text('{"pid": 1, "host": "gone"}')
    with pytest.raises(RunNotEditable):
        TrajectoryWriter.open(writer.folder, take_over=True)


def test_a_run_keeps_its_id(project, writer, capsys):
    writer.finish()
    writer.close()
    with pytest.raises(RunNotEditable):
        rename_trajectory(project, writer.folder, "mine")
    assert command.main(["trajectory", "rename", "run-1", "mine", "--project", str(project.folder)]) == 1
    said = capsys.readouterr().err.strip()
    assert said.startswith("waymark: run-1 is a run and cannot be edited")
    assert writer.folder.is_dir()


def test_what_is_no_edit_is_possible(project, writer):
    writer.finish()
    writer.close()
    folder = writer.folder
    add_judgements(folder, [Judgement("lin", "person", "", Subject(), "failure")])
    write_annotations(folder, "lin", {"comments": [{"text": "look"}]})
    assert read_judgements(folder).judgements[0].verdict == "failure"
    assert read_annotations(folder, "lin")["comments"]
    assert StepRedaction(folder, 0).apply()[0].redacted
    with pytest.raises(RunNotEditable):  # every count would include a copy twice
        duplicate_trajectory(project, folder, "copy")
    apply_change(delete_trajectory(project, folder).reversed)
    assert len(open_trajectory(folder).steps) == 2
