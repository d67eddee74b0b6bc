"""``waymark review export``: every format from the command line, by id, folder and zip file."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from collector.cli import main as command
from collector.review.reviewing import Reviewing
from collector.sharing.review_of_files import review_of_files
from collector.store.project.project import Project
from tests.helpers.shared_trajectories import SECRET, make_shared_project


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return make_shared_project(tmp_path_factory.mktemp("export") / "project")


@pytest.fixture
def export(
    folders: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    project = str(folders["golden"].parents[2])

    def run(*arguments: str, status: int = 0) -> str:
        assert command.main(["review", "export", *arguments, "--project", project]) == status
        printed = capsys.readouterr()
        return printed.out or printed.err

    return run


def test_each_format_is_written_and_named(export, tmp_path: Path) -> None:
    for name, first in (("html", b"<!DOCTYPE html>"), ("png", b"\x89PNG"), ("md", b"# Buy")):
        assert f"Wrote shop-1.{name} (" in export("golden-1", "run-1", "--format", name)
        assert (tmp_path / f"shop-1.{name}").read_bytes().startswith(first)
    fast = ("--timing", "fixed", "--pause", "0.1", "--height", "200", "--theme", "light")
    for name, first in (("mp4", b"\0\0\0"), ("gif", b"GIF89a")):
        assert f"Wrote golden-1.{name} (" in export("golden-1", "--format", name, *fast)
        assert (tmp_path / f"golden-1.{name}").read_bytes().startswith(first)
    assert len(list((tmp_path / "shop-1_pictures").iterdir())) == 15
    assert not [path for path in tmp_path.rglob("*.*") if SECRET.encode() in path.read_bytes()]


def test_the_format_is_that_of_the_output(export, folders: dict[str, Path], tmp_path: Path) -> None:
    document = json.loads(
        export("shop-1/golden-1", str(folders["run"]), "--output", "out.MD", "--no-pictures", "--json")
    )
    assert document["format"] == "md"
    assert document["trajectories"] == ["golden-1", "run-1"]
    assert document["bytes"] == (tmp_path / "out.MD").stat().st_size
    assert [path.name for path in tmp_path.iterdir()] == ["out.MD"]


def test_a_zipped_trajectory_is_shared_alone(export, folders: dict[str, Path], tmp_path: Path) -> None:
    archive = tmp_path / "run.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in folders["run"].rglob("*"):
            packed.write(path, f"run-1/{path.relative_to(folders['run'])}")
    assert "Wrote run-1.html" in export(str(archive))
    assert b'"who":"sara"' in (tmp_path / "run-1.html").read_bytes()


def test_what_cannot_be_done_is_said(export, tmp_path: Path) -> None:
    assert "There is no trajectory 'nothing'" in export("nothing", status=1)
    assert "Give one to 4 trajectories" in export(*["golden-1"] * 5, status=2)
    assert "The ending of a.txt is no format" in export("golden-1", "--output", "a.txt", status=2)
    assert "The trajectories have no steps" in export("empty", status=1)
    (tmp_path / "mine.html").write_text("mine")
    assert "give --force to replace it" in export("golden-1", "--output", "mine.html", status=2)
    assert (tmp_path / "mine.html").read_text() == "mine"
    export("golden-1", "--output", "mine.html", "--force")
    assert (tmp_path / "mine.html").read_text().startswith("<!DOCTYPE html>")
    assert "nowhere" in export("golden-1", "--output", "nowhere/page.html", status=1)


def test_a_reviewer_who_works_blind_does_not_export_what_others_say(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    project = Project.open(folders["golden"].parents[2])
    reviewing = Reviewing(project, "mia")
    reviewing.judge(folders["run"], "failure", reason="The cart is empty")
    reviewing.tag(folders["run"], add=["crashed"])
    blind = review_of_files([folders["run"]], project.folder, "mia").sides[0].verdicts
    assert {verdict.judge for verdict in blind.task} == {"rules", "mia"}
    assert (blind.comments, blind.tags, blind.status) == ((), ("crashed",), "draft")
    assert "You see what others say" in blind.hidden
    other = review_of_files([folders["run"]], project.folder, "lin").sides[0].verdicts
    assert {verdict.judge for verdict in other.task} == {"rules", "mia", "sara"}
    assert len(other.comments) == 2
