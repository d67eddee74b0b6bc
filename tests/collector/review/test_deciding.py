"""Disagreements of reviewers and judges, who may adjudicate them, and what counts then."""

from __future__ import annotations

import json

import pytest

from collector.cli.main import main
from collector.judge.votes.project_votes import read_votes
from collector.judge.windows import training_windows
from collector.metrics.check import check_metrics
from collector.metrics.loading import load_episodes
from collector.model.errors import UserError
from collector.model.verdicts.judgement import MODEL, STATE, STEP, TASK, Judgement, Subject
from collector.model.verdicts.voted_subject import PEOPLE
from collector.review.next_review import take_next
from collector.review.queue import PRESETS
from collector.review.trajectory_reviews import read_reviews
from collector.store.catalogue.catalogue import Catalogue
from collector.store.trajectory.judgements import add_judgements, read_judgements
from collector.store.trajectory.reviews.review_disagreements import ON_REASON, ON_STEP, ON_VERDICT
from collector.store.trajectory.reviews.review_records import read_work
from tests.helpers.reviewers import ReviewRoom

PAID = Subject(STATE, "paid")


@pytest.fixture
def room(tmp_path) -> ReviewRoom:
    return ReviewRoom(tmp_path / "p", runs=1)


def label_paid(room: ReviewRoom, who: str, step: int | None) -> None:
    def change(labels):
        return (
            labels.with_missed("paid")
            if step is None
            else labels.with_reached("paid", step, f"states/{step:04}.png")
        )

    room.reviewing(who).label(room.folder("a"), "label", change)


def disagreements(room: ReviewRoom) -> list[tuple[str, str]]:
    return [(item.subject.state, item.on) for item in read_reviews(room.folder("a")).disagreements]


def test_people_disagree_on_verdict_step_and_reason_and_drafts_have_no_vote(room):
    folder = room.folder("a")
    ann = room.reviewing("ann")
    ann.judge(folder, "success")
    assert disagreements(room) == []  # a draft
    ann.submit(folder)
    assert disagreements(room) == [("", ON_VERDICT)]  # the rules say failure
    ann.judge(folder, "failure", reason_id="wrong-element")
    assert disagreements(room) == []
    room.submit("ben", verdict="failure", reason_id="stops-too-early")
    assert disagreements(room) == [("", ON_REASON)]
    label_paid(room, "ann", 1)
    assert disagreements(room) == [("", ON_REASON)]
    label_paid(room, "ben", 2)
    assert disagreements(room) == [("", ON_REASON), ("paid", ON_STEP)]
    label_paid(room, "ben", None)
    assert disagreements(room) == [("", ON_REASON), ("paid", ON_VERDICT)]


def test_only_a_third_person_adjudicates_and_only_what_is_disagreed_on(room):
    folder = room.folder("a")
    with pytest.raises(UserError, match="Nothing is to be adjudicated on a"):
        room.reviewing("cleo").adjudicate(folder, Subject(TASK), "failure")
    room.submit("ann", verdict="success")
    with pytest.raises(UserError, match="you reviewed it yourself"):
        room.reviewing("ann").adjudicate(folder, Subject(TASK), "failure")
    with pytest.raises(UserError, match="Nothing is to be adjudicated on paid"):
        room.reviewing("cleo").adjudicate(folder, PAID, "missed")
    with pytest.raises(UserError, match="reached is no verdict here"):
        room.reviewing("cleo").adjudicate(folder, Subject(TASK), "reached")
    with pytest.raises(UserError, match="no reason x"):
        room.reviewing("cleo").adjudicate(folder, Subject(TASK), "failure", "", "x")
    room.reviewing("dan").tag(folder, ["begun"])
    with pytest.raises(UserError, match="when you have submitted your review"):
        room.reviewing("dan").adjudicate(folder, Subject(TASK), "failure")
    assert read_judgements(folder).settled() == {}
    room.reviewing("cleo").adjudicate(folder, Subject(TASK), "failure", "Look", "wrong-element")
    adjudicated = read_reviews(folder).adjudicated
    assert (adjudicated.judge, adjudicated.reason, adjudicated.reason_id) == ("cleo", "Look", "wrong-element")
    assert [item.is_open for item in read_reviews(folder).disagreements] == [False]


def test_the_adjudicated_verdict_counts_above_all_others_wherever_people_are_counted(room):
    folder = room.folder("a")
    for who in ("ann", "ben"):
        room.submit(who, verdict="failure")
        label_paid(room, who, 1)
    add_judgements(folder, [Judgement("qwen", MODEL, "7b", Subject(TASK), "success")])
    add_judgements(folder, [Judgement("qwen", MODEL, "7b", PAID, "missed")])
    cleo = room.reviewing("cleo")
    assert take_next(room.reviewing("cleo"), PRESETS[1]) == folder
    cleo.adjudicate(folder, Subject(TASK), "success")
    assert read_work(folder, "cleo").record.hold is not None  # the state is hers to settle, too
    cleo.adjudicate(folder, Subject(STATE, "paid", 2, 2), "reached")
    assert read_work(folder, "cleo").record.hold is None
    subjects = {subject.kind: subject for subject in read_votes(room.project).subjects}
    assert (subjects[TASK].people_say, subjects[STATE].settled_step) == ("success", 2)
    windows, split = training_windows([subjects[STATE]], 3)
    assert ([window.window.last for window in windows if window.is_positive], split) == ([2], [])
    with Catalogue(room.project) as catalogue:
        catalogue.refresh()
        assert catalogue.folders("verdict:success=people") == ["trajectories/shop/a"]
        assert catalogue.folders("unsettled:yes") == []
        assert catalogue.folders("disagreement:yes") == ["trajectories/shop/a"]
    assert people_in_metrics(room) == ("success", "\npaid=2")
    cleo.undo(folder)
    cleo.undo(folder)
    assert people_in_metrics(room) == ("failure", "\npaid=1")
    check = check_metrics(room.project)
    assert (check.differences, check.damaged) == ((), ())


def test_people_disagree_on_a_step_and_a_third_person_settles_it(room, capsys):
    folder, step = room.folder("a"), Subject(STEP, "", 1, 1)
    ann, cleo = room.reviewing("ann"), room.reviewing("cleo")
    ann.judge_step(folder, 1, "wrong_element")
    ann.judge_step(folder, 0, "right")
    room.submit("ann", verdict="failure")
    add_judgements(folder, [Judgement("qwen", MODEL, "7b", step, "needless")])
    assert read_reviews(folder).disagreements == ()  # a model judges every step
    room.reviewing("ben").judge_step(folder, 1, "right")
    room.reviewing("ben").judge_step(folder, 0, "undecided")
    assert read_reviews(folder).disagreements == ()  # a draft
    room.submit("ben", verdict="failure")
    (disputed,) = read_reviews(folder).disagreements
    votes = {"ann": "wrong_element", "ben": "right"}
    assert (disputed.subject, disputed.on, dict(disputed.votes)) == (step, ON_VERDICT, votes)
    with pytest.raises(UserError, match="you reviewed it yourself"):
        ann.adjudicate(folder, step, "right")
    with pytest.raises(UserError, match="Nothing is to be adjudicated on step 1"):
        cleo.adjudicate(folder, Subject(STEP, "", 0, 0), "right")
    project = ("--project", str(room.project.folder), "--as", "cleo")
    adjudicated = ("review", "adjudicate", "a", "--step", "2", "--verdict", "risky", *project)
    assert main([*adjudicated, "--because", "It pays"]) == 0
    assert "cleo adjudicated step 2: risky" in capsys.readouterr().out
    assert [item.is_open for item in read_reviews(folder).disagreements] == [False]
    assert [item.kind for item in read_votes(room.project).subjects] == [TASK]  # it is no vote on the whole
    with Catalogue(room.project) as catalogue:
        catalogue.refresh()
        assert catalogue.folders("unsettled:yes") == []

    assert main(["review", "steps", *project, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)["steps"]
    assert [(item["step"], item["judgement"]["judge"], item["judgement"]["verdict"]) for item in said] == [
        (0, "ann", "right"), (0, "ben", "undecided"), (1, "ann", "wrong_element"), (1, "ben", "right"),
        (1, "qwen", "needless"), (1, "cleo", "risky"),
    ]  # fmt: skip
    assert [item["first_error"] for item in said] == [False, False, True, False, True, True]
    assert main(["review", "steps", *project, "--first-errors", "--judge", "ann"]) == 0
    out = capsys.readouterr().out
    assert "wrong element (first error)" in out
    assert "1 verdict on steps of 1 trajectory" in out
    for chosen in (("--verdict", "hallucinated"), ("--where", "agent:nobody")):
        assert main(["review", "steps", *project, *chosen]) == 0
        assert "Nobody said anything of a step that fits" in capsys.readouterr().out
    assert main(["review", "steps", str(room.project.folder), "--as", "dan", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["steps"]) == 6
    room.reviewing("dan").tag(folder, ["begun"])  # from now on the review is blind
    assert main(["review", "steps", str(room.project.folder), "--as", "dan", "--json"]) == 0
    assert {item["judgement"]["judge"] for item in json.loads(capsys.readouterr().out)["steps"]} <= {"qwen"}
    assert cleo.undo(folder).act == "adjudicate"
    assert [item.is_open for item in read_reviews(folder).disagreements] == [True]


def people_in_metrics(room: ReviewRoom) -> tuple[str, str]:
    """What metrics take for the verdict of people, and the steps that reach states."""
    table = load_episodes(room.project, judge=PEOPLE)
    steps = table.verdicts.steps
    return table.texts[table.verdicts.status[0]], table.texts[steps[0]]


def test_an_undo_takes_the_newest_act_back_and_can_be_undone(room):
    folder, ann, cleo = room.folder("a"), room.reviewing("ann"), room.reviewing("cleo")
    room.submit("ann", verdict="success")
    room.submit("ben", verdict="failure")
    cleo.approve(folder, "ann")
    cleo.reject(folder, "ann", "No")
    cleo.adjudicate(folder, Subject(TASK), "failure")
    undone = [cleo.undo(folder) for _time in range(3)]
    assert [item.act for item in undone] == ["adjudicate", "reject", "approve"]
    with pytest.raises(UserError, match="cleo has done nothing here that can be undone"):
        cleo.undo(folder)
    for item in reversed(undone):
        item.edit.redo()
    reviews = read_reviews(folder)
    assert (reviews.of("ann").status, reviews.adjudicated.verdict) == ("rejected", "failure")
    assert [ann.undo(folder).act for _time in range(2)] == ["submit", "verdict"]
    assert read_reviews(folder).of("ann") is None
