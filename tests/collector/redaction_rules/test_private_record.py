"""Hidden words are known by keyed hashes: found in every form, and written nowhere."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from collector.redaction_rules.private_record import PrivateRecord


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PrivateRecord:
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path))
    made = PrivateRecord.open(tmp_path / "p")
    made.add(["Quorvex Zandt", "$12.00", "4711", "李雷和韩梅梅", "no"], [b"old"])
    return PrivateRecord.open(tmp_path / "p")


@pytest.mark.parametrize(("text", "found"), [
    ("it is QUORVEX-ZANDT!", "QUORVEX-ZANDT"),
    ("xquorvexzandty", "quorvexzandt"),
    ("Ｑｕｏｒｖｅｘ Zandt", "Ｑｕｏｒｖｅｘ Zandt"),
    ("for $12.00 now", "12.00"),
    ("pin 4711.", "4711"),
    ("pin 4 7 1 1.", "4 7 1 1"),
    ("找李雷和韩梅梅吧", "李雷和韩梅梅"),
])  # fmt: skip
def test_a_word_is_found_where_it_is(record: PrivateRecord, text: str, found: str) -> None:
    assert [text[start:stop] for start, stop in record.find(text)] == [found]


@pytest.mark.parametrize("text", ["", "at 12:00", "47112", "Quorvex and Zandt", "no", "x" * 5000])
def test_nothing_else_is_found(record: PrivateRecord, text: str) -> None:
    assert list(record.find(text)) == []


def test_the_file_is_private_and_says_no_word(record: PrivateRecord, tmp_path: Path) -> None:
    data = record.path.read_bytes()
    assert tmp_path / "data" in record.path.parents
    assert not record.path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    for text in (b"uorvex", b"4711", b"12.00"):
        assert text not in data.replace(record.key.hex().encode(), b"")
    assert record.has_file(b"old")
    assert not record.has_file(b"new")
