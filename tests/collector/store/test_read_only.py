"""A project in a folder that this account may only read: it opens, can be read, and stays as it is."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.model.resources import asset
from collector.model.trajectory import TrajectoryHeader
from collector.store.catalogue.project_snapshot import read_snapshot
from collector.store.files import access
from collector.store.files.errors import ReadOnly
from collector.store.project.project import Project
from collector.store.project.trajectory_changes import (
    delete_trajectory,
    duplicate_trajectory,
    rename_trajectory,
    restore_trajectory,
)

_NOBODY = 65534
# Privileges are dropped behind a first round on a small project, when what is imported late is there.
_SCRIPT = """
import io, os, sys, contextlib
from collector.cli.main import main

def run(*words):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            status = main(list(words))
        except SystemExit as error:
            status = error.code
    return status or 0, out.getvalue()

small, folder, source, user = sys.argv[1:5]
def rounds(place):
    for words in (["project", "check", place], ["task", "list", place], ["project", "index", place],
                  ["trajectory", "list", "--project", place],
                  ["project", "import", "auto", source, "--project", place]):
        yield words[:2], *run(*words)
list(rounds(small))
# Each account has a home of its own, which the other cannot read.
os.environ["WAYMARK_HOME"] += "/other"
if int(user):
    os.setgroups([]); os.setgid(int(user)); os.setuid(int(user))
for words, status, text in rounds(folder):
    print("##", *words, status)
    print(text)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The sample project, as the system shows it where nothing may be written."""
    folder = tmp_path / "p"
    shutil.copytree(asset("sample"), folder)
    access_of = os.access
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))

    def may(path: str | Path, mode: int, **options: object) -> bool:
        inside = Path(path).is_relative_to(folder)
        return not (inside and mode & os.W_OK) and access_of(path, mode, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "access", may)
    return Project.open(folder)


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.mark.fault("F36")
def test_it_opens_says_so_and_nothing_in_it_changes(project: Project) -> None:
    before = _files(project.folder)
    snapshot = read_snapshot(project)
    assert snapshot.is_read_only
    assert snapshot.tasks
    assert read_snapshot(project, refresh=False).recent == snapshot.recent
    for change in (
        lambda: project.save_tasks(()),
        lambda: project.set(trusted=True),
        lambda: project.lock(),
        lambda: project.new_trajectory(TrajectoryHeader("", snapshot.tasks[0].id)),
        lambda: delete_trajectory(project, project.paths.trajectories / "t" / "a"),
        lambda: rename_trajectory(project, project.paths.trajectories / "t" / "a", "b"),
        lambda: duplicate_trajectory(project, project.paths.trajectories / "t" / "a"),
        lambda: restore_trajectory(project, "a"),
    ):
        with pytest.raises(ReadOnly, match=r"is read-only: this account may not write .*copy"):
            change()
    assert _files(project.folder) == before
    assert project.paths.catalogue.is_file()
    assert not project.paths.catalogue.is_relative_to(project.folder)


def test_a_folder_that_can_be_written_is_not_read_only(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    assert not access.is_read_only(project.folder)
    assert project.paths.catalogue.is_relative_to(project.folder)


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that every account may read."""
    folder = Path(tempfile.mkdtemp(prefix="waymark-read-only-"))
    folder.chmod(0o755)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(path.stat().st_mode | stat.S_IRWXU)
    shutil.rmtree(folder)


def _all_trajectories_but_one(folder: str, names: list[str]) -> list[str]:
    is_in_trajectories = Path(folder) == asset("sample") / "trajectories"
    return [name for name in names if is_in_trajectories and name != "todo-01"]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_another_account_reads_it_on_the_command_line_and_is_told_why_it_cannot_write(shared: Path) -> None:
    """With the permissions of the system, not of a fake: as root the account is that of nobody."""
    folder, small, source, home = (shared / name for name in ("p", "small", "source", "home"))
    shutil.copytree(asset("sample"), folder)
    for target in (small, source):
        shutil.copytree(asset("sample"), target, ignore=_all_trajectories_but_one)
    home.mkdir()
    home.chmod(0o777)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    user = _NOBODY if os.geteuid() == 0 else 0
    environment = {**os.environ, "WAYMARK_HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    words = [str(small), str(folder), str(source), str(user)]
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, *words],
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = {}
    for part in done.stdout.split("## ")[1:]:
        head, _line, text = part.partition("\n")
        *verb, status = head.split()
        answers[" ".join(verb)] = (int(status), text)
    assert answers.keys() >= {"project check", "task list", "project index", "trajectory list"}
    assert [status for verb, (status, _text) in answers.items() if verb != "project import"] == [0] * 4
    assert "Traceback" not in done.stdout + done.stderr
    status, sentence = answers["project import"]
    assert status
    assert "is read-only: this account may not write in its folder" in sentence
    assert len(sentence.strip().splitlines()) == 1
