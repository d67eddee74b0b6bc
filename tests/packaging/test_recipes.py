"""Every make target is a recipe: which commands it runs, and in which environment."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

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
    checks = [each.title for each in recipes.checking() if each.title != recipes.DOCUMENTATION]
    beside = [*checks, "core tests, PySide6 blocked"]
    assert {lanes[title] for title in beside} == {0}
    assert lanes["all tests"] == 1


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
    tour, *_pictures = recipes.RECIPES["tour"][1]()
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


@pytest.mark.parametrize(("free", "flag", "is_used"), [
    (recipes.MEMORY_BYTES + 1, 0, True),
    (recipes.MEMORY_BYTES, 0, False),
    (recipes.MEMORY_BYTES + 1, getattr(os, "ST_NOEXEC", 8), False),
])  # fmt: skip
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has files in memory")
def test_tests_write_to_memory_where_there_is_room_and_programs_start(
    free: int, flag: int, is_used: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(recipes, "MEMORY", Path(os.sep))
    room = SimpleNamespace(f_bavail=free, f_frsize=1, f_flag=flag)
    monkeypatch.setattr(recipes.os, "statvfs", lambda folder: room)
    assert recipes.temporary_files("test") == ({"TMPDIR": os.sep} if is_used else {})
    assert recipes.temporary_files("demo") == {}


@pytest.mark.parametrize("parallel", [recipes.FORKED, recipes.SPAWNED], ids=["forked", "spawned"])
def test_a_crash_of_a_worker_ends_the_tests_and_names_the_test(parallel: list[str], tmp_path: Path) -> None:
    """pytest-xdist, which may replace a crashed worker, then waits for ever under ``loadfile``."""
    if parallel == recipes.FORKED and not hasattr(os, "fork"):
        pytest.skip("this system forks no process")
    (tmp_path / "test_first.py").write_text("def test_passes():\n    pass\n")
    (tmp_path / "test_second.py").write_text(
        "import os\n\ndef test_passes():\n    pass\n\ndef test_crashes():\n    os._exit(11)\n"
    )
    one_worker = ["1" if word == recipes.WORKERS else word for word in parallel]
    if parallel == recipes.SPAWNED:
        one_worker[:0] = ["-p", "xdist"]
    ended = run_tests(tmp_path, *one_worker)
    assert ended.returncode == 1
    assert "crashed while running 'test_second.py::test_crashes'" in ended.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no process")
def test_forked_workers_report_each_test_and_what_it_printed(tmp_path: Path) -> None:
    (tmp_path / "test_first.py").write_text("def test_passes(tmp_path):\n    assert tmp_path.is_dir()\n")
    (tmp_path / "test_second.py").write_text(
        "import pytest\n\n"
        "def test_fails():\n    print('a word')\n    assert 1 == 2\n\n"
        "@pytest.fixture\ndef broken():\n    yield\n    raise KeyError('kept')\n\n"
        "def test_ends_badly(broken):\n    pass\n\n"
        "@pytest.mark.skip(reason='later')\ndef test_waits():\n    pass\n"
    )
    ended = run_tests(tmp_path, "-p", "tests.helpers.forked_workers", "--workers", "3")
    assert ended.returncode == 1
    assert "1 failed, 2 passed, 1 skipped, 1 error" in ended.stdout
    assert {"assert 1 == 2", "a word", "KeyError: 'kept'"} <= {
        line.strip("E >\n") for line in ended.stdout.splitlines()
    }


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no process")
def test_a_worker_that_takes_no_signal_ends_with_one_that_fails_outside_its_tests(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import pytest\n\n"
        "@pytest.hookimpl(wrapper=True)\n"
        "def pytest_runtest_makereport(item):\n"
        "    if item.name == 'test_breaks':\n        raise TypeError('no report of it')\n"
        "    return (yield)\n"
    )
    (tmp_path / "test_a.py").write_text(
        "import pathlib, signal, pytest\n\n"
        "def test_takes_the_signal():\n"
        "    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n    pathlib.Path('taken').touch()\n\n"
        "@pytest.mark.parametrize('number', range(2000))\n"  # more reports than a pipe holds
        "def test_follows(number):\n    pass\n"
    )
    (tmp_path / "test_b.py").write_text(
        "import pathlib, time\n\n"
        "def test_breaks():\n"
        "    while not pathlib.Path('taken').exists():\n        time.sleep(0.001)\n"
    )
    ended = run_tests(tmp_path, "-p", "tests.helpers.forked_workers", "--workers", "2")
    assert ended.returncode == pytest.ExitCode.INTERNAL_ERROR
    assert "failed outside a test, at test_b.py::test_breaks" in ended.stdout
    assert "no report of it" in ended.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no process")
def test_workers_end_when_the_process_that_reads_their_reports_is_killed(tmp_path: Path) -> None:
    (tmp_path / "test_kills.py").write_text(
        "import os, signal\nimport pytest\n\n"
        "def test_kills():\n    os.kill(os.getppid(), signal.SIGKILL)\n\n"
        "@pytest.mark.parametrize('number', range(2000))\n"  # more reports than a pipe holds
        "def test_follows(number):\n    pass\n"
    )
    (tmp_path / "test_passes.py").write_text("def test_passes():\n    pass\n")
    # It returns once no worker has its standard error any more.
    ended = run_tests(tmp_path, "-p", "tests.helpers.forked_workers", "--workers", "2")
    assert ended.returncode == -signal.SIGKILL


def run_tests(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder with plug-ins of this checkout; loading those that are installed takes long."""
    # Without a folder of its own for the tests it would remove what three earlier runs left.
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--basetemp=kept", *words, "."]
    return subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
