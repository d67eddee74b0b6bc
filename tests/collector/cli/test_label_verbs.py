"""Labels by ``waymark review submit``, ``project reasons``, and what ``judge`` makes of people's labels."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collector.cli import main as command
from collector.cli.verb_groups import RETIRED
from collector.model.action import Complete
from collector.model.episode import Episode
from collector.model.task import Task
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.model.verdicts.judgement import Judgement, Subject
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements
from collector.store.trajectory.reviews.labels import read_labels
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task


@pytest.fixture
def project(tmp_path) -> Project:
    """A task with two states and a run ``r1`` and a golden ``g1`` of three steps."""
    project = Project.create(tmp_path / "p")
    put_task(project, Task("shop", "Buy", essential_states=("seen", "paid")))
    for name, kind in (("r1", RUN), ("g1", "golden")):
        episode = Episode(agent="x") if kind == RUN else None
        with project.new_trajectory(TrajectoryHeader(name, "shop", kind, episode=episode)) as writer:
            for number in range(3):
                writer.append(
                    step(number, Complete() if number == 2 else None), png(), xml(f"Screen {number}")
                )
            writer.finish()
    return project


@pytest.fixture
def run(capsys, project):
    def call(*arguments: object, ok: bool = True) -> Any:
        status = command.main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        assert (status == 0) == ok, printed.err
        return json.loads(printed.out) if "--json" in arguments and ok else printed.out + printed.err

    return call


def label(run, reference, who, *options, ok=True):
    project = ("--project", label.folder)
    return run("review", "submit", reference, "--draft", "--as", who, *options, *project, ok=ok)


@pytest.fixture(autouse=True)
def _folder(project):
    label.folder = project.folder


def test_a_run_is_labelled_shown_and_compared(run, project):
    before = {path: path.read_bytes() for path in project.find("r1").glob("*.*")}
    shown = label(
        run, "r1", "lin", "--state", "seen=2", "--state", "2=missed", "--verdict", "failure",
        "--reason", "Wrong element", "--because", "It took the poster", "--note", "Too small", "--step", 2,
        "--node", "text='Screen 1'", "--json",
    )  # fmt: skip
    (said,) = shown["reviews"]
    assert said["achieved_states"] == [{"step": 1, "state": "seen", "screen": "states/0001.png"}]
    assert said["missed_states"] == ["paid"]
    assert (said["verdict"]["verdict"], said["verdict"]["reason_id"]) == ("failure", "wrong-element")
    assert said["comments"][0]["node"]["attributes"]["text"] == "Screen 1"
    assert {path: path.read_bytes() for path in project.find("r1").glob("*.*")} == before

    label(run, "r1", "sara", "--state", "seen=3", "--state", "paid=3", "--verdict", "failure")
    add_judgements(project.find("r1"), [
        Judgement("rules", "rule", "", Subject("state", "seen", 1, 1), "reached"),
        Judgement("rules", "rule", "", Subject("state", "paid"), "missed"),
    ])  # fmt: skip
    status = ("review", "status", project.folder, "--trajectory", "r1", "--as", "lin")
    assert "sara" not in run(*status)
    run("review", "submit", "r1", "--as", "lin", "--project", project.folder)
    text = run(*status)
    assert "sara" in text
    assert "Wrong element, It took the poster" in text

    compared = run("judge", "agreement", project.folder, "--json")
    rows = {(tuple(row["judges"]), row["kind"], row["of"]): row for row in compared["agreement"]}
    people = rows[("lin", "sara"), "state", ""]
    assert (people["agreement"]["subjects"], people["agreement"]["percent"], people["same_step"]) == (
        2,
        50,
        0,
    )
    assert rows[("lin", "rules"), "state", ""]["agreement"]["kappa"] == 1
    assert rows[("lin", "rules", "sara"), "state", ""]["agreement"]["subjects"] == 2
    assert rows[("lin", "sara"), "task", ""]["agreement"]["kappa"] is None
    assert {item["state"] for item in compared["disagreements"]} == {"seen", "paid"}
    near = run("judge", "agreement", project.folder, "--tolerance", 1, "--judge", "lin", "--judge", "sara")
    assert "100.0 (1)" in near
    assert "undefined" in near
    assert "lin: missed, " in near

    split = run("judge", "quality", project.folder, "--against", "people", "--json")
    assert split["split"] == 1
    assert [(row["judge"], row["on"], row["subjects"], row["accuracy"]) for row in split["quality"]] == [
        ("rules", "state", 1, 1.0),
    ]  # fmt: skip
    run("review", "submit", "r1", "--as", "sara", "--project", project.folder)
    adjudicate = ("review", "adjudicate", "r1", "--state", "paid", "--verdict", "reached", "--step", 3)
    assert "you reviewed it yourself" in run(
        *adjudicate, "--as", "sara", "--project", project.folder, ok=False
    )
    run(*adjudicate, "--as", "cleo", "--project", project.folder)
    settled = run("judge", "quality", project.folder, "--against", "people", "--json")
    assert (settled["split"], settled["quality"][0]["recall"]) == (0, 0.5)
    assert "no verdict here" in run(
        "review", "adjudicate", "r1", "--verdict", "reached", "--project", project.folder, ok=False
    )

    with Catalogue(project) as catalogue:
        catalogue.refresh()
        found = {
            query: [row.id for row in catalogue.find(query)]
            for query in ("labelled:lin", "labelled:jo", "disagreement:yes", "reason:wrong-element",
                          "missed:paid", "-disagreement:yes", "labelled:none", "reason:none")
        }  # fmt: skip
    assert found == {
        "labelled:lin": ["r1"], "labelled:jo": [], "disagreement:yes": ["r1"], "reason:wrong-element": ["r1"],
        "missed:paid": ["r1"], "-disagreement:yes": ["g1"], "labelled:none": ["g1"], "reason:none": ["g1"],
    }  # fmt: skip


def test_bad_labels_are_refused_in_a_sentence_and_nothing_is_written(run, project):
    for options, words in (
        (["--state", "seen"], "names no step"),
        (["--state", "seen=x"], "names no step"),
        (["--state", "seen=7"], "no step 7"),
        (["--state", "seen=0"], "names no step"),
        (["--state", "gone=1"], "no essential state gone"),
        (["--reason", "loop"], "belong to a verdict"),
        (["--verdict", "failure", "--reason", "loop"], "no reason loop"),
        (["--step", "1"], "pin a remark"),
        (["--note", "x", "--step", "2", "--node", "text='?'"], "No node of step 2"),
        (["--drop-note", "1"], "no remark 1"),
    ):
        assert words in label(run, "g1", "lin", *options, ok=False)
    assert not (project.find("g1") / "annotations").exists()
    assert not (project.find("g1") / "judgements").exists()


def test_labels_are_taken_back_and_a_comment_is_deleted(run, project):
    label(run, "g1", "lin", "--state", "1=1", "--note", "first")
    label(run, "g1", "lin", "--state", "seen=none", "--drop-note", 1)
    labels = read_labels(project.find("g1"), "lin")
    assert (labels.reached, labels.comments) == ((), ())
    assert run("judge", "run", project.find("g1"), "--judge", "lin").count("\n") == 1


def test_reasons_are_edited_and_old_verdicts_show_the_new_name(run, project):
    assert "wrong-element" in run("project", "reasons", project.folder)
    label(run, "r1", "lin", "--verdict", "failure", "--reason", "wrong-element")
    listed = run("project", "reasons", project.folder, "--rename", "wrong-element=Beside it", "--add", "Slow",
                 "--remove", "environment", "--json")["reasons"]  # fmt: skip
    ids = [reason["id"] for reason in listed]
    assert "slow" in ids
    assert "environment" not in ids
    assert "Beside it" in label(run, "r1", "lin")
    assert "no reason gone" in run("project", "reasons", project.folder, "--remove", "gone", ok=False)


@pytest.mark.parametrize("old", RETIRED)
def test_a_verb_that_there_was_names_the_one_that_does_it_now(run, old):
    text = run(*old.split(), "r1", "--who", "lin", "--reason", "x", ok=False)
    assert text == (
        f"waymark: `waymark {old}` is now `waymark {RETIRED[old]}`. See `waymark {RETIRED[old]} --help`\n"
    )
    assert old.split()[1] not in run(old.split()[0], "--help").split()


def test_states_that_a_review_names_and_that_are_gone_are_said(run, project):
    label(run, "r1", "lin", "--state", "seen=2", "--state", "paid=missed")
    found = run("project", "check", project.folder, ok=False)  # no file defines the states of the task
    assert "step 2: There is no essential state seen, which is marked as reached" in found
    assert "There is no essential state paid, which is marked as missed" in found
