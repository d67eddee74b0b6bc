"""Files of several people give the same status, whatever the order in which they come together."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from itertools import count, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.model.verdicts.judgement import PERSON, Judgement, Subject
from collector.model.verdicts.review import REVIEW_STATUSES, ReviewApproval, ReviewHold, ReviewRecord
from collector.review.review_edit import merged_work
from collector.review.trajectory_reviews import read_reviews
from collector.store.trajectory.reviews.labels import Comment, Labels, labels_of, labels_values
from collector.store.trajectory.reviews.person_reviews import digest_of, reviews_of, status_of
from collector.store.trajectory.reviews.review_records import ReviewWork, record_of, record_values
from tests.helpers.reviewers import ReviewRoom

NAMES = ("ann", "ben", "cleo")
names = st.sampled_from(NAMES)
texts = st.sampled_from(["slow", "two words", "弹窗", 'a"b', "é\u202e", "x" * 60])
times = st.sampled_from([f"2026-04-12T09:00:{second}.000+00:00" for second in (10, 20, 30)])
digests = st.sampled_from(["", digest_of(Labels("x"), None)])
approvals = st.builds(
    ReviewApproval, names, st.sampled_from(["approved", "rejected"]), texts, times, times, digests
)  # fmt: skip
records = st.builds(
    ReviewRecord,
    tags=st.lists(texts, unique=True, max_size=3).map(tuple),
    opened=st.just("") | times,
    active=st.just("") | times,
    seconds=st.integers(0, 9000).map(lambda tenths: tenths / 10),
    first_verdict=st.just("") | times,
    queue=st.just("") | texts,
    hold=st.none() | st.builds(ReviewHold, texts, times, times),
    skipped=st.just("") | times,
    approvals=st.lists(approvals, max_size=3).map(tuple),
    extra=st.dictionaries(st.sampled_from(["lab", "mood"]), st.integers() | texts, max_size=2),
)


@st.composite
def works(draw):
    return [
        ReviewWork(Labels(who, submitted=draw(st.just("") | times)), draw(records))
        for who in draw(st.lists(names, unique=True, max_size=3))
    ]


@settings(max_examples=60)
@given(records)
def test_a_record_survives_the_file(record):
    assert record_of(json.loads(json.dumps(record_values(record)))) == record


@settings(max_examples=60)
@given(works(), st.lists(names, unique=True), st.randoms())
def test_the_status_does_not_depend_on_the_order_of_files_and_judgements(given_works, judges, random):
    verdicts = [Judgement(who, PERSON, "", Subject("task"), "failure") for who in judges]
    expected = reviews_of(given_works, verdicts)
    random.shuffle(given_works)
    random.shuffle(verdicts)
    assert reviews_of(given_works, verdicts) == expected
    assert status_of(expected) in ("", *REVIEW_STATUSES)
    for review in expected:
        assert review.approved_by != review.who
        assert bool(review.submitted) or review.status == "draft"


@settings(max_examples=40)
@given(records, records, records)
def test_an_edit_of_a_record_is_undone_and_leaves_what_others_did(before, after, other):
    old, new, now = (ReviewWork(Labels("ann"), record) for record in (before, after, other))
    assert set(merged_work(old, new, old).record.tags) == set(after.tags)
    undone = merged_work(new, old, merged_work(old, new, now)).record
    own = [*before.approvals, *after.approvals]
    assert [item for item in undone.approvals if item not in own] == [
        item for item in other.approvals if item not in own
    ]
    assert (undone.opened, undone.seconds, undone.extra) == (other.opened, other.seconds, other.extra)


STATES = ("seen", "paid", "sent")
NUMBERS = count()
"""Comments differ, at least in their time."""
edits = st.sampled_from(
    [
        *(lambda said, s=s, at=at: said.toggled(s, at, f"{at}.png") for s in STATES for at in (0, 1)),
        *(lambda said, s=s: said.toggled_missed(s) for s in STATES),
        lambda said: said.toggled_missed(*STATES),
        lambda said: said.with_comment(Comment(f"no {next(NUMBERS)}", len(said.comments))),
        lambda said: said.without_comment(0) if said.comments else said,
        lambda said: said.with_comment(Comment(f"other {next(NUMBERS)}", 9), 0) if said.comments else said,
        lambda said: replace(said, submitted="2026-04-12T09:00:00.000+00:00"),
    ]
)


def merged(before, after, current):
    return merged_work(ReviewWork(before), ReviewWork(after), ReviewWork(current)).labels


@given(st.lists(edits, max_size=8))
def test_undoing_every_edit_from_the_last_on_restores_what_was_there(changes):
    states = [Labels("lin").with_missed("paid").with_comment(Comment("first"))]
    for change in changes:
        states.append(change(states[-1]))
    current = states[-1]
    for before, after in zip(states[-2::-1], states[:0:-1], strict=True):
        current = merged(after, before, current)
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
    undone = merged(one, start, both)
    for state in STATES:
        if (start.step_of(state), state in start.missed) == (one.step_of(state), state in one.missed):
            assert (undone.step_of(state), state in undone.missed) == (
                both.step_of(state),
                state in both.missed,
            )


@settings(max_examples=20)
@given(texts, st.lists(names, unique=True))
def test_labels_keep_their_keys_beside_a_record(text, tags):
    work = ReviewWork(Labels("ann", missed=(text,)), ReviewRecord(tags=tuple(tags)))
    document = json.loads(json.dumps({**labels_values(work.labels), **record_values(work.record)}))
    assert ReviewWork(labels_of("ann", document), record_of(document)) == work


def test_folders_of_three_people_merge_in_any_order_to_the_same_reviews(tmp_path):
    room = ReviewRoom(tmp_path / "p", runs=1)
    room.submit("ann", verdict="success")
    room.submit("ben", verdict="failure")
    room.reviewing("cleo").approve(room.folder("a"), "ann")
    room.reviewing("cleo").adjudicate(room.folder("a"), Subject("task"), "failure")
    room.reviewing("ben").reject(room.folder("a"), "ann", "No")
    whole = read_reviews(room.folder("a"))
    assert (whole.status, whole.adjudicated.verdict) == ("rejected", "failure")
    seen = set()
    for number, order in enumerate(permutations(NAMES)):
        copy = tmp_path / f"copy-{number}"
        shutil.copytree(
            room.folder("a"), copy, ignore=shutil.ignore_patterns(*(f"{who}.json*" for who in NAMES))
        )
        for who in order:
            for place in ("annotations", "judgements"):
                for path in (room.folder("a") / place).glob(f"{who}.json*"):
                    shutil.copy(path, copy / place / path.name)
        merged = read_reviews(copy)
        assert merged.reviews == whole.reviews
        seen.add((merged.status, merged.adjudicated.verdict, len(merged.disagreements)))
    assert len(seen) == 1


@pytest.mark.parametrize(
    "value", [None, 3, [], {"opened": 3, "seconds": -1, "hold": []}, {"hold": {"until": 2}}]
)
def test_damaged_work_is_left_out(value):
    assert record_of({"reviewing": value, "tags": value, "approvals": value}).hold is None
