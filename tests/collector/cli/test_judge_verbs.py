"""``waymark judge``: verdicts by rules are stored once, and judges are compared."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from collector.cli import main as command
from collector.host import parallel
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.rule_judge import RuleJudge
from collector.judge.votes.project_votes import read_votes
from collector.model.action import Complete
from collector.model.episode import Episode
from collector.model.task import Task
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.model.verdicts.judgement import MODEL, PERSON, Judgement, Subject
from collector.store.files.disk import UnflushedDisk
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements, read_judgements, remove_judgement
from collector.store.trajectory.reviews.labels import Labels
from tests.helpers.person_files import write_labels
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task

STATES = """states:
- {id: seen, conditions: {all: [{type: element_exists, selector: "text='Poster'"}]}}
- {id: paid, after: [seen], conditions: {all: [{type: element_exists, selector: "text='Thank you'"}]}}
"""
SUCCESS = """bought: {conditions: [{type: element_exists, selector: "text='Thank you'"}]}
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A task with two trajectories of runs: ``good`` reaches the end, ``bad`` claims it too early."""
    project = Project.create(tmp_path / "p")
    put_task(project, Task("shop", "Buy", rule_key="bought", essential_states=("seen", "paid")))
    for name, texts in (("good", ["Home", "Poster", "Thank you"]), ("bad", ["Home", "Poster"])):
        with project.new_trajectory(
            TrajectoryHeader(name, "shop", RUN, episode=Episode(agent="x"))
        ) as writer:
            for number, text in enumerate(texts):
                action = Complete() if number == len(texts) - 1 else None
                writer.append(step(number, action), png(), xml(text))
            writer.finish()
    rules = project.folder / "rules"
    rules.mkdir()
    (rules / "states.yaml").write_text(STATES, encoding="utf-8")
    (rules / "success.yaml").write_text(SUCCESS, encoding="utf-8")
    return project


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object) -> tuple[int, Any]:
        status = command.main(["judge", *(str(argument) for argument in arguments)])
        printed = capsys.readouterr()
        is_json = "--json" in arguments and status == 0
        return status, json.loads(printed.out) if is_json else printed.out + printed.err

    return call


def folder_of(project: Project, name: str) -> Path:
    return next(folder for folder in project.trajectory_folders() if folder.name == name)


def test_the_judges_are_listed_with_options_cost_and_needs(run) -> None:
    status, printed = run("list", "--json")
    assert status == 0
    (rules,) = (listed for listed in printed["judges"] if listed["id"] == "rules")
    assert (rules["built_in"], rules["cost"], rules["needs"]) == (True, "none", ["rules", "tree"])
    assert [option["name"] for option in rules["options"]] == ["semantics"]
    assert printed["problems"] == []
    _status, text = run("list")
    assert any(line.split("  ")[0] == "rules" for line in text.splitlines())
    _status, shown = run("show", "rules")
    assert "semantics" in shown


def test_options_go_with_a_kind_of_judge_alone(run, project: Project) -> None:
    assert run("run", project.folder, "-o", "semantics=dgara", "--dry-run")[0] == 0
    status, printed = run("run", project.folder, "-o", "semantic=dgara")
    assert status == 1
    assert "rules has no option semantic" in printed
    assert run("run", project.folder, "--judge", "ann", "-o", "a=b")[0] == 2


def test_a_project_is_judged_and_its_verdicts_are_stored_once(run, project: Project) -> None:
    status, printed = run("run", project.folder)
    assert status == 0
    assert [line.split()[1:4] for line in printed.splitlines()[1:3]] == [
        ["bad", "failure", "1/2"], ["good", "success", "2/2"],
    ]  # fmt: skip
    assert "2 trajectories judged" in printed
    folder = folder_of(project, "good")
    stored = read_judgements(folder).judgements
    assert [(item.subject.state, item.verdict, item.subject.first) for item in stored] == [
        ("seen", "reached", 1), ("paid", "reached", 2), ("", "success", None),
    ]  # fmt: skip
    before = (folder / "judgements" / "rules.jsonl").read_bytes()
    run("run", project.folder, "--again", "all")
    assert (folder / "judgements" / "rules.jsonl").read_bytes() == before
    assert command.main(["project", "check", str(project.folder)]) in (0, 1)
    assert not read_judgements(folder).problems


def test_only_what_changed_is_judged_again(run, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("run", project.folder)
    judged: list[str] = []
    judge = RuleJudge.judge

    def noted(self: RuleJudge, trajectory: JudgedTrajectory) -> Iterator[Judgement]:
        judged.append(trajectory.header.id)
        return judge(self, trajectory)

    monkeypatch.setattr(RuleJudge, "judge", noted)

    def judged_by(*arguments: str) -> list[str]:
        judged.clear()
        status, printed = run("run", project.folder, *arguments)
        assert (status, printed) == first
        return sorted(judged)

    assert judged_by() == []
    assert judged_by("--again", "all") == ["bad", "good"]
    assert judged_by("-o", "semantics=dgara") == ["bad", "good"]
    assert judged_by() == ["bad", "good"], "the newest verdicts are those of other semantics"
    states = project.folder / "rules" / "states.yaml"
    states.write_text(
        STATES.replace("seen, conditions", "seen, description: The poster, conditions"), "utf-8"
    )
    assert judged_by() == ["bad", "good"], "its rules changed"
    steps = folder_of(project, "bad") / "steps.jsonl"
    steps.write_bytes(steps.read_bytes().replace(b'"note":""', b'"note":"x"', 1))
    assert judged_by() == ["bad"], "its recording changed"
    tree = next((folder_of(project, "good") / "states").glob("*.xml"))
    tree.write_bytes(tree.read_bytes() + b"\n")
    assert judged_by("--dry-run") == ["good"], "one of its trees changed"
    remove_judgement(folder_of(project, "bad"), read_judgements(folder_of(project, "bad")).judgements[-1])
    assert judged_by() == ["bad", "good"], "a verdict was taken out"
    assert judged_by() == []


def test_many_trajectories_are_judged_in_several_processes(
    run, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = run("run", project.folder, "--dry-run")
    monkeypatch.setattr(parallel, "usable_cores", lambda: 2)
    monkeypatch.setattr(parallel, "WORTH_STARTING", 2)
    monkeypatch.setattr(parallel, "_BATCH", 1)
    monkeypatch.delattr(RuleJudge, "judge")  # no trajectory is judged in this process
    flushed: list[int] = []
    monkeypatch.setattr(
        UnflushedDisk,
        "flush_all",
        lambda _disk: flushed.append(len(read_judgements(folder_of(project, "good")).judgements)),
    )
    status, printed = run("run", project.folder)
    assert flushed == [3], "once, when all is written"
    assert (status, printed.splitlines()[:4]) == (0, alone[1].splitlines())  # progress may follow
    assert len(read_judgements(folder_of(project, "good")).judgements) == 3


def test_one_trajectory_is_explained_and_nothing_is_stored_in_a_dry_run(run, project: Project) -> None:
    folder = folder_of(project, "bad")
    status, printed = run("run", folder, "--dry-run")
    assert status == 0
    assert "reached        seen @2" in printed
    assert run("run", "bad", "--project", project.folder, "--dry-run")[1] == printed, (
        "an id is that trajectory"
    )
    unknown = run("run", "no-such-run", "--project", project.folder)
    assert (unknown[0], "There is no trajectory 'no-such-run'" in str(unknown[1])) == (1, True)
    assert "missed         paid" in printed
    assert "Thank you" in printed
    assert not (folder / "judgements").exists()
    (entry,) = run("run", folder, "--dry-run", "--json")[1]["trajectories"]
    assert [item["verdict"] for item in entry["judgements"]] == ["reached", "missed", "failure"]


def test_judges_are_compared(run, project: Project) -> None:
    run("run", project.folder)
    for name, verdict, seen in (("good", "success", "reached"), ("bad", "success", "missed")):
        given = [
            Judgement("ann", PERSON, "", Subject(), verdict),
            Judgement("ann", PERSON, "", Subject("state", "seen"), seen),
        ]
        add_judgements(folder_of(project, name), given)
    found = run("agreement", project.folder, "--json")[1]
    (tasks,) = [row for row in found["agreement"] if row["kind"] == "task" and not row["of"]]
    assert tasks["judges"] == ["ann", "rules"]
    assert tasks["agreement"] == {"subjects": 2, "percent": 50.0, "kappa": 0.0}
    assert {(item["trajectory"], item["state"]) for item in found["disagreements"]} == {
        ("bad", ""),
        ("bad", "seen"),
    }
    printed = run("agreement", project.folder)[1]
    assert "shop/bad seen  ann: missed, rules: reached" in printed
    rows = run("quality", project.folder, "--against", "ann", "--json")[1]["quality"]
    (states,) = [row for row in rows if row["on"] == "state"]
    assert (states["precision"], states["recall"], states["f1"], states["accuracy"]) == (0.5, 1.0, 2 / 3, 0.5)
    assert "66.7" in run("quality", project.folder, "--against", "ann")[1]
    assert [
        item["trajectory"]
        for item in run("run", project.folder, "--judge", "ann", "--json")[1]["trajectories"]
    ]


def test_the_catalogue_knows_the_votes_that_the_files_say(run, project: Project) -> None:
    """Of rules, of windows, of people by label and by verdict, settled and damaged ones, and of nobody."""
    headers = [TrajectoryHeader(name, "shop", RUN) for name in ("labelled", "settled", "damaged", "nobody")]
    for header in headers:
        with project.new_trajectory(header) as writer:
            writer.append(step(0), png(), xml("Poster"))
            writer.finish()
    run("run", project.folder)
    shutil.rmtree(folder_of(project, "nobody") / "judgements")
    write_labels(folder_of(project, "labelled"), Labels("ann", missed=("seen",)))
    settled = Judgement("ben", PERSON, "", Subject(), "failure", settles=True)
    add_judgements(folder_of(project, "settled"), [settled])
    windows = [
        Judgement("gpt", MODEL, "1", Subject("window", "paid", at, at + 2), verdict)
        for at, verdict in enumerate(("missed", "reached", "reached"))
    ]
    add_judgements(folder_of(project, "good"), [Judgement("ann", PERSON, "", Subject(), "success"), *windows])
    with (folder_of(project, "damaged") / "judgements" / "rules.jsonl").open("a") as file:
        file.write("{}\n")
    by_files = read_votes(project, project.trajectory_folders())
    assert read_votes(project) == by_files
    assert len(by_files.problems) == 1
    assert by_files.judges == ("ann", "gpt", "rules")
    shutil.rmtree(folder_of(project, "bad") / "judgements")
    assert read_votes(project) == read_votes(project, project.trajectory_folders()) != by_files


def test_what_cannot_be_judged_is_said(run, project: Project, tmp_path: Path) -> None:
    assert "judged nothing" in run("quality", project.folder, "--against", "lin")[1]
    assert "No two judges" in run("agreement", project.folder)[1]
    status, printed = run("run", tmp_path)
    assert status == 1
    assert "is in no project" in printed
    (folder_of(project, "bad") / "trajectory.json").write_text("{", encoding="utf-8")
    status, printed = run("run", project.folder)
    assert (status, "1 trajectory judged" in printed) == (1, True)
    assert "trajectory.json" in printed


def test_levels_are_measured_beside_the_declared_ones(run, project: Project) -> None:
    put_task(project, Task("long", "Walk", level="easy"))
    with project.new_trajectory(TrajectoryHeader("walk", "long", who="lin")) as writer:
        for number in range(7):
            writer.append(step(number), png(), xml())
        writer.finish()
    rows = {row["task"]: row for row in run("levels", project.folder, "--json")[1]["levels"]}
    assert rows["long"] == {
        "task": "long", "declared": "easy", "measured": "medium", "lengths": [7], "differs": True,
    }  # fmt: skip
    assert (rows["shop"]["measured"], rows["shop"]["lengths"]) == ("", [])  # runs do not count
    printed = run("levels", project.folder, "--differing")[1]
    assert "1 declared level differs" in printed
    assert "shop" not in printed


def test_actions_are_put_into_words(run, project: Project) -> None:
    printed = run("process", "good", "--project", project.folder)[1]
    assert printed.splitlines() == ["   1  CLICK Home", "   2  CLICK Poster", "   3  COMPLETE"]
    found = run("process", "good", "--project", project.folder, "--json")[1]["process"]
    assert found[1] == {"index": 1, "primitive": "CLICK", "description": "Poster"}


def test_the_labels_of_a_person_give_the_verdict_on_the_task(run, project: Project) -> None:
    folder = folder_of(project, "good")
    write_labels(folder, Labels("lin").with_reached("seen", 1).with_reached("paid", 2))
    (entry,) = run("run", project.folder, "--judge", "lin", "--json")[1]["trajectories"]
    assert [(item["subject"].get("state"), item["verdict"]) for item in entry["judgements"]] == [
        ("seen", "reached"), ("paid", "reached"), (None, "success"),
    ]  # fmt: skip
    add_judgements(folder, [Judgement("lin", PERSON, "", Subject(), "failure")])
    (entry,) = run("run", folder, "--judge", "lin", "--json")[1]["trajectories"]
    assert [item["verdict"] for item in entry["judgements"]].count("failure") == 1  # said, and not derived
    assert "0 trajectories judged" in run("run", project.folder, "--judge", "nobody")[1]


def test_errors_of_rule_files_are_said_before_the_verdicts(run, project: Project) -> None:
    file = project.folder / "rules" / "states.yaml"
    file.write_text(STATES + "- {id: odd, conditions: [{type: nonsense}]}\n", encoding="utf-8")
    status, printed = run("run", project.folder, "--dry-run")
    assert (status, "There is no condition nonsense. What it concerns is not judged" in printed) == (0, True)
    assert run("run", project.folder, "--dry-run", "--json")[0] == 0  # on standard error, and not in the JSON
    file.write_text("states: [", encoding="utf-8")
    status, printed = run("run", project.folder)
    assert (status, "the verdicts would be wrong" in printed) == (1, True)
    assert not any((folder / "judgements").exists() for folder in project.trajectory_folders())
