"""``waymark rules`` as a person or a script uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collector.cli import main as command
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.project.project import Project
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task

RULES = """rules:
  - id: anywhere
    conditions: {all: [{type: element_not_exists, selector: "text='Never'"}]}
    actions: [{type: inject_interference, interference_id: a}]
  - id: nowhere
    conditions: {all: [{type: semantic_element_exists, keywords: [Zebra, zebra]}]}
    actions: [{type: inject_interference, interference_id: a}]
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    created = Project.create(tmp_path / "p")
    put_task(created, Task("one", "Buy", target_rule_ids=("anywhere",)))
    with created.new_trajectory(TrajectoryHeader("t", "one", who="ann")) as writer:
        writer.append(step(1), png(), xml())
        writer.finish()
    (created.folder / "rules").mkdir()
    (created.folder / "rules" / "injection.yaml").write_text(RULES, encoding="utf-8")
    return created.folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object) -> tuple[int, str]:
        status = command.main(["rules", *(str(argument) for argument in arguments)])
        output = capsys.readouterr()
        return status, output.out + output.err

    return call


def test_findings_are_told_with_place_and_mend(run, place: Path) -> None:
    file = place / "rules" / "injection.yaml"
    status, output = run("check", file)
    assert status == 0
    assert f"{file}:6:74: warning: The keyword zebra appears twice" in output
    assert "fix: Remove zebra" in output
    file.write_text(RULES.replace("element_not_exists", "element_not_exist"), encoding="utf-8")
    assert run("check", file)[0] == 1
    assert run("check")[0] == 2
    assert run("check", place / "none.yaml")[0] == 2
    file.write_bytes(b"\xff\xfe\x00")
    assert run("check", file) == (1, f"waymark: {file} cannot be read. It is not UTF-8. Save it as UTF-8\n")


def test_a_project_is_checked_against_its_tasks_and_recordings(run, place: Path) -> None:
    status, output = run("check", "--project", place, "--json")
    findings = {(finding["code"], finding["rule"]) for finding in json.loads(output)["findings"]}
    assert (status, ("W201", "nowhere") in findings) == (1, True), "no library has it, and there is none yet"
    assert {("W206", "nowhere"), ("W303", "nowhere"), ("W403", "nowhere"), ("W406", "nowhere")} <= findings


def test_sarif_names_regions_and_fixes(run, place: Path) -> None:
    file = place / "rules" / "injection.yaml"
    document = json.loads(run("check", file, "--sarif")[1])
    (result,) = [r for r in document["runs"][0]["results"] if r["ruleId"] == "W303"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"], region["endLine"], region["endColumn"]) == (
        6,
        74,
        6,
        79,
    )
    text = RULES[region["charOffset"] : region["charOffset"] + region["charLength"]]
    assert text == "zebra"
    rule = document["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert (document["version"], rule["id"]) == ("2.1.0", "W303")
    (edit,) = result["fixes"][0]["artifactChanges"][0]["replacements"]
    assert edit["insertedContent"]["text"] == ""


def test_a_rule_is_tried_on_a_dump_and_explained(run, place: Path, tmp_path: Path) -> None:
    screen = tmp_path / "screen.xml"
    screen.write_bytes(xml())
    file = place / "rules" / "injection.yaml"
    status, output = run("test", file, "--rule", "anywhere", "--on", screen, "--explain")
    assert (status, "fires" in output, "✓ element_not_exists" in output) == (0, True, True)
    trajectory = place / "trajectories" / "one" / "t"
    status, output = run("test", file, "--rule", "nowhere", "--on", trajectory, "--explain", "--json")
    proof = json.loads(output)["states"][0]["proof"]
    assert (status, proof["holds"], proof["parts"][0]["missing"]) == (1, False, ["Zebra", "zebra"])
    assert run("test", file, "--rule", "x", "--on", screen)[1].startswith("waymark: ")
    assert "is no dump" in run("test", file, "--rule", "anywhere", "--on", file)[1]


def test_a_trajectory_of_a_project_knows_the_essential_states_it_reaches(run, place: Path) -> None:
    (place / "rules" / "states.yaml").write_text(
        "states:\n  - {id: begun, conditions: [{type: min_step, value: 1}]}\n", encoding="utf-8"
    )
    file = place / "rules" / "after.yaml"
    file.write_text("done:\n  conditions: [{type: state_reached, state: begun}]\n", encoding="utf-8")
    by_path = run("test", file, "--rule", "done", "--on", place / "trajectories" / "one" / "t")
    assert by_path[0] == 0
    for named in (("--on", "t"), ("--on", "one/t"), ("--on", "t", "--project", place)):
        assert run("test", file, "--rule", "done", *named) == by_path
    status, found = run("test", file, "--rule", "done", "--where", "task:one")
    assert (status, found.splitlines()[-1]) == (0, by_path[1].splitlines()[-1])
    assert found.startswith("one/"), "each screen says whose it is"
    assert run("test", file, "--rule", "done", "--where", "task:two")[0] == 1
    assert run("test", file, "--rule", "done")[0] == 2
    assert run("test", file, "--rule", "done", "--on", "t", "--where", "task:one")[0] == 2


def test_rules_are_back_tested_and_the_semantics_compared(run, place: Path) -> None:
    output = run("backtest", place)[1]
    assert "anywhere" in output
    status, output = run("backtest", place, "--rule", "anywhere")
    assert (status, "one/golden-1  #" in output) == (0, True)
    document = json.loads(run("backtest", place, "--rule", "nowhere", "--json")[1])
    assert document["rules"][0]["trajectories"][0]["cells"] == ["silent"]
    assert run("backtest", place, "--rule", "x")[0] == 1
    compared = json.loads(run("compare", place, "--json")[1])
    assert (compared["states"], compared["steps_from"], document["steps_from"]) == (1, 1, 1)
    assert run("compare", place)[0] == 0


def test_conditions_are_suggested_for_a_point(run, tmp_path: Path) -> None:
    screen = tmp_path / "screen.xml"
    node = (
        '<node index="0" text="Pay now" resource-id="app:id/pay" class="android.widget.Button" package="app"'
    )
    screen.write_text(f'<hierarchy rotation="0">{node} content-desc="" bounds="[0,0][90,90]"/></hierarchy>')
    suggestions = json.loads(run("suggest", "--on", screen, "--point", "5,5", "--json")[1])["suggestions"]
    assert any(
        suggestion["condition"].get("selector") == "resource-id='app:id/pay'" for suggestion in suggestions
    )
    assert run("suggest", "--on", screen, "--point", "500,500")[0] == 1
    assert run("suggest", "--on", screen, "--point", "here")[0] == 2


def test_the_schema_is_printed(run) -> None:
    assert json.loads(run("schema", "success")[1])["$schema"].endswith("2020-12/schema")
