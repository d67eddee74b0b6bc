"""A whole file is read at once, also one that says no size, and one in a zip file."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.store.files.errors import Damaged
from collector.store.files.whole_file import read_whole
from collector.store.files.zip_path import zipped_trajectory


@given(data=st.binary(max_size=300), cut=st.integers(1, 100))
def test_any_file_is_whole_even_when_reading_gives_a_part(tmp_path_factory, data: bytes, cut: int) -> None:
    path = tmp_path_factory.getbasetemp() / "any.bin"
    path.write_bytes(data)
    assert read_whole(path, len(data)) == data
    read = os.read
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "read", lambda handle, size: read(handle, min(size, cut)))
        assert read_whole(path) == data


@pytest.mark.skipif(not Path("/proc/meminfo").exists(), reason="this system has no /proc")
def test_what_says_no_size_is_read_to_its_end() -> None:
    assert b"MemTotal" in read_whole(Path("/proc/meminfo"))


def test_a_larger_file_than_allowed_is_refused(tmp_path: Path) -> None:
    path, archive = tmp_path / "large.json", tmp_path / "t.zip"
    path.write_bytes(b"12345")
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("trajectory.json", "12345")
    for each in (path, zipped_trajectory(archive) / "trajectory.json"):
        assert read_whole(each, 5) == b"12345"
        with pytest.raises(Damaged, match=f"{each.name} is too large to be read"):
            read_whole(each, 4)


def test_what_cannot_be_read_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_whole(tmp_path / "missing")
    with pytest.raises((IsADirectoryError, PermissionError)):
        read_whole(tmp_path)
