"""Texts that were seen go to the disk beyond a few thousand, and the file goes with them."""

from __future__ import annotations

import sqlite3

import pytest

from collector.exchange import seen_texts
from collector.exchange.seen_texts import SeenTexts


def test_many_texts_are_told_apart_and_their_file_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    connections: list[sqlite3.Connection] = []

    def temporary() -> sqlite3.Connection:
        connections.append(sqlite3.connect(""))
        return connections[0]

    monkeypatch.setattr(seen_texts, "temporary", temporary)
    seen = SeenTexts()
    assert all(seen.add(str(number)) for number in range(5000))
    assert not seen.add("0")
    assert "4999" in seen
    assert "5000" not in seen
    del seen
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connections[0].execute("SELECT 1")
