"""The files of a source: in natural order, and found once for all formats that are asked about it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from collector.exchange.errors import ExchangeError
from collector.exchange.imports.importing import detect
from collector.exchange.source import files as source_files


def source_of(folder: Path) -> Path:
    for name in ("b/step_10.png", "b/step_2.png", "a/deep/1.xml", "note.txt", ".git/config"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"1")
    return folder


def test_files_come_in_natural_order_and_the_same_when_they_are_found_once(tmp_path: Path) -> None:
    root = source_of(tmp_path / "s")
    names = [path.relative_to(root).as_posix() for path in source_files.files(root)]
    assert names == ["note.txt", "a/deep/1.xml", "b/step_2.png", "b/step_10.png"]
    with source_files.walked_once(root):
        first = source_files.files(root)
        assert next(first) == root / "note.txt"  # a reader that has not ended
        for _time in range(2):
            assert [path.relative_to(root).as_posix() for path in source_files.files(root)] == names
        assert len([*first]) == 3
        assert [folder.name for folder in source_files.folders(root)] == ["s", "a", "deep", "b"]
        assert [path.name for path in source_files.files(root / "a")] == ["1.xml"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_numbered_pictures_have_any_ending_and_files_of_macos_are_none(tmp_path: Path) -> None:
    for name in ("1.png", "2.JPG", "3.jpeg", "3.png", "._1.png", "x-._4.png", "._5.png", "6.xml"):
        (tmp_path / name).write_bytes(b"x")
    found = source_files.numbered(tmp_path, r"(?:.*-)?(?:\._)?(\d+)" + source_files.PICTURE)
    assert {number: path.name for number, path in found.items()} == {
        1: "1.png", 2: "2.JPG", 3: "3.png", 4: "x-._4.png",
    }  # fmt: skip
    assert [path.name for path in source_files.files(tmp_path) if path.name.startswith("._")] == []


def test_a_link_to_itself_hides_no_other_file(tmp_path: Path) -> None:
    root = source_of(tmp_path / "s")
    (root / "loop").symlink_to("loop")
    (root / "linked").symlink_to(root / "b")
    assert len(list(source_files.files(root))) == 4


def test_a_source_is_walked_once_however_many_formats_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, walked, asked = source_of(tmp_path / "s"), list[Path](), list[tuple[str, int, float]]()
    scandir = os.scandir

    def counting(path: Path) -> object:
        walked.append(Path(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", counting)
    # A look into one folder is no walk; since Python 3.13 it goes by scandir, too.
    monkeypatch.setattr(Path, "iterdir", lambda path: map(path.joinpath, os.listdir(path)))  # noqa: PTH208
    found = detect(root, lambda *said: asked.append(said))
    assert [entry.id for entry, _certainty in found] == ["plain"]
    assert walked.count(root / "a" / "deep") == 1
    assert set(asked) == {("s", 0, 0.0)}


def test_json_that_is_too_deep_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[" * 100_000 + "]" * 100_000, "ascii")
    with pytest.raises(ExchangeError, match="lists in lists") as refused:
        source_files.read_json(tmp_path / "x.json")
    assert "recursion" not in str(refused.value)
