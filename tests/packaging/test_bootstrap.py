"""The bootstrap detects an up-to-date environment and prints its messages on standard error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.scripts import ROOT, script

bootstrap = script("packaging", "bootstrap")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name in bootstrap.SOURCES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    return tmp_path


def test_the_same_sources_have_the_same_fingerprint(checkout: Path) -> None:
    assert bootstrap.fingerprint(checkout) == bootstrap.fingerprint(checkout)


@pytest.mark.parametrize("name", bootstrap.SOURCES)
def test_a_change_in_any_source_changes_the_fingerprint(checkout: Path, name: str) -> None:
    before = bootstrap.fingerprint(checkout)
    (checkout / name).write_bytes((checkout / name).read_bytes() + b"\n")
    assert bootstrap.fingerprint(checkout) != before


def test_run_takes_everything_after_the_dashes() -> None:
    assert bootstrap.parse_arguments(["run", "--", "waymark", "--help"]).command == ["waymark", "--help"]


def test_run_without_a_command_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        bootstrap.parse_arguments(["run", "--"])
    assert leaving.value.code == 2
    assert "run needs a command" in capsys.readouterr().err


def test_another_projects_python_does_not_leak_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", "/elsewhere")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    assert not {"VIRTUAL_ENV", "PYTHONPATH"} & bootstrap.uv_environment().keys()


def test_it_needs_the_standard_library_alone() -> None:
    """-S and -I hide every installed package; --check reads everything and changes nothing."""
    command = [sys.executable, "-S", "-c", "import sys; sys.path.insert(0, 'packaging'); import bootstrap"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stderr == ""


def test_the_packaging_folder_does_not_shadow_the_packaging_library() -> None:
    assert not (ROOT / "packaging" / "__init__.py").exists()
    command = [sys.executable, "-c", "import packaging.version"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True).returncode == 0


def test_ctrl_c_on_windows_is_left_to_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    class Command:
        """One that takes its time to end: Ctrl+C is pressed twice."""

        presses = 2

        def __init__(self, words: list[str], env: dict[str, str]) -> None:
            del env
            started.append(words)

        def wait(self) -> int:
            if self.presses:
                self.presses -= 1
                raise KeyboardInterrupt
            return 130

    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr(subprocess, "Popen", Command)
    assert bootstrap.run_inside(["waymark-none", "demo"]) == 130
    assert started == [["waymark-none", "demo"]]
