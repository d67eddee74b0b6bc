"""The episodes behind a number for Qt: facts from the columns, reasons from the catalogue as needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from collector.metrics.episode_columns import EpisodeColumns, Ints
from collector.metrics.value_text import dimension_value_text
from collector.model.episode_text import verdict_text
from collector.model.i18n import _
from collector.model.reasons.stored_reasons import shown_reason
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.catalogue.episode_facts import UNKNOWN

_Index = QModelIndex | QPersistentModelIndex
_PAGE = 100
EPISODE_ROLE = Qt.ItemDataRole.UserRole
FAULT = "fault"
"""In place of an outcome: a fault of the machine ended the episode."""
STOPPED = "stopped"
"""In place of an outcome: people stopped the episode."""
DIFFERENT = "different"
"""In place of an outcome: those who judged differ."""
_ORDER = {FAILURE: 0, UNCOMPLETED: 1, "": 2, STOPPED: 3, FAULT: 4, SUCCESS: 5}


@dataclass(frozen=True, slots=True)
class ListedEpisode:
    """What the list shows of an episode."""

    key: int
    title: str
    about: str
    """Seed and repeat, where they are known."""
    line: str
    """Why it ended as it did, else which agent ran under which condition."""
    outcome: str
    folder: str = ""
    """Relative to the project; empty until it is read."""


class CountedEpisodeModel(QAbstractListModel):
    """Failures first, then uncompleted episodes, then the others."""

    needed = Signal(object)
    """Keys whose rows of the catalogue are to be read."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._table: EpisodeColumns | None = None
        self._episodes: list[int] = []
        self._rows: dict[int, CatalogueRow] = {}
        self._asked: set[int] = set()

    def show(self, table: EpisodeColumns | None, episodes: Ints) -> None:
        """Show other episodes, given by their indexes in ``table``."""
        self.beginResetModel()
        self._table = table
        self._episodes = _ordered(table, episodes) if table is not None else []
        self._asked.clear()
        self.endResetModel()

    def forget_rows(self) -> None:
        """Read what the catalogue says anew: the project changed."""
        self._rows.clear()
        self._asked.clear()

    def take_rows(self, rows: Mapping[int, CatalogueRow]) -> None:
        """Complete the episodes that are on show by their rows of the catalogue."""
        self._rows.update(rows)
        if self._episodes:
            self.dataChanged.emit(self.index(0), self.index(len(self._episodes) - 1))

    @property
    def keys(self) -> list[int]:
        """Keys of the episodes on show, in their order."""
        assert self._table is not None or not self._episodes
        return [] if self._table is None else self._table.keys[self._episodes].tolist()

    def episode(self, row: int) -> ListedEpisode:
        """An episode of the list."""
        table, index = self._table, self._episodes[row]
        assert table is not None
        key = int(table.keys[index])
        known = self._rows.get(key)
        if known is None and key not in self._asked:
            self._ask(row)

        def text(name: str) -> str:
            return table.texts[int(table.column(name)[index])]

        return ListedEpisode(
            key,
            dimension_value_text("task", text("task")),
            _about(int(table.column("seed")[index]), int(table.column("repeat")[index])),
            (shown_reason(known.reason) if known is not None else "")
            or self._who(text("agent"), text("condition")),
            outcome_of(table, index),
            known.folder if known is not None else "",
        )

    @staticmethod
    def _who(agent: str, condition: str) -> str:
        condition = dimension_value_text("condition", condition) if condition else ""
        return ", ".join(filter(None, (dimension_value_text("agent", agent), condition)))

    def _ask(self, row: int) -> None:
        """Ask for the page of the list that has this row."""
        assert self._table is not None
        first = row // _PAGE * _PAGE
        keys = self._table.keys[self._episodes[first : first + _PAGE]].tolist()
        keys = [key for key in keys if key not in self._rows]
        self._asked.update(keys)
        self.needed.emit(keys)

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self._episodes)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if role == EPISODE_ROLE:
            return self.episode(index.row())
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            episode = self.episode(index.row())
            first = ", ".join(filter(None, (episode.title, episode.about)))
            return "\n".join(filter(None, (first, episode.line, outcome_text(episode.outcome))))
        return self.episode(index.row()).title if role == Qt.ItemDataRole.DisplayRole else None


def outcome_of(table: EpisodeColumns, index: int) -> str:
    """How the judge in use says that an episode ended; :data:`FAULT`, :data:`STOPPED`, or empty where
    nobody judged."""
    if table.faults[index]:
        return FAULT
    return STOPPED if table.stopped[index] else table.texts[int(table.verdicts.status[index])]


def outcome_text(outcome: str) -> str:
    """An outcome in words."""
    if outcome == FAULT:
        return _("fault of the machine")
    if outcome == DIFFERENT:
        return _("the verdicts differ")
    return _("stopped") if outcome == STOPPED else verdict_text(outcome)


def outcome_counts(table: EpisodeColumns, episodes: Ints) -> dict[str, int]:
    """Outcome -> how many of the episodes have it: success, failure, uncompleted, then the others."""
    faults, stopped = table.faults[episodes], table.stopped[episodes]
    codes, counts = np.unique(table.verdicts.status[episodes][~faults & ~stopped], return_counts=True)
    by_text = {table.texts[code]: count for code, count in zip(codes.tolist(), counts.tolist(), strict=True)}
    known = {outcome: by_text.pop(outcome, 0) for outcome in (SUCCESS, FAILURE, UNCOMPLETED)}
    return {
        **known, **by_text,
        STOPPED: int(np.count_nonzero(stopped)), FAULT: int(np.count_nonzero(faults)),
    }  # fmt: skip


def _ordered(table: EpisodeColumns, episodes: Ints) -> list[int]:
    """By outcome, then by task, seed and repeat."""
    rank = np.array([_ORDER.get(text, 2) for text in table.texts], np.int64)[table.verdicts.status[episodes]]
    rank = np.where(table.stopped[episodes], _ORDER[STOPPED], rank)
    rank = np.where(table.faults[episodes], _ORDER[FAULT], rank)
    place = {code: number for number, code in enumerate(_codes_in_order(table, episodes))}
    tasks = np.array([place[code] for code in table.column("task")[episodes].tolist()], np.int64)
    seeds, repeats = table.column("seed")[episodes], table.column("repeat")[episodes]
    return list(map(int, episodes[np.lexsort((repeats, seeds, tasks, rank))]))


def _codes_in_order(table: EpisodeColumns, episodes: Ints) -> list[int]:
    codes = np.unique(table.column("task")[episodes]).tolist()
    return sorted(codes, key=lambda code: table.texts[code].casefold())


def _about(seed: int, repeat: int) -> str:
    parts = [_("seed {seed}", seed=seed)] if seed != UNKNOWN else []
    if repeat > 0:
        parts.append(_("repeat {repeat}", repeat=repeat))
    return ", ".join(parts)
