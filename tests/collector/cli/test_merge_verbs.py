"""Two people on one project: git merges its files with `waymark project merge`, and a copy is brought in."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from collector.cli import main as command
from collector.model.trajectory import TrajectoryHeader
from collector.store.files.lock import LOCK_NAME
from collector.store.project.project import Project
from tests.helpers.steps import png, step, xml

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")


def waymark(*words: object) -> int:
    return command.main([str(word) for word in words])


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in git, with one task; git merges with the command line of this checkout."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "ann")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "ann@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "none"))
    folder = tmp_path / "p"
    assert waymark("project", "new", folder) == 0
    assert waymark("task", "new", "shop-01", "--instruction", "Buy", "--project", folder) == 0
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "base")
    assert waymark("project", "merge", "--install", "--project", folder) == 0
    return folder


def git(folder: Path, *words: str, status: int = 0) -> str:
    done = subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


def test_two_people_add_tasks_and_change_one_task(place: Path) -> None:
    """Without the driver git stops at the first task that both add behind the last."""
    assert ".cache/" in (place / ".gitignore").read_text()
    assert ".cache" not in git(place, "ls-files")
    git(place, "branch", "theirs")
    waymark("task", "new", "shop-02", "--instruction", "Mine", "--project", place)
    waymark("task", "edit", "shop-01", "--level", "hard", "--project", place)
    commit(place, "mine")
    git(place, "checkout", "-q", "theirs")
    waymark("task", "new", "shop-03", "--instruction", "Theirs", "--project", place)
    waymark("task", "edit", "shop-01", "--app", "Shop", "--project", place)
    commit(place, "theirs")
    git(place, "merge", "-q", "-m", "both", "main")
    tasks = {task.id: task for task in Project.open(place).tasks}
    assert (set(tasks), tasks["shop-01"].level, tasks["shop-01"].app) == (
        {"shop-01", "shop-02", "shop-03"},
        "hard",
        "Shop",
    )
    assert git(place, "status", "--short") == ""


def test_what_both_changed_is_named_by_the_check_and_nothing_else(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git(place, "branch", "theirs")
    for branch, level in (("main", "hard"), ("theirs", "easy")):
        git(place, "checkout", "-q", branch)
        waymark("task", "edit", "shop-01", "--level", level, "--project", place)
        commit(place, branch)
    assert "tasks.yaml: both changed shop-01" in git(place, "merge", "main", status=1)
    capsys.readouterr()
    assert waymark("project", "check", place) == 1
    found = capsys.readouterr().out.splitlines()
    assert found == [
        "error: tasks.yaml:4: Two versions of one place stand here, between the marks of a merge. "
        "Keep one of them, or both, and remove the marks [conflict-marker]",
        "1 problem",
    ]


def test_a_copy_is_brought_in(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "copy"
    with Project.open(place).new_trajectory(TrajectoryHeader("t1", "shop-01")) as writer:
        writer.append(step(1), png(), xml())
        writer.finish()
    shutil.copytree(place, copy)
    waymark("task", "new", "shop-02", "--instruction", "Theirs", "--project", copy)
    waymark("task", "edit", "shop-01", "--level", "hard", "--instruction", "Buy it", "--project", copy)
    waymark("review", "submit", "t1", "--verdict", "success", "--as", "ben", "--project", copy)
    with Project.open(copy).new_trajectory(TrajectoryHeader("t2", "shop-02")) as writer:
        writer.append(step(1), png(), xml())
        writer.finish()
    waymark("task", "new", "shop-03", "--instruction", "Mine", "--project", place)
    (copy / "variations").mkdir()
    (copy / "variations/wide.yaml").write_text("appearance: {all: {spacing: 0.5}}\n")
    capsys.readouterr()
    assert waymark("project", "merge", copy, "--project", place, "--json") == 1
    result = json.loads(capsys.readouterr().out)
    assert result["trajectories"] == ["trajectories/shop-02/t2"]
    assert {"trajectories/shop-01/t1/judgements/ben.jsonl", "variations/wide.yaml"} <= set(result["files"])
    assert (result["merged"], result["kept"]) == (
        ["tasks.yaml", "rules/states.yaml"],
        ["tasks.yaml: shop-01"],
    )
    project = Project.open(place)
    assert {task.id: task.instruction for task in project.tasks} == {
        "shop-01": "Buy", "shop-02": "Theirs", "shop-03": "Mine",
    }  # fmt: skip
    assert waymark("project", "check", place) == 0
    assert waymark("project", "merge", place, "--project", place) == 1
    assert waymark("project", "merge") == 2


def test_a_damaged_copy_is_a_sentence_and_a_folder_without_a_project_is_left_alone(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = place / "rules" / "injection.yaml"
    rules.parent.mkdir(exist_ok=True)
    rules.write_text("rules: []\n", encoding="utf-8")
    copy = Path(shutil.copytree(place, tmp_path / "copy"))
    (copy / "rules" / "injection.yaml").write_bytes(b"rules:\n  - id: \xff\n")
    capsys.readouterr()
    assert waymark("project", "merge", copy, "--project", place) == 1
    said = capsys.readouterr().err
    assert said.startswith("waymark: rules/injection.yaml ")
    assert "Traceback" not in said
    plain = tmp_path / "plain"
    plain.mkdir()
    git(plain, "init", "-q")
    assert waymark("project", "merge", "--install", "--project", plain) == 1
    assert [path.name for path in plain.iterdir()] == [".git"]


def test_locks_of_a_copy_are_not_brought_in(place: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(place, tmp_path / "copy"))
    with Project.open(copy).new_trajectory(TrajectoryHeader("t1", "shop-01")) as writer:
        writer.append(step(1), png(), xml())
        writer.finish()
        assert (writer.folder / LOCK_NAME).exists()
        assert waymark("project", "merge", copy, "--project", place) == 0
    brought = Project.open(place).find("t1")
    assert not (brought / LOCK_NAME).exists()


def test_an_experiment_comes_with_the_programs_and_prompts_of_its_agents(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = Path(shutil.copytree(place, tmp_path / "copy"))
    files = {
        "agents/mine.py": "import planning\n",
        "agents/planning.py": "",
        "prompts/short.txt": "{instruction}\n",
        "experiments/e.yaml": """format: waymark-experiment
version: 1
tasks: [shop-01]
agents:
  - {id: mine, kind: process, command: [python, agents/mine.py]}
  - {id: model, kind: openai, model: m, prompt: prompts/short.txt}
  - {id: far, kind: process, command: [python, mine.py], cwd: ../elsewhere}
""",
        "agents/unused.py": "",
        "prompts/unused.txt": "",
    }
    for name, text in files.items():
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text(text, encoding="utf-8")
    (place / "prompts").mkdir()
    (place / "prompts/short.txt").write_text("Do {instruction}\n")
    capsys.readouterr()
    assert waymark("project", "merge", copy, "--project", place, "--json") == 1
    result = json.loads(capsys.readouterr().out)
    assert result["files"] == ["experiments/e.yaml", "agents/mine.py", "agents/planning.py"]
    assert result["kept"] == ["prompts/short.txt"]
    assert (place / "prompts/short.txt").read_text() == "Do {instruction}\n"
    assert not (place / "agents/unused.py").exists()


def test_a_version_that_cannot_be_read_stays_whole_between_marks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Git stops with ours alone otherwise, and `git add` loses theirs."""
    texts = {"base": "a: 1\n", "ours": "a: 1\nb: 2\n", "theirs": "a: [\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    versions = [str(tmp_path / name) for name in texts]
    assert waymark("project", "merge", "--driver", *versions, "--path", "tasks.yaml") == 1
    assert (tmp_path / "ours").read_text("utf-8") == (
        "<<<<<<< ours\na: 1\nb: 2\n=======\na: [\n>>>>>>> theirs\n"
    )
    said = capsys.readouterr().err
    assert "the other version cannot be merged. tasks.yaml" in said
    assert "Both versions stand between the marks of git now" in said
