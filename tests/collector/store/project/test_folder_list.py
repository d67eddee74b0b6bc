"""Folders of many trajectories: the paths that were given, found again, in little memory."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from collector.store.project.folder_list import FolderList

ROOT = Path("/projects/mine/trajectories")
FOLDERS = [ROOT / task / f"{number:05}-é" for task in ("pay", "pay-2", "送") for number in range(3)]


def test_a_list_has_the_folders_that_it_was_given():
    kept = FolderList(FOLDERS)
    assert list(kept) == FOLDERS
    assert kept[1:8:3] == FOLDERS[1:8:3]
    assert kept[-1] == FOLDERS[-1]
    assert [kept.index(folder) for folder in FOLDERS] == list(range(len(FOLDERS)))
    assert kept.index(FOLDERS[4], 2, 6) == 4
    with pytest.raises(IndexError):
        kept[len(FOLDERS)]
    assert not FolderList([])


@pytest.mark.parametrize("absent", [ROOT / "pay" / "00009", ROOT / "zzz" / "00000-é"])
def test_a_folder_that_is_not_in_the_list_has_no_number(absent):
    with pytest.raises(ValueError, match="not in the list"):
        FolderList(FOLDERS).index(absent)
    with pytest.raises(ValueError, match="not in the list"):
        FolderList(FOLDERS).index(FOLDERS[4], 5)


def test_ten_thousand_folders_take_a_fifth_of_what_their_paths_do():
    folders = [ROOT / "pay" / f"20260412-093015-{number:04x}" for number in range(10_000)]
    FolderList(folders)  # a path keeps its name once it was asked for it
    listed = _bytes_of(lambda: FolderList(folders))
    assert listed < _bytes_of(lambda: [ROOT / "pay" / folder.name for folder in folders]) / 5


def _bytes_of(make):
    """What is in use for something that ``make`` made."""
    tracemalloc.start()
    try:
        kept = make()
        size, _most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept
    return size
