"""A person's edits of labels can each be undone, also when others came after."""

from __future__ import annotations

import dataclasses
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.hierarchy.parse import parse_tree
from collector.judge.label_progress import labelled_trajectories, next_to_label
from collector.judge.labelling import (
    VerdictEdit,
    edit_labels,
    find_pinned,
    merged,
    new_comment,
    state_of_task,
    submitted,
    toggled,
    toggled_missed,
)
from collector.judge.person_judge import judge_as_person, settle, verdict_of
from collector.model.errors import UserError
from collector.model.judgement import Subject
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.judgements import read_judgements
from collector.store.labels import Comment, Labels, read_labels
from collector.store.project import Project
from collector.store.reader import open_trajectory
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task
from tests.helpers.xpath_bombs import bomb

STATES = ("seen", "paid", "sent")
NUMBERS = count()
"""Comments differ, at least in their time."""
edits = st.sampled_from(
    [
        *(lambda said, s=s, at=at: toggled(said, s, at, f"{at}.png") for s in STATES for at in (0, 1)),
        *(lambda said, s=s: toggled_missed(said, s) for s in STATES),
        lambda said: toggled_missed(said, *STATES),
        lambda said: said.with_comment(Comment(f"no {next(NUMBERS)}", len(said.comments))),
        lambda said: said.without_comment(0) if said.comments else said,
        lambda said: said.with_comment(Comment(f"other {next(NUMBERS)}", 9), 0) if said.comments else said,
        submitted,
    ]
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project.create(tmp_path / "p")
    put_task(project, Task("shop", "Buy", essential_states=STATES))
    for name in ("a", "b", "c"):
        with project.new_trajectory(TrajectoryHeader(name, "shop")) as writer:
            for number in range(3):
                writer.append(step(number), png(), xml(f"Screen {number}"))
            writer.finish()
    return project


@given(st.lists(edits, max_size=8))
def test_undoing_every_edit_from_the_last_on_restores_what_was_there(changes):
    states = [Labels("lin").with_missed("paid").with_comment(Comment("first"))]
    for change in changes:
        states.append(change(states[-1]))
    current = states[-1]
    for before, after in zip(states[-2::-1], states[:0:-1], strict=True):
        current = merged(current, after, before)
        assert by_state(current) == by_state(before)
        assert sorted(map(str, current.comments)) == sorted(map(str, before.comments))
        assert current.submitted == before.submitted


def by_state(said: Labels):
    return {mark.state: mark.step for mark in said.reached}, set(said.missed)


@given(edits, edits)
def test_an_undo_leaves_labels_of_other_states_alone(first, second):
    start = Labels("lin")
    one = first(start)
    both = second(one)
    undone = merged(both, one, start)
    for state in STATES:
        if (start.step_of(state), state in start.missed) == (one.step_of(state), state in one.missed):
            assert (undone.step_of(state), state in undone.missed) == (
                both.step_of(state),
                state in both.missed,
            )


def test_labels_verdict_and_comment_are_written_and_undone(project):
    folder = project.find("b")
    edit = edit_labels(folder, " lin ", lambda said: toggled(said, "seen", 1, "states/0001.png"))
    other = edit_labels(folder, "lin", lambda said: toggled_missed(said, "paid"))
    assert edit_labels(folder, "lin", lambda said: said) is None
    edit.undo()
    assert by_state(read_labels(folder, "lin")) == ({}, {"paid"})
    edit.redo()
    other.undo()
    assert by_state(read_labels(folder, "lin")) == ({"seen": 1}, set())

    given_verdict = judge_as_person(folder, "lin", "failure", "It looped", "repeats-what-is-done")
    assert verdict_of(folder, "lin").reason_id == "repeats-what-is-done"
    verdict = VerdictEdit(folder, given_verdict)
    verdict.undo()
    assert verdict_of(folder, "lin") is None
    verdict.redo()
    assert verdict_of(folder, "lin") == given_verdict

    settle(folder, "cleo", Subject("state", "seen", 2, 2), "reached")
    stored = read_judgements(folder)
    assert ("cleo", Subject("state", "seen")) not in stored.newest()
    assert stored.settled()[Subject("state", "seen")].judge == "cleo"
    with pytest.raises(UserError):
        edit_labels(folder, " ", submitted)


def test_a_comment_is_pinned_to_a_node_that_is_found_again_elsewhere_in_the_tree(project):
    stored = open_trajectory(project.find("a"))
    comment = new_comment(stored, " The price is wrong ", 1, "text='Screen 1'")
    assert (comment.text, comment.step, comment.screen) == (
        "The price is wrong",
        1,
        stored.steps[1].state.screenshot,
    )
    tree = parse_tree(stored.tree(stored.steps[1]))
    assert find_pinned(tree, comment.node).text == "Screen 1"
    moved = parse_tree(
        b'<hierarchy rotation="0"><node class="a.L" bounds="[0,0][9,9]">'
        b'<node class="a.L" bounds="[0,0][9,9]">'
        + xml("Screen 1").split(b">", 2)[2].rsplit(b"</hierarchy>", 1)[0]
        + b"</node></node></hierarchy>"
    )
    assert find_pinned(moved, comment.node).text == "Screen 1"
    renamed = xml("Elsewhere").replace(b"a:id/ok", b"a:id/other")
    assert find_pinned(parse_tree(renamed), comment.node) is None
    other = dataclasses.replace(comment.node, selectors=("text='", "//*[", bomb(8), *comment.node.selectors))
    assert find_pinned(moved, other).text == "Screen 1"
    for arguments in (("", 1), ("x", 9), ("x", 1, "text='None'"), ("x", None, "text='Screen 1'")):
        with pytest.raises(UserError):
            new_comment(stored, *arguments)


def test_states_are_named_by_id_or_number(project):
    task = project.task("shop")
    assert [state_of_task(task, name) for name in ("paid", "2")] == ["paid", "paid"]
    for unknown in ("4", "0", "bought"):
        with pytest.raises(UserError, match="no essential state"):
            state_of_task(task, unknown)


def test_the_next_trajectory_to_label_is_the_first_not_submitted(project):
    task = project.task("shop")
    edit_labels(project.find("b"), "lin", submitted)
    edit_labels(project.find("a"), "sara", lambda said: toggled_missed(said, "seen", "paid", "sent"))
    judge_as_person(project.find("a"), "jo", "failure")
    rows = labelled_trajectories(project, task, "lin")
    assert [(row.header.id, row.labelled, row.is_submitted) for row in rows] == [
        ("a", 0, False), ("b", 0, True), ("c", 0, False),
    ]  # fmt: skip
    assert rows[0].others == ("jo", "sara")
    assert next_to_label(rows, None).header.id == "a"
    assert next_to_label(rows, rows[0].folder).header.id == "c"
    assert next_to_label(rows, rows[2].folder).header.id == "a"
    sara = labelled_trajectories(project, task, "sara")[0]
    assert (sara.labelled, sara.is_complete) == (3, False)
    judge_as_person(project.find("a"), "sara", "undecided")
    assert labelled_trajectories(project, task, "sara")[0].is_complete
