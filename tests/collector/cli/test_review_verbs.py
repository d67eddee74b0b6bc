"""``waymark review``: queues, drafts, submission and decisions, as JSON, and a sentence on bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from collector.cli import main as command
from collector.model.action import action_from_dict
from collector.model.verdicts.judgement import MODEL, Judgement, Subject
from collector.store.trajectory.judgements import add_judgements, read_judgements
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.reviewers import ReviewRoom


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ReviewRoom:
    monkeypatch.setenv("USER", "ann")
    monkeypatch.setenv("LOGNAME", "ann")
    room = ReviewRoom(tmp_path / "p", runs=2)
    monkeypatch.chdir(room.project.folder)
    return room


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object, verb: str = "review") -> tuple[int, Any]:
        status = command.main([verb, *map(str, arguments)])
        printed = capsys.readouterr()
        return status, json.loads(printed.out) if "--json" in arguments else printed.out + printed.err

    return call


def test_a_queue_is_listed_and_given_in_the_order_of_what_teaches_most(run, room):
    success = Judgement("a3rm", MODEL, "1", Subject(), "success")
    add_judgements(room.folder("b"), [success])  # the rules say failure
    status, shown = run("queue", "show", "--order", "teaching", "--json")
    rows = [(item["trajectory"], item["score"], item["reasons"]) for item in shown["trajectories"]]
    assert (status, shown["order"]) == (0, "teaching")
    assert rows == [("b", 1.0, ["a3rm and rules disagree on the task"]), ("a", 0.0, [])]
    assert [item["trajectory"] for item in run("queue", "show", "--json")[1]["trajectories"]] == ["a", "b"]
    _status, printed = run("queue", "show", "automatic-verdicts", "--order", "teaching", "--limit", 1)
    assert "shop/b      1.00   a3rm and rules disagree on the task" in printed
    assert "shop/a" not in printed
    _status, taken = run("next", "--order", "teaching", "--json")
    assert (taken["trajectory"], taken["score"]) == ("b", 1.0)
    assert taken["reasons"] == ["a3rm and rules disagree on the task"]
    assert "Why this one: a3rm and rules disagree on the task" in run("next", "--order", "teaching")[1]
    assert "score" not in run("next", "--json")[1]
    assert run("queue", "show", "none")[0] == 1


def test_a_run_is_reviewed_by_two_approved_and_adjudicated_from_the_command_line(run, room):
    status, taken = run("next", "--json")
    assert (status, taken["trajectory"], taken["queue"]) == (0, "a", "automatic-verdicts")
    assert taken["counts"] == {"todo": 2, "held": 0, "done": 0, "total": 2}
    status, draft = run(
        "submit", "a", "--verdict", "success", "--because", "It is in the cart", "--state", "seen=2",
        "--state", "2=missed", "--tag", "slow", "--note", "Look", "--step", 2, "--draft", "--json",
    )  # fmt: skip
    (own,) = draft["reviews"]
    assert (status, own["status"], own["verdict"]["verdict"], own["tags"]) == (
        0,
        "draft",
        "success",
        ["slow"],
    )
    assert [(mark["state"], mark["step"]) for mark in own["achieved_states"]] == [("seen", 1)]
    assert (own["missed_states"], own["comments"][0]["step"]) == (["paid"], 1)
    assert run("submit", "a", "--confirm", "--as", "ben", "--json")[1]["status"] == "submitted"
    status, printed = run("status", "--trajectory", "a")
    assert "ben" not in printed
    assert "You see what others say of it when you have submitted your review" in printed
    of_ben = ("align", "a", "a", "--where", "judge:ben", "--json")
    assert run(*of_ben, verb="trajectory")[1]["matching"] == []
    status, printed = run("submit", "shop/a")
    assert status == 0
    assert "Disagreement on task: ann: success, ben: failure, rules: failure" in printed
    assert run(*of_ben, verb="trajectory")[1]["matching"]
    status, approved = run("approve", "a", "--of", "ben", "--as", "cleo", "--because", "Right", "--json")
    approvals = {review["who"]: review["approval"] for review in approved["reviews"]}
    assert (approvals["ben"]["reason"], approvals["ben"]["status"]) == ("Right", "approved")
    status, rejected = run("reject", "a", "--of", "ann", "--because", "No cart", "--as", "cleo", "--json")
    assert rejected["status"] == "rejected"
    assert rejected["reviews"][0]["approval"]["reason"] == "No cart"
    status, settled = run(
        "adjudicate", "a", "--verdict", "failure", "--reason", "Wrong element", "--as", "cleo", "--json"
    )  # fmt: skip
    assert settled["adjudicated"][0]["reason_id"] == "wrong-element"
    assert settled["disagreements"][0]["settled"] == "failure"
    assert [act["act"] for act in settled["history"]][-3:] == ["approve", "reject", "adjudicate"]
    status, undone = run("undo", "a", "--as", "cleo", "--json")
    assert (undone["undone"]["act"], undone["adjudicated"]) == ("adjudicate", [])
    status, printed = run("undo", "a", "--as", "cleo")
    assert "Undone: reject" in printed
    status, whole = run("status", "--json", "--as", "ann")
    assert whole["own"]["total"] == 1
    assert {queue["name"]: queue["todo"] for queue in whole["queues"]}["automatic-verdicts"] == 1
    status, printed = run("status", room.project.folder)
    assert "Trajectories: not reviewed 1, submitted 1" in printed
    assert "You submitted 1: 1 today, 1 in the last hour" in printed


def test_next_gives_each_person_another_and_skip_gives_it_back(run, room):
    assert [run("next", "--as", who, "--json")[1]["trajectory"] for who in ("ann", "ben", "dan")] == [
        "a", "b", None,
    ]  # fmt: skip
    assert run("next", "--as", "dan")[1] == "Nothing is left for you in the queue All automatic verdicts\n"
    assert run("skip", "a") == (0, "a comes again after all others\n")
    assert run("next", "--as", "dan", "--json")[1]["trajectory"] == "a"


def test_queues_are_listed_made_and_deleted(run, room):
    status, made = run(
        "queue",
        "new",
        "pair",
        "--where",
        "kind:run",
        "--reviewers",
        2,
        "--for",
        "ann",
        "--for",
        "ben",
        "--json",
    )
    assert (status, made["queue"]["who"], made["queue"]["counts"]["total"]) == (0, ["ann", "ben"], 2)
    assert "created_by: ann" in Path(made["path"]).read_text("utf-8")
    status, made = run("queue", "new", "third", "--work", "adjudicate", "--json")
    assert (status, made["queue"]["work"]) == (0, "adjudicate")
    assert run("queue", "delete", "third")[0] == 0
    assert run("queue", "new", "pair")[1] == "waymark: There is a queue pair already. Choose another name\n"
    assert run("queue", "new", "pair", "--force")[1] == "Made the queue pair with 2 trajectories\n"
    names = [queue["name"] for queue in run("queue", "list", "--json")[1]["queues"]]
    assert names[-1] == "pair"
    assert "automatic-verdicts" in run("queue", "list")[1]
    assert run("queue", "delete", "pair", "--json") == (0, {"queue": "pair", "path": "queues/pair.yaml"})
    assert run("next", "--queue", "pair")[0] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("next", "--queue", "x"), "There is no queue x"),
        (("submit", "a"), "The review is not submitted"),
        (("submit", "a", "--reason", "wrong-element"), "--reason and --because belong to a verdict"),
        (("submit", "a", "--verdict", "failure", "--confirm"), "both give a verdict"),
        (("submit", "a", "--verdict", "failure", "--reason", "x"), "The project has no reason x"),
        (("submit", "a", "--step", "1"), "--step and --node pin a remark"),
        (("submit", "a", "--state", "seen"), "seen names no step"),
        (("submit", "a", "--state", "seen=9"), "There is no step 9"),
        (("submit", "a", "--state", "x=1"), "The task has no essential state x"),
        (("submit", "x", "--confirm"), "There is no trajectory 'x'"),
        (("submit", "a", "--confirm", "--as", " "), "A review needs a name"),
        (("approve", "a"), "No other person submitted a review of a"),
        (("reject", "a"), "a rejection needs a reason"),
        (("adjudicate", "a", "--verdict", "failure"), "Nothing is to be adjudicated on a"),
        (("adjudicate", "a", "--verdict", "failure", "--step", "1"), "failure is no verdict here"),
        (
            ("adjudicate", "a", "--state", "paid", "--verdict", "missed", "--step", "1"),
            "--step of a state is the one that reaches it",
        ),
        (("undo", "a"), "ann has done nothing here that can be undone"),
        (("queue", "delete", "golden"), "golden is a preset queue"),
        (("queue", "new", "x", "--where", "colour:red"), "There is no search key colour"),
        (("status", "nowhere"), "There is no project in"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_changes_nothing(run, room, arguments, message):
    status, printed = run(*arguments)
    assert status == 1
    assert message in printed
    assert len(printed.splitlines()) == 1
    assert not list(room.folder("a").glob("*/ann*"))


def test_no_verb_prints_what_is_hidden_from_a_reviewer(run, room):
    room.submit("ben", verdict="success")
    room.reviewing("ann").tag(room.folder("a"), ["begun"])
    verbs = [
        ("trajectory", "show", "a"), ("trajectory", "show", "a", "--json"),
        ("trajectory", "list"), ("trajectory", "list", "--json"),
        ("review", "status", "--trajectory", "a"),
        ("judge", "run", ".", "--judge", "ben"),
    ]  # fmt: skip
    for verb, *arguments in verbs:
        status, printed = run(*arguments, verb=verb)
        assert status == 0
        assert "success" not in str(printed), (verb, arguments)
        assert "success" in str(run(*arguments, "--as", "zoe", verb=verb)[1])
    assert run("agreement", ".", "--json", verb="judge")[1]["disagreements"] == []
    assert len(run("agreement", ".", "--json", "--as", "zoe", verb="judge")[1]["disagreements"]) == 1
    run("queue", "new", "pure", "--hide-judges", "--reviewers", 2)
    for verb, *arguments in verbs[:2]:
        assert "rules" not in str(run(*arguments, verb=verb)[1]).lower()
    rows = run("list", "id:=a", "--json", verb="trajectory")[1]["trajectories"]
    assert (rows[0]["verdicts"], rows[0]["outcome"]) == ([], "")


@pytest.mark.parametrize(
    "query",
    ["reason:stops-too-early", "verdict:success", "verdict:failure=ben", "judge:ben", "reviewer:ben",
     "disagreement:yes", "unsettled:yes", "review:submitted", "labelled:ben", "tag:slow", "missed:paid",
     "kind:run -review:none -review:draft"],
)  # fmt: skip
def test_no_search_finds_a_run_by_a_review_that_is_hidden(run, room, query):
    ben, folder = room.reviewing("ben"), room.folder("a")
    ben.label(folder, "labels", lambda labels: labels.with_missed("paid"))
    ben.tag(folder, ["slow"])
    room.submit("ben", verdict="success")
    ben.judge(folder, "failure", reason_id="stops-too-early")
    room.submit("dan", verdict="success")

    def found(who: str) -> list[str]:
        document = run("list", query, "--as", who, "--json", verb="trajectory")[1]
        return [row["id"] for row in document["trajectories"]]

    assert found("zoe") == ["a"]
    room.reviewing("ann").tag(folder, ["begun"])
    assert found("ann") == []
    assert run("list", "verdict:failure=rules id:=a", "--json", verb="trajectory")[1]["trajectories"]
    room.submit("ann")
    assert found("ann") == ["a"]


def test_labelling_states_is_a_queue_like_any_other(run, room):
    status, taken = run("next", "--queue", "to-label", "--json")
    assert (status, taken["trajectory"], taken["queue"]) == (0, "a", "to-label")
    assert taken["automatic"] == ""  # while states are labelled, the rules' verdicts are hidden too
    assert run("submit", "a", "--state", "seen=2", "--verdict", "success")[0] == 0
    assert run("next", "--queue", "to-label", "--json")[1]["trajectory"] == "b"
    queues = {queue["name"]: queue for queue in run("queue", "list", "--json")[1]["queues"]}
    assert (queues["to-label"]["work"], queues["to-label"]["counts"]["done"]) == ("label", 1)


def test_a_step_is_called_wrong_in_the_words_of_a_script(run, room):
    better = ("--better", "{tap: [1, 2]}")
    status, shown = run("step", "a", 2, "--verdict", "wrong_element", *better, "--json")
    assert (status, shown["status"]) == (0, "draft")
    (given,) = (each for each in read_judgements(room.folder("a")).judgements if each.judge == "ann")
    assert (given.subject.first, given.better) == (1, {"kind": "tap", "x": 1, "y": 2, "duration_ms": 0})
    for text, sentence in (
        ("{fly: 1}", "There is no action fly"), ("{tap: Nowhere}", "no node is what it names"),
        ("{tap: [1", "The action cannot be read"),
    ):  # fmt: skip
        status, printed = run("step", "a", 2, "--verdict", "wrong_element", "--better", text)
        assert status == 1
        assert sentence in printed
    assert run("step", "a", 99, "--verdict", "right")[0] == 1
    like = ("step", "a", 1, "--verdict", "wrong_element", "--better-like")
    assert run(*like, "b", "--json")[0] == 0
    given = [each for each in read_judgements(room.folder("a")).judgements if each.judge == "ann"][-1]
    there = open_trajectory(room.folder("b")).steps[0].action
    assert action_from_dict(dict(given.better)) == there
    status, printed = run(*like, "b", *better)
    assert (status, "Give either --better or --better-like" in printed) == (2, True)
