"""Steps of a golden trajectory are trimmed, dropped, inserted, given another screen, and undone exactly."""

from __future__ import annotations

import pytest

from collector.model.errors import UserError
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.model.verdicts.judgement import PERSON, TASK, Judgement, Subject
from collector.recorder.file_moment import moment_of_files
from collector.recording.edits import edit_history
from collector.recording.edits.edit_plan import StepFate
from collector.recording.edits.step_edits import DropSteps, InsertSteps, ReplaceState, TrimSteps
from collector.store.files.layout import STEPS
from collector.store.project.trajectory_changes import duplicate_trajectory
from collector.store.trajectory.editable_steps import ReviewedByOthers
from collector.store.trajectory.judgements import add_judgements
from collector.store.trajectory.read_only_runs import RunNotEditable
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.reviews.labels import read_all_labels
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.edited_project import bytes_in, captions, edited_project, files_of, pin, require_sound
from tests.helpers.steps import png, step, xml


@pytest.fixture
def project(tmp_path):
    return edited_project(tmp_path / "benchmark")


def test_a_trim_keeps_the_screen_behind_the_last_step_as_its_final_state(project):
    folder, before = project.find("one"), bytes_in(project)
    edit = TrimSteps(project, folder, "lin", 1, 3)
    plan = edit.plan()
    assert [shown.fate for shown in plan.before[0].steps].count(StepFate.GOES) == 4
    assert [shown.caption for shown in plan.after[0].steps] == ["one 1", "one 2", "Final state"]
    assert bytes_in(project) == before
    assert edit.make().title == "trim to 2 steps"
    assert captions(folder) == ["one 1", "one 2", ""]
    assert open_trajectory(folder).screenshot(open_trajectory(folder).steps[2]) == png(shade=3)
    require_sound(project)
    assert edit_history.undo(project, folder, "lin").title == "trim to 2 steps"
    assert bytes_in(project) == before


@pytest.mark.parametrize(("start", "stop"), [(0, 6), (0, 5), (3, 3), (2, 9), (-1, 2), (5, 6)])
def test_a_trim_of_nothing_or_of_what_is_not_there_is_refused(project, start, stop):
    with pytest.raises(UserError):
        TrimSteps(project, project.find("one"), "lin", start, stop).plan()


def test_what_is_pinned_moves_with_its_screen_and_the_plan_says_what_loses_its_step(project):
    folder = project.find("one")
    pin(folder, "sara", 3)
    assert DropSteps(project, folder, "lin", (0,)).plan().notes == ()
    DropSteps(project, folder, "lin", (0,)).make()
    assert read_all_labels(folder)["sara"].step_of("in-cart") == 2
    plan = DropSteps(project, folder, "lin", (2,)).plan()
    assert plan.notes == ("3 labels, comments and bookmarks lose their steps; undo brings them back",)


def test_an_action_must_stay(project):
    with pytest.raises(UserError, match="at least one"):
        DropSteps(project, project.find("one"), "lin", tuple(range(5))).plan()
    with pytest.raises(UserError, match="no step 9"):
        DropSteps(project, project.find("one"), "lin", (8,)).plan()


def test_steps_of_another_trajectory_come_between_two_steps(project):
    folder, before = project.find("one"), bytes_in(project)
    edit = InsertSteps(project, folder, "lin", 2, project.find("two"))
    plan = edit.plan()
    assert [shown.fate for shown in plan.after[0].steps] == ["stays"] * 2 + ["comes"] * 3 + ["stays"] * 4
    assert "a replay would stop there" in plan.notes[0]
    edit.make()
    assert captions(folder)[1:6] == ["one 1", "two 0", "two 1", "two 2", "one 2"]
    stored = open_trajectory(folder)
    assert [stored.screenshot(each) for each in stored.steps[2:5]] == [png(shade=n) for n in (50, 51, 52)]
    names = [each.state.screenshot for each in stored.steps]
    assert names == sorted(names)
    require_sound(project)
    edit_history.undo(project, folder, "lin")
    assert bytes_in(project) == before


def test_a_final_state_alone_is_not_inserted(project):
    with pytest.raises(UserError, match="no step to insert"):
        InsertSteps(project, project.find("one"), "lin", 1, project.find("two"), 3, 4).plan()


def test_a_damaged_picture_is_not_copied_with_a_new_digest(project):
    source = project.find("two")
    (source / "states" / "0001.png").write_bytes(png(shade=99))
    with pytest.raises(UserError, match="not as it was recorded"):
        InsertSteps(project, project.find("one"), "lin", 1, source).make()


def test_another_screen_brings_its_target_and_caption_and_keeps_the_words_of_people(project):
    folder = project.find("one")
    with TrajectoryWriter.open(folder) as writer:
        writer.reword(1, description="My words", note="mine")
    before, stored = bytes_in(project), open_trajectory(folder)
    moment = moment_of_files(stored, stored.steps[1], png(shade=150), xml("Pay"))
    edit = ReplaceState(project, folder, "lin", 1, moment)
    assert edit.plan().after[0].steps[1].picture == png(shade=150)
    edit.make()
    new, stored = open_trajectory(folder).steps[1], open_trajectory(folder)
    assert (new.description, new.note, new.action) == ("My words", "mine", stored.steps[1].action)
    assert new.target is not None
    assert new.target.attributes["text"] == "Pay"
    assert stored.screenshot(new) == png(shade=150)
    assert new.state.source == {"frame": "file", "tree": "file"}
    require_sound(project)
    assert edit_history.undo(project, folder, "lin").title == "replace the screen of step 2"
    assert bytes_in(project) == before


def test_the_original_of_a_converted_tree_is_named_only_where_it_is(project):
    with TrajectoryWriter.open(project.find("two")) as writer:
        writer.append(step(9, extra={"source_tree": "0.json", "lab": 4}), png(), xml())
    source, folder = project.find("two"), project.find("one")
    InsertSteps(project, folder, "lin", 0, source, 4, 5).make()
    assert open_trajectory(folder).steps[0].extra == {"lab": 4}
    stored = open_trajectory(source)
    moment = moment_of_files(stored, stored.steps[4], None, xml("Other"))
    ReplaceState(project, source, "lin", 4, moment).make()
    assert open_trajectory(source).steps[4].extra == {"lab": 4}


def test_a_tree_alone_keeps_the_picture(project):
    folder = project.find("one")
    stored = open_trajectory(folder)
    moment = moment_of_files(stored, stored.steps[2], None, xml("Other"))
    ReplaceState(project, folder, "lin", 2, moment).make()
    stored = open_trajectory(folder)
    assert stored.screenshot(stored.steps[2]) == png(shade=2)
    assert stored.tree(stored.steps[2]) == xml("Other")


def test_a_password_on_another_screen_is_hidden(project):
    folder = project.find("one")
    stored = open_trajectory(folder)
    secret = xml("hunter22").replace(b'password="false"', b'password="true"')
    moment = moment_of_files(stored, stored.steps[2], None, secret)
    ReplaceState(project, folder, "lin", 2, moment).make()
    assert b"hunter22" not in b"".join(files_of(folder).values())
    assert open_trajectory(folder).steps[2].redacted


def test_runs_are_read_only(project):
    with project.new_trajectory(TrajectoryHeader("run", "shop-1", kind=RUN)) as writer:
        writer.append(step(0), png(), xml())
        writer.finish()
    with pytest.raises(RunNotEditable, match="the record of what an agent did"):
        TrimSteps(project, project.find("run"), "lin", 0, 1).plan()
    with pytest.raises(RunNotEditable):
        InsertSteps(project, project.find("one"), "lin", 1, project.find("run")).plan()
    with pytest.raises(RunNotEditable):
        edit_history.undo(project, project.find("run"), "lin")


def test_what_another_person_reviewed_stays_until_a_copy_without_reviews_is_edited(project):
    folder = project.find("one")
    pin(folder, "sara", 1)
    verdict = Judgement("sara", PERSON, "", Subject(TASK), "success", time="2026-04-12T09:00:00+00:00")
    add_judgements(folder, [verdict])
    before = bytes_in(project)
    with pytest.raises(ReviewedByOthers, match="sara reviewed them"):
        DropSteps(project, folder, "lin", (1,)).make()
    with pytest.raises(ReviewedByOthers), TrajectoryWriter.open(folder, who="lin") as writer:
        writer.delete(0)
    assert bytes_in(project) == before
    with TrajectoryWriter.open(folder, who="lin") as writer:
        writer.reword(0, note="words are nobody's review")
    assert "sara" in DropSteps(project, folder, "sara", (1,)).plan().notes[1]
    copy = duplicate_trajectory(project, folder, "copy", with_reviews=False).after
    DropSteps(project, copy, "lin", (0,)).make()
    assert read_all_labels(copy)["sara"].step_of("in-cart") == 0
    require_sound(project)


def test_lines_of_another_program_come_back_as_they_were(project):
    folder = project.find("one")
    path = folder / STEPS
    path.write_bytes(path.read_bytes().replace(b'","', b'", "').replace(b'"t_ms":', b'"t_ms" : '))
    before = bytes_in(project)
    DropSteps(project, folder, "lin", (0,)).make()
    assert path.read_bytes() != before["trajectories/shop-1/one"][STEPS]
    edit_history.undo(project, folder, "lin")
    assert bytes_in(project) == before
    edit_history.redo(project, folder, "lin")
    assert captions(folder)[0] == "one 1"
    edit_history.undo(project, folder, "lin")
    assert bytes_in(project) == before
