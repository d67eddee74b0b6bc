"""The history of a trajectory is named, survives a restart, and takes any sequence of edits back exactly."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collector.model.errors import UserError
from collector.recorder.file_moment import moment_of_files
from collector.recording.edits import edit_history
from collector.recording.edits.split_and_join import JoinTrajectories, SplitTrajectory
from collector.recording.edits.step_edits import DropSteps, InsertSteps, ReplaceState, TrimSteps
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.edited_project import bytes_in, captions, edited_project, pin, recorded, require_sound
from tests.helpers.steps import png, xml


def test_edits_are_named_with_who_and_when(tmp_path):
    project = edited_project(tmp_path / "benchmark")
    folder = project.find("one")
    DropSteps(project, folder, "lin", (0,)).make()
    with TrajectoryWriter.open(folder, who="sara") as writer:
        writer.reword(0, note="a")
        writer.reword(0, note="ab", continues=True)
    edit_history.undo(project, folder, "lin")
    entries = edit_history.history_of(project, folder)
    assert [(entry.title, entry.who, entry.is_undone) for entry in entries] == [
        ("delete step 1", "lin", False),
        ("change the words of step 1", "sara", True),
    ]
    assert all(entry.time.startswith("20") for entry in entries)
    assert edit_history.titles_of(project, folder) == ("delete step 1", "change the words of step 1")
    plan = edit_history.plan_of_entry(project, folder, 1)
    assert [shown.fate for shown in plan.before[0].steps] == ["goes", *["stays"] * 5]
    assert plan.after[0].steps[0].caption == "one 1"


def fates(plan):
    return [[shown.id, *[step.fate.value for step in shown.steps]] for shown in (*plan.before, *plan.after)]


def test_the_steps_around_a_split_and_a_join_are_shown_as_they_were_planned_wherever_they_are(tmp_path):
    project = edited_project(tmp_path / "benchmark")
    split = SplitTrajectory(project, project.find("one"), "lin", 3)
    planned = fates(split.plan())
    first, second = split.make().folders
    DropSteps(project, first, "lin", (1,)).make()
    assert len(edit_history.plan_of_entry(project, first, 2).before[0].steps) == 4
    assert fates(edit_history.plan_of_entry(project, first, 1)) == planned  # without the later edit
    with pytest.raises(UserError, match="no edit 3"):
        edit_history.plan_of_entry(project, first, 3)
    join = JoinTrajectories(project, second, "lin", project.find("two"))
    planned_join = fates(join.plan())
    (joined,) = join.make().folders
    assert fates(edit_history.plan_of_entry(project, joined, 1)) == planned_join
    assert fates(edit_history.plan_of_entry(project, first, 1)) == planned  # one part is in the trash
    edit_history.undo(project, joined, "lin")
    assert fates(edit_history.plan_of_entry(project, second, 2)) == planned_join  # undone
    shutil.rmtree(project.paths.trash)
    with pytest.raises(UserError, match="one is not in the trash any more"):
        edit_history.plan_of_entry(project, second, 1)


def test_what_was_recorded_again_is_shown_and_goes_with_one_undo_after_the_end(tmp_path):
    project = edited_project(tmp_path / "benchmark")
    folder = project.find("one")
    before = bytes_in(project)
    with TrajectoryWriter.open(folder, who="lin") as writer:
        writer.drop_rest(2)
        writer.append(recorded(2, "other"), png(shade=90), xml("other"))
        writer.delete(1)
        writer.append(recorded(2, "", is_final=True), png(shade=91), xml("end"))
        writer.finish()
    again = (folder / "steps.jsonl").read_bytes(), (folder / "trajectory.json").read_bytes()
    plan = edit_history.plan_of_entry(project, folder, 1)
    assert [step.fate.value for step in plan.before[0].steps] == ["stays"] * 2 + ["goes"] * 4
    assert [step.caption for step in plan.after[0].steps] == ["one 0", "one 1", "other"]
    assert edit_history.titles_of(project, folder) == ("re-record from step 3", "")
    edit_history.undo(project, folder, "lin")
    assert bytes_in(project) == before
    edit_history.redo(project, folder, "lin")
    assert ((folder / "steps.jsonl").read_bytes(), (folder / "trajectory.json").read_bytes()) == again


def test_one_edit_is_taken_back_and_no_other_that_came_before_or_after_it(tmp_path):
    project = edited_project(tmp_path / "benchmark")
    folder = project.find("one")
    first = DropSteps(project, folder, "lin", (0,)).make()
    second = TrimSteps(project, folder, "lin", 0, 3).make()
    after_both = bytes_in(project)
    for only in (first.seq, 0):
        with pytest.raises(UserError, match="one was edited since: trim to 3 steps comes first"):
            edit_history.undo(project, folder, "lin", only)
        assert bytes_in(project) == after_both
    assert edit_history.undo(project, folder, "lin", second.seq).seq == second.seq
    with pytest.raises(UserError, match="one was edited since"):
        edit_history.redo(project, folder, "lin", first.seq)
    assert edit_history.redo(project, folder, "lin", second.seq).seq == second.seq
    assert bytes_in(project) == after_both


def test_a_split_is_not_taken_back_in_place_of_what_was_done_to_its_parts(tmp_path):
    project = edited_project(tmp_path / "benchmark")
    split = SplitTrajectory(project, project.find("one"), "lin", 3).make()
    DropSteps(project, split.folders[0], "lin", (1,)).make()
    edited = bytes_in(project)
    with pytest.raises(UserError, match="delete step 2 comes first"):
        edit_history.undo(project, split.folders[0], "lin", split.seq)
    assert bytes_in(project) == edited


def test_there_is_nothing_to_undo_of_what_was_recorded(tmp_path):
    project = edited_project(tmp_path / "benchmark")
    with pytest.raises(UserError, match="never edited"):
        edit_history.undo(project, project.find("one"), "lin")
    with pytest.raises(UserError, match="nothing of one was undone"):
        edit_history.redo(project, project.find("one"), "lin")


_NUMBERS = st.lists(st.integers(0, 99), min_size=4, max_size=4)
_EDITS = ("drop", "trim", "insert", "state", "split", "join", "words")


def _make(project: Project, kind: str, numbers: list[int]) -> Path | None:
    """Make an edit chosen by numbers; None when it is refused there. Returns where undo takes it back."""
    folders = sorted(project.trajectory_folders())
    folder, other = folders[numbers[0] % len(folders)], folders[numbers[1] % len(folders)]
    stored = open_trajectory(folder)
    at = numbers[2] % len(stored.steps)
    if kind == "words":
        with TrajectoryWriter.open(folder, who="lin") as writer:
            writer.reword(at, note=f"note {numbers}")
            return folder if writer.steps[at] != stored.steps[at] else None
    edit = {
        "drop": lambda: DropSteps(project, folder, "lin", (at,)),
        "trim": lambda: TrimSteps(project, folder, "lin", at, max(at + 1, numbers[3] % len(stored.steps))),
        "insert": lambda: InsertSteps(project, folder, "lin", at, other),
        "state": lambda: ReplaceState(
            project, folder, "lin", at,
            moment_of_files(stored, stored.steps[at], png(shade=numbers[3]), xml(f"new {numbers[3]}")),
        ),
        "split": lambda: SplitTrajectory(project, folder, "lin", at),
        "join": lambda: JoinTrajectories(project, folder, "lin", other),
    }[kind]()  # fmt: skip
    try:
        plan = edit.plan()
    except UserError:
        return None
    made = edit.make()
    assert [captions(each) for each in made.folders] == [
        [shown.step.description for shown in trajectory.steps] for trajectory in plan.after
    ]
    return made.folders[0]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(_EDITS), _NUMBERS), max_size=6))
def test_any_edits_are_taken_back_to_the_bytes_of_the_start(edits):
    with tempfile.TemporaryDirectory() as place:
        project = edited_project(Path(place) / "benchmark", counts=(4, 3))
        pin(project.find("one"), "sara", 1)
        states, done = [bytes_in(project)], []
        for kind, numbers in edits:
            folder = _make(project, kind, numbers)
            if folder is not None:
                done.append(folder)
                states.append(bytes_in(project))
                require_sound(project)
        for folder in reversed(done):
            states.pop()
            edit_history.undo(Project.open(project.folder), folder, "lin")
            assert bytes_in(project) == states[-1]
