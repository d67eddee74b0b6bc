"""A whole folder of D-GARA comes in at once: tasks, rules, library, runs and collected states."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collector.cli.main import main
from collector.exchange.exchange_reports import read_reports
from collector.exchange.imports.importing import ImportResult, import_into
from collector.model.task import Task
from collector.store.checks.check import check_project
from collector.store.project.project import Project
from tests.helpers.source_samples import SAMPLES, write_source

RULES = b"rules:\n  - id: r  # kept\n    conditions: {all: [{type: min_step, value: 1}]}\n    actions: []\n"
LIBRARY = b"interference_library:\n  - id: low\n    target_activity: LowBatteryActivity\n"
SUCCESS = b"k:\n  conditions:\n    - {type: element_exists, selector: \"text='a'\"}\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "D-GARA"
    for name in ("dgara-runs", "dgara-collected"):
        write_source(folder, SAMPLES[name])
    tasks = [{"id": 9, "description": "Do", "app": "a", "rule_key": "k", "target_rule_ids": ["r"]}]
    write_source(folder, {"D-GARA-152.json": tasks, "ReactBench/rules.yaml": RULES,
                          "ReactBench/interference_library.yaml": LIBRARY,
                          "SuccessValidator/success_conditions.yaml": SUCCESS,
                          "env.yaml": b"key: secret\n", "torn.yaml": b"rules: [\n"})  # fmt: skip
    return folder


def codes(result: ImportResult) -> set[str]:
    return {finding.code for finding in result.findings}


def test_tasks_rules_and_runs_are_one_import(tmp_path: Path, source: Path) -> None:
    project = Project.create(tmp_path / "p")
    result = import_into(project, source)
    assert result.format.id == "dgara"
    assert project.task("9") == Task("9", "Do", package="a", rule_key="k", target_rule_ids=("r",))
    places = sorted(project.paths.relative(folder) for folder in result.folders)
    assert places == ["trajectories/7/dgara-collected-7_Do-it", "trajectories/9/dgara-runs-base-9"]
    assert project.paths.rule_file("injection").read_bytes() == RULES
    assert project.paths.rule_file("success").read_bytes() == SUCCESS
    assert project.paths.library.read_bytes() == LIBRARY
    assert "rules-unreadable" in codes(result)
    assert not check_project(project)
    again = import_into(project, source)
    assert (again.folders, again.tasks, again.rules) == ([], [], [])
    assert "rules-known" in codes(again)
    assert not again.is_vain
    assert "imported-before" in codes(import_into(project, source, "dgara-runs"))


def test_rules_of_the_project_stay(tmp_path: Path, source: Path) -> None:
    project = Project.create(tmp_path / "p")
    for path, data in (
        (project.paths.rule_file("injection"), b"rules: []\n"),
        (project.paths.library, b"anomalies: []\n"),
    ):
        path.parent.mkdir()
        path.write_bytes(data)
    result = import_into(project, source)
    assert sorted(result.rules) == ["rules/rules.yaml", "rules/success.yaml"]
    assert "library-kept" in codes(result)
    assert project.paths.rule_file("injection").read_bytes() == b"rules: []\n"
    assert project.paths.library.read_bytes() == b"anomalies: []\n"


def test_the_report_stays_in_the_project(
    tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(Project.create(tmp_path / "p").folder)
    assert main(["project", "imports", folder]) == 0
    assert "Nothing was imported" in capsys.readouterr().out
    assert main(["project", "import", str(source), "--project", folder]) == 0
    printed = capsys.readouterr().out
    assert "3 rule files" in printed
    assert "shows this report again" in printed
    assert (
        main(
            [
                "project",
                "import",
                "dgara-tasks",
                str(source / "D-GARA-152.json"),
                "--project",
                folder,
                "--json",
            ]
        )
        == 0
    )
    reports = read_reports(Project.open(Path(folder)))
    assert json.loads(capsys.readouterr().out)["report"] == reports[0].id
    assert [report.source for report in reports] == ["D-GARA-152.json", "D-GARA"]
    assert main(["project", "imports", folder, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["imports"]
    assert [entry["losses"] for entry in listed] == [0, len(reports[1].losses)]
    assert main(["project", "imports", folder, "--show", reports[1].id]) == 0
    shown = capsys.readouterr().out
    assert shown == reports[1].text
    losses = [line for line in printed.splitlines() if line.startswith("loss: ")]
    assert losses
    assert all(line in shown.splitlines() for line in losses)
    assert main(["project", "imports", folder, "--show", "nosuch"]) == 1
    assert "There is no import nosuch" in capsys.readouterr().err


def test_a_damaged_report_costs_only_itself(tmp_path: Path, source: Path) -> None:
    project = Project.create(tmp_path / "p")
    assert main(["project", "import", "auto", str(source), "--project", str(project.folder)]) == 0
    for number, text in enumerate(("{", "[]", '{"findings": 3}', '{"findings": [{}]}', '{"tasks": 7}')):
        (project.paths.import_reports / f"{number}.json").write_text(text)
    (project.paths.import_reports / "link.json").symlink_to(source / "D-GARA-152.json")
    assert [report.source for report in read_reports(project)] == ["D-GARA"]
