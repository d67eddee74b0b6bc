"""How much longer work takes is the number of threads that want a processor, by processor."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.host import machine_load


@pytest.mark.parametrize(
    ("said", "slower"),
    [
        ("0.10 0.20 0.30 1/900 77", 1.0),
        ("8.00 2.00 1.00 2/900 77", 4.0),
        ("0.50 2.00 1.00 13/900 77", 6.0),  # it has just begun
        ("90.0 90.0 90.0 99/900 77", machine_load.MOST),
    ],
)
def test_slowness(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, said: str, slower: float) -> None:
    (tmp_path / "loadavg").write_text(said)
    monkeypatch.setattr(machine_load, "_LOAD", tmp_path / "loadavg")
    monkeypatch.setattr(machine_load, "usable_cores", lambda: 2)
    assert machine_load.slowness() == slower


def test_other_systems_say_a_load_or_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(machine_load, "_LOAD", tmp_path / "none")
    monkeypatch.setattr(machine_load, "usable_cores", lambda: 2)
    monkeypatch.setattr(machine_load.os, "getloadavg", lambda: (5.0, 1.0, 1.0), raising=False)
    assert machine_load.slowness() == 2.5
    monkeypatch.delattr(machine_load.os, "getloadavg")
    assert machine_load.slowness() == 1.0
