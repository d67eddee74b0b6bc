"""Recovery drops a torn last line and nothing else; locks belong to the living."""

from __future__ import annotations

import errno
import json
import platform
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from collector.model.trajectory import TrajectoryHeader
from collector.store.checks.check import check_trajectory
from collector.store.files import lock
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged, DiskFull, Locked
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.recover import clear_unbegun, needs_recovery, recover, recover_all
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml


@pytest.fixture
def left_open(tmp_path: Path) -> Path:
    """A trajectory of three steps whose writer died in the middle of a fourth."""
    writer = TrajectoryWriter.create(tmp_path, TrajectoryHeader("one", "t"))
    for number in range(3):
        writer.append(step(number), png(shade=number), xml())
    writer.close()
    folder = writer.folder
    (folder / lock.LOCK_NAME).write_text(json.dumps({"pid": 12345, "host": platform.node()}))
    (folder / "states/0003.png").write_bytes(png())
    (folder / "states/.part-12-0003.xml").write_bytes(b"<hier")
    with (folder / "steps.jsonl").open("ab") as file:
        file.write(b'{"seq":4,"index":3,"t_')
    return folder


def test_recovery_keeps_every_step_and_every_stray(left_open: Path) -> None:
    assert needs_recovery(left_open)
    result = recover(left_open)
    assert (result.steps, result.torn, len(result.strays)) == (3, ("steps.jsonl",), 2)
    assert {path.name for path in (left_open / "lost+found").iterdir()} == {
        "0003.png",
        ".part-12-0003.xml",
        "steps.jsonl.torn",
    }
    assert (left_open / "lost+found/steps.jsonl.torn").read_bytes() == b'{"seq":4,"index":3,"t_'
    assert open_trajectory(left_open).header.status == "recovered"
    assert not needs_recovery(left_open)
    assert len(result.sentences) == 2
    with TrajectoryWriter.open(left_open) as writer:
        assert writer.append(step(9), png(), xml()).state.screenshot == "states/0004.png"


def test_recovering_twice_is_recovering_once(left_open: Path) -> None:
    recover(left_open)
    again = recover(left_open)
    assert (again.steps, again.mended) == (3, False)


class _FullDisk(Disk):
    """No byte more fits; what is written over itself, renamed or removed still does."""

    def _append(self, path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("mend", [recover, partial(TrajectoryWriter.open, take_over=True)])
def test_a_failed_recovery_is_still_needed(left_open: Path, mend: Callable[..., object]) -> None:
    with pytest.raises(DiskFull):
        mend(left_open, disk=_FullDisk())
    assert needs_recovery(left_open)
    assert "needs-recovery" in {finding.code for finding in check_trajectory(left_open)}
    assert open_trajectory(left_open).header.status == "recording"
    assert lock.holder_of(left_open) == {"pid": 12345, "host": platform.node()}
    assert [result.problem for result in recover_all([left_open])] == [""]
    assert open_trajectory(left_open).header.status == "recovered"
    assert not needs_recovery(left_open)


def test_an_opening_that_fails_leaves_nothing_to_recover_where_nothing_was(left_open: Path) -> None:
    recover(left_open)
    with (left_open / "edits.jsonl").open("ab") as file:
        file.write(b'{"no": "edit"}\n')
    with pytest.raises(Damaged):
        TrajectoryWriter.open(left_open)
    assert not needs_recovery(left_open)


def test_opening_what_was_left_open_offers_a_take_over(left_open: Path) -> None:
    with pytest.raises(Locked, match=r"left open.*12345") as offered:
        TrajectoryWriter.open(left_open)
    assert offered.value.stale
    with TrajectoryWriter.open(left_open, take_over=True) as writer:
        assert len(writer) == 3
        with pytest.raises(Locked):
            recover(left_open)


def test_a_lock_of_another_machine_is_not_called_dead(left_open: Path) -> None:
    (left_open / lock.LOCK_NAME).write_text(json.dumps({"pid": 1, "host": "elsewhere"}))
    with pytest.raises(Locked, match="elsewhere has not let go") as offered:
        TrajectoryWriter.open(left_open)
    assert "only if no other program writes" in offered.value.to_do


def test_only_what_was_left_open_is_recovered(left_open: Path) -> None:
    with TrajectoryWriter.create(left_open.parent, TrajectoryHeader("two", "t")) as live:
        results = recover_all([left_open, live.folder])
    assert [result.folder for result in results] == [left_open]


def test_damage_in_the_middle_is_not_mended_by_guessing(left_open: Path) -> None:
    path = left_open / "steps.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[1] = b"\xff\xfe garbage\n"
    path.write_bytes(b"".join(lines))
    with pytest.raises(Damaged, match="line 2"):
        recover(left_open)
    assert len(open_trajectory(left_open).steps) == 2
    assert "Line 2" in open_trajectory(left_open).problems[0]


def test_missing_journal_and_events_are_no_obstacle(left_open: Path) -> None:
    (left_open / "edits.jsonl").unlink()
    (left_open / "events.jsonl").unlink()
    assert recover(left_open).steps == 3
    with TrajectoryWriter.open(left_open) as writer:
        writer.event("note", 1)
        writer.delete(0)


def test_one_that_cannot_be_mended_does_not_keep_the_others_waiting(left_open: Path) -> None:
    damaged = left_open.with_name("damaged")
    shutil.copytree(left_open, damaged)
    lines = (damaged / "steps.jsonl").read_bytes().splitlines(keepends=True)
    (damaged / "steps.jsonl").write_bytes(b"".join([lines[0], b"garbage\n", lines[2]]))
    nameless = left_open.with_name("nameless")
    shutil.copytree(left_open, nameless)
    (nameless / "trajectory.json").write_text("[]")
    results = {result.folder.name: result for result in recover_all([damaged, nameless, left_open])}
    assert "damaged in line 2" in results["damaged"].problem
    assert "trajectory.json cannot be read" in results["nameless"].problem
    assert (results["one"].problem, results["one"].steps) == ("", 3)
    assert (damaged / "steps.jsonl").read_bytes().count(b"\n") == 3


def test_what_died_before_its_first_step_is_cleared_away_and_nothing_else(left_open: Path) -> None:
    task_folder = left_open.parent
    for name, extra in (("bare", ""), ("half", ".part-1-trajectory.json"), ("mine", "notes.txt")):
        (task_folder / name / "states").mkdir(parents=True)
        (task_folder / name / "steps.jsonl").touch()
        if extra:
            (task_folder / name / extra).write_text("{")
    (task_folder / "shot" / "states").mkdir(parents=True)
    (task_folder / "shot" / "states" / "0000.png").write_bytes(png())
    (task_folder / "empty").mkdir()  # what was killed between its two folders
    assert [folder.name for folder in clear_unbegun([task_folder])] == ["bare", "empty", "half"]
    assert {path.name for path in task_folder.iterdir()} == {"one", "mine", "shot"}


def test_a_recording_that_begins_at_this_moment_is_not_cleared_away(tmp_path: Path) -> None:
    (tmp_path / "new" / "states").mkdir(parents=True)
    with lock.acquire(tmp_path / "new"):
        assert clear_unbegun([tmp_path]) == []
    assert clear_unbegun([tmp_path]) == [tmp_path / "new"]
