"""A change by another program is reported once; what this program wrote itself is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.store.files.file_monitor import FileMonitor


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "rules.yaml"
    path.write_bytes(b"first")
    return path


@pytest.fixture
def monitor(path: Path) -> FileMonitor:
    monitor = FileMonitor()
    monitor.note_read(path, b"first")
    return monitor


def test_a_change_by_another_program_is_reported_once(monitor: FileMonitor, path: Path) -> None:
    assert monitor.take_change(path) is None
    path.write_bytes(b"theirs")
    assert monitor.take_change(path) == b"theirs"
    assert monitor.take_change(path) is None
    path.write_bytes(b"first")
    assert monitor.take_change(path) == b"first"


def test_own_writing_is_no_change_even_when_it_is_seen_late(monitor: FileMonitor, path: Path) -> None:
    monitor.note_written(path, b"second")
    monitor.note_written(path, b"third")
    path.write_bytes(b"second")
    assert monitor.take_change(path) is None
    path.write_bytes(b"third")
    assert monitor.take_change(path) is None


def test_what_they_write_again_after_own_writing_is_a_change_again(monitor: FileMonitor, path: Path) -> None:
    path.write_bytes(b"theirs")
    assert monitor.take_change(path) == b"theirs"
    monitor.note_written(path, b"mine")
    path.write_bytes(b"mine")
    assert monitor.take_change(path) is None
    path.write_bytes(b"theirs")
    assert monitor.take_change(path) == b"theirs"


def test_content_written_to_one_file_is_a_change_in_another(monitor: FileMonitor, path: Path) -> None:
    other = path.with_name("other.yaml")
    monitor.note_written(path, b"mine")
    other.write_bytes(b"mine")
    assert monitor.take_change(other) == b"mine"


def test_a_file_that_is_gone_has_no_content_to_take(monitor: FileMonitor, path: Path) -> None:
    assert monitor.is_known(path, path.read_bytes())
    path.unlink()
    assert monitor.take_change(path) is None
    monitor.note_read(path, None)
    assert not monitor.is_known(path, b"")
