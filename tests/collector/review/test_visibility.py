"""Reviewers work blind until they have submitted, and one module decides what that means."""

from __future__ import annotations

import pytest

from collector.review.next_review import take_next
from collector.review.queue import ReviewQueue
from collector.review.queue_files import save_queue
from collector.store.catalogue.catalogue import Catalogue
from tests.helpers.reviewers import ReviewRoom


@pytest.fixture
def room(tmp_path) -> ReviewRoom:
    return ReviewRoom(tmp_path / "p", runs=1)


def seen(room: ReviewRoom, who: str) -> tuple[set[str], set[str]]:
    """People and judges of whom a person sees something."""
    reviews = room.reviewing(who).of(room.folder("a"))
    people = {*(review.who for review in reviews.reviews), *reviews.works}
    judges = {item.judge for item in (*reviews.judgements, *reviews.all_judgements)}
    return people, {*judges, *({"outcome"} if reviews.outcome else set())}


def test_others_are_hidden_from_the_first_act_until_the_submission(room):
    folder = room.folder("a")
    room.submit("ben", verdict="success")
    room.reviewing("cleo").reject(folder, "ben", "No")
    assert seen(room, "ann") == ({"ben", "cleo"}, {"ben", "rules", "outcome"})  # who reviews nothing
    ann = room.reviewing("ann")
    ann.tag(folder, ["begun"])
    assert seen(room, "ann") == ({"ann"}, {"rules", "outcome"})
    ann.judge(folder, "failure")
    hidden = ann.of(folder)
    assert hidden.hidden == "You see what others say of it when you have submitted your review"
    assert (hidden.disagreements, hidden.settled, hidden.status) == ((), {}, "draft")
    ann.submit(folder)
    assert seen(room, "ann") == ({"ann", "ben", "cleo"}, {"ann", "ben", "rules", "outcome"})
    assert ann.of(folder).hidden == ""


def test_a_review_of_which_everything_was_taken_back_is_none_and_hides_nothing(room):
    folder, ann = room.folder("a"), room.reviewing("ann")
    room.submit("ben", verdict="success")
    mistaken = ann.judge(folder, "failure")
    assert seen(room, "ann")[0] == {"ann"}
    mistaken.undo()
    assert ann.of(folder).hidden == ""
    assert (ann.of(folder).of("ann"), ann.of(folder).status) == (None, "submitted")
    with Catalogue(room.project) as catalogue:
        catalogue.refresh()
        assert [row.state.status_of("ann") for row in catalogue.review_rows("review:any")] == [""]
    mistaken.redo()
    assert ann.of(folder).of("ann").status == "draft"
    ann.judge_step(folder, 0, "needless")
    mistaken.undo()
    assert ann.of(folder).hidden, "the verdict on a step is left"


def test_a_queue_of_two_hides_others_before_the_review_is_begun_as_long_as_it_wants_one(room):
    save_queue(room.project, ReviewQueue("pair", "kind:run", reviewers=2, who=("ann", "ben", "dan")))
    room.submit("ben")
    assert seen(room, "ann")[0] == set()
    assert seen(room, "zoe")[0] == {"ben"}  # she is not among the reviewers
    assert "The queue pair wants your review" in room.reviewing("ann").of(room.folder("a")).hidden
    room.submit("dan")
    assert seen(room, "ann")[0] == {"ben", "dan"}  # she may adjudicate


def test_a_queue_hides_judges_until_the_own_review_is_submitted(room):
    save_queue(room.project, ReviewQueue("pure", "kind:run", hides_judges=True))
    queue = room.reviewing("ann").queues.queue("pure")
    assert seen(room, "ann") == (set(), set())
    ann = room.reviewing("ann")
    assert take_next(ann, queue) == room.folder("a")
    assert seen(room, "ann") == ({"ann"}, set())
    assert ann.of(room.folder("a")).automatic == ""
    ann.judge(room.folder("a"), "success")
    assert seen(room, "ann") == ({"ann"}, {"ann"})
    room.submit("ben")
    assert seen(room, "ann") == ({"ann"}, {"ann"})  # also when another was quicker
    ann.submit(room.folder("a"))
    both = ({"ann", "ben"}, {"ann", "ben", "rules", "outcome"})
    assert seen(room, "ann") == both
    assert seen(room, "zoe") == both  # the queue wants no more
