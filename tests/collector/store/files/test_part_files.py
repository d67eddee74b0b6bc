"""The parts that writers leave when they die, and those of writers that live."""

from __future__ import annotations

from pathlib import Path

from collector.store.files import part_files
from collector.store.files.disk import Disk, PrivateDisk
from collector.store.files.part_files import PartFile, sweep_parts


def _left(target: Path) -> Path:
    """The part of a writer that was killed: the system let go of it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = PartFile(target)
    part.begin()
    part.close()
    return part.path


def test_parts_of_dead_writers_are_removed_wherever_they_are_looked_for(tmp_path: Path) -> None:
    judged = _left(tmp_path / "one" / "judgements" / "rules.jsonl")
    kept = [_left(tmp_path / "one" / place / "a") for place in ("lost+found", "states")]
    (tmp_path / ".part-0-link").symlink_to(kept[0])
    assert sweep_parts(tmp_path, passed_over=("states",)) == [judged]
    assert not judged.exists()
    assert all(path.exists() for path in kept)
    assert sweep_parts(tmp_path) == [kept[1]]


def test_a_living_writer_s_part_stays_and_takes_its_place(tmp_path: Path) -> None:
    swept = []

    def parts():
        for data in (b"one", b"two"):
            yield data
            swept.extend(sweep_parts(tmp_path))

    Disk().write_parts(tmp_path / "a", parts())
    assert swept == []
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"onetwo"


def test_a_part_that_is_taken_for_a_dead_one_s_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch
) -> None:
    swept, lock = [], part_files.try_lock

    def first_sweep(file):
        if not swept:
            swept.extend(sweep_parts(tmp_path))
        return lock(file)

    monkeypatch.setattr(part_files, "try_lock", first_sweep)
    PrivateDisk().write(tmp_path / "a", b"secret")
    assert len(swept) == 1
    assert (tmp_path / "a").read_bytes() == b"secret"
    assert (tmp_path / "a").stat().st_mode & 0o077 == 0
