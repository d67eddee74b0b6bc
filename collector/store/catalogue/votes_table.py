"""The votes of judges in the catalogue: judges of many trajectories are compared without their files."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from collector.model.verdicts.voted_subject import VotedSubject


@dataclass(frozen=True, slots=True)
class CatalogueVotes:
    """The votes on the trajectory in ``folder``."""

    folder: Path
    task: str
    subjects: tuple[VotedSubject, ...] | None
    """None where only the files of the trajectory can say."""


def votes_to_text(subjects: Iterable[VotedSubject]) -> str:
    """The votes of one trajectory."""
    lists = [
        [item.kind, item.state, item.votes, item.steps, item.people, item.settled, item.settled_step]
        for item in subjects
    ]
    return json.dumps(lists, ensure_ascii=False, separators=(",", ":"))


def read_catalogue_votes(database: sqlite3.Connection, project: Path) -> Iterator[CatalogueVotes]:
    """The votes on every trajectory of the project in a folder, by task and name."""
    sql = "SELECT t.folder, t.task, v.votes FROM trajectories t LEFT JOIN votes v ON v.key = t.key"
    rows = sorted(database.execute(sql).fetchall(), key=lambda row: row[0].split("/"))
    every = iter(json.loads("[" + ",".join(text for _folder, _task, text in rows if text is not None) + "]"))
    for place, task, text in rows:
        folder, subjects = project / place, None
        if text is not None:
            name = folder.name
            subjects = tuple(
                VotedSubject(name, task, kind, state, votes, steps, tuple(people), settled, folder, at)
                for kind, state, votes, steps, people, settled, at in next(every)
            )
        yield CatalogueVotes(folder, task, subjects)
