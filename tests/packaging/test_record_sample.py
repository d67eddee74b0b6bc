"""The recipe that records the sample: what it ships, and that anybody can record it anew."""

from __future__ import annotations

import hashlib
import xml.etree.ElementTree as ET
from pathlib import Path

from collector.device.transport.adb_server import AdbServer
from collector.model.resources import asset
from collector.project_check.project_check import check_every_file
from collector.states.defining import Defining, is_decided
from collector.states.task_status import AUDITING, DEFINING, DONE, NOT_BEGUN, PROPOSING, project_status
from collector.states.work_files.state_work import StateWork
from collector.store.files.layout import PROJECT_FILE, TASKS_FILE
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from collector.store.trajectory.reviews.labels import read_all_labels
from tests.helpers.scripts import script
from tests.helpers.virtual import adb_server

record_sample = script("packaging/sample", "record_sample")
MOST_BYTES = 17_500_000
SHORTEST = "todo-04-lin"


def _screens(stored: StoredTrajectory) -> list[tuple[str, str, str, list[tuple[str | None, ...]]]]:
    """Of each step what was done, the app and the words on the screen; places depend on the fonts."""
    return [
        (
            step.description, step.state.package, step.state.activity,
            [
                (node.get("resource-id"), node.get("text"), node.get("content-desc"), node.get("checked"))
                for node in ET.fromstring(stored.tree(step) or b"").iter("node")
            ],
        )
        for step in stored.steps
    ]  # fmt: skip


def test_every_golden_of_the_recipe_is_shipped_and_small() -> None:
    stored = Project.open(asset("sample")).open_trajectories()
    folders = {item.header.id: item.folder for item in stored if not item.header.is_run}
    assert folders.keys() == {golden.id for golden in record_sample.GOLDENS}
    files = [path for path in asset("sample").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    assert not [path for path in files if path.name == ".lock"]
    for folder in folders.values():
        digests = [hashlib.sha256(path.read_bytes()).digest() for path in (folder / "states").iterdir()]
        assert len(digests) == len(set(digests)), folder


def test_people_work_on_the_states_of_four_tasks_at_four_stages() -> None:
    work = StateWork(Project.open(asset("sample")))
    stages = {status.task: status.stage for status in project_status(work) if status.stage != NOT_BEGUN}
    assert stages == {
        "messenger-02": PROPOSING, "shop-13": AUDITING, "shop-14": DEFINING, "todo-01": DONE,
    }  # fmt: skip
    assert all(status.warnings == () for status in project_status(work))
    differing = Defining(work, "shop-14", "lin")
    pairs, definition = differing.alignment().pairs, work.definition("shop-14")
    assert definition is not None
    assert (len(pairs), sum(is_decided(definition, pair) for pair in pairs)) == (6, 3)
    assert [finding.what for finding in check_every_file(work.project)] == []


def test_two_people_labelled_recordings_and_differ_here_and_there() -> None:
    said: dict[tuple[str, str], dict[str, int | None]] = {}
    for folder in Project.open(asset("sample")).trajectory_folders():
        for who, labels in read_all_labels(folder).items():
            assert labels.submitted
            for state in labels.labelled:
                said.setdefault((folder.name, state), {})[who] = labels.step_of(state)
    assert len(said) >= 30
    assert all(steps.keys() == {"sara", "jo"} for steps in said.values())
    differing = [state for state, steps in said.items() if len(set(steps.values())) > 1]
    assert 3 <= len(differing) <= 6


def test_a_golden_is_recorded_anew_as_it_is_shipped(tmp_path: Path) -> None:
    for name in (PROJECT_FILE, TASKS_FILE):
        (tmp_path / name).write_bytes(asset("sample", name).read_bytes())
    golden = next(golden for golden in record_sample.GOLDENS if golden.id == SHORTEST)
    with adb_server() as server:
        project = Project.open(tmp_path)
        folder = record_sample.record(project, golden, AdbServer(server.port, server.binary))
    recorded, shipped = (
        open_trajectory(folder),
        open_trajectory(asset("sample", "trajectories", golden.task, SHORTEST)),
    )
    assert _screens(recorded) == _screens(shipped)
    times = ["t_ms", "wall_time"]
    assert [[getattr(step, name) for name in times] for step in recorded.steps] == [
        [getattr(step, name) for name in times] for step in shipped.steps
    ]
    assert recorded.header.device == shipped.header.device
    assert (recorded.header.started, recorded.header.finished) == (
        shipped.header.started, shipped.header.finished,
    )  # fmt: skip
