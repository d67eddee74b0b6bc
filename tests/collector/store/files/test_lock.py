"""The lock of the one writer of a folder."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from collector.store.files import lock
from collector.store.files.errors import Locked


def test_who_lets_go_leaves_no_file_behind(tmp_path: Path) -> None:
    held = lock.acquire(tmp_path)
    assert lock.is_own(tmp_path)
    assert lock.is_live(tmp_path)
    held.release()
    assert list(tmp_path.iterdir()) == []
    assert lock.holder_of(tmp_path) is None
    assert not lock.is_live(tmp_path)


def test_a_writer_that_died_is_found_and_its_note_stays_when_the_next_one_gives_up(tmp_path: Path) -> None:
    (tmp_path / lock.LOCK_NAME).write_text('{"pid": 1, "host": "gone"}')
    with pytest.raises(Locked, match="left open"):
        lock.acquire(tmp_path)
    lock.acquire(tmp_path, take_over=True).restore()
    assert lock.holder_of(tmp_path) == {"pid": 1, "host": "gone"}


def test_of_many_that_come_and_go_one_writes_at_a_time(tmp_path: Path) -> None:
    inside: list[int] = []
    crowds: list[int] = []

    def come_and_go(number: int) -> None:
        done = 0
        while done < 30:
            try:
                held = lock.acquire(tmp_path, take_over=True)
            except Locked:
                continue
            inside.append(number)
            crowds.append(len(inside))
            inside.remove(number)
            held.release()
            done += 1

    threads = [threading.Thread(target=come_and_go, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(crowds) == {1}
    assert len(crowds) == 90
