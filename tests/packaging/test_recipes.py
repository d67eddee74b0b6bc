"""Every make target is a recipe: which commands it runs, and in which environment."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.scripts import ROOT, script

recipes = script("packaging", "recipes")


def test_make_and_the_recipes_know_the_same_targets() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.search(r"^TARGETS := (.+)$", makefile, re.MULTILINE)
    assert targets
    assert set(targets[1].split()) == recipes.RECIPES.keys()


def test_the_contributors_guide_names_every_target() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for name in recipes.RECIPES:
        assert f"`make {name}`" in page


def test_the_pipeline_runs_the_core_without_qt_and_then_everything() -> None:
    commands = {each.title: each.command for each in recipes.testing()}
    assert "--no-qt" in commands["core tests, PySide6 blocked"]
    assert commands["all tests"][-1] == "tests"


def test_the_pipeline_tests_beside_its_checks() -> None:
    lanes = {each.title: each.lane for each in recipes.testing()}
    assert {lanes[each.title] for each in recipes.checking()} == {0}
    assert lanes["core tests, PySide6 blocked"] == lanes["all tests"] == 1


@pytest.mark.parametrize("path", recipes.WITHOUT_QT_TESTS)
def test_each_test_chosen_to_run_without_qt_exists(path: str) -> None:
    file, _, name = path.partition("::")
    assert (ROOT / file).exists()
    assert not name or f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")


def test_without_a_screen_the_demonstration_takes_pictures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(recipes.sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert "--headless" in recipes.demonstration()[0].command
    assert "--tour" not in recipes.demonstration()[0].command
    (tour,) = recipes.RECIPES["tour"][1]()
    assert {"--headless", "--tour"} <= set(tour.command)
    monkeypatch.setenv("DISPLAY", ":0")
    assert "--headless" not in recipes.demonstration()[0].command


def test_steps_keep_their_bytecode_outside_the_sources(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    code = "import sys; print(sys.dont_write_bytecode, sys.pycache_prefix)"
    place = recipes.Place(ROOT, recipes.environment())
    assert recipes.follow([recipes.Step("print", [sys.executable, "-c", code])], place) == 0
    assert f"False {ROOT / 'build' / 'pycache'}" in capfd.readouterr().out


def test_a_crash_of_a_worker_ends_the_tests_and_names_the_test(tmp_path: Path) -> None:
    """pytest-xdist, which may replace a crashed worker, then waits for ever under ``loadfile``."""
    (tmp_path / "test_first.py").write_text("def test_passes():\n    pass\n")
    (tmp_path / "test_second.py").write_text(
        "import os\n\ndef test_passes():\n    pass\n\ndef test_crashes():\n    os._exit(11)\n"
    )
    parallel = ["-n", "1", *recipes.PARALLEL[2:]]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *parallel, "."]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1
    assert "crashed while running 'test_second.py::test_crashes'" in ended.stdout
