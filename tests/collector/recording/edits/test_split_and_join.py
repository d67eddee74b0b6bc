"""A golden trajectory is split, two are joined; what stands on them is kept or stays, and undo is exact."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from collector.cli.main import main
from collector.model.app_data.document import with_changes
from collector.model.errors import UserError
from collector.model.trajectory import RECORDING, RUN, TrajectoryHeader
from collector.model.verdicts.judgement import PERSON
from collector.recording.edits import edit_history
from collector.recording.edits.split_and_join import JoinTrajectories, SplitTrajectory
from collector.recording.edits.step_edits import DropSteps
from collector.store.files.disk import Disk
from collector.store.project.trajectory_changes import (
    delete_trajectory,
    empty_trash,
    trashed_trajectories,
)
from collector.store.project.trajectory_moves import finish_moves
from collector.store.trajectory.judgements import add_judgements, read_judgements
from collector.store.trajectory.reader import open_trajectory, read_annotations
from collector.store.trajectory.reviews.labels import read_all_labels
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.edited_project import SAYS_SARA, bytes_in, captions, edited_project, pin, require_sound
from tests.helpers.steps import png, step, xml


@pytest.fixture
def project(tmp_path):
    return edited_project(tmp_path / "benchmark")


def _split(project, at=3, name="one", **values):
    return SplitTrajectory(project, project.find(name), "lin", at, **values)


def _join(project, left="one", right="two"):
    return JoinTrajectories(project, project.find(left), "lin", project.find(right))


def _times(folder):
    return [step.t_ms for step in open_trajectory(folder).steps]


def test_a_split_gives_the_first_part_the_screen_at_the_cut_as_its_end(project):
    before = bytes_in(project)
    plan = _split(project).plan()
    assert (plan.title, [shown.id for shown in plan.after]) == ("split at step 4", ["one-a", "one-b"])
    assert bytes_in(project) == before
    first, second = _split(project).make().folders
    assert captions(first) == ["one 0", "one 1", "one 2", ""]
    assert captions(second) == ["one 3", "one 4", ""]
    end = open_trajectory(first).steps[-1]
    assert (end.action, open_trajectory(first).screenshot(end)) == (None, png(shade=3))
    assert _times(second) == [0, 100, 200]
    assert [line["kind"] for line in open_trajectory(first).events()] == ["pause", "resume"]
    assert open_trajectory(second).events() == ()
    header = open_trajectory(second).header
    assert (header.who, header.status, header.task_id) == ("lin", "finished", "shop-1")
    assert [folder.name for folder in trashed_trajectories(project)] == ["one"]
    require_sound(project)


def test_undo_of_a_split_gives_every_byte_back_and_redo_makes_it_again(project):
    before = bytes_in(project)
    made = _split(project).make()
    after = bytes_in(project)
    undone = edit_history.undo(project, made.folders[1], "lin")
    assert (undone.title, [folder.name for folder in undone.folders]) == ("split one at step 4", ["one"])
    assert bytes_in(project) == before
    entry = edit_history.history_of(project, project.find("one"))[0]
    assert (entry.title, entry.who, entry.is_undone) == ("split one at step 4", "lin", True)
    assert edit_history.titles_of(project, project.find("one")) == ("", "split one at step 4")
    assert edit_history.redo(project, project.find("one"), "lin").folders == made.folders
    assert bytes_in(project) == after
    edit_history.undo(project, made.folders[0], "lin")
    assert bytes_in(project) == before


def test_the_second_part_may_be_of_another_task(project):
    _first, second = _split(project, task_id="shop-2").make().folders
    assert second == project.paths.trajectories_of("shop-2") / "one-b"
    assert open_trajectory(second).header.instruction == "Buy a chair"
    with pytest.raises(UserError, match="no task shop-9"):
        _split(project, name="two", at=1, task_id="shop-9").plan()


@pytest.mark.parametrize("at", [0, 5, 6, -1])
def test_both_parts_need_an_action(project, at):
    with pytest.raises(UserError, match="both parts need an action"):
        _split(project, at).plan()


def test_labels_go_with_their_steps_and_reviews_stay_with_the_whole(project):
    folder = project.find("one")
    pin(folder, "sara", 4)
    pin(folder, "jo", 3)
    add_judgements(folder, [SAYS_SARA])
    before = bytes_in(project)
    assert "The review of sara stays with it in the trash" in _split(project).plan().notes
    first, second = _split(project).make().folders
    assert read_all_labels(second)["sara"].step_of("in-cart") == 1
    comments = [(comment.text, comment.step) for comment in read_all_labels(second)["sara"].comments]
    assert comments == [("look", 1)]
    assert "sara" not in read_annotations(first)
    # The screen at the cut is the end of one part and the beginning of the other.
    assert read_all_labels(first)["jo"].step_of("in-cart") == 3
    assert read_all_labels(second)["jo"].step_of("in-cart") == 0
    said = [each for folder in (first, second) for each in read_judgements(folder).judgements]
    assert [each for each in said if each.kind == PERSON] == []
    edit_history.undo(project, first, "lin")
    assert bytes_in(project) == before


def test_a_part_that_was_edited_or_reviewed_since_keeps_the_split(project):
    first, second = _split(project).make().folders
    DropSteps(project, second, "lin", (0,)).make()
    with pytest.raises(UserError, match="one-b was changed since"):
        edit_history.undo(project, first, "lin")
    edit_history.undo(project, second, "lin")
    add_judgements(second, [SAYS_SARA])
    with pytest.raises(UserError, match="sara reviewed them"):
        edit_history.undo(project, first, "lin")


def test_a_split_is_not_undone_without_its_original(project):
    first, _second = _split(project).make().folders
    before = bytes_in(project)
    empty_trash(project)
    with pytest.raises(UserError, match="one is not where it was"):
        edit_history.undo(project, first, "lin")
    assert bytes_in(project) == before


def test_an_undone_split_is_not_made_again_of_other_steps(project):
    first, _second = _split(project).make().folders
    edit_history.undo(project, first, "lin")
    DropSteps(project, project.find("one"), "lin", (0,)).make()
    edit_history.undo(project, project.find("one"), "lin")
    edit_history.redo(project, project.find("one"), "lin")
    with pytest.raises(UserError, match="nothing to redo"):
        edit_history.redo(project, project.find("one"), "lin")


def test_a_join_takes_the_final_state_between_the_two_out(project):
    before = bytes_in(project)
    plan = _join(project).plan()
    assert [shown.fate for shown in plan.before[0].steps] == ["stays"] * 5 + ["goes"]
    assert "a replay would stop there" in plan.notes[0]
    (folder,) = _join(project).make().folders
    assert captions(folder) == [f"one {n}" for n in range(5)] + [f"two {n}" for n in range(3)] + [""]
    assert _times(folder) == [0, 100, 200, 300, 400, 500, 600, 700, 800]
    kinds = [(line["kind"], line["t_ms"]) for line in open_trajectory(folder).events()]
    assert kinds == [("pause", 150), ("resume", 250), ("pause", 650), ("resume", 750)]
    require_sound(project)
    assert edit_history.undo(project, folder, "lin").title == "join one + two"
    assert bytes_in(project) == before


def test_what_was_split_is_joined_again_with_the_same_screens(project):
    first, second = _split(project).make().folders
    assert JoinTrajectories(project, first, "lin", second).plan().notes[0].startswith("Both go to the trash")
    (folder,) = JoinTrajectories(project, first, "lin", second).make().folders
    assert captions(folder) == [*(f"one {n}" for n in range(5)), ""]
    assert _times(folder) == [0, 100, 200, 300, 400, 500]
    require_sound(project)


def test_pinned_things_of_both_are_kept_in_a_join(project):
    pin(project.find("one"), "sara", 1)
    pin(project.find("two"), "sara", 2)
    (folder,) = _join(project).make().folders
    assert [mark.step for mark in read_all_labels(folder)["sara"].reached] == [1, 7]


def test_what_apps_kept_is_told_from_one_beginning(project):
    apps = {"shop.items": [{"id": 1}]}
    with project.new_trajectory(
        TrajectoryHeader("three", "shop-1", who="lin", installed=("a", "b"))
    ) as writer:
        writer.write_first_app_data(apps)
        state = step(0).state
        for number, (there, data) in enumerate([({}, {}), ({"b": False}, {"shop.items": []})]):
            new = replace(step(number), state=replace(state, apps=there, app_data=data))
            writer.append(new, png(), xml())
        writer.finish()
    (folder,) = _join(project, "one", "three").make().folders
    stored = open_trajectory(folder)
    assert stored.header.installed == ("a", "b")
    assert stored.steps[0].state.apps is None
    last = stored.steps[-1].state
    assert last.apps == {"b": False}
    assert stored.app_data(last) == with_changes(apps, {"shop.items": []})


def test_runs_unfinished_and_one_with_itself_are_refused(project):
    for name, values in (("run", {"kind": RUN}), ("open", {})):
        with project.new_trajectory(TrajectoryHeader(name, "shop-1", **values)) as writer:
            writer.append(step(0), png(), xml())
            writer.append(step(1), png(), xml())
    assert open_trajectory(project.find("open")).header.status == RECORDING
    with pytest.raises(UserError, match="the record of what an agent did"):
        _split(project, 1, "run").plan()
    with pytest.raises(UserError, match="not finished"):
        _join(project, "one", "open").plan()
    with pytest.raises(UserError, match="with itself"):
        _join(project, "one", "one").plan()


def test_a_trajectory_that_a_proposal_names_is_not_taken_apart(project):
    folder = project.paths.proposals_of("shop-1")
    folder.mkdir(parents=True)
    (folder / "lin.yaml").write_text("golden: one\n")
    with pytest.raises(UserError, match=r"proposals/shop-1/lin\.yaml names it"):
        _split(project).plan()


def test_an_injection_stays_in_one_part(project):
    with TrajectoryWriter.open(project.find("one")) as writer:
        writer.event("anomaly", 150, injection="i1", anomaly="low_battery", transition="injected", step=2)
        writer.event("anomaly", 350, injection="i1", anomaly="low_battery", transition="dismissed", step=4)
        writer.update_header(extra={"interrupted": ["low_battery"]})
    with pytest.raises(UserError, match="low_battery was on the phone there"):
        _split(project, 3).plan()
    first, second = _split(project, 4).make().folders
    assert open_trajectory(first).header.extra["interrupted"] == ["low_battery"]
    assert "interrupted" not in open_trajectory(second).header.extra
    assert len(open_trajectory(first).interruptions()) == 1


class _StopsAt(Disk):
    """Fails as a crash would, after so many moves."""

    def __init__(self, moves):
        self._left = moves

    def move(self, path, target):
        if not self._left:
            raise KeyboardInterrupt
        self._left -= 1
        super().move(path, target)


@pytest.mark.parametrize("moves", [0, 1, 2])
def test_a_split_that_a_crash_cuts_short_is_carried_out_later(project, monkeypatch, moves):
    """After the commit point the moves are made by the next program; before it nothing happened."""
    before = bytes_in(project)
    disk = _StopsAt(moves)
    monkeypatch.setattr("collector.store.project.trajectory_moves.Disk", lambda: disk)
    with pytest.raises(KeyboardInterrupt):
        _split(project).make()
    monkeypatch.undo()
    assert len(trashed_trajectories(project)) == 0
    require_sound(project)
    assert main(["project", "recover", str(project.folder)]) == 0
    assert not finish_moves(project)
    assert sorted(folder.name for folder in project.trajectory_folders()) == ["one-a", "one-b", "two"]
    require_sound(project)
    edit_history.undo(project, project.find("one-a"), "lin")
    assert bytes_in(project) == before


def test_what_was_staged_and_lost_leaves_the_original_in_place(project, monkeypatch):
    disk = _StopsAt(0)
    monkeypatch.setattr("collector.store.project.trajectory_moves.Disk", lambda: disk)
    before = bytes_in(project)
    with pytest.raises(KeyboardInterrupt):
        _split(project).make()
    monkeypatch.undo()
    # Somebody deletes the cache, with what was staged there.
    shutil.rmtree(project.paths.cache, ignore_errors=True)
    finish_moves(project)
    assert bytes_in(project) == before


def test_deleting_a_part_keeps_the_other_and_the_original(project):
    first, second = _split(project).make().folders
    delete_trajectory(project, second)
    with pytest.raises(UserError, match="one-b is not where it was"):
        edit_history.undo(project, first, "lin")
