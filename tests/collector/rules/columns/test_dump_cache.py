"""The cache gives back what was put in, and is never worse than no cache."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.hierarchy.flat_reader import read_flat
from collector.rules.backtest.backtest import BackTest
from collector.rules.columns.corpus import Corpus
from collector.rules.columns.dump_cache import DumpCache, packed, unpacked
from collector.rules.columns.dump_columns import DumpColumns
from collector.rules.columns.node_columns import NodeColumns
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.dumps import hierarchy, node
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

DUMPS = [hierarchy(node(node(text=f"Buy {at}"), text="稻香\U0001f6d2", hint="x")).encode() for at in range(5)]
CLAUSE = "{type: element_exists, selector: \"text='Buy 3' child of hint='x'\"}"
RULE = read_rules(f"- {{id: r, conditions: {{all: [{CLAUSE}]}}, actions: []}}").rules[0]

FILE = "dumps.db"


def tried(folder: Path) -> tuple[bytes, int]:
    """Outcomes of the rule, and how many dumps had to be read for them."""
    recording = MemoryTrajectory("t", [RecordedScreen(xml) for xml in DUMPS])
    with DumpCache(folder / FILE) as warm:
        result = BackTest(Corpus([recording]), dumps=DumpColumns(warm)).run(RULE)
    return result.rows[0].outcomes, len(recording.read)


def test_a_second_run_of_the_program_reads_no_dump(tmp_path: Path) -> None:
    assert tried(tmp_path) == (b"\0\0\0\2\0", 5)
    assert tried(tmp_path) == (b"\0\0\0\2\0", 0)


@pytest.mark.parametrize("harm", [b"", b"not a database", b"SQLite format 3\0" + b"\xff" * 4000])
def test_a_damaged_file_is_made_again(tmp_path: Path, harm: bytes) -> None:
    tried(tmp_path)
    (tmp_path / FILE).write_bytes(harm)
    assert tried(tmp_path) == (b"\0\0\0\2\0", 5)
    assert tried(tmp_path) == (b"\0\0\0\2\0", 0)


def test_damage_inside_is_found_row_by_row(tmp_path: Path) -> None:
    tried(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        keys = [row[0] for row in db.execute("SELECT key FROM sheets")]
        db.execute("UPDATE sheets SET sheet = ? WHERE key = ?", [b"\0" * 40, keys[0]])
        db.execute("UPDATE sheets SET sheet = 5 WHERE key = ?", [keys[1]])
    assert tried(tmp_path) == (b"\0\0\0\2\0", 2)


def test_another_version_is_forgotten(tmp_path: Path) -> None:
    tried(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        db.execute("PRAGMA user_version = 99")
    assert tried(tmp_path) == (b"\0\0\0\2\0", 5)


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("in the way")
    assert tried(place) == (b"\0\0\0\2\0", 5)


def test_a_file_another_program_holds_costs_only_time(tmp_path: Path) -> None:
    tried(tmp_path)
    (tmp_path / FILE).unlink()
    with DumpCache(tmp_path / FILE):
        holder = sqlite3.connect(tmp_path / FILE)
        holder.execute("BEGIN EXCLUSIVE")
        assert tried(tmp_path) == (b"\0\0\0\2\0", 5)
        holder.close()


def test_a_dump_that_is_gone_is_not_remembered_as_empty(tmp_path: Path) -> None:
    with DumpCache(tmp_path / FILE) as warm:
        DumpColumns(warm).number_of("key", lambda: b"")
        dumps = DumpColumns(warm)
        dumps.number_of("key", lambda: DUMPS[0])
        assert dumps.view.nodes == 2


@given(st.binary(max_size=200))
def test_bytes_that_are_no_sheet_give_none(data: bytes) -> None:
    assert unpacked(data) is None


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_a_changed_byte_is_noticed(place: int, value: int) -> None:
    columns = NodeColumns()
    data = packed(*columns.own(columns.add(read_flat(DUMPS[0]))))
    place %= len(data)
    changed = data[:place] + bytes([value]) + data[place + 1 :]
    assert (unpacked(changed) is None) == (changed != data)
