"""Tasks, anomalies, agents and comments are written on the command line, and checked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from collector.cli import main as command
from collector.model.trajectory import TrajectoryHeader
from collector.store.project.project import Project
from tests.helpers.steps import png, step, xml


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return Project.create(tmp_path / "p").folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], place: Path) -> Any:
    def call(*words: object) -> tuple[int, str]:
        status = command.main([*map(str, words), "--project", str(place)])
        printed = capsys.readouterr()
        return status, printed.out + printed.err

    return call


def test_tasks_are_added_changed_and_checked(run, place: Path) -> None:
    assert run("task", "new", "shop-01", "--instruction", "Buy", "--package", "a.b") == (
        0,
        "Added the task shop-01\n",
    )
    status, printed = run(
        "task", "new", "--instruction", "Sell", "--answer", "7", "--success", "sold", "--json"
    )
    document = json.loads(printed)
    assert (status, document["task"]["id"], document["task"]["package"]) == (0, "sell", "a.b")
    assert document["task"]["expected_answer"] == {"rule": "exact", "text": "7"}
    assert run("task", "edit", "shop-01", "--level", "hard", "--max-steps", 9)[0] == 0
    assert run("task", "edit", "shop-01")[0] == 2
    assert run("task", "edit", "nobody", "--level", "hard")[0] == 1
    task = Project.open(place).task("shop-01")
    assert (task.level, task.max_steps, task.instruction) == ("hard", 9, "Buy")
    words = (
        "--rewording",
        "casual:Get one",
        "--rewording",
        "casual: One: now",
        "--rewording",
        "formal:Kindly",
    )
    assert run("task", "edit", "shop-01", *words)[0] == 0
    worded = {"casual": ("Get one", "One: now"), "formal": ("Kindly",)}
    assert Project.open(place).task("shop-01").rewordings == worded
    assert run("task", "edit", "shop-01", "--rewording", "loose")[0] == 2
    assert run("task", "edit", "shop-01", "--rewording", "")[0] == 0
    assert Project.open(place).task("shop-01").rewordings == {}
    assert run("task", "list")[1].count("shop-01") == 1
    assert run("project", "list") == run("task", "list"), "its name of the version before"


def test_keys_and_values_without_a_meaning_are_named_with_their_lines(run, place: Path) -> None:
    (place / "tasks.yaml").write_text(
        "format: waymark-tasks\nversion: 2\ntasks:\n  - id: a\n    instrucion: A\n    instruction: A\n"
        "    levl: easy\n    max_step: 3\n    reset: everything\n    language: klingon\n    adb_query: x\n",
        encoding="utf-8",
    )
    status, printed = run("task", "check")
    lines = printed.splitlines()
    assert (status, lines[-1]) == (1, "5 problems")
    for line, word in ((5, "instruction"), (7, "level"), (8, "max_steps")):
        assert any(
            f"tasks.yaml:{line}: " in each and f"Did you mean {word}? [task-key]" in each for each in lines
        )
    assert any("tasks.yaml:9: Task a resets everything" in each for each in lines)
    assert any("tasks.yaml:10: Task a has the language klingon" in each for each in lines)
    assert not any("tasks.yaml:11" in each for each in lines), "what an import kept is no problem"
    assert set(lines[:-1]) <= set(run("project", "check")[1].splitlines())


BROKEN = "states: [\n  a: 1\n"
MARKED = "tasks:\n<<<<<<< HEAD\n- {id: a, instruction: A}\n=======\n- {id: b}\n>>>>>>> other\n"


@pytest.mark.parametrize(
    ("file", "text", "verbs", "says"),
    [
        ("tasks.yaml", "foo: 1\n", ("task check", "task list", "project check"), "it has no key `tasks`"),
        ("tasks.yaml", "", ("task check", "project check"), "it is empty"),
        ("tasks.yaml", MARKED, ("task check", "project check"), "tasks.yaml:2: Two versions of one place"),
        ("tasks.yaml", MARKED, ("task list", "states list"), "line 2: Two versions of one place"),
        ("rules/states.yaml", MARKED, ("rules check", "states check"), "Two versions of one place"),
        ("rules/states.yaml", BROKEN,
         ("states list", "states check", "states status", "states suggest a", "task list", "rules compare",
          "experiment check", "experiment show one", "project check"), "states.yaml:3"),
        ("rules/success.yaml", BROKEN, ("experiment check", "run one --dry-run"), "success.yaml:3"),
        ("anomalies/library.yaml", "interference_library: [\n a: 1\n",
         ("anomaly check", "anomaly list", "anomaly show battery_low_double_en", "experiment check",
          "project check"), "Line 3 is not YAML"),
        ("project.yaml", "format: waymark-project\nnam: p\n", ("project check",),
         "project.yaml:2: The file has the key nam, which means nothing to Waymark. Did you mean name?"),
        ("project.yaml", "\"::\": 2\n", ("project check",), "project.yaml:1: The file has the key ::,"),
        ("project.yaml", "reset: {comands: [ls]}\n", ("project check",), "Did you mean commands?"),
    ],
)  # fmt: skip
def test_no_verb_succeeds_with_a_file_that_it_cannot_read(
    run, place: Path, file: str, text: str, verbs: tuple[str, ...], says: str
) -> None:
    run("task", "new", "a", "--instruction", "A", "--package", "a.b")
    (place / "experiments").mkdir()
    (place / "experiments" / "one.yaml").write_text("tasks: all\nagents: [monkey]\n", encoding="utf-8")
    assert run("experiment", "check")[0] == 0, "only warnings"
    path = place / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    for verb in verbs:
        status, printed = run(*verb.split())
        assert (status, says in printed) == (1, True), f"{verb}: {printed}"


def test_an_experiment_says_once_that_rules_cannot_be_read(run, place: Path) -> None:
    (place / "experiments").mkdir()
    path = place / "experiments" / "one.yaml"
    path.write_text("tasks: all\nagents: [monkey]\nconditions: [rules]\n", encoding="utf-8")
    (place / "rules").mkdir(exist_ok=True)
    (place / "rules" / "injection.yaml").write_text(BROKEN, encoding="utf-8")
    run("task", "new", "a", "--instruction", "A", "--package", "a.b")
    (finding,) = json.loads(run("experiment", "check", "--json")[1])["findings"]
    assert (finding["name"], finding["line"]) == ("unreadable-file", 1)
    printed = run("project", "check")[1]
    assert printed.count("injection.yaml:3") == 1, "what follows from it is not said there"


def test_the_anomalies_of_a_project_are_those_of_its_folder(
    run, place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("anomaly", "new", "mine")[0] == 0
    assert run("anomaly", "show", "mine")[0] == 0
    assert "mine" in run("anomaly", "list")[1]
    assert command.main(["anomaly", "check", "--project", str(tmp_path / "nowhere")]) == 1
    assert "There is no project in" in capsys.readouterr().err


def test_a_rule_that_names_no_anomaly_is_found_without_a_library(run, place: Path) -> None:
    (place / "rules").mkdir(exist_ok=True)
    action = "{{type: inject_interference, interference_id: {name}}}"
    rule = (
        "rules:\n  - id: r\n    conditions: [{{type: current_package_is, value: a.b}}]\n"
        f"    actions: [{action}]\n"
    )
    path = place / "rules" / "injection.yaml"
    path.write_text(rule.format(name="nothing_like_it"), encoding="utf-8")
    assert "The library has no anomaly nothing_like_it" in run("project", "check")[1]
    path.write_text(rule.format(name="battery_low_double_en"), encoding="utf-8")
    assert "no anomaly" not in run("project", "check")[1], "the built-in ones can be named"


def test_a_key_or_a_task_that_is_there_twice_is_named_alone(run, place: Path) -> None:
    tasks = place / "tasks.yaml"
    tasks.write_text(
        "version: 2\ntasks:\n  - id: a\n    instruction: A\n  - id: a\n    level: odd\n", encoding="utf-8"
    )
    status, printed = run("project", "check")
    assert (status, printed.count("\n"), "tasks.yaml:5: Task a is there twice" in printed) == (1, 2, True)


def test_anomalies_are_added_and_copied(run, place: Path) -> None:
    assert run("anomaly", "new", "surprise", "--title", "Hi")[0] == 0
    assert run("anomaly", "copy", "surprise", "other")[0] == 0
    assert run("anomaly", "copy", "battery_low_double_en")[0] == 0
    assert run("anomaly", "new", "surprise")[0] == 1, "the id is in use"
    assert run("anomaly", "copy", "nothing")[0] == 1
    assert run("anomaly", "new", "x", "--kind", "native", "--title", "Hi")[0] == 2
    text = (place / "anomalies" / "library.yaml").read_text(encoding="utf-8")
    assert [text.count(f"id: {name}\n") for name in ("surprise", "other", "battery_low_double_en")] == [
        1,
        1,
        1,
    ]
    assert 'param_title: "Hi"' in text


def test_a_new_agent_answers_by_the_protocol(run, place: Path) -> None:
    status, printed = run("agent", "new", "mine", "--json")
    document = json.loads(printed)
    assert (status, document["entry"].startswith("- {id: mine, kind: process, ")) == (0, True)
    assert run("agent", "new", "mine")[0] == 1
    assert run("agent", "new", "../mine")[0] == 1
    node = {"label": "Buy", "bounds": [0, 0, 10, 20], "clickable": True}
    said = [
        {"type": "hello", "protocol": 1, "config": {}},
        {"type": "episode", "task": {"id": "a", "instruction": "Buy milk"}},
        {"type": "observation", "id": 1, "nodes": [node]},
        {"type": "observation", "id": 2, "nodes": []},
        {"type": "end"},
    ]
    program = place / "agents" / "mine.py"
    lines = "".join(f"{json.dumps(each)}\n" for each in said)
    done = subprocess.run(
        [sys.executable, program], input=lines, capture_output=True, text=True, timeout=60, check=True
    )
    ready, *answers = map(json.loads, done.stdout.splitlines())
    assert ready == {"type": "ready", "protocol": 1}
    assert [each["action"]["kind"] for each in answers] == ["tap", "impossible"]


def test_comments_are_written_listed_and_deleted(run, place: Path) -> None:
    run("task", "new", "a", "--instruction", "A")
    with Project.open(place).new_trajectory(TrajectoryHeader("t", "a")) as writer:
        writer.append(step(1), png(), xml())
        writer.finish()
    assert run("trajectory", "comment", "t", "Look", "--step", 1) == (0, "1 step 1  Look\n")
    assert run("trajectory", "comment", "t")[1] == "1 step 1  Look\n"
    assert run("trajectory", "comment", "t", "Look", "--step", 9)[0] == 1
    assert run("trajectory", "comment", "t", "--step", 1)[0] == 2
    assert run("trajectory", "comment", "t", "--delete", 2)[0] == 1
    assert run("trajectory", "comment", "t", "--delete", 1)[1] == "You have no comment on it\n"


def test_an_experiment_with_errors_says_all_and_is_no_success(run) -> None:
    status, printed = run("experiment", "new", "bad", "--task", "no-task", "--agent", "no-agent")
    assert (status, "no task no-task" in printed) == (1, True)
    status, printed = run("run", "bad", "--dry-run")
    assert status == 1
    assert "no-task" in printed
    assert "no-agent" in printed
    assert "the errors above are in its file" in printed
