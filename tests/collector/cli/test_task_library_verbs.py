"""``waymark task library``, ``copy`` and ``generate``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collector.cli.main import main
from collector.store.project.project import Project
from collector.task_library.built_in_tasks import built_in_tasks


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "project"
    assert main(["project", "new", str(place)]) == 0
    return place


def ids(folder: Path) -> list[str]:
    return [task.id for task in Project.open(folder).tasks]


def test_the_library_is_listed_by_app_and_level(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["task", "library", "--app", "maps", "--level", "hard", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["tasks"]
    assert [task["id"] for task in listed] == ["maps-save-two"]
    assert len(listed[0]["rewordings"]["casual"]) == 3
    assert main(["task", "library"]) == 0
    printed = capsys.readouterr().out
    assert [task.id for task in built_in_tasks() if task.id not in printed] == []
    assert main(["task", "library", "--app", "camera"]) == 1


def test_tasks_are_copied_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["task", "copy", "open-maps", "shop-save-cat", "--project", str(folder)]) == 0
    assert ids(folder) == ["shop-save-cat", "open-maps"]
    assert main(["task", "edit", "open-maps", "--instruction", "My words", "--project", str(folder)]) == 0
    assert main(["task", "copy", "--all", "--project", str(folder)]) == 0
    assert "2 tasks were there already" in capsys.readouterr().out
    copied = {task.id: task for task in Project.open(folder).tasks}
    assert copied["open-maps"].instruction == "My words"
    same = [task for task in built_in_tasks() if task.id != "open-maps"]
    assert [copied[task.id] for task in same] == same
    assert main(["task", "check", str(folder)]) == 0


@pytest.mark.parametrize(("arguments", "status"), [([], 2), (["open-maps", "--all"], 2), (["nothing"], 1)])
def test_what_to_copy_has_to_be_said(
    folder: Path, arguments: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["task", "copy", *arguments, "--project", str(folder)]) == status
    assert "waymark task library" in capsys.readouterr().err
    assert ids(folder) == []


def test_longer_tasks_are_made_again_alike(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["task", "generate", "--number", "12", "--parts", "3", "--project", str(folder)]
    assert main([*command, "--dry-run", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["tasks"]
    assert ids(folder) == []
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"tasks": printed, "kept": []}
    assert ids(folder) == [task["id"] for task in printed]
    assert all(len(task["target"]["subtasks"]) == 3 for task in printed)
    assert main(command) == 0
    assert "12 tasks were there already" in capsys.readouterr().out
    assert main(["task", "check", str(folder)]) == 0


@pytest.mark.parametrize("parts", ["1", "6", "4-2", "two", "2-", "-3"])
def test_parts_are_from_two_to_five(folder: Path, parts: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["task", "generate", f"--parts={parts}", "--project", str(folder)]) == 2
    assert "--parts is a number from 2 to 5" in capsys.readouterr().err
