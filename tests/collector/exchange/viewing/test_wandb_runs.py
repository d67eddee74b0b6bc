"""Offline runs of Weights & Biases: refused in a sentence without its SDK; with it, a row for each step."""

from __future__ import annotations

import importlib.util
import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from collector.exchange.errors import ExchangeError
from collector.exchange.exports.exporting import export_project
from tests.helpers.viewed_project import ACTIONS, viewed_project


class _OfflineRun:
    """Takes down what is logged, and writes the folder that the SDK writes."""

    def __init__(self, settings: dict[str, Any], about: dict[str, Any]) -> None:
        self.about, self.settings = about, settings
        self.rows: list[tuple[int, dict[str, Any]]] = []
        self.summary: dict[str, Any] = {}
        self.exit_code = -1

    def log(self, values: dict[str, Any], *, step: int) -> None:
        (Path(self.settings["root_dir"]) / "half").write_bytes(b"half")
        self.rows.append((step, values))

    def finish(self, exit_code: int) -> None:
        self.exit_code = exit_code
        folder = Path(self.settings["root_dir"]) / "wandb" / f"offline-run-20260101_000000-{self.about['id']}"
        (folder / "logs").mkdir(parents=True)
        (folder / "files").mkdir()
        (folder / f"run-{self.about['id']}.wandb").write_bytes(b":W&B")


class _Tracker:
    """The names of the SDK that an export uses; `make loaders` writes with the real one."""

    def __init__(self) -> None:
        self.runs: dict[str, _OfflineRun] = {}
        self.is_ended = False

    def Settings(self, **settings: Any) -> dict[str, Any]:
        return settings

    def Image(self, path: str, *, caption: str | None) -> tuple[bytes, str | None]:
        return Path(path).read_bytes(), caption

    def init(self, *, settings: dict[str, Any], **about: Any) -> _OfflineRun:
        self.runs[about["name"]] = run = _OfflineRun(settings, about)
        return run

    def teardown(self) -> None:
        self.is_ended = True


@pytest.mark.skipif(importlib.util.find_spec("wandb") is not None, reason="the SDK is installed")
def test_without_the_sdk_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    project = viewed_project(tmp_path / "p")
    with pytest.raises(ExchangeError, match=r"needs the package wandb.*waymark-studio\[wandb\]"):
        export_project(project, "wandb", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_trajectory_is_an_offline_run_with_a_row_for_each_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, tracker = viewed_project(tmp_path / "p"), _Tracker()
    monkeypatch.setitem(sys.modules, "wandb", tracker)
    monkeypatch.setattr("collector.exchange.format.find_spec", lambda name: name)
    monkeypatch.setenv("WANDB_ERROR_REPORTING", "false")
    result = export_project(project, "wandb", tmp_path / "out")
    assert {finding.code for finding in result.losses} == {"trees-lost"}
    assert set(tracker.runs) == {"t/g", "t/r0", "t/r1"}
    assert tracker.is_ended
    run = tracker.runs["t/r1"]
    assert (run.about["project"], run.about["group"], run.exit_code) == ("e", "t", 0)
    assert (run.about["config"]["agent"], run.about["config"]["seed"]) == ("bot", 3)
    assert [step for step, _values in run.rows] == list(range(len(ACTIONS) + 1))
    values = run.rows[0][1]
    assert values["screen"][0].startswith(b"\x89PNG")
    assert (values["step.input_tokens"], values["step.time_ms"]) == (100, 900)
    assert run.rows[1][1]["_timestamp"] - values["_timestamp"] == 1
    known = {
        "steps": 5,
        "success": 0.0,
        "success.rules": 0.0,
        "verdict": "failure",
        "verdict.lin": "undecided",
    }
    assert known.items() <= run.summary.items()
    private = {"host": "", "username": "", "email": "", "x_disable_meta": True, "x_save_requirements": False}
    assert (private | {"mode": "offline"}).items() <= run.settings.items()
    folders = sorted((tmp_path / "out" / "wandb").iterdir())
    assert len(folders) == 3
    assert {path.name for folder in folders for path in folder.iterdir() if path.suffix == ""} == {"files"}


def test_an_export_that_was_killed_goes_on_beside_the_runs_that_are_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The SDK had begun the second run."""
    project, tracker = viewed_project(tmp_path / "p"), _Tracker()
    monkeypatch.setitem(sys.modules, "wandb", tracker)
    monkeypatch.setattr("collector.exchange.format.find_spec", lambda name: name)
    monkeypatch.setenv("WANDB_ERROR_REPORTING", "false")
    with monkeypatch.context() as patched:
        patched.setattr(_OfflineRun, "finish", _stopping_at(2, _OfflineRun.finish))
        with pytest.raises(KeyboardInterrupt):
            export_project(project, "wandb", tmp_path / "out")
    tracker.runs.clear()
    result = export_project(project, "wandb", tmp_path / "out")
    assert len(tracker.runs) == 2
    assert result.written.trajectories.total == 3
    folders = sorted((tmp_path / "out" / "wandb").iterdir())
    assert len(folders) == 3
    assert all(len(list(folder.glob("*.wandb"))) == 1 for folder in folders)


def _stopping_at(number: int, function: Callable[..., None]) -> Callable[..., None]:
    """The function, stopped at its call ``number``."""
    calls = itertools.count(1)

    def stopping(*given: Any, **more: Any) -> None:
        if next(calls) == number:
            raise KeyboardInterrupt
        function(*given, **more)

    return stopping
