"""Recordings nobody here wrote import whole; skipped where they are not at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.exchange.imports.importing import detect, import_into
from collector.store.checks.check import check_project
from collector.store.files.findings import ERROR
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.round_trip import pictures, there_and_back, unsaid

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not at hand")

SOURCES = [
    ("layouts/D-GARA/Collected_trajs", "dgara-collected", 12, 0),
    ("layouts/D-GARA/LOGFINAL", "dgara-runs", 6, 5),
    ("layouts/AITK", "aitk", 12, 12),
    ("layouts/LlamaTouch", "llamatouch", 12, 11),
    ("trajectories/LlamaTouch+Evaluator", "llamatouch", 12, 11),
    ("trajectories/InterDroid", "interdroid", 12, 11),
]
CONVERTED = [
    ("trajectories/LiuGuanYi-1+G05_KeaProject", "droidbot", 16, 13, {"Tap 'Next'", "Tap 'OK'", "Press Back"}),
    ("trajectories/IMNearth+CoAT", "aitz", 4, 4, {"Press Home", "Swipe up", "Task complete"}),
]

EVERY_KIND = (
    "layouts/D-GARA/LOGFINAL", "layouts/AITK", "trajectories/LlamaTouch+Evaluator", "trajectories/InterDroid",
    "trajectories/LiuGuanYi-1+G05_KeaProject", "trajectories/IMNearth+CoAT",
    "trajectories/inclusionAI+UI-Venus", "trajectories/bytedance+UI-TARS",
)  # fmt: skip
"""Golden ones and runs; with and without trees, actions and screenshots."""
HELD_WHOLE = ("aitk", "atif")


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.create(tmp_path_factory.mktemp("real") / "p")
    for place in EVERY_KIND:
        import_into(project, DATA / place)
    return Project.open(project.folder)


@pytest.mark.parametrize(
    "format_id", ["dgara", "aitk", "androidcontrol-records", "llamatouch", "gui-odyssey", "atif"]
)
def test_recordings_of_others_come_out_and_in_again(real: Project, tmp_path: Path, format_id: str) -> None:
    result, back, _is_whole = there_and_back(real, format_id, tmp_path)
    names = [back.paths.relative(folder) for folder in back.trajectory_folders()]
    assert pictures(back, names) == pictures(real, result.written.trajectories)
    assert len(names) == len(result.written.trajectories)
    assert not unsaid(real, result, back)
    if format_id in HELD_WHOLE:
        assert len(names) == len(list(real.trajectory_folders()))


@pytest.mark.parametrize(("place", "importer", "steps", "actions"), SOURCES)
def test_a_real_recording_imports_whole(
    tmp_path: Path, place: str, importer: str, steps: int, actions: int
) -> None:
    project = Project.create(tmp_path / "p")
    result = import_into(project, DATA / place)
    stored = open_trajectory(result.folders[0])
    assert result.format.id == importer
    assert (len(stored.steps), len(stored.trajectory.actions)) == (steps, actions)
    originals = {path.read_bytes() for path in (DATA / place).rglob("*") if path.suffix in (".png", ".xml")}
    for step in stored.steps:
        assert {stored.screenshot(step), stored.tree(step)} - {None} <= originals
    assert check_project(project) == []


@pytest.mark.parametrize(("place", "importer", "steps", "actions", "captions"), CONVERTED)
def test_a_run_with_trees_of_its_own_imports_with_dumps(
    tmp_path: Path, place: str, importer: str, steps: int, actions: int, captions: set[str]
) -> None:
    project = Project.create(tmp_path / "p")
    result = import_into(project, DATA / place)
    stored = open_trajectory(result.folders[0])
    assert result.format.id == importer
    assert (len(stored.steps), len(stored.trajectory.actions)) == (steps, actions)
    assert captions <= {step.description for step in stored.steps}
    sources = {path.name: path.read_bytes() for path in (DATA / place).rglob("*.json")}
    for step in stored.steps:
        assert (stored.tree(step) or b"").startswith(b"<?xml")
        name = step.extra["source_tree"]
        assert (stored.folder / "originals" / name).read_bytes() == sources[name]
    assert {finding.code for finding in check_project(project)} <= {"action-missing"}


@pytest.mark.parametrize(
    ("place", "importer", "states"),
    [
        ("trajectories/bytedance+UI-TARS", "messages", [1, 8]),
        ("trajectories/zai-org+Open-AutoGLM", "messages", [1, 1]),
        ("trajectories/inclusionAI+UI-Venus", "ui-venus", [7]),
    ],
)
def test_logs_of_agents_are_recognised_and_keep_every_answer(
    tmp_path: Path, place: str, importer: str, states: list[int]
) -> None:
    project = Project.create(tmp_path / "p")
    result = import_into(project, DATA / place)
    stored = [open_trajectory(folder) for folder in result.folders]
    assert result.format.id == importer
    assert [len(run.steps) for run in stored] == states
    assert all(run.trajectory.header.instruction not in ("", run.folder.name) for run in stored)


def test_the_one_step_shift_of_interdroid_is_noticed_in_every_reading(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    result = import_into(project, DATA / "trajectories/InterDroid")
    assert "actions-realigned" in {finding.code for finding in result.findings}
    captions = [step.description for step in open_trajectory(result.folders[0]).steps]
    assert captions[0] == "Tap 'Add picture'"
    assert "Allow limited access" in captions[2]


def test_every_folder_of_dumps_is_kept(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    result = import_into(project, DATA / "dumps", "plain")
    trees = sum(
        len([step for step in open_trajectory(folder).steps if step.state.tree]) for folder in result.folders
    )
    assert trees == sum(path.suffix in (".xml", ".uix") for path in (DATA / "dumps").rglob("*"))
    assert not [finding for finding in check_project(project) if finding.severity == ERROR]


@pytest.mark.parametrize("place", sorted(path.name for path in (DATA / "dumps").glob("*/")))
def test_a_folder_of_dumps_is_recognised(place: str) -> None:
    assert detect(DATA / "dumps" / place)[0][0].id == "plain"


def test_page_sources_as_json_become_dumps(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    result = import_into(project, DATA / "trajectories/droidfiller")
    steps = [step for folder in result.folders for step in open_trajectory(folder).steps]
    assert (result.format.id, len(result.folders)) == ("page-source-json", 3)
    assert all(step.state.tree and step.state.screenshot and step.state.package for step in steps)
    assert not [finding for finding in check_project(project) if finding.severity == ERROR]


def test_recordings_of_screens_become_their_states(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    result = import_into(project, DATA / "recordings")
    assert (result.format.id, len(result.folders)) == ("screen-videos", 4)
    assert all(len(open_trajectory(folder).steps) > 3 for folder in result.folders)


def test_lines_without_their_screenshots_keep_goals_and_actions(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    result = import_into(project, DATA / "trajectories/X-PLUG+MobileAgent")
    assert (result.format.id, len(result.folders), len(result.tasks)) == ("androidcontrol", 20, 20)
    assert {finding.code for finding in result.findings} == {
        "no-screenshots",
        "no-trees",
        "no-state",
        "no-times",
    }
    for folder in result.folders:
        stored = open_trajectory(folder)
        assert len(stored.trajectory.actions) == len(stored.steps) > 0
    assert check_project(project) == []


def test_real_task_lists_come_over(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    assert len(import_into(project, DATA / "d-gara" / "D-GARA-152.json").tasks) == 152
    assert len(import_into(project, DATA / "trajectories/AITK-tasks").tasks) == 100
    assert sum(len(task.essential_states) for task in project.tasks) == 313
