"""Only a whole bench and a soak of half an hour become the figures of the documentation."""

from __future__ import annotations

import json

import pytest

from tests.helpers.scripts import script

keep_measurements = script("packaging", "keep_measurements")
ROWS = [{"group": f"group-{number}"} for number in range(22)]


@pytest.mark.parametrize(
    ("bench", "seconds", "kept"),
    [
        ({"broken": [], "rows": ROWS}, 1800, ["bench.json", "soak.json"]),
        ({"broken": ["mirror"], "rows": ROWS}, 1800.5, ["soak.json"]),
        ({"broken": ["trees"], "rows": ROWS[:3]}, 120, []),
    ],
)
def test_what_is_not_whole_is_not_kept(tmp_path, bench, seconds, kept):
    built = tmp_path / "build"
    built.mkdir()
    (built / "bench.json").write_text(json.dumps(bench))
    (built / "soak.json").write_text(json.dumps({"seconds": seconds, "kept": "/somewhere"}))
    lines = keep_measurements.keep(built, tmp_path / "kept")
    assert sorted(path.name for path in tmp_path.glob("kept/*")) == kept
    assert not any("somewhere" in path.read_text() for path in tmp_path.glob("kept/*"))
    assert [line.partition(":")[0] for line in lines if line.endswith(": kept")] == kept
    assert keep_measurements.keep(tmp_path, tmp_path / "kept") == [
        "bench.json: there is none; the one before stays",
        "soak.json: there is none; the one before stays",
    ]
