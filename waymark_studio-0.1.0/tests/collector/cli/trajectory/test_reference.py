"""A trajectory is named by an id of a project, or by a path, which names its project too: in every verb."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collector.cli.main import main
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.project.project import Project

VERBS = [
    ("trajectory", "show"), ("trajectory", "verify"), ("trajectory", "replay", "--dry-run"),
    ("judge", "process"), ("judge", "run", "--dry-run"), ("judge", "agreement"),
    ("judge", "quality", "--against", "people"), ("review", "submit", "--draft", "--tag", "slow"),
    ("review", "skip"),
]  # fmt: skip


@pytest.fixture
def projects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two projects with a trajectory each; the current folder is in neither."""
    for name in ("one", "two"):
        project = Project.create(tmp_path / name)
        project.save_tasks([Task("buy", "Buy a poster")])
        project.new_trajectory(TrajectoryHeader(task_id="buy", id=f"of-{name}")).close()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path


def refusal(verb: tuple[str, ...], *words: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What the verb refuses; empty when it does what it is told, or finds nothing to say."""
    main([*verb, *words, "--json"])
    document = json.loads(capsys.readouterr().out)
    return document.get("error", {}).get("what", "")


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_every_verb_takes_an_id_of_a_project_and_a_path(verb, projects, capsys):
    one, two = str(projects / "one"), str(projects / "two")
    by_id = refusal(verb, "of-one", "--project", one, capsys=capsys)
    assert "no trajectory" not in by_id
    assert "no project" not in by_id
    path = f"{one}/trajectories/buy/of-one"
    assert refusal(verb, path, capsys=capsys) == by_id
    assert refusal(verb, path, "--project", two, capsys=capsys) == by_id
    assert "There is no trajectory 'of-one'" in refusal(verb, "of-one", "--project", two, capsys=capsys)


def test_what_is_changed_belongs_to_the_project_that_the_path_names(projects, capsys):
    path = projects / "one" / "trajectories" / "buy" / "of-one"
    words = [str(path), "again", "--project", str(projects / "two"), "--json"]
    assert main(["trajectory", "rename", *words]) == 0
    assert json.loads(capsys.readouterr().out) == {"trajectory": "trajectories/buy/again"}
    assert path.with_name("again").is_dir()
    assert main(["trajectory", "delete", str(path.with_name("again")), "--json"]) == 0
    assert Project.open(projects / "one").paths.trash.is_dir()
    assert not Project.open(projects / "two").paths.trash.exists()
