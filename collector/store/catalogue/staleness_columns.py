"""What made the runs of a catalogue, and which parts of it are others now.

Only the rooms of runs know what would make an episode now: they read :meth:`CatalogueStaleness.cells` and
give the answers to :meth:`CatalogueStaleness.note`, and every query can ask for them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from collector.store.catalogue.catalogue_row import items, listed
from collector.store.trajectory.fingerprint import UNKNOWN


@dataclass(frozen=True, slots=True)
class StoredCell:
    """A cell of an experiment, and what made the runs of it that have the same fingerprint."""

    experiment: str
    cell: str
    column: str
    """The fingerprint as the catalogue keeps it."""
    stale: tuple[str, ...]
    """What was noted of them last."""

    @property
    def fingerprint(self) -> Mapping[str, str]:
        """The digest of each part; empty when the runs do not say what made them."""
        return dict(item.split("=", 1) for item in items(self.column) if "=" in item)


class CatalogueStaleness:
    """Reads and writes the columns ``fingerprint`` and ``stale`` of a catalogue."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._db = database

    def cells(self) -> list[StoredCell]:
        """The cells of all experiments that were run."""
        sql = "SELECT DISTINCT experiment, cell, fingerprint, stale FROM trajectories WHERE experiment != ''"
        return [
            StoredCell(experiment, cell, column, tuple(items(stale)))
            for experiment, cell, column, stale in self._db.execute(sql)
        ]

    def note(self, answers: Iterable[tuple[StoredCell, tuple[str, ...]]]) -> None:
        """Note of cells which parts are others now; UNKNOWN alone when nobody can say."""
        sql = """
            UPDATE trajectories SET stale = ?
            WHERE experiment != '' AND experiment = ? AND cell = ? AND fingerprint = ?"""
        changed = [
            (listed(list(parts)), cell.experiment, cell.cell, cell.column)
            for cell, parts in answers
            if parts != cell.stale
        ]
        if changed:
            with self._db:
                self._db.executemany(sql, changed)

    def of(self, folder: str) -> tuple[str, ...]:
        """What was noted of the trajectory in a folder, relative to the project."""
        where = (folder.rpartition("/")[0], folder)
        row = self._db.execute(
            "SELECT stale FROM trajectories WHERE parent = ? AND folder = ?", where
        ).fetchone()
        return tuple(items(row[0])) if row else ()

    def keys_by_part(self) -> dict[str, list[int]]:
        """Part -> keys of the runs that another one made than that of now."""
        found: dict[str, list[int]] = {}
        for key, stale in self._db.execute("SELECT key, stale FROM trajectories WHERE stale != ''"):
            for part in items(stale):
                if part != UNKNOWN:
                    found.setdefault(part, []).append(key)
        return found
