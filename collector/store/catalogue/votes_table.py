"""The votes of judges in the catalogue: judges of many trajectories are compared without their files."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from collector.model.voted_subject import VotedSubject


@dataclass(frozen=True, slots=True)
class CatalogueVotes:
    """The votes on the trajectory in ``folder``, relative to its project."""

    folder: str
    task: str
    subjects: tuple[VotedSubject, ...] | None
    """Without their folder; None where only the files of the trajectory can say."""


def votes_to_text(subjects: Iterable[VotedSubject]) -> str:
    """The votes of one trajectory that nobody labelled or settled."""
    lists = [[item.kind, item.state, item.votes, item.steps, item.people] for item in subjects]
    return json.dumps(lists, ensure_ascii=False, separators=(",", ":"))


def read_catalogue_votes(database: sqlite3.Connection) -> Iterator[CatalogueVotes]:
    """The votes on every trajectory, by task and name."""
    sql = "SELECT t.folder, t.task, v.votes FROM trajectories t LEFT JOIN votes v ON v.key = t.key"
    rows = sorted(database.execute(sql).fetchall(), key=lambda row: row[0].split("/"))
    every = iter(json.loads("[" + ",".join(text for _folder, _task, text in rows if text is not None) + "]"))
    for folder, task, text in rows:
        if text is None:
            yield CatalogueVotes(folder, task, None)
            continue
        name = folder.rpartition("/")[2]
        yield CatalogueVotes(
            folder,
            task,
            tuple(
                VotedSubject(name, task, kind, state, votes, steps, tuple(people))
                for kind, state, votes, steps, people in next(every)
            ),
        )
