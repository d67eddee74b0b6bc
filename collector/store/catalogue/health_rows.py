"""What the health of a project is told from: rows of the catalogue, read one by one."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from collector.model.episode import REPLAY_AGENT
from collector.store.catalogue.catalogue_row import items
from collector.store.catalogue.open_subjects import StateCounts
from collector.store.catalogue.touches import Touches

_RUNS = (
    "kind = 'run' AND status NOT IN ('recording', 'damaged') AND infrastructure = '' AND stopped = 0"
    " AND coalesce(helped, 0) = 0 AND start = '' AND offline = ''"
)
"""Runs that ended by themselves, without help, from the beginning of their task."""
_AS_RECORDED = "condition = '' AND variation IN ('', 'default') AND language = ''"
"""Runs on a phone as the goldens had it, as far as an experiment says."""


@dataclass(frozen=True, slots=True)
class TouchedTrajectory:
    """A trajectory that counts, with what was touched in it."""

    folder: str
    """Relative to the project, with forward slashes."""
    id: str
    task: str
    agent: str
    """Empty for a golden."""
    cell: str
    outcome: str
    reason: str
    claimed: str
    actions: int
    """On the phone."""
    variation: str
    language: str
    """Of the phone, where an experiment says it."""
    touches: Touches


@dataclass(frozen=True, slots=True)
class DatedVotes:
    """What judges say of one subject of a trajectory."""

    votes: dict[str, str]
    """Judge -> verdict."""
    people: tuple[str, ...]
    """Judges among them who are people."""
    settled: str
    """What people settled; empty where nothing was."""


class HealthRows:
    """Reads the rows of a catalogue that is up to date. ``counting`` is what it asks of a golden, in SQL."""

    def __init__(self, database: sqlite3.Connection, counting: str) -> None:
        self._db, self._counting = database, counting

    def goldens(self) -> Iterator[TouchedTrajectory]:
        """The goldens that count, by task."""
        return self._touched(self._counting, "task, folder")

    def runs(self) -> Iterator[TouchedTrajectory]:
        """The runs that ended by themselves, without help, from the beginning of their task; by task."""
        return self._touched(_RUNS, "task, folder")

    def plain_runs(self, agents: Collection[str]) -> Iterator[TouchedTrajectory]:
        """Replays, and the runs of ``agents``, without an anomaly or a variation; oldest first."""
        names = [REPLAY_AGENT, *agents]
        marks = ", ".join("?" * len(names))
        return self._touched(f"{_RUNS} AND {_AS_RECORDED} AND agent IN ({marks})", "added, folder", names)

    def _touched(
        self, condition: str, order: str, values: Collection[str] = ()
    ) -> Iterator[TouchedTrajectory]:
        sql = f"""
            SELECT folder, id, task, agent, cell, outcome, reason, claimed, actions, variation, language,
                touches
            FROM trajectories JOIN touches USING (key) WHERE {condition} ORDER BY {order}"""  # noqa: S608 - constants
        for row in self._db.execute(sql, tuple(values)):
            yield TouchedTrajectory(*(*row[:-1], Touches.read(row[-1])))

    def appeared(self) -> dict[int, tuple[str, ...]]:
        """Key of each run in which anomalies really appeared -> their ids."""
        sql = "SELECT key, touches FROM trajectories JOIN touches USING (key) WHERE kind = 'run' AND met > 0"
        return {key: Touches.read(text).appeared for key, text in self._db.execute(sql)}

    def states_of_runs(self, without: Collection[str]) -> dict[tuple[str, str], StateCounts]:
        """Task and essential state -> in how many runs it was reached; those of some agents left out."""
        reached: Counter[tuple[str, str]] = Counter()
        judged: Counter[tuple[str, str]] = Counter()
        sql = f"""
            SELECT task, agent, reached, missed, count(*) FROM trajectories
            WHERE {_RUNS} AND (reached != '' OR missed != '') GROUP BY task, agent, reached, missed"""  # noqa: S608 - constants
        for task, agent, seen, unseen, count in self._db.execute(sql):
            if agent in without:
                continue
            states = set(items(seen))
            reached.update({(task, state): count for state in states})
            judged.update({(task, state): count for state in states.union(items(unseen))})
        return {key: StateCounts(reached[key], count) for key, count in judged.items()}

    def votes_by_date(self) -> Iterator[DatedVotes]:
        """The votes on tasks and essential states of all trajectories, the oldest trajectory first."""
        sql = (
            "SELECT votes FROM votes JOIN trajectories USING (key) WHERE votes != '[]' ORDER BY added, folder"
        )
        for (text,) in self._db.execute(sql):
            for _kind, _state, votes, _steps, people, settled, _at in json.loads(text):
                yield DatedVotes(votes, tuple(people), settled)

    def versions_of_rules(self) -> dict[tuple[str, str], int]:
        """Task and version of the rules that judged last -> in how many trajectories."""
        sql = "SELECT task, rules_version, count(*) FROM trajectories WHERE rules_version != '' GROUP BY 1, 2"
        return {(task, version): count for task, version, count in self._db.execute(sql)}
