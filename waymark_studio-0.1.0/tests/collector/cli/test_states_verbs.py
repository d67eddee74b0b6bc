"""``waymark states``: the essential states of a project are listed and checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from collector.cli import main as command
from collector.model.action import Complete
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.project.project import Project
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task

STATES = """
states:
- {id: seen, sentence: The poster is shown, status: audited,
   conditions: {any: [{type: element_exists, selector: "text='Poster'"}, {type: text_matches, pattern: Lam}]}}
- {id: paid, task: pay, after: [seen], conditions: [{type: element_exists, selector: "text='Thank you'"}]}
- {id: liked, optional: true, conditions: [{type: element_exists, selector: "text='Liked'"}]}
- {id: bought, alternatives: [paid]}
- {id: pretty}
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A task with four states, and a golden trajectory that does not pay."""
    project = Project.create(tmp_path / "p")
    put_task(project, Task("shop", "Buy", essential_states=("seen", "paid", "liked", "bought")))
    put_task(project, Task("pay", "Pay"))
    with project.new_trajectory(TrajectoryHeader("first", "shop", who="lin")) as writer:
        for number, text in enumerate(("Home", "Poster")):
            writer.append(step(number, Complete() if number else None), png(), xml(text))
        writer.finish()
    rules = project.folder / "rules"
    rules.mkdir(exist_ok=True)
    (rules / "states.yaml").write_text(STATES, encoding="utf-8")
    return project


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object) -> tuple[int, Any]:
        status = command.main(["states", *(str(argument) for argument in arguments)])
        printed = capsys.readouterr()
        return status, json.loads(printed.out) if "--json" in arguments else printed.out + printed.err

    return call


def test_states_are_listed_with_what_their_file_says(run, project: Project) -> None:
    rows = {row["id"]: row for row in run("list", project.folder, "--json")[1]["states"]}
    assert list(rows) == ["seen", "paid", "liked", "bought", "pretty"]
    assert rows["seen"] == {
        "id": "seen", "sentence": "The poster is shown", "status": "audited", "tasks": ["shop"], "after": [],
        "optional": False, "alternatives": [], "conditions": 2, "judged_by_rules": True,
    }  # fmt: skip
    assert (rows["paid"]["tasks"], rows["paid"]["after"]) == (["shop", "pay"], ["seen"])
    assert (rows["bought"]["conditions"], rows["bought"]["judged_by_rules"]) == (0, True)
    assert (rows["pretty"]["judged_by_rules"], rows["pretty"]["tasks"]) == (False, [])
    _status, printed = run("list", project.folder)
    lines = {line.split()[0]: line for line in printed.splitlines()}
    assert "2 conditions" in lines["seen"]
    assert "liked (optional)" in printed
    assert "its alternatives" in lines["bought"]
    assert "people" in lines["pretty"]
    assert "5 essential states" in printed
    # Those of a task are what is followed in it: also what they come after, and the state of no task.
    shown = run("list", project.folder, "--task", "pay", "--json")[1]["states"]
    assert [row["id"] for row in shown] == ["seen", "paid", "pretty"]


def test_a_check_says_which_golden_trajectory_misses_a_state(run, project: Project) -> None:
    status, found = run("check", project.folder, "--json")
    assert status == 1
    assert [(item["trajectory"], item["state"]) for item in found["missed"]] == [
        ("first", "paid"), ("first", "bought"),
    ]  # fmt: skip
    assert "orphan-state" in {item["name"] for item in found["findings"]}
    _status, printed = run("check", project.folder)
    assert "shop: first does not reach paid: There is a node with the text 'Thank you'" in printed
    assert run("check", project.folder, "--task", "pay")[0] == 0  # nothing was recorded of it


def test_a_check_finds_circles_and_states_that_do_not_exist(run, project: Project) -> None:
    (project.folder / "rules" / "states.yaml").write_text(
        "states: [{id: seen, after: [paid]}, {id: paid, after: [seen]}]\n", encoding="utf-8"
    )
    status, found = run("check", project.folder, "--json")
    names = {(item["name"], Path(item["path"]).name) for item in found["findings"]}
    assert status == 1
    assert {("state-cycle", "states.yaml"), ("dangling-state", "tasks.yaml")} <= names
    assert not found["missed"]  # people judge both
    status, printed = run("check", project.folder, "--task", "none")
    assert (status, "There is no task none" in printed) == (1, True)


def test_states_are_written_and_read_again(run, project: Project, tmp_path: Path) -> None:
    status, printed = run("export", "--project", project.folder, "--task", "pay")
    assert (status, "id: paid" in printed, "id: seen" in printed) == (0, True, False)
    for name in ("all.yaml", "all.json", "all.csv"):
        assert run("export", tmp_path / name, "--project", project.folder)[0] == 0
        other = Project.create(tmp_path / f"of-{name}")
        put_task(other, Task("new", "New"))
        found = run("import", tmp_path / name, "--task", "new", "--project", other.folder, "--json")[1]
        assert found["states"] == found["named"] == ["seen", "paid", "liked", "bought", "pretty"]
        assert dict(Project.open(other.folder).states) == dict(project.states)
    status, printed = run("import", tmp_path / "all.csv", "--project", other.folder)
    assert (status, "0 essential states imported" in printed) == (0, True)
    status, printed = run("import", tmp_path / "all.csv", "--task", "gone", "--project", other.folder)
    assert (status, "There is no task gone" in printed) == (1, True)
    assert run("export", tmp_path / "no" / "x.yaml", "--project", project.folder)[0] == 1
