"""A queue gives first what teaches most: judges differ or are unsure, a state is rare, no person said it."""

from __future__ import annotations

import pytest

from collector.model.verdicts.judgement import (
    FAILURE,
    MISSED,
    MODEL,
    PERSON,
    REACHED,
    RULE,
    STATE,
    SUCCESS,
    TASK,
    UNDECIDED,
    WINDOW,
    Judgement,
    Subject,
)
from collector.review.next_review import take_next
from collector.review.project_queues import ProjectQueues
from collector.review.queue import AUTOMATIC_VERDICTS, ReviewOrder, ReviewQueue
from collector.review.queue_files import save_queue
from collector.review.queued_trajectories import queued_trajectories
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.open_subjects import OpenSubject
from collector.store.trajectory.judgements import add_judgements
from tests.helpers.reviewers import ReviewRoom


def says(room, name, judge, verdict, state="", kind=MODEL, confidence=None):
    subject = Subject(STATE, state) if state else Subject(TASK)
    add_judgements(room.folder(name), [Judgement(judge, kind, "1", subject, verdict, confidence)])


def waiting(room, who="zoe", queue=AUTOMATIC_VERDICTS, limit=None):
    reviewing = room.reviewing(who)
    found = queued_trajectories(reviewing, reviewing.queues.queue(queue), ReviewOrder.TEACHING, limit)
    return {item.folder.name: item for item in found}


def scores(room, **more):
    return {name: item.score for name, item in waiting(room, **more).items()}


def test_what_judges_differ_on_or_leave_open_comes_first_with_its_reasons(tmp_path):
    room = ReviewRoom(tmp_path / "p", runs=4)  # the rules say failure of each
    says(room, "b", "a3rm", FAILURE, confidence=0.6)
    says(room, "c", "a3rm", SUCCESS)
    for state in ("seen", "paid"):
        says(room, "c", "rules", MISSED, state, RULE)
        says(room, "c", "a3rm", REACHED, state)
    says(room, "d", "a3rm", UNDECIDED)
    says(room, "d", "vlm", FAILURE)
    found = waiting(room)
    assert list(found) == ["c", "d", "b", "a"]
    assert [round(item.score, 3) for item in found.values()] == [3.0, round(1 / 3, 3), 0.2, 0.0]
    assert found["c"].reasons == (
        "a3rm and rules disagree on the task",
        "a3rm and rules disagree on 2 states",
    )
    assert found["d"].reasons == ("a3rm could not decide the task",)
    assert found["b"].reasons == ("a3rm is unsure of the task",)
    assert found["a"].reasons == ()
    assert list(waiting(room, limit=1)) == ["c"]
    reviewing = room.reviewing("ann")
    queue = reviewing.queues.queue(AUTOMATIC_VERDICTS)
    assert take_next(reviewing, queue, order=ReviewOrder.TEACHING) == room.folder("c")
    assert list(waiting(room)) == ["d", "b", "a"]  # ann holds the first
    assert list(waiting(room, who="ann")) == ["c", "d", "b", "a"]
    assert take_next(room.reviewing("ben"), queue, wanted=room.folder("b")) == room.folder("b")


def test_of_a_judge_of_windows_the_window_counts_in_which_it_saw_the_state(tmp_path):
    room = ReviewRoom(tmp_path / "p", runs=1)
    windows = [(0, UNDECIDED), (1, REACHED), (2, MISSED)]
    add_judgements(
        room.folder("a"),
        [Judgement("a3rm", MODEL, "1", Subject(WINDOW, "seen", at, at + 1), said) for at, said in windows],
    )
    says(room, "a", "rules", REACHED, "seen", RULE)
    assert scores(room) == {"a": 0.0}
    says(room, "a", "rules", MISSED, "seen", RULE)
    assert scores(room) == {"a": 1.0}


def test_what_people_decided_teaches_nothing_more_until_they_differ(tmp_path):
    room = ReviewRoom(tmp_path / "p", runs=2)
    for name in "ab":
        says(room, name, "a3rm", SUCCESS)
        says(room, name, "a3rm", REACHED, "seen")
        says(room, name, "rules", MISSED, "seen", RULE)
    both = ReviewQueue("twice", reviewers=2)
    save_queue(room.project, both)
    says(room, "a", "cleo", REACHED, "seen", PERSON)
    assert scores(room) == {"b": 2.0, "a": 1.0}
    room.submit("ann", "b", FAILURE)
    assert scores(room, queue="twice") == {"a": 1.0, "b": 1.0}  # the state is still open in both
    room.submit("ben", "b", SUCCESS)
    reviewing = room.reviewing("zoe")
    item = waiting(room, queue="disagreements")["b"]
    assert (item.score, item.reasons[0]) == (2.0, "People differ on the task")
    reviewing.adjudicate(room.folder("b"), Subject(TASK), FAILURE)
    assert room.reviewing("zoe").queues.teaching().score("trajectories/shop/b") == 1.0


def test_a_state_that_is_reached_seldom_is_named_with_its_share(tmp_path):
    room = ReviewRoom(tmp_path / "p", runs=25)
    for number in range(25):
        says(room, chr(ord("a") + number), "rules", REACHED if number == 7 else MISSED, "paid", RULE)
    name, item = next(iter(waiting(room).items()))
    assert (name, round(item.score, 3)) == ("h", round(1 - 10 / 25, 3))
    assert item.reasons == ("The state paid was reached in 1 of 25 trajectories",)


def test_a_queue_that_hides_the_judges_hides_why_and_keeps_the_order(tmp_path):
    room = ReviewRoom(tmp_path / "p", runs=2)
    says(room, "b", "a3rm", SUCCESS)
    save_queue(room.project, ReviewQueue("unbiased", "kind:run", hides_judges=True))
    found = waiting(room, queue="unbiased")
    assert list(found) == ["b", "a"]
    assert {(item.score, item.reasons) for item in found.values()} == {(None, ())}
    assert "hides the judges' verdicts" in found["b"].hidden


@pytest.mark.parametrize(
    ("verdicts", "confidence", "score"),
    [
        ({"x": REACHED, "y": REACHED}, {}, 0.0),
        ({"x": REACHED, "y": REACHED, "z": MISSED}, {}, 2 / 3),
        ({"x": UNDECIDED, "y": UNDECIDED}, {}, 1.0),
        ({"x": MISSED}, {"x": 0.5}, 0.5),
        ({"x": MISSED, "y": MISSED}, {"x": 7.0, "y": -3.0}, 0.5),  # of a damaged file
    ],
)
def test_the_score_of_a_state_is_the_formula_of_the_guide(verdicts, confidence, score):
    assert OpenSubject(STATE, "paid", verdicts, confidence).openness == pytest.approx(score)


def test_the_index_keeps_only_what_is_open_and_forgets_what_is_gone(tmp_path):
    room = ReviewRoom(tmp_path / "p", runs=1, goldens=1)
    queues = ProjectQueues(room.project)
    assert queues.teaching().score("trajectories/shop/golden-0") == 0
    with Catalogue(room.project) as catalogue:
        catalogue.refresh()
        (name, known), *others = catalogue.open_trajectories().items()
        assert (name, known.task, others) == ("trajectories/shop/a", "shop", [])
        assert known.subjects == [OpenSubject(TASK, "", {"rules": FAILURE})]
        room.submit("ann", "a")
        catalogue.refresh()
        assert catalogue.open_trajectories() == {}
