"""One project of hostile trajectories for all tests of sharing; nothing changes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.sharing.shared_review import SharedReview
from tests.helpers.chromium import Chromium, chromium_program, running_chromium
from tests.helpers.shared_trajectories import make_shared_project, shared


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return make_shared_project(tmp_path_factory.mktemp("shared") / "project")


@pytest.fixture(scope="session")
def review(folders: dict[str, Path]) -> SharedReview:
    return shared(folders["golden"], folders["run"])


@pytest.fixture(scope="session")
def browser() -> Iterator[Chromium]:
    program = chromium_program()
    if program is None:
        pytest.skip("there is no Chromium here; Debian's package is chromium-headless-shell")
    with running_chromium(program) as running:
        yield running
