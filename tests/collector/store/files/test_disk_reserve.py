"""A full disk: the last steps and the header go into the room kept free for them, and it is said."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from collector.model.trajectory import TrajectoryHeader
from collector.recorder.settle import FrameHistory
from collector.recorder.step_writer import StepWriter
from collector.store.checks.check import check_project
from collector.store.files import disk_reserve as reserve
from collector.store.files.disk import Disk
from collector.store.files.disk_reserve import RESERVE_BYTES, RESERVE_NAME
from collector.store.files.errors import DiskFull
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers import sandbox
from tests.helpers.steps import png, step, xml

HEADER = TrajectoryHeader("one", "t")


class CrowdedDisk(Disk):
    """Full from the moment ``full`` is set, but for what a reserve held: then there is room."""

    def __init__(self, folder: Path) -> None:
        self.full = False
        self._reserve = folder / "one" / RESERVE_NAME

    def _append(self, path: Path, data: bytes) -> None:
        if self.full and self._reserve.exists():
            super()._append(path, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        super()._append(path, data)


@pytest.fixture
def disk(tmp_path: Path) -> CrowdedDisk:
    return CrowdedDisk(tmp_path)


@pytest.fixture
def writer(tmp_path: Path, disk: CrowdedDisk) -> Iterator[TrajectoryWriter]:
    with TrajectoryWriter.create(tmp_path, HEADER, disk=disk, reserve=True) as created:
        yield created


def room_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: Path, _size: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(reserve, "_allocate", refuse)


@pytest.fixture
def real_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    if sandbox.real_allocate is not None:
        monkeypatch.setattr(os, "posix_fallocate", sandbox.real_allocate)


def test_the_room_is_real_while_the_writer_is_open_and_given_back_after(
    real_blocks: None, writer: TrajectoryWriter
) -> None:
    reserve = writer.folder / RESERVE_NAME
    assert reserve.stat().st_size == RESERVE_BYTES
    if hasattr(reserve.stat(), "st_blocks"):
        assert reserve.stat().st_blocks * 512 >= RESERVE_BYTES
    writer.close()
    assert not reserve.exists()


def test_steps_on_their_way_and_the_end_are_saved_on_a_full_disk(
    writer: TrajectoryWriter, disk: CrowdedDisk
) -> None:
    writer.append(step(0), png(), xml())
    assert writer.take_warning() is None
    disk.full = True
    writer.append(step(1), png(), xml())
    assert "The disk is full" in str(writer.take_warning())
    assert writer.take_warning() is None
    writer.append(step(2), png(), xml())
    writer.delete(0)
    writer.finish()
    stored = open_trajectory(writer.folder)
    assert [step.t_ms for step in stored.steps] == [100, 200]
    assert stored.header.status == "finished"
    assert not stored.problems


def test_going_on_wants_the_room_again(
    writer: TrajectoryWriter, disk: CrowdedDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk.full = True
    writer.append(step(0), png(), xml())
    with monkeypatch.context() as patch:
        room_is_short(patch)
        with pytest.raises(DiskFull, match="less than 16 MB are free"):
            writer.resume(500)
        assert writer.finish().status == "finished"
    disk.full = False
    writer.resume(600)
    assert (writer.folder / RESERVE_NAME).exists()


def test_a_recording_that_has_no_room_does_not_begin_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room_is_short(monkeypatch)
    with pytest.raises(DiskFull, match="too little room on the disk to record"):
        TrajectoryWriter.create(tmp_path, HEADER, reserve=True)
    assert list(tmp_path.iterdir()) == []
    with TrajectoryWriter.create(tmp_path, HEADER) as without:
        without.append(step(0), png(), xml())


def test_a_reserve_left_by_a_kill_gives_its_room_to_the_recovery(
    writer: TrajectoryWriter, tmp_path: Path
) -> None:
    writer.append(step(0), png(), xml())
    left = tmp_path / "left"  # as the disk is when the writer is killed now
    shutil.copytree(writer.folder, left)
    assert (left / RESERVE_NAME).exists()
    with TrajectoryWriter.open(left, take_over=True) as again:
        assert not (left / RESERVE_NAME).exists()
        assert len(again) == 1
    assert not (left / "lost+found").exists()


def test_the_recorder_is_told_that_the_disk_is_full_though_the_step_is_saved(
    writer: TrajectoryWriter, disk: CrowdedDisk
) -> None:
    refused: list[Exception] = []
    committer = StepWriter(writer, FrameHistory(), lambda _event: None, refused.append)
    disk.full = True
    committer.with_writer(lambda writer: writer.event("note", 1))
    committer.with_writer(lambda writer: writer.event("note", 2))
    assert ["The disk is full" in str(error) for error in refused] == [True]
    assert [event["t_ms"] for event in open_trajectory(writer.folder).events()] == [1, 2]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 56 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=56m", "tmpfs", str(place)]
    if os.name != "posix" or os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("a file system can be mounted here by root alone")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def fill_up(file: BinaryIO) -> None:
    """Write until there is no room for one more byte."""
    with contextlib.suppress(OSError):
        while file.write(bytes(1 << 12)):
            pass


def append_many(writer: TrajectoryWriter, picture: bytes) -> None:
    for number in range(99):
        writer.append(step(number), picture, xml())


def test_a_disk_that_really_is_full_loses_nothing(small_disk: Path, real_blocks: None) -> None:
    project = Project.create(small_disk / "project")
    picture = png() + bytes(1 << 20)
    with project.new_trajectory(HEADER) as writer, (small_disk / "other").open("wb", buffering=0) as file:
        writer.append(step(0), png(), xml())
        fill_up(file)
        for number in range(1, 9):
            writer.append(step(number), picture, xml())
        assert writer.take_warning() is not None
        with pytest.raises(DiskFull, match="everything saved before is safe"):
            append_many(writer, picture)
        committed = len(writer)
    assert len(open_trajectory(writer.folder).steps) == committed > 8
    assert [finding for finding in check_project(project) if finding.severity == "error"] == []
    with pytest.raises(DiskFull, match="too little room"):
        project.new_trajectory(TrajectoryHeader("two", "t"))
    assert not (writer.folder.parent / "two").exists()
    (small_disk / "other").unlink()
    with TrajectoryWriter.open(writer.folder, reserve=True) as again:
        again.append(step(99), picture, xml())
        again.finish()
    assert open_trajectory(writer.folder).header.status == "finished"
