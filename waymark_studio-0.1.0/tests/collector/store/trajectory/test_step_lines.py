"""Long trajectories: lines are read together, and moved without being written anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.model.trajectory import TrajectoryHeader
from collector.store.files import layout
from collector.store.trajectory import codec, trajectory_files
from collector.store.trajectory.edit_journal import Splice, apply
from collector.store.trajectory.step_lines import StepLines
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml

_LINE = codec.step_to_line(step(0))
_PIECES = st.sampled_from(
    [
        b'{"a":1}',
        b"{}",
        b"[1]",
        b"",
        b"{torn",
        b'{"a":[1',
        b"2]}",
        b"1,2",
        b"\xff",
        b'{"x":1}\r',
        b"\n",
        b"\n",
    ]
)


def _lines(count: int, first: int = 0) -> list[dict[str, Any]]:
    return [
        {"seq": first + at + 1, **_LINE, "index": at, "description": f"step {first + at}"}
        for at in range(count)
    ]


@given(st.lists(_PIECES, max_size=9).map(b"".join))
def test_the_end_of_a_file_alone_says_whether_it_is_torn(tmp_path_factory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "torn.jsonl"
    path.write_bytes(data)
    whole = trajectory_files.read_lines(path)
    assert trajectory_files.ends_torn(path) == bool(whole.torn)
    assert whole.data + whole.torn == data
    assert len(whole.raw_lines()) == len(whole.lines) + len(whole.bad)


def test_a_last_line_longer_than_a_block_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes(b'{"a":1}\n{"b":"' + b"x" * 200_000 + b'"}\n')
    assert not trajectory_files.ends_torn(path)
    path.write_bytes(b'{"a":1}\n{"b":"' + b"x" * 200_000 + b"\n")
    assert trajectory_files.ends_torn(path)


@given(st.data())
def test_edits_give_what_plain_lines_give(data: st.DataObject) -> None:
    plain = _lines(data.draw(st.integers(0, 6)))
    lines = StepLines.read(plain, [codec.dump_line(line) for line in plain])
    for edit in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(plain)))
        removed = tuple(plain[at : at + data.draw(st.integers(0, 3))])
        added = tuple(_lines(data.draw(st.integers(0, 2)), 100 * (edit + 1)))
        plain = apply(plain, [Splice(at, removed, added)])
        lines = lines.spliced([Splice(at, removed, added)])
        assert lines.data() == b"".join(map(codec.dump_line, plain))
        assert list(lines) == lines[:] == plain
        assert lines.steps() == tuple(map(codec.step_from_line, plain))
    with pytest.raises(ValueError, match="does not fit"):
        lines.spliced([Splice(0, ({"seq": -1},))])


def test_the_bytes_of_a_line_outlive_an_edit_around_it() -> None:
    """What another program put there keeps its spelling; only the number changes."""
    values = _lines(3)
    ours = codec.dump_line(values[1])
    spelled = ours.replace(b'"description":"step 1"', b'"description": "\\u0073tep 1"  ')
    lines = StepLines.read(values, [codec.dump_line(values[0]), spelled, codec.dump_line(values[2])])
    after = lines.spliced([Splice(0, (values[0],))])
    assert after.data().splitlines(keepends=True)[0] == spelled.replace(b'"index":1', b'"index":0', 1)
    assert after.step(0).description == "step 1"


@pytest.mark.parametrize("change", [{"seq": 9}, {"index": 7}, {"seq": None}])
def test_bytes_that_say_something_else_are_written_anew(change: dict[str, Any]) -> None:
    values = _lines(1)
    lines = StepLines.read(values, [codec.dump_line({**values[0], **change})])
    assert lines.data() == codec.dump_line(values[0])


def test_an_edit_writes_its_own_line_and_moves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 200
    with TrajectoryWriter.create(tmp_path, TrajectoryHeader("one", "t")) as writer:
        for number in range(3):
            writer.append(step(number), png(), xml())
    path = writer.folder / layout.STEPS
    first = json.loads(path.read_bytes().splitlines()[0])
    path.write_bytes(b"".join(codec.dump_line({**first, "seq": n + 1, "index": n}) for n in range(count)))
    before = path.read_bytes()
    with TrajectoryWriter.open(writer.folder) as writer:
        work: list[str] = []
        for name in ("dump_line", "step_from_line"):
            original = getattr(codec, name)
            monkeypatch.setattr(codec, name, lambda *a, n=name, f=original: (work.append(n), f(*a))[1])
        writer.delete(5)
        assert [json.loads(line)["index"] for line in path.read_bytes().splitlines()] == list(
            range(count - 1)
        )
        writer.undo()
        assert path.read_bytes() == before
        assert len(work) < 10
        assert [shown.index for shown in writer.steps] == list(range(count))
