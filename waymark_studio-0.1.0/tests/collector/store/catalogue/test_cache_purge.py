"""No byte of what was redacted is left in the caches of the project."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from collector.model.action import Type
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.project_rules.project_rules import ProjectRules
from collector.store.catalogue import cache_purge
from collector.store.catalogue.cache_purge import purge_caches
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files.errors import WriteFailed
from collector.store.project.project import Project
from collector.store.redaction.step_redaction import StepRedaction
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task

SECRET = b"hunter22"
RULES = """rules:
  - id: shown
    conditions: [{type: element_exists, selector: "text='OK'"}]
    actions: [{type: inject_interference, interference_id: battery_low_double_en}]
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    created = Project.create(tmp_path / "p")
    put_task(created, Task("one", "Sign in"))
    (created.folder / "rules").mkdir(exist_ok=True)
    (created.folder / "rules" / "injection.yaml").write_text(RULES)
    for name in ("t", "other"):
        with created.new_trajectory(TrajectoryHeader(name, "one")) as writer:
            writer.append(step(0, description="Tap around"), png(), xml())
            if name == "t":
                typed = step(
                    1, Type("hunter22", 8), description="Type 'hunter22'", target=None, note="see hunter22"
                )
                writer.append(typed, png(), xml("hunter22"))
            writer.finish()
    return created


def folder(project: Project) -> Path:
    return project.folder / "trajectories/one/t"


def refresh(project: Project) -> list[str]:
    """Index the project; the folders in which the password is found."""
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        return [row.folder for row in catalogue.find("hunter22")]


def held(project: Project) -> list[str]:
    """The files of the cache that hold the password."""
    files = sorted(path for path in project.paths.cache.glob("*") if path.is_file())
    return [path.name for path in files if SECRET in path.read_bytes()]


def test_a_redaction_leaves_nothing_in_the_caches(project: Project) -> None:
    assert refresh(project) == ["trajectories/one/t"]
    for note in ("hunter22 again", "nothing"):  # older versions of the row stay in free pages
        with TrajectoryWriter.open(folder(project)) as writer:
            writer.reword(1, note=note)
        refresh(project)
    rules = ProjectRules(project)
    rules.prepared_back_test("waymark", rules.corpus(), lambda *_counts: None, lambda: False)
    assert held(project) == ["catalogue.db", "rules.db"]
    StepRedaction(folder(project), 1).apply()
    assert held(project) == []
    assert refresh(project) == []
    assert held(project) == []
    with Catalogue(project) as catalogue:
        assert catalogue.count() == 2
        assert [row.steps for row in catalogue.find("Redacted")] == [2]


def test_an_open_catalogue_goes_on(project: Project) -> None:
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        StepRedaction(folder(project), 1).apply()
        assert catalogue.find("hunter22") == []
        assert catalogue.refresh() == 1
        assert catalogue.count() == 2


def test_a_cache_that_another_program_keeps_is_named(project: Project, monkeypatch) -> None:
    refresh(project)
    monkeypatch.setattr("collector.store.catalogue.catalogue_database.PATIENCE_S", 0.01)
    monkeypatch.setattr(cache_purge, "_PATIENCE_S", 0.01)
    with closing(sqlite3.connect(project.paths.catalogue)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(WriteFailed, match="may still hold what was redacted"):
            purge_caches(folder(project))
        other.rollback()
    purge_caches(folder(project))
    assert held(project) == []


def test_without_caches_or_a_project_there_is_nothing_to_do(project: Project, tmp_path: Path) -> None:
    purge_caches(folder(project))
    purge_caches(tmp_path / "elsewhere")
    assert held(project) == []
