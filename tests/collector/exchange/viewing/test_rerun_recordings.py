"""A recording of Rerun: refused in a sentence without its SDK; with it, all on one timeline."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from collector.exchange.errors import ExchangeError
from collector.exchange.exports.exporting import export_project
from tests.helpers.viewed_project import ACTIONS, viewed_project


class _Value:
    """What an archetype of the SDK was made of."""

    def __init__(self, name: str, *given: Any, **more: Any) -> None:
        self.name, self.given, self.more = name, given, more


class _Stream:
    """Takes down what is logged, and when."""

    logged: list[tuple[str, dict[str, float], _Value]] = []  # noqa: RUF012 - of the last recording

    def __init__(self, application: str, **_more: object) -> None:
        self.times: dict[str, float] = {}
        type(self).logged = []

    def save(self, path: Path) -> None:
        path.write_bytes(b"RRF2")

    def set_time(self, name: str, *, sequence: int | None = None, duration: float | None = None) -> None:
        self.times[name] = sequence if sequence is not None else duration or 0.0

    def reset_time(self) -> None:
        self.times = {}

    def log(self, entity: str, value: _Value, *, static: bool = False) -> None:
        self.logged.append((entity, {} if static else dict(self.times), value))

    def set_log_time_enabled(self, enabled: bool) -> None: ...
    def send_recording_name(self, name: str) -> None: ...
    def flush(self) -> None: ...
    def disconnect(self) -> None: ...


class _Sdk:
    """The names of the SDK that a recording uses; `make loaders` writes with the real one."""

    RecordingStream = _Stream

    def __getattr__(self, name: str) -> Any:
        return lambda *given, **more: _Value(name, *given, **more)


@pytest.mark.skipif(importlib.util.find_spec("rerun") is not None, reason="the SDK is installed")
def test_without_the_sdk_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    project = viewed_project(tmp_path / "p")
    with pytest.raises(ExchangeError, match=r"needs the package rerun.*waymark-studio\[rerun\]"):
        export_project(project, "rerun", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_recording_shows_screens_touches_and_verdicts_on_one_timeline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = viewed_project(tmp_path / "p")
    monkeypatch.setitem(sys.modules, "rerun", _Sdk())
    monkeypatch.setattr("collector.exchange.format.find_spec", lambda name: name)
    result = export_project(project, "rerun", tmp_path / "out")
    assert result.losses == []
    assert sorted(path.name for path in tmp_path.glob("out/recordings/t/*")) == ["g.rrd", "r0.rrd", "r1.rrd"]
    logged = _Stream.logged
    screens = [(times, value) for entity, times, value in logged if entity == "screen"]
    assert [times for times, _value in screens] == [
        {"time": float(index), "step": index + 1} for index in range(len(ACTIONS) + 1)
    ]
    assert all(value.more["media_type"] == "image/png" for _times, value in screens)
    touches = [value for entity, _times, value in logged if entity == "screen/touch"]
    assert [value.name for value in touches] == ["Points2D", "Arrows2D", *["Clear"] * 4]
    assert touches[0].given == ([(1.0, 2.0)],)
    assert (touches[1].more["origins"], touches[1].more["vectors"]) == ([(1.0, 2.0)], [(2.0, 2.0)])
    nodes = [value for entity, _times, value in logged if entity == "screen/nodes"]
    assert (nodes[0].more["mins"], nodes[0].more["sizes"], nodes[0].more["labels"]) == (
        [(0.0, 0.0)], [(4.0, 8.0)], ["r1 0"],
    )  # fmt: skip
    verdicts = {
        (entity, value.given[0], value.more["level"]): times["step"]
        for entity, times, value in logged
        if entity.startswith("verdicts/")
    }
    assert verdicts == {
        ("verdicts/rules", "state found reached", "INFO"): 4,
        ("verdicts/rules", "task failure ok", "ERROR"): 6,
        ("verdicts/lin", "task undecided", "WARN"): 6,
        ("verdicts/outcome", "failure", "ERROR"): 6,
    }


def test_an_export_that_was_killed_goes_on_beside_the_recordings_that_are_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file of the second recording was begun."""
    project, saved = viewed_project(tmp_path / "p"), list[str]()

    class Stopping(_Stream):
        def flush(self) -> None:
            if len(saved) == 2:
                raise KeyboardInterrupt

        def save(self, path: Path) -> None:
            assert not path.exists()
            super().save(path)
            saved.append(path.stem)

    sdk = _Sdk()
    sdk.RecordingStream = Stopping  # type: ignore[misc]
    monkeypatch.setitem(sys.modules, "rerun", sdk)
    monkeypatch.setattr("collector.exchange.format.find_spec", lambda name: name)
    with pytest.raises(KeyboardInterrupt):
        export_project(project, "rerun", tmp_path / "out")
    first, half = saved
    result = export_project(project, "rerun", tmp_path / "out")
    assert saved[2] == half
    assert sorted(saved[2:]) == sorted({"g", "r0", "r1"} - {first})
    assert result.written.trajectories.total == 3
    assert len(list(tmp_path.glob("out/recordings/t/*.rrd"))) == 3
