"""What can be made again is written whole, and with one flush."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from collector.store.files.disk import Disk, RenewableDisk


@pytest.mark.skipif(os.name == "nt", reason="Windows flushes no folder")
def test_what_can_be_made_again_is_whole_and_flushed_without_its_folder(tmp_path: Path, monkeypatch) -> None:
    flushed: list[str] = []
    sync = os.fsync

    def note(handle: int) -> None:
        flushed.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        sync(handle)

    monkeypatch.setattr(os, "fsync", note)
    path = tmp_path / "rules.jsonl"
    RenewableDisk().write(path, b"once")
    RenewableDisk().write(path, b"again")
    assert (path.read_bytes(), flushed) == (b"again", ["file", "file"])
    assert list(tmp_path.iterdir()) == [path]
    Disk().write(path, b"to stay")
    assert flushed[2:] == ["file", "folder"]
