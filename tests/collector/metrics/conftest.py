"""The sample project, copied once for all tests of metrics that only read it."""

from __future__ import annotations

import shutil

import pytest

from collector.model.resources import asset
from collector.store.files.layout import CACHE
from collector.store.project.project import Project


@pytest.fixture(scope="package")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Its finished runs: 27 episodes of three agents, three tasks and three conditions, and 32 of two agents,
    two tasks, four variations and two goal styles."""
    folder = tmp_path_factory.mktemp("metrics") / "sample"
    shutil.copytree(asset("sample"), folder, ignore=shutil.ignore_patterns(CACHE))
    return Project.open(folder)
