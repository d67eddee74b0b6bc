"""What a writer promises: order, exact bytes, edits that survive, one writer at a time."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.model.episode import Episode
from collector.model.trajectory import State, TrajectoryHeader
from collector.store.files import layout
from collector.store.files.disk import Disk
from collector.store.files.errors import Locked, StoreError
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml


def begin(folder: Path, count: int = 0) -> TrajectoryWriter:
    writer = TrajectoryWriter.create(folder, TrajectoryHeader("one", "task", who="ann"))
    for number in range(count):
        writer.append(step(number), png(shade=number), xml(f"n{number}"))
    return writer


def numbers(writer: TrajectoryWriter) -> list[int]:
    return [step.t_ms // 100 for step in writer.steps]


def test_a_step_keeps_the_bytes_received_and_their_digests(tmp_path: Path) -> None:
    with begin(tmp_path) as writer:
        stored = writer.append(step(7), png(shade=9), b"\xff\xfe<not even xml")
    state = stored.state
    assert (state.screenshot, state.tree) == ("states/0000.png", "states/0000.xml")
    for name, data in ((state.screenshot, png(shade=9)), (state.tree, b"\xff\xfe<not even xml")):
        assert (writer.folder / name).read_bytes() == data
        assert state.sha256[name] == hashlib.sha256(data).hexdigest()
    line = json.loads((writer.folder / "steps.jsonl").read_text())
    assert list(line)[:4] == ["seq", "index", "t_ms", "wall_time"]
    assert open_trajectory(writer.folder).steps == (stored,)


def test_a_step_without_screenshot_or_tree_says_so_in_its_state(tmp_path: Path) -> None:
    with begin(tmp_path) as writer:
        stored = writer.append(step(0, state=State(secure=True, problem="The window is secure")), None, xml())
    assert stored.state.screenshot == ""
    assert stored.state.tree == "states/0000.xml"
    assert list(stored.state.sha256) == ["states/0000.xml"]


def test_the_header_comes_back_with_unknown_keys(tmp_path: Path) -> None:
    header = TrajectoryHeader(
        "one", "t", episode=Episode(seed=3), device={"model": "Pixel"}, apps={"a": "1.2"}, extra={"lab": 4}
    )
    with TrajectoryWriter.create(tmp_path, header) as writer:
        writer.append(step())
        writer.finish()
    read = open_trajectory(writer.folder).header
    assert (read.episode, read.device, read.apps, read.extra) == (
        Episode(seed=3),
        {"model": "Pixel"},
        {"a": "1.2"},
        {"lab": 4},
    )
    assert read.status == "finished"
    assert read.software["waymark"]


def test_edits_and_undo_survive_a_restart(tmp_path: Path) -> None:
    with begin(tmp_path, 4) as writer:
        writer.delete(1)
        writer.insert(1, step(9), png(), xml())
        writer.reword(0, note="注意 é")
        folder = writer.folder
    with TrajectoryWriter.open(folder) as writer:
        assert numbers(writer) == [0, 9, 2, 3]
        assert writer.steps[0].note == "注意 é"
        assert writer.undo() == "change the words of step 1"
        assert writer.undo() == "insert step 2"
        assert writer.undo() == "delete step 2"
        assert writer.undo() == "record step 4"
        assert numbers(writer) == [0, 1, 2]
    with TrajectoryWriter.open(folder) as writer:
        assert writer.redo_title == "record step 4"
        while writer.redo():
            pass
        assert numbers(writer) == [0, 9, 2, 3]
        assert writer.steps[0].note == "注意 é"
        assert [step.index for step in open_trajectory(folder).steps] == [0, 1, 2, 3]


def test_recording_on_after_an_undo_forgets_the_redo(tmp_path: Path) -> None:
    with begin(tmp_path, 2) as writer:
        writer.undo()
        writer.append(step(5), png(), xml())
        assert writer.redo_title == ""
        folder = writer.folder
    with TrajectoryWriter.open(folder) as writer:
        assert (numbers(writer), writer.redo_title) == ([0, 5], "")


def test_replacing_a_step_keeps_the_old_bytes_for_undo(tmp_path: Path) -> None:
    with begin(tmp_path, 3) as writer:
        old = writer.steps[1]
        new = writer.replace(1, step(8), png(shade=99), xml("new"))
        assert old.state.screenshot < new.state.screenshot < writer.steps[2].state.screenshot
        writer.undo()
        assert writer.steps[1] == old
        assert (writer.folder / old.state.screenshot).read_bytes() == png(shade=1)


def test_trim_keeps_the_middle_and_is_one_undo(tmp_path: Path) -> None:
    with begin(tmp_path, 6) as writer:
        writer.trim(2, 4)
        assert numbers(writer) == [2, 3]
        assert writer.undo() == "trim to 2 steps"
        assert numbers(writer) == [0, 1, 2, 3, 4, 5]


def test_unknown_keys_of_a_line_survive_edits(tmp_path: Path) -> None:
    with begin(tmp_path, 2) as writer:
        folder = writer.folder
    path = folder / layout.STEPS
    lines = path.read_text().splitlines()
    lines[1] = (
        lines[1]
        .replace('"package":"a"', '"package":"a","thermal":"hot"')
        .replace('"note":""', '"mood":1,"note":""')
    )
    path.write_text("\n".join(lines) + "\n")
    with TrajectoryWriter.open(folder) as writer:
        writer.delete(0)
        writer.reword(0, note="x")
    line = json.loads(path.read_text())
    assert (line["mood"], line["state"]["thermal"], line["index"]) == (1, "hot", 0)


def test_an_edit_cut_short_by_a_crash_is_carried_out_on_opening(tmp_path: Path) -> None:
    class Dying(Disk):
        def _replace(self, path: Path, target: Path) -> None:
            if target.name == layout.STEPS:
                raise KeyboardInterrupt
            super()._replace(path, target)

    with begin(tmp_path, 3) as writer:
        folder = writer.folder
    with TrajectoryWriter.open(folder, disk=Dying()) as writer, pytest.raises(KeyboardInterrupt):
        writer.delete(0)
    assert [step.t_ms for step in open_trajectory(folder).steps] == [100, 200]
    with TrajectoryWriter.open(folder) as writer:
        assert numbers(writer) == [1, 2]
        writer.undo()
        assert numbers(writer) == [0, 1, 2]


def test_a_second_writer_is_refused_and_reading_still_works(tmp_path: Path) -> None:
    with begin(tmp_path, 2) as writer:
        with pytest.raises(Locked, match="being written by another") as refused:
            TrajectoryWriter.open(writer.folder)
        assert not refused.value.stale
        assert len(open_trajectory(writer.folder).steps) == 2
    TrajectoryWriter.open(writer.folder).close()


def test_an_id_is_not_used_twice(tmp_path: Path) -> None:
    begin(tmp_path).close()
    with pytest.raises(StoreError, match="already"):
        begin(tmp_path)


def test_events_are_lines_in_order(tmp_path: Path) -> None:
    with begin(tmp_path, 1) as writer:
        writer.pause(100)
        writer.resume(250)
        writer.event("device", 300, message="设备断开")
    events = open_trajectory(writer.folder).events()
    assert [event["kind"] for event in events] == ["pause", "resume", "device"]
    assert events[2]["message"] == "设备断开"


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["append", "undo", "redo", "reopen"]), st.just(0)),
        st.tuples(st.sampled_from(["delete", "insert", "replace", "reword"]), st.integers(0, 9)),
    ),
    max_size=25,
)


class _Model:
    """The obvious implementation: every past list of steps, kept whole."""

    def __init__(self) -> None:
        self.past: list[list[tuple[int, str]]] = []
        self.now: list[tuple[int, str]] = []
        self.future: list[list[tuple[int, str]]] = []

    def become(self, steps: list[tuple[int, str]]) -> None:
        self.past.append(self.now)
        self.now, self.future = steps, []

    def undo(self) -> None:
        if self.past:
            self.future.append(self.now)
            self.now = self.past.pop()

    def redo(self) -> None:
        if self.future:
            self.past.append(self.now)
            self.now = self.future.pop()


class _Fast(Disk):
    def _sync(self, path: Path) -> None: ...

    def _sync_folder(self, path: Path) -> None: ...


def _do(writer: TrajectoryWriter, model: _Model, name: str, at: int, number: int) -> None:
    now = model.now
    if name == "append":
        writer.append(step(number), png(shade=number), xml())
        model.become([*now, (number, "")])
    elif name == "insert":
        at = min(at, len(now))
        writer.insert(at, step(number), png(shade=number), xml())
        model.become([*now[:at], (number, ""), *now[at:]])
    elif name in ("undo", "redo"):
        getattr(writer, name)()
        getattr(model, name)()
    elif at < len(now) and name == "delete":
        writer.delete(at)
        model.become([*now[:at], *now[at + 1 :]])
    elif at < len(now) and name == "replace":
        writer.replace(at, step(number), png(shade=number), xml())
        model.become([*now[:at], (number, ""), *now[at + 1 :]])
    elif at < len(now) and name == "reword":
        writer.reword(at, note=str(number))
        model.become([*now[:at], (now[at][0], str(number)), *now[at + 1 :]])


@settings(max_examples=60, deadline=None)
@given(operations=OPERATIONS)
def test_any_mix_of_edits_undo_and_restarts_matches_the_obvious_model(
    tmp_path_factory: pytest.TempPathFactory, operations: list[tuple[str, int]]
) -> None:
    disk, model = _Fast(), _Model()
    folder = tmp_path_factory.mktemp("mix")
    writer = TrajectoryWriter.create(folder, TrajectoryHeader("one", "t"), disk=disk)
    for number, (name, at) in enumerate([*operations, ("reopen", 0)]):
        if name == "reopen":
            writer.close()
            writer = TrajectoryWriter.open(writer.folder, disk=disk)
        else:
            _do(writer, model, name, at, number)
        read = open_trajectory(writer.folder)
        assert [(step.t_ms // 100, step.note) for step in read.steps] == model.now
        assert read.steps == writer.steps
        names = [step.state.screenshot for step in read.steps]
        assert names == sorted(names)
        assert [read.screenshot(step) for step in read.steps] == [png(shade=n) for n, _ in model.now]
    writer.close()


def test_undo_of_a_finished_trajectory_takes_back_edits_and_never_its_final_state(tmp_path: Path) -> None:
    with TrajectoryWriter.create(tmp_path, TrajectoryHeader("one", "t")) as writer:
        writer.append(step(0))
        writer.append(dataclasses.replace(step(1), action=None))
        writer.finish()
    with TrajectoryWriter.open(tmp_path / "one") as writer:
        writer.reword(0, note="seen")
        assert writer.undo_title
        assert writer.undo()
        assert (writer.undo(), writer.undo_title, len(writer)) == ("", "", 2)
        assert writer.redo()
        assert writer.steps[0].note == "seen"


def test_typing_that_goes_on_is_undone_at_once_also_after_a_restart(tmp_path: Path) -> None:
    with begin(tmp_path, 2) as writer:
        folder = writer.folder
        writer.reword(0, note="a")
        writer.reword(0, note="ab", continues=True)
        writer.reword(1, note="other", continues=True)  # another step: an edit of its own
    with TrajectoryWriter.open(folder) as writer:
        writer.reword(1, note="others", continues=True)
        notes = []
        for _edit in range(2):
            writer.undo()
            notes.append([step.note for step in writer.steps])
        assert notes == [["ab", ""], ["", ""]]
        writer.redo()
        assert writer.steps[0].note == "ab"
        writer.undo()
        writer.reword(0, note="b", continues=True)  # after an undo nothing goes on
        writer.undo()
        assert writer.steps[0].note == ""
        assert open_trajectory(folder).steps == writer.steps


def test_identical_files_of_a_trajectory_are_stored_once_when_it_is_asked_for(tmp_path: Path) -> None:
    same = png(shade=5), xml("same")
    with TrajectoryWriter.create(tmp_path, TrajectoryHeader("one", "task"), stores_once=True) as writer:
        writer.append(step(0), *same)
        writer.append(step(1), png(shade=6), xml("same"))
        writer.append(step(2), *same)
        names = [(known.state.screenshot, known.state.tree) for known in writer.steps]
        first, second = ("states/0000.png", "states/0000.xml"), ("states/0001.png", "states/0000.xml")
        assert names == [first, second, first]
        writer.append(step(3), png(shade=7))
        writer.delete(0)
        writer.insert(1, step(4), *same)
        assert writer.steps[1].state.screenshot == "states/0000.png"
        writer.undo()
        writer.undo()
    folder = writer.folder
    reopened = open_trajectory(folder)
    assert [known.t_ms // 100 for known in reopened.steps] == [0, 1, 2, 3]
    assert all(reopened.screenshot(known) == same[0] for known in reopened.steps[0:3:2])
    assert sorted(path.name for path in (folder / "states").iterdir()) == [
        "0000.png", "0000.xml", "0001.png", "0002.png",
    ]  # fmt: skip
    with TrajectoryWriter.open(folder) as writer:
        assert writer.append(step(5), *same).state.screenshot == "states/0003.png"
