"""A file of many trajectories is read a record at a time, and says how much of it is read."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.imports import importing
from collector.exchange.imports.importing import import_into
from collector.exchange.source import files as source_files
from collector.exchange.source.records import line_records
from collector.exchange.tfrecord.frames import read_records, record_parts
from collector.store.project.project import Project

COUNT = 20


def episode(number: int) -> str:
    steps = [{"action_content": {"action": "click", "coordinate": [1, number]}, "screenshot": "a.png"}]
    return json.dumps({"goal": f"Do {number}", "steps": steps})


def chat(number: int) -> dict[str, object]:
    said = {"role": "assistant", "content": f'do(action="Tap", element=[{number},10])'}
    return {"messages": [{"role": "user", "content": f"Do {number}"}, said], "images": []}


@pytest.mark.parametrize("kind", ["lines", "list"])
def test_an_import_of_one_file_says_how_much_of_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(importing, "_MEASURED_AFTER_S", 0.0)
    source = tmp_path / ("s.jsonl" if kind == "lines" else "s.json")
    lines = "\n".join(map(episode, range(COUNT)))
    source.write_text(
        lines if kind == "lines" else json.dumps([chat(number) for number in range(COUNT)]), "utf-8"
    )
    shares: list[float] = []
    result = import_into(
        Project.create(tmp_path / "p"), source, progress=lambda _name, _count, share: shares.append(share)
    )
    assert result.folders.total == COUNT
    told = [share for share in shares if share]
    assert told == sorted(told)
    assert len(told) >= COUNT - 2
    assert told[0] < 0.1 < 0.9 < told[-1] < 1


@pytest.mark.parametrize("is_packed", [False, True])
def test_records_of_tensorflow_say_how_much_is_read(tmp_path: Path, is_packed: bool) -> None:
    file = io.BytesIO()
    for number in range(COUNT):
        file.writelines(record_parts(bytes((number * 7 + each * each) % 251 for each in range(4096)) * 40))
    data = gzip.compress(file.getvalue(), 0) if is_packed else file.getvalue()
    (tmp_path / "a.tfrecord").write_bytes(data)
    log = ExchangeLog()
    places = [log.read_bytes / len(data) for _record in read_records(tmp_path / "a.tfrecord", log)]
    assert places == sorted(places)
    assert places[0] < 0.1 < 0.9 < places[-1] <= 1


def test_a_file_of_lines_may_be_larger_than_what_is_read_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.jsonl"
    lines = ['{"a": 1}', json.dumps({"a": "x" * 3000}), '{"a": 2}', "[1]", "{", '{"a": 3}']
    path.write_text("\ufeff" + "\n\n".join(lines), "utf-8")
    monkeypatch.setattr(source_files, "MAX_JSON_BYTES", 1000)
    log = ExchangeLog()
    assert [line["a"] for line in line_records(path, log, "A line was passed over")] == [1, 2, 3]
    (finding,) = log.findings
    assert (finding.where, finding.steps) == ("s.jsonl", ("3", "7", "9"))
    monkeypatch.setattr(source_files, "MAX_JSON_BYTES", 1_000_000)
    assert len(list(line_records(path, ExchangeLog(), ""))) == 4
