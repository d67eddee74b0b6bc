"""``waymark experiment``: make, list, show, check, and the same as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collector.cli.experiment import watch
from collector.cli.main import main
from collector.model.task import Task
from collector.run.control.runner_file import RunnerFile
from collector.store.project.project import Project


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with two tasks and no recordings."""
    project = Project.create(tmp_path / "project")
    project.save_tasks([Task("shop-1", "Buy a print", "Shop"), Task("todo-1", "Add a note", "Todo")])
    return project.folder


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    """Exit status and output of a verb."""
    status = main(["experiment", *map(str, arguments)])
    return status, capsys.readouterr().out


def test_an_experiment_is_made_listed_shown_and_checked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--agent", "golden", "--condition", "battery_low_double_en", "--seed", "1", "--seed", "2")
    status, text = run(capsys, "new", "trial", "--project", folder, *options)
    assert (status, "2 tasks have none" in text) == (1, True), "it is written, and cannot be run"
    assert (folder / "experiments" / "trial.yaml").is_file()
    status, text = run(capsys, "list", "--project", folder, "--json")
    (row,) = json.loads(text)["experiments"]
    assert (row["name"], row["episodes"], row["run"], row["counts"]["error"]) == ("trial", 8, 0, 1)
    status, text = run(capsys, "show", "trial", "--project", folder)
    assert status == 1
    assert "2 tasks have none: shop-1, todo-1" in text
    status, text = run(capsys, "check", "--project", folder, "--json")
    assert status == 1
    assert {item["code"] for item in json.loads(text)["findings"]} == {"W609", "W610"}
    assert main(["project", "check", str(folder)]) == 1
    assert "experiments/trial.yaml:6" in capsys.readouterr().out
    assert main(["experiment", "new", "trial", "--project", str(folder)]) == 1


def test_an_experiment_that_can_run_is_shown_with_its_size_and_cells(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "experiments" / "trial.yaml"
    path.parent.mkdir()
    path.write_text("tasks: all\nagents: [{id: model, kind: scripted-model}]\n")
    status, text = run(capsys, "check", path, "--json")
    assert "unknown-agent" in {item["name"] for item in json.loads(text)["findings"]}
    path.write_text("tasks: [shop-1]\nagents: [{kind: golden, skip: true}]\nbudget: 4\n")
    status, text = run(capsys, "check", "trial", "--project", folder)
    assert status == 1
    assert "All agents are left out" in text
    status, text = run(capsys, "schema")
    assert json.loads(text)["title"]


def test_an_experiment_is_copied_and_deleted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "new", "trial", "--project", folder, "--agent", "monkey")
    path = folder / "experiments" / "trial.yaml"
    status, text = run(capsys, "copy", "trial", "second", "--project", folder, "--json")
    made = Path(json.loads(text)["path"])
    assert (status, made.name, made.read_text()) == (0, "second.yaml", path.read_text())
    assert main(["experiment", "copy", "trial", "second", "--project", str(folder)]) == 1
    assert main(["experiment", "copy", "trail", "third", "--project", str(folder)]) == 1
    said = capsys.readouterr().err
    assert "an experiment second already" in said
    assert "Did you mean trial?" in said
    held = RunnerFile.hold(Project.open(folder).paths, "second")
    assert main(["experiment", "delete", "second", "--yes", "--project", str(folder)]) == 1
    assert "being run already" in capsys.readouterr().err
    held.release()
    assert made.is_file()
    assert run(capsys, "delete", "second", "--yes", "--project", folder)[0] == 0
    assert not made.exists()
    assert main(["experiment", "delete", "second", "--yes", "--project", str(folder)]) == 1


def test_a_name_that_nothing_has_is_answered_with_the_nearest(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "new", "battery", "--project", folder)
    assert main(["experiment", "show", "batery", "--project", str(folder)]) == 1
    assert "Did you mean battery?" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["pause", "resume", "stop"])
def test_a_request_to_a_run_is_a_word_in_json_in_every_language(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sent: list[object] = []
    monkeypatch.setattr(watch, "send_request", lambda _paths, name, request: sent.append((name, request)))
    project = Project.create(tmp_path / "project").folder
    assert main(["experiment", word, "quick", "--project", str(project), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"experiment": "quick", "request": word}
    assert len(sent) == 1
