"""The layout of a project: where its files lie, and which folder is a project's or a trajectory's."""

from __future__ import annotations

from pathlib import Path

from collector.model.trajectory import TrajectoryHeader
from collector.rules.grammar.model import INJECTION, SAFETY, STATE, SUCCESS
from collector.store.files import layout
from collector.store.project.project import Project


def test_every_kind_of_rule_has_a_file():
    assert set(layout.RULE_FILES) == {INJECTION, SUCCESS, STATE, SAFETY}


def test_rule_files_are_those_that_exist(tmp_path: Path):
    paths = Project.create(tmp_path / "p").paths
    assert paths.rule_files() == []
    paths.rule_file(SUCCESS).parent.mkdir(parents=True, exist_ok=True)
    for name in ("success.yaml", "extra.yaml", "notes.txt"):
        paths.rule_file(SUCCESS).with_name(name).write_text("", "utf-8")
    assert [path.name for path in paths.rule_files()] == ["extra.yaml", "success.yaml"]


def test_a_project_is_found_around_its_files(tmp_path: Path):
    project = Project.create(tmp_path / "p")
    with project.new_trajectory(TrajectoryHeader("t", "task")) as writer:
        folder = writer.folder
    assert layout.is_project(project.folder)
    assert layout.is_trajectory(folder)
    assert not layout.is_trajectory(project.folder)
    assert layout.project_around(folder / layout.STEPS) == project.folder.resolve()
    assert layout.project_around(tmp_path / "elsewhere.yaml") is None
    assert project.paths.relative(folder) == "trajectories/task/t"


def test_no_other_module_spells_the_names_of_a_projects_files():
    """Names that only the layout may write; docs and messages may mention them."""
    root = Path(__file__).parents[4]
    names = (
        layout.LIBRARY_FILE,
        *layout.RULE_FILES.values(),
        layout.CATALOGUE_FILE,
        layout.DUMP_CACHE_FILE,
        layout.TASK_LOCK_FILE,
        layout.HEADER,
        layout.PROJECT_FILE,
    )
    spelled = [f'"{name}"' for name in names]
    of_others = root / "collector/exchange"  # whose files may have the same name
    for package in ("collector", "rule_editor", "studio"):
        for path in (root / package).rglob("*.py"):
            if path != root / "collector/store/files/layout.py":
                text = path.read_text("utf-8")
                found = {name for name in spelled if name in text}
                allowed = {f'"{layout.HEADER}"'} if path.is_relative_to(of_others) else set()
                assert found <= allowed, path
