"""Queues give each trajectory to as many people as they say, and nobody what another works on."""

from __future__ import annotations

import os
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from collector.model.errors import UserError
from collector.model.verdicts.judgement import TASK, Subject
from collector.project_check.project_check import check_every_file
from collector.review.next_review import take_next
from collector.review.project_reviews import project_reviews
from collector.review.queue import PRESETS, QueueWork, ReviewQueue
from collector.review.queue_check import check_queues
from collector.review.queue_files import delete_queue, queue_document, queue_of, read_queues, save_queue
from collector.review.review_clock import stamp
from collector.review.trajectory_reviews import read_reviews
from collector.store.files.errors import Damaged, DiskFull, FromTheFuture, ReadOnly, StoreError
from collector.store.trajectory.reviews.review_records import read_work
from tests.helpers.reviewers import ReviewRoom

AUTOMATIC, DISAGREEMENTS, TO_APPROVE, DRAFTS, REJECTED, TO_LABEL, GOLDEN = PRESETS
PAIR = ReviewQueue("pair", "kind:run", reviewers=2, who=("ann", "ben", "dan"), title="Twice")


def next_of(room: ReviewRoom, who: str, queue: ReviewQueue = AUTOMATIC) -> str | None:
    folder = take_next(room.reviewing(who), queue)
    return folder.name if folder is not None else None


def counts(room: ReviewRoom, who: str, queue: ReviewQueue) -> tuple[int, int, int, int]:
    found = room.reviewing(who).queues.counts(queue, who, stamp(room.clock()))
    return found.todo, found.held, found.done, found.total


def test_nobody_gets_what_another_holds_until_the_time_is_over(tmp_path):
    room = ReviewRoom(tmp_path / "p", runs=3, goldens=1)
    assert [next_of(room, "ann"), next_of(room, "ben"), next_of(room, "dan"), next_of(room, "eve")] == [
        "a", "b", "c", None,
    ]  # fmt: skip
    assert next_of(room, "ann") == "a"  # what one has begun comes first
    assert counts(room, "ann", AUTOMATIC) == (1, 2, 0, 3)
    room.submit("ben", "b")
    assert counts(room, "ann", AUTOMATIC) == (1, 1, 1, 3)
    assert next_of(room, "ben") is None
    room.clock.wait(25 * 60)
    room.reviewing("ann").judge(room.folder("a"), "success")  # work prolongs the hold
    room.clock.wait(25 * 60)
    assert next_of(room, "eve") == "c"
    assert next_of(room, "dan") is None
    room.clock.wait(31 * 60)
    assert next_of(room, "dan") == "c"


def test_what_was_skipped_is_free_for_others_and_comes_back_last(tmp_path):
    room = ReviewRoom(tmp_path / "p", runs=3)
    assert next_of(room, "ann") == "a"
    room.reviewing("ann").skip(room.folder("a"))
    assert next_of(room, "ann") == "b"
    assert next_of(room, "ben") == "a"
    room.submit("ben", "a")
    room.submit("ann", "b")
    assert next_of(room, "ann") == "c"
    room.reviewing("ann").skip(room.folder("c"))
    assert next_of(room, "ann") == "c"


def test_two_people_review_each_and_a_hash_says_whose_a_trajectory_is_first(tmp_path):
    room = ReviewRoom(tmp_path / "p", runs=4)
    save_queue(room.project, PAIR)
    given: Counter[str] = Counter()
    while True:
        names = {who: next_of(room, who, PAIR) for who in PAIR.who}
        if not any(names.values()):
            break
        for who, name in names.items():
            if name is not None:
                room.submit(who, name)
                given[name] += 1
    assert set(given.values()) == {2}
    assert len(given) == 4
    assert counts(room, "zoe", PAIR) == (0, 0, 4, 4)
    assert next_of(room, "zoe", PAIR) is None
    firsts = {who: next(iter(room.reviewing(who).queues.ordered(PAIR, who, "")), None) for who in PAIR.who}
    assert set(firsts.values()) == {None}


def test_the_presets_hold_what_their_names_say(tmp_path):
    room = ReviewRoom(tmp_path / "p", runs=2, goldens=2)
    room.submit("ann", "a", "success")  # the rules say failure
    room.reviewing("ann").judge(room.folder("b"), "failure")
    assert counts(room, "ann", AUTOMATIC) == (1, 0, 1, 2)
    assert counts(room, "ann", DISAGREEMENTS) == (0, 1, 0, 1)
    assert next_of(room, "cleo", DISAGREEMENTS) == "a"
    assert next_of(room, "ben", DISAGREEMENTS) is None  # cleo settles it
    assert read_work(room.folder("a"), "cleo").record.opened == ""  # no review of her own
    room.reviewing("cleo").adjudicate(room.folder("a"), Subject(TASK), "failure")
    assert counts(room, "cleo", DISAGREEMENTS) == (0, 0, 1, 1)
    assert counts(room, "ann", TO_APPROVE) == (0, 1, 0, 1)
    assert next_of(room, "cleo", TO_APPROVE) == "a"
    room.reviewing("cleo").reject(room.folder("a"), "ann", "Look again")
    assert counts(room, "cleo", TO_APPROVE) == (0, 0, 1, 1)
    assert [next_of(room, who, REJECTED) for who in ("ann", "cleo")] == ["a", None]
    assert [next_of(room, who, DRAFTS) for who in ("ann", "cleo")] == ["b", None]
    assert next_of(room, "ann") == "a"  # rejected, so it is to be done again
    assert [next_of(room, "ann", GOLDEN), next_of(room, "ben", GOLDEN)] == ["golden-0", "golden-1"]
    reviews = project_reviews(room.reviewing("ann"))
    assert reviews.statuses == {"unreviewed": 0, "draft": 3, "submitted": 0, "approved": 0, "rejected": 1}
    assert (reviews.disagreements, reviews.own.total) == (0, 1)


def test_programs_that_ask_at_once_get_different_trajectories(tmp_path):
    room = ReviewRoom(tmp_path / "p", runs=6)
    people = [room.reviewing(f"p{number}") for number in range(3)]
    gate, given, failed = threading.Barrier(len(people)), [], []

    def work(reviewing) -> None:
        try:
            gate.wait()
            for _turn in range(2):
                folder = take_next(reviewing, AUTOMATIC)
                given.append(folder.name)
                reviewing.judge(folder, "failure")
                reviewing.submit(folder)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(reviewing,)) for reviewing in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert sorted(given) == list("abcdef")


def test_a_queue_survives_its_file_with_comments_and_unknown_keys(tmp_path):
    room = ReviewRoom(tmp_path / "p", runs=0)
    queue = replace(PAIR, work=QueueWork.ADJUDICATE, hides_judges=True, created="2026", created_by="ann")
    path = save_queue(room.project, replace(queue, extra={"lab": 4}))
    path.write_text(path.read_text("utf-8").replace("name: pair", "name: pair  # both"), "utf-8")
    assert read_queues(room.project.paths) == ((replace(queue, extra={"lab": 4}),), ())
    copy = path.with_name("copy.yaml")
    copy.write_bytes(path.read_bytes())
    assert [item.code for item in check_queues(room.project)] == ["queue-twice"]
    copy.unlink()
    with pytest.raises(UserError, match="There is a queue Pair already"):
        save_queue(room.project, replace(queue, name="Pair"))
    save_queue(room.project, replace(queue, title="New", extra={"lab": 4}), replace=True)
    assert "# both" in path.read_text("utf-8")
    assert queue_of(queue_document(queue), "x") == queue
    assert delete_queue(room.project, "pair") == path
    assert read_queues(room.project.paths) == ((), ())
    with pytest.raises(UserError, match=r"There is no queue pair.*automatic-verdicts"):
        delete_queue(room.project, "pair")
    with pytest.raises(UserError, match="golden is a preset queue"):
        delete_queue(room.project, "golden")


@pytest.mark.parametrize(
    ("queue", "message"),
    [
        (ReviewQueue(""), "is no name of a queue"),
        (ReviewQueue("a\nb"), "is no name of a queue"),
        (ReviewQueue("x", reviewers=3), "A queue has 1 or 2 reviewers"),
        (ReviewQueue("x", reviewers=2, who=("ann",)), "wants 2 reviewers and names 1"),
        (ReviewQueue("x", query="colour:red"), "There is no search key colour"),
        (ReviewQueue("My-Drafts"), "There is a queue My-Drafts already"),
    ],
)
def test_a_queue_that_cannot_work_is_refused_in_a_sentence(tmp_path, queue, message):
    room = ReviewRoom(tmp_path / "p", runs=0)
    with pytest.raises(UserError, match=message):
        save_queue(room.project, queue)
    assert not room.project.paths.review_queues()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[1]", Damaged), ("name: x\nreviewers: 7", Damaged), ("query: x", Damaged), ("name: [", Damaged),
        ("name: x\nwork: sleep", Damaged), ("name: x\nwho: ann", Damaged),
        ("version: 9\nname: x", FromTheFuture),
    ],
)  # fmt: skip
def test_a_damaged_file_of_a_queue_hides_no_other(tmp_path, text, error):
    room = ReviewRoom(tmp_path / "p", runs=1)
    save_queue(room.project, PAIR)
    (room.project.folder / "queues" / "a.yaml").write_text(text, "utf-8")
    queues = room.reviewing("ann").queues
    assert [type(problem) for problem in queues.problems] == [error]
    assert queues.queue("pair") == PAIR
    assert len(project_reviews(room.reviewing("ann")).problems) == 1
    (finding,) = (item for item in check_every_file(room.project) if item.code.startswith("queue"))
    assert (finding.code, finding.severity, finding.where) == ("queue-damaged", "error", "queues/a.yaml")


def test_an_own_file_that_cannot_be_read_is_passed_over_and_others_see_the_rest(tmp_path):
    room = ReviewRoom(tmp_path / "p", runs=2)
    folder = room.folder("a") / "annotations"
    folder.mkdir()
    (folder / "ann.json").write_text("{", "utf-8")
    assert next_of(room, "ann") == "b"
    assert next_of(room, "ben") == "a"
    with pytest.raises(Damaged):
        room.reviewing("ann").skip(room.folder("a"))
    assert read_reviews(room.folder("a")).problems == ("annotations/ann.json cannot be read",)


def test_a_project_that_may_only_be_read_shows_reviews_and_refuses_acts(tmp_path, monkeypatch):
    room = ReviewRoom(tmp_path / "p", runs=1)
    room.submit("ben")
    is_writable = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and is_writable(path, mode))
    room.project = type(room.project).open(room.project.folder)
    ann = room.reviewing("ann")
    assert ann.of(room.folder("a")).of("ben").status == "submitted"
    assert project_reviews(ann).statuses["submitted"] == 1
    for act in (
        lambda: ann.judge(room.folder("a"), "success"),
        lambda: take_next(ann, TO_APPROVE),
        lambda: room.reviewing("ann").approve(room.folder("a")),
        lambda: save_queue(room.project, PAIR),
        lambda: delete_queue(room.project, "pair"),
    ):
        with pytest.raises(ReadOnly):
            act()


def test_a_full_disk_leaves_the_review_as_it_was(tmp_path, monkeypatch):
    from collector.store.files import disk

    room = ReviewRoom(tmp_path / "p", runs=1)
    room.submit("ann", verdict="failure")
    before = read_work(room.folder("a"), "ann")

    def full(_disk: object, path: Path, _data: bytes) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(disk.Disk, "_append", full)
    for act in (room.reviewing("ann").submit, room.reviewing("ann").skip, room.reviewing("ben").skip):
        with pytest.raises(DiskFull):
            act(room.folder("a"))
    with pytest.raises(StoreError):
        take_next(room.reviewing("ben"), TO_APPROVE)
    with pytest.raises(DiskFull):
        save_queue(room.project, PAIR)
    monkeypatch.undo()
    assert read_work(room.folder("a"), "ann") == before
    assert not room.project.paths.review_queues()
