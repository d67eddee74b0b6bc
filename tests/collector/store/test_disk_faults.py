"""Every write, flush and rename is made to fail once, and every crash point is replayed."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from collector.model.trajectory import TrajectoryHeader
from collector.store.files.disk import Disk
from collector.store.files.errors import DiskFull, NotFound, StoreError
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.recover import recover
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml


class FailingDisk(Disk):
    """Raises ENOSPC at the ``fail_at``-th system call, having written half of the data, then works again."""

    def __init__(self, fail_at: int) -> None:
        self.calls, self.fail_at = 0, fail_at

    def _tick(self) -> bool:
        self.calls += 1
        return self.calls == self.fail_at

    def _append(self, path: Path, data: bytes) -> None:
        if self._tick():
            super()._append(path, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        super()._append(path, data)

    def _sync(self, path: Path) -> None:
        if self._tick():
            raise OSError(errno.ENOSPC, "No space left on device")

    def _sync_folder(self, path: Path) -> None:
        if self._tick():
            raise OSError(errno.ENOSPC, "No space left on device")

    def _replace(self, path: Path, target: Path) -> None:
        if self._tick():
            raise OSError(errno.ENOSPC, "No space left on device")
        super()._replace(path, target)

    def _truncate(self, path: Path, size: int) -> None:
        if self._tick():
            raise OSError(errno.ENOSPC, "No space left on device")
        super()._truncate(path, size)


SCRIPT = (
    lambda writer: writer.append(step(0), png(), xml()),
    lambda writer: writer.append(step(1), png(), xml()),
    lambda writer: writer.delete(0),
    lambda writer: writer.undo(),
    lambda writer: writer.insert(1, step(2), png(), xml()),
    lambda writer: writer.event("note", 5),
    lambda writer: writer.append(step(3), png(), xml()),
    lambda writer: writer.finish(),
)


def _times(steps: tuple) -> list[int]:
    return [step.t_ms for step in steps]


@pytest.mark.fault("F9")
def test_no_room_at_any_call_loses_nothing_and_the_writer_goes_on(tmp_path: Path) -> None:
    fail_at, failures = 1, 0
    while True:
        disk = FailingDisk(0)
        folder = tmp_path / str(fail_at)
        folder.mkdir()
        writer = TrajectoryWriter.create(folder, TrajectoryHeader("one", "t"), disk=disk)
        disk.calls, disk.fail_at = 0, fail_at
        for action in SCRIPT:
            before = _times(writer.steps)
            try:
                action(writer)
            except DiskFull:
                failures += 1
                assert _times(writer.steps) == before
                assert _times(open_trajectory(writer.folder).steps) == before
                action(writer)
            assert _times(open_trajectory(writer.folder).steps) == _times(writer.steps)
        done = disk.calls < fail_at
        writer.close()
        with TrajectoryWriter.open(writer.folder) as again:
            assert _times(again.steps) == [0, 200, 100, 300]
        if done:
            break
        fail_at += 1
    assert failures > 30


class RecordingDisk(Disk):
    """Does nothing but note the system calls a real disk would have made, on an imagined file system."""

    def __init__(self) -> None:
        self.operations: list[tuple] = []

    def _append(self, path: Path, data: bytes) -> None:
        super()._append(path, data)
        self.operations.append(("append", path, bytes(data)))

    def _sync(self, path: Path) -> None:
        self.operations.append(("sync", path))

    def _sync_folder(self, path: Path) -> None:
        self.operations.append(("sync_folder", path))

    def _replace(self, path: Path, target: Path) -> None:
        super()._replace(path, target)
        self.operations.append(("replace", path, target))

    def _truncate(self, path: Path, size: int) -> None:
        super()._truncate(path, size)
        self.operations.append(("truncate", path, size))

    def _remove(self, path: Path) -> None:
        super()._remove(path)
        self.operations.append(("remove", path))

    def _make_folder(self, path: Path) -> None:
        super()._make_folder(path)
        self.operations.append(("make_folder", path))


def _after_power_cut(operations: list[tuple], root: Path, *, keep_half: bool) -> dict[Path, bytes | None]:
    """What the medium holds when power goes after ``operations``: only what was flushed is sure.

    Contents belong to a file however it is called (like an inode); names become durable when
    their folder is flushed. With ``keep_half`` half of each unflushed append reached the medium,
    padded with zeros as some file systems leave it.
    """
    cache: dict[Path, int | None] = {root: None}
    durable_names: dict[Path, int | None] = {root: None}
    contents: dict[int, bytes] = {}
    durable: dict[int, bytes] = {}
    for operation, path, *rest in operations:
        if operation == "make_folder":
            cache[path] = None
        elif operation == "append":
            if path not in cache:
                cache[path] = len(contents)
                contents[cache[path]] = durable[cache[path]] = b""  # type: ignore[index]
            contents[cache[path]] += rest[0]  # type: ignore[index]
        elif operation == "truncate":
            contents[cache[path]] = contents[cache[path]][: rest[0]]  # type: ignore[index]
        elif operation == "sync":
            durable[cache[path]] = contents[cache[path]]  # type: ignore[index]
        elif operation == "replace":
            cache[rest[0]] = cache.pop(path)
        elif operation == "remove":
            cache.pop(path, None)
        elif operation == "sync_folder":
            durable_names = {name: file for name, file in durable_names.items() if name.parent != path}
            durable_names.update({name: file for name, file in cache.items() if name.parent == path})
    survived: dict[Path, bytes | None] = {}
    for name, file in durable_names.items():
        survived[name] = None if file is None else durable[file]
        if keep_half and file is not None and len(contents[file]) > len(durable[file]):
            extra = contents[file][len(durable[file]) :]
            survived[name] = durable[file] + extra[: len(extra) // 2] + b"\0" * 5
    return {
        name: data
        for name, data in survived.items()
        if all(parent in survived for parent in name.parents if parent.is_relative_to(root))
    }


def _write_out(files: dict[Path, bytes | None], root: Path, target: Path) -> None:
    for name, data in sorted(files.items()):
        path = target / name.relative_to(root)
        if data is None:
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.write_bytes(data)


@pytest.mark.parametrize("keep_half", [False, True])
@pytest.mark.fault("F10")
def test_power_cut_after_any_call_leaves_every_committed_step(tmp_path: Path, keep_half: bool) -> None:
    disk = RecordingDisk()
    root = tmp_path / "live"
    root.mkdir()
    writer = TrajectoryWriter.create(root, TrajectoryHeader("one", "t"), disk=disk)
    promises = [(len(disk.operations), [0, []])]
    for number, action in enumerate(SCRIPT):
        action(writer)
        promises.append((len(disk.operations), [number + 1, _times(writer.steps)]))
    writer.close()
    for cut in range(len(disk.operations) + 1):
        target = tmp_path / f"cut-{cut}"
        target.mkdir()
        _write_out(_after_power_cut(disk.operations[:cut], root, keep_half=keep_half), root, target)
        step_counts = [steps for at, (_, steps) in promises if at <= cut]
        following = [steps for at, (_, steps) in promises if at > cut][:1]
        try:
            recover(target / "one")
        except NotFound:
            assert not step_counts  # the writer had not promised anything yet
            continue
        trajectory = open_trajectory(target / "one")
        assert not trajectory.problems
        assert _times(trajectory.steps) in (step_counts[-1:] + following or [[]])
        for stored_step in trajectory.steps:
            assert trajectory.screenshot(stored_step) == png()
        with TrajectoryWriter.open(target / "one") as again:
            again.append(step(9), png(), xml())


def test_other_write_errors_say_what_to_check(tmp_path: Path) -> None:
    TrajectoryWriter.create(tmp_path, TrajectoryHeader("one", "t")).close()

    class ReadOnly(Disk):
        def _append(self, path: Path, data: bytes) -> None:
            raise OSError(errno.EROFS, "Read-only file system")

    writer = TrajectoryWriter.open(tmp_path / "one", disk=ReadOnly())
    with pytest.raises(StoreError, match=r"this account may only read in .*copy"):
        writer.append(step())
    writer.close()
