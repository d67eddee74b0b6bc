"""A reviewer's draft, submission, approval, rejection and correction, and what all files say together."""

from __future__ import annotations

import pytest

from collector.model.action import Type, action_from_dict
from collector.model.errors import UserError
from collector.model.verdicts.judgement import STEP, Subject
from collector.model.verdicts.review import APPROVED, DRAFT, REJECTED, SUBMITTED
from collector.review.review_history import history_of
from collector.review.throughput import throughput
from collector.review.trajectory_reviews import read_reviews
from collector.store.trajectory.reviews.labels import Comment
from collector.store.trajectory.reviews.review_records import read_work
from tests.helpers.reviewers import START, ReviewRoom


@pytest.fixture
def room(tmp_path) -> ReviewRoom:
    return ReviewRoom(tmp_path / "p")


def status(room: ReviewRoom, name: str = "a") -> str:
    return read_reviews(room.folder(name)).status


def test_a_review_goes_from_draft_to_approved_and_what_changes_after_is_not_approved(room):
    folder, ann, cleo = room.folder("a"), room.reviewing("ann"), room.reviewing("cleo")
    assert status(room) == ""
    ann.tag(folder, ["slow one"])
    assert status(room) == DRAFT
    with pytest.raises(UserError, match="it has no verdict"):
        ann.submit(folder)
    ann.judge(folder, "failure", "The cart is empty", "wrong-element")
    ann.label(folder, "label", lambda labels: labels.toggled("seen", 1, "states/0001.png"))
    ann.label(folder, "comment", lambda labels: labels.with_comment(Comment("Look", 1)))
    ann.tag(folder, ["slow  one", "slow one"])
    with pytest.raises(UserError, match="No other person submitted a review"):
        cleo.approve(folder)
    ann.submit(folder)
    assert status(room) == SUBMITTED
    cleo.approve(folder, note="Well seen")
    review = read_reviews(folder).of("ann")
    assert (review.status, review.approved_by, review.approval.reason) == (APPROVED, "cleo", "Well seen")
    assert (review.verdict.reason_id, review.record.tags) == ("wrong-element", ("slow one",))
    ann.tag(folder, ["later"])  # tags and comments are no part of what was approved
    assert status(room) == APPROVED
    ann.label(folder, "label", lambda labels: labels.with_missed("paid"))
    assert status(room) == SUBMITTED
    cleo.approve(folder, "ann")
    assert status(room) == APPROVED
    ann.judge(folder, "success")
    assert status(room) == SUBMITTED


def test_a_step_is_called_wrong_with_what_would_have_been_right(room):
    folder, ann = room.folder("a"), room.reviewing("ann")
    ann.judge_step(folder, 1, "wrong_action", Type("bread", 5), "It forgot the bread")
    (given,) = (each for each in read_reviews(folder).all_judgements if each.judge == "ann")
    assert (given.subject, given.verdict) == (Subject(STEP, "", 1, 1), "wrong_action")
    assert action_from_dict(given.better) == Type("bread", 5)
    assert status(room) == DRAFT
    assert "step" in [act.act for act in history_of(read_reviews(folder))]
    with pytest.raises(UserError, match="belongs to a step that is wrong"):
        ann.judge_step(folder, 1, "right", Type("bread", 5))
    assert ann.undo(folder).act == "step"
    assert given not in read_reviews(folder).all_judgements


def test_a_rejection_stands_until_the_review_is_submitted_again(room):
    folder, ann, cleo = room.folder("a"), room.reviewing("ann"), room.reviewing("cleo")
    room.submit("ann")
    with pytest.raises(UserError, match="a rejection needs a reason"):
        cleo.reject(folder, "ann", "  ")
    cleo.reject(folder, "ann", "The last step is missing")
    assert status(room) == REJECTED
    ann.judge(folder, "failure")
    assert status(room) == REJECTED
    ann.submit(folder)
    assert status(room) == SUBMITTED
    cleo.approve(folder)
    room.reviewing("dan").reject(folder, "ann", "No")  # the latest word counts
    assert status(room) == REJECTED
    sentences = [act.sentence for act in history_of(read_reviews(folder))]
    assert sentences[-3:] == [
        "ann submitted the review", "cleo approved the review of ann", "dan rejected the review of ann: No",
    ]  # fmt: skip


def test_nobody_approves_an_own_review_or_one_that_nobody_submitted(room):
    folder = room.folder("a")
    room.submit("ann")
    with pytest.raises(UserError, match="Nobody approves an own review"):
        room.reviewing("ann").approve(folder, "ann")
    with pytest.raises(UserError, match="ben submitted no review of a"):
        room.reviewing("cleo").approve(folder, "ben")
    room.submit("ben")
    with pytest.raises(UserError, match=r"Several reviews of a are submitted.*ann, ben"):
        room.reviewing("cleo").approve(folder)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda reviewing, folder: reviewing.judge(folder, "fine"), "fine is no verdict here"),
        (lambda reviewing, folder: reviewing.judge(folder, "failure", "", "x"), "no reason x"),
        (lambda reviewing, folder: reviewing.tag(folder, [" "]), "is no tag"),
        (lambda reviewing, folder: reviewing.tag(folder, ["x" * 61]), "is no tag"),
    ],
)
def test_what_cannot_be_said_is_refused_in_a_sentence(room, act, message):
    with pytest.raises(UserError, match=message):
        act(room.reviewing("ann"), room.folder("a"))
    assert status(room) == ""
    with pytest.raises(UserError, match="needs a name"):
        room.reviewing("  ")


def test_an_automatic_verdict_is_confirmed_unless_judges_differ(room):
    ann, folder = room.reviewing("ann"), room.folder("a")
    ann.confirm(folder)
    assert read_reviews(folder).of("ann").verdict.verdict == "failure"
    golden = room.add("golden", "golden")
    with pytest.raises(UserError, match="There is no automatic verdict to confirm"):
        ann.confirm(golden)


def test_each_act_is_undone_and_done_again_while_later_acts_stay(room):
    folder, ann = room.folder("a"), room.reviewing("ann")
    edits = [
        ann.judge(folder, "success"),
        ann.judge(folder, "failure"),
        ann.label(folder, "label", lambda labels: labels.with_missed("paid")),
        ann.tag(folder, ["slow"]),
        ann.submit(folder),
    ]
    assert ann.tag(folder, ["slow"]) is None

    def said() -> tuple[object, ...]:
        review = read_reviews(folder).of("ann")
        if review is None:
            return "", (), (), False
        verdict = review.verdict.verdict if review.verdict else ""
        return verdict, review.labels.missed, review.record.tags, bool(review.submitted)

    full = ("failure", ("paid",), ("slow",), True)
    assert said() == full
    edits[2].undo()  # in the middle: what came later stays
    assert said() == ("failure", (), ("slow",), True)
    edits[2].redo()
    for edit in reversed(edits):
        edit.undo()
    assert said() == ("", (), (), False)
    for edit in edits:
        edit.redo()
    assert said() == full


def test_work_is_timed_from_act_to_act_without_long_pauses(room):
    ann, folder = room.reviewing("ann"), room.folder("a")
    ann.tag(folder, ["begun"])
    room.clock.wait(20)
    ann.judge(folder, "failure")
    room.clock.wait(3600)  # lunch
    ann.tag(folder, ["slow"])
    room.clock.wait(10)
    ann.submit(folder)
    record = read_work(folder, "ann").record
    assert record.seconds == pytest.approx(30, abs=0.1)
    assert record.first_verdict
    assert record.opened.startswith("2026-04-12T09:00:00")
    room.submit("ann", "b")
    pace = throughput(room.project, "ann", room.clock())
    assert (pace.total, pace.today, pace.last_hour) == (2, 2, 2)
    assert pace.median_seconds == pytest.approx(30, abs=0.1)  # of the other no work was measured
    pace = throughput(room.project, "ann", replace_day(room, 1))
    assert (pace.total, pace.today, pace.last_hour) == (2, 0, 0)
    assert throughput(room.project, "ben", room.clock()).total == 0


def replace_day(room: ReviewRoom, days: int):
    room.clock.wait(days * 86_400)
    return room.clock()


def test_other_keys_of_the_file_stay(room):
    from collector.store.trajectory.reviews.annotations import read_annotations, write_annotations

    folder, ann = room.folder("a"), room.reviewing("ann")
    write_annotations(
        folder,
        "ann",
        {
            "review": "approved",
            "lab": {"x": 1},
            "reviewing": {"mood": "good", "seconds": "many", "hold": 3},
            "approvals": [{"of": "ben", "status": "approved", "stars": 5}, 7, {"status": "rejected"}],
        },
    )
    assert status(room) == APPROVED  # as the file states by itself
    ann.tag(folder, ["slow"])
    stored = read_annotations(folder, "ann")
    assert (stored["review"], stored["lab"], stored["tags"]) == ("approved", {"x": 1}, ["slow"])
    assert stored["reviewing"]["mood"] == "good"
    assert stored["approvals"] == [{"of": "ben", "status": "approved", "stars": 5}]
    assert START.year == int(stored["reviewing"]["opened"][:4])
