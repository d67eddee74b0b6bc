"""The facts of runs in the catalogue: records of numbers, read back all at once."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping

from collector.store.catalogue.episode_facts import EpisodeFacts, VerdictFacts, packed

_Entry = tuple[int, EpisodeFacts | None, Mapping[str, VerdictFacts]]


class CatalogueFacts:
    """Reads and writes the tables ``episodes``, ``verdicts`` and ``texts`` of a catalogue."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._db = database
        self._codes: dict[str, int] = {}

    def put(self, entries: Iterable[_Entry]) -> None:
        """Add the facts of trajectories by their keys, inside the caller's transaction."""
        self._codes = {"": 0}
        episodes, verdicts = [], []
        for key, episode, by_judge in entries:
            if episode is None:
                continue
            episodes.append((key, packed(episode, self._code_of)))
            verdicts += [
                (key, self._code_of(judge), packed(facts, self._code_of)) for judge, facts in by_judge.items()
            ]
        self._db.executemany("INSERT OR REPLACE INTO episodes VALUES (?, ?)", episodes)
        self._db.executemany("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?)", verdicts)

    def clear(self) -> None:
        """Remove the facts of all trajectories, inside the caller's transaction."""
        for table in ("episodes", "verdicts", "texts"):
            self._db.execute(f"DELETE FROM {table}")  # noqa: S608 - names from the line above
        self._db.execute("INSERT INTO texts VALUES (0, '')")

    def forget(self, key: int) -> None:
        """Remove the facts of one trajectory. Its texts stay: other episodes have them too."""
        self._db.execute("DELETE FROM episodes WHERE key = ?", (key,))
        self._db.execute("DELETE FROM verdicts WHERE key = ?", (key,))

    def _code_of(self, text: str) -> int:
        code = self._codes.get(text)
        if code is None:
            clean = text.encode(errors="replace").decode()
            found = self._db.execute("SELECT id FROM texts WHERE text = ?", (clean,)).fetchone()
            if found is None:
                code = self._db.execute("INSERT INTO texts (text) VALUES (?)", (clean,)).lastrowid or 0
            else:
                code = int(found[0])
            self._codes[text] = code
        return code

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that is read inside belongs together, whatever another program writes meanwhile."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.rollback()

    def texts(self) -> list[str]:
        """Every text by its code."""
        last = self._db.execute("SELECT max(id) FROM texts").fetchone()[0] or 0
        texts = [""] * (last + 1)
        for code, text in self._db.execute("SELECT id, text FROM texts"):
            texts[code] = text
        return texts

    def episodes(self) -> tuple[list[int], bytes]:
        """The keys of all runs, ascending, and their records one after the other."""
        rows = self._db.execute("SELECT key, facts FROM episodes ORDER BY key").fetchall()
        return [key for key, _facts in rows], b"".join([facts for _key, facts in rows])

    def verdicts(self, judge: str) -> tuple[list[int], bytes]:
        """The keys of the runs that a judge judged, ascending, and the records of its verdicts."""
        sql = """
            SELECT v.key, v.facts FROM verdicts v JOIN texts t ON t.id = v.judge
            WHERE t.text = ? ORDER BY v.key"""
        rows = self._db.execute(sql, (judge,)).fetchall()
        return [key for key, _facts in rows], b"".join([facts for _key, facts in rows])

    def judges(self) -> list[str]:
        """All judges of runs, in order of name."""
        sql = "SELECT text FROM texts WHERE id IN (SELECT DISTINCT judge FROM verdicts) ORDER BY text"
        return [text for (text,) in self._db.execute(sql)]
