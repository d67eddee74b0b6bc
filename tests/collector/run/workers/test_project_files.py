"""What travels to workers on other machines, and what comes back: bundles, the copy there, the run here."""

from __future__ import annotations

import dataclasses
import io
import shutil
import zipfile
from pathlib import Path

import pytest

from collector.anomalies.trust.trust import TrustBook
from collector.consent.allowed_hosts import AllowedHosts
from collector.consent.transfer import Transfer
from collector.host.owned_folder import own_folder
from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, TrajectoryHeader
from collector.run.workers.file_bundle import pack, unpack
from collector.run.workers.project_files import BASE, PersonConsent, ProjectBundles, ProjectCopy
from collector.store.checks.check import check_project
from collector.store.files.disk import Disk
from collector.store.files.errors import DiskFull, StoreError
from collector.store.project.arrived_runs import add_arrived_run
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory, read_header
from tests.helpers.dumps import hierarchy, node
from tests.helpers.sample_run import run_steps, write_run
from tests.helpers.steps import png


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))


@pytest.fixture
def project(tmp_path):
    """Two tasks, each with a golden trajectory, one with a run; a prompt, a link and an old export."""
    project = Project.create(tmp_path / "project", "Far away")
    project.save_tasks([Task("buy", "Buy a poster"), Task("look", "Look at posters")])
    for task in ("buy", "look"):
        with project.new_trajectory(TrajectoryHeader(f"golden-{task}", task, kind=GOLDEN)) as writer:
            writer.append(run_steps()[0], png(40, 80), hierarchy(node()).encode())
            writer.finish()
        (writer.folder / "video.mkv").write_bytes(b"film")
    write_run(project, task_id="buy")
    (project.folder / "prompts").mkdir()
    (project.folder / "prompts" / "mine.txt").write_text("Be careful")
    (project.folder / "passwords").symlink_to("/etc/passwd")
    (project.folder / ".env").write_text("KEY=1")
    (project.folder / "exports").mkdir()
    (project.folder / "exports" / "old.json").write_text("{}")
    return project


def names(bundle):
    return set(unpack(bundle.data))


def test_only_what_an_episode_needs_travels(project):
    bundles = ProjectBundles(project.folder)
    base, task = bundles.base(), bundles.task("buy")
    assert {"project.yaml", "tasks.yaml", "prompts/mine.txt"} <= names(base)
    leading = {name.partition("/")[0] for name in names(base)}
    assert not leading & {"trajectories", "exports", "passwords", ".env", ".cache"}
    assert {name.split("/")[2] for name in names(task)} == {"golden-buy"}
    assert not any(name.endswith((".mkv", ".lock")) for name in names(task))
    assert bundles.base() is base, "not packed again"
    (project.folder / "prompts" / "mine.txt").write_text("Be bold")
    assert bundles.base().digest != base.digest
    assert bundles.task("buy") is task
    assert names(bundles.task("none")) == set()
    run = next(folder for folder in project.trajectory_folders("buy") if folder.name != "golden-buy")
    there = {name.split("/")[2] for name in names(bundles.task("buy", run.name))}
    assert there == {"golden-buy", run.name}, "an agent begins at a step of that run"


def test_a_copy_takes_each_version_once_and_drops_what_was_deleted(project):
    bundles, copy = ProjectBundles(project.folder), ProjectCopy()
    base, task = bundles.base(), bundles.task("buy")
    assert copy.lacks(BASE, base.digest)
    copy.put(BASE, base.digest, base.data)
    copy.put("buy", task.digest, task.data)
    assert not copy.lacks(BASE, base.digest)
    there = Project.open(copy.folder)
    assert [task.id for task in there.tasks] == ["buy", "look"]
    assert [folder.name for folder in there.trajectory_folders()] == ["golden-buy"]
    (project.folder / "prompts" / "mine.txt").unlink()
    shutil.rmtree(project.paths.trajectories_of("buy") / "golden-buy")
    base, task = bundles.base(), bundles.task("buy")
    copy.put(BASE, base.digest, base.data)
    copy.put("buy", task.digest, task.data)
    assert not (copy.folder / "prompts" / "mine.txt").exists()
    assert list(Project.open(copy.folder).trajectory_folders()) == []
    copy.delete()
    assert not copy.folder.exists()


def test_a_persons_trust_goes_with_the_project_and_ends_with_the_copy(project):
    command = "settings put global mine 1"
    TrustBook().trust(project.folder, [command])
    asked = Transfer("https://models.example", ("gpu",))
    AllowedHosts().allow([asked])
    consent = ProjectBundles(project.folder).consent()
    AllowedHosts().forget(asked.origin)  # as on another machine
    copy = ProjectCopy()

    def agreed() -> tuple[bool, bool]:
        return TrustBook().trusts(copy.folder, command), AllowedHosts(copy.folder).missing([asked]) == []

    assert agreed() == (False, False)
    copy.agree(consent)
    assert agreed() == (True, True)
    assert not TrustBook().trusts(copy.folder, "settings put global mine 2")
    assert AllowedHosts().missing([asked]) == [asked]  # for the copy alone
    copy.agree(PersonConsent())
    assert agreed() == (False, False)
    copy.agree(consent)
    copy.delete()
    assert agreed() == (False, False)
    assert TrustBook().trusts(project.folder, command)


def test_the_copy_of_a_worker_that_died_is_deleted_by_the_next(tmp_path):
    parent = tmp_path / "home" / "cache" / "projects-of-workers"
    left, used = own_folder(parent / "project-left"), own_folder(parent / "project-used")
    left.abandon()
    copy = ProjectCopy()
    assert not left.path.exists()
    assert used.path.exists()
    with pytest.raises(OSError, match="project-used"):
        own_folder(used.path)
    used.delete()
    copy.delete()


def arrived(project, tmp_path, task="look", run_id="run-9"):
    """The packed files of a run that another copy of the project recorded."""
    elsewhere = tmp_path / "elsewhere"
    if not elsewhere.exists():
        shutil.copytree(project.folder, elsewhere, symlinks=True)
    folder = write_run(Project.open(elsewhere), run_id, task)
    return unpack(pack(folder, [path for path in folder.rglob("*") if path.is_file()]).data)


def test_a_run_arrives_whole_and_one_whose_id_is_taken_gets_the_next_attempt(project, tmp_path):
    files = arrived(project, tmp_path)
    header = add_arrived_run(project, files)
    folder = project.paths.trajectories_of("look") / header.id
    assert header.id == "run-9"
    assert {name: (folder / name).read_bytes() for name in files} == files
    assert len(open_trajectory(folder).trajectory.steps) == len(run_steps())
    again = add_arrived_run(project, files)
    assert again.id != header.id
    assert again.episode == dataclasses.replace(header.episode, attempt=1)
    assert read_header(folder.with_name(again.id)) == again
    third = add_arrived_run(project, files)
    assert third.episode.attempt == 2
    assert not list(project.paths.import_folder.glob("*"))
    assert [finding for finding in check_project(project) if "run-" in finding.where] == []


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "a/../../evil", "C:\\evil", "..\\evil", "a\0b"])
def test_names_that_lead_elsewhere_are_refused(project, tmp_path, name):
    with pytest.raises(UserError, match="unsafe name"):
        add_arrived_run(project, {name: b"x"})
    if "\0" not in name:  # zipfile cuts a name there
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr(name, b"x")
        with pytest.raises(UserError, match="unsafe name"):
            unpack(out.getvalue())
    assert not (tmp_path / "evil").exists()


def test_what_is_no_run_of_the_project_is_refused_and_nothing_stays(project, tmp_path):
    golden = project.paths.trajectories_of("buy") / "golden-buy"
    files = {
        path.relative_to(golden).as_posix(): path.read_bytes() for path in golden.rglob("*") if path.is_file()
    }
    with pytest.raises(StoreError, match="no run of a task of this project"):
        add_arrived_run(project, files)
    foreign = arrived(project, tmp_path, task="other")
    with pytest.raises(StoreError, match="no run of a task of this project"):
        add_arrived_run(project, foreign)
    with pytest.raises(UserError, match="cannot be read"):
        unpack(b"PK\3\4 no archive")
    assert not list(project.paths.import_folder.glob("*"))


def test_a_full_disk_at_home_is_said_and_leaves_nothing(project, tmp_path, monkeypatch):
    files = arrived(project, tmp_path)

    class FullDisk(Disk):
        def _append(self, path: Path, data: bytes) -> None:
            raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("collector.store.project.arrived_runs.Disk", FullDisk)
    with pytest.raises(DiskFull):
        add_arrived_run(project, files)
    monkeypatch.undo()
    assert not list(project.paths.import_folder.glob("*"))
