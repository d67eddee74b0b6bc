"""How far a person's labels are, what the person sees of others' meanwhile, and which trajectory is next."""

from __future__ import annotations

import pytest

from collector.model.verdicts.judgement import TASK, Judgement, Subject
from collector.review.label_progress import labelled_trajectories
from collector.review.next_review import take_next
from collector.review.queue import to_label
from collector.store.trajectory.judgements import add_judgements
from tests.helpers.reviewers import ReviewRoom


@pytest.fixture
def room(tmp_path) -> ReviewRoom:
    return ReviewRoom(tmp_path / "p", runs=3, goldens=1)


def rows_of(room: ReviewRoom, who: str):
    return labelled_trajectories(room.reviewing(who), room.project.task("shop"))


def label(room: ReviewRoom, who: str, name: str, *states: str) -> None:
    room.reviewing(who).label(room.folder(name), "label", lambda labels: labels.toggled_missed(*states))


def test_rows_say_how_far_the_labels_are_and_hide_those_of_others_until_submitted(room):
    label(room, "sara", "a", "seen", "paid")
    add_judgements(room.folder("a"), [Judgement("jo", "person", "", Subject(TASK), "failure")])
    label(room, "lin", "a", "seen")
    rows = rows_of(room, "lin")
    assert [(row.header.id, row.labelled, row.states) for row in rows] == [
        ("golden-0", 0, 2), ("a", 1, 2), ("b", 0, 2), ("c", 0, 2),
    ]  # fmt: skip
    assert (rows[1].judgements, bool(rows[1].reviews.hidden)) == ((), True)
    room.reviewing("lin").judge(room.folder("a"), "failure")
    room.reviewing("lin").submit(room.folder("a"))
    row = rows_of(room, "lin")[1]
    assert {item.judge for item in row.judgements} == {"jo", "rules", "sara"}
    assert (row.is_submitted, row.verdict.verdict) == (True, "failure")


def test_the_queue_of_a_task_gives_what_is_not_submitted_and_everybody_labels_each(room):
    queue = to_label("shop")
    room.submit("lin", "a")
    lin, sara = room.reviewing("lin"), room.reviewing("sara")
    assert take_next(lin, queue) == room.folder("b")
    assert take_next(sara, queue) == room.folder("a")
    assert take_next(lin, queue, room.folder("b")) == room.folder("c")
    assert lin.of(room.folder("b")).judgements == ()  # those of the rules are hidden, too
    counts = lin.queues.counts(lin.queues.queue("to-label"), "lin", "2026-04-12T10:00:00.000+00:00")
    assert (counts.todo, counts.done, counts.total) == (3, 1, 4)
