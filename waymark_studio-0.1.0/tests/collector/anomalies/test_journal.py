"""The undo journal: whole at every moment, one studio at a time, one file a phone."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.anomalies.errors import PhoneInUse
from collector.anomalies.journal import PendingChange, UndoCheck, UndoJournal, phone_key
from collector.device.transport.shell_result import ShellResult
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged, FromTheFuture, StoreError

ONE = PendingChange(
    "1", "wifi_off", ("svc wifi enable",), (UndoCheck("settings get x", "^0$"),), (("a", "b"),)
)
TWO = PendingChange("2", "dialog", ("am force-stop x",), native=False, since="2026", problem="it is gone")


def path_of(folder: Path, phone: str = "phone") -> Path:
    return folder / phone / "undo.json"


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    journal = UndoJournal("phone", tmp_path)
    assert journal.pending == ()
    journal.add(ONE)
    journal.add(TWO)
    journal.change("1", kept=True)
    journal.close()
    again = UndoJournal("phone", tmp_path)
    assert [change.id for change in again.pending] == ["1", "2"]
    assert again.pending[0].kept
    assert again.pending[0].checks == ONE.checks
    assert again.pending[0].remembered == ONE.remembered
    assert again.pending[1] == TWO
    again.done("1")
    assert again.pending == (TWO,)
    again.close()


def test_a_phone_is_changed_by_one_studio_at_a_time(tmp_path: Path) -> None:
    journal, other = UndoJournal("phone", tmp_path), UndoJournal("phone", tmp_path)
    journal.add(ONE)
    for deed in (lambda: other.add(TWO), lambda: other.done("1"), other.hold):
        with pytest.raises(PhoneInUse):
            deed()
    assert other.pending == (ONE,)  # looking is allowed
    another = UndoJournal("another", tmp_path)
    another.hold()
    another.close()
    journal.close()
    other.done("1")
    other.close()


class Refusing(Disk):
    """Fails at the n-th system call."""

    def __init__(self, at: int) -> None:
        self.left = at

    def _count(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise OSError(28, "No space left on device")

    def _append(self, path: Path, data: bytes) -> None:
        self._count()
        super()._append(path, data)

    def _sync(self, path: Path) -> None:
        self._count()
        super()._sync(path)

    def _replace(self, path: Path, target: Path) -> None:
        self._count()
        super()._replace(path, target)


@pytest.mark.parametrize("at", range(1, 6))
def test_a_disk_that_refuses_leaves_the_journal_whole(tmp_path: Path, at: int) -> None:
    first = UndoJournal("phone", tmp_path)
    first.add(ONE)
    first.close()
    journal = UndoJournal("phone", tmp_path, Refusing(at))
    try:
        journal.add(TWO)
    except StoreError:
        assert journal.pending == (ONE,)
    else:
        assert journal.pending == (ONE, TWO)
    journal.close()


def test_one_from_the_future_is_refused_and_kept(tmp_path: Path) -> None:
    journal = UndoJournal("phone", tmp_path)
    journal.add(ONE)
    journal.close()
    text = path_of(tmp_path).read_text("utf-8").replace('"version": 1', '"version": 2')
    path_of(tmp_path).write_text(text, "utf-8")
    with pytest.raises(FromTheFuture):
        _pending = UndoJournal("phone", tmp_path).pending
    assert path_of(tmp_path).read_text("utf-8") == text


@given(st.binary(max_size=40) | st.text(max_size=40).map(str.encode) | st.builds(
    lambda value: json.dumps(value).encode(),
    st.recursive(st.none() | st.integers() | st.text(max_size=5),
                 lambda inner: st.lists(inner, max_size=3)
                 | st.dictionaries(st.sampled_from(["version", "pending", "id", "undo"]), inner, max_size=4)),
))  # fmt: skip
def test_anything_else_is_damaged_and_no_bug(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("journal")
    path_of(folder).parent.mkdir()
    path_of(folder).write_bytes(data)
    with contextlib.suppress(Damaged, FromTheFuture):
        assert UndoJournal("phone", folder).pending == ()


@pytest.mark.parametrize(
    ("key", "value"),
    [("undo", "rm x"), ("checks", {}), ("checks", [{"command": "x", "expect": "("}]), ("remembered", "ab")],
)
def test_an_entry_of_another_shape_is_damaged_and_its_letters_never_run(
    tmp_path: Path, key: str, value: object
) -> None:
    with contextlib.closing(UndoJournal("phone", tmp_path)) as journal:
        journal.add(ONE)
    written = json.loads(path_of(tmp_path).read_text("utf-8"))
    written["pending"][0][key] = value
    path_of(tmp_path).write_text(json.dumps(written), "utf-8")
    with pytest.raises(Damaged):
        assert UndoJournal("phone", tmp_path).pending


@pytest.mark.parametrize(
    ("reported", "key"),
    [
        ("R58M123\n\nb1\n", "R58M123"),
        ("EMULATOR35X1X12X0\n\nb1\n", "adb-name"),
        ("unknown\n\n", "adb-name"),
        ("\n\n", "adb-name"),
        ("WAYMARK0001\n7\nb1\n", "WAYMARK0001-b1"),
        ("WAYMARK0001\n7\n", "adb-name"),
        ("", "adb-name"),
    ],
)
def test_a_phone_is_known_by_its_own_serial_where_it_has_one(reported: str, key: str) -> None:
    class Phone:
        serial = "adb-name"

        def shell(self, command: str, **_options: Any) -> ShellResult:
            assert command.startswith("getprop")
            return ShellResult(reported.encode(), b"", 0)

    assert phone_key(Phone()) == key  # type: ignore[arg-type]
