"""A catalogue of a hundred thousand trajectories, put in without the files behind them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from collector.model.task import Task
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project

TRAJECTORIES = 100_000
_COLUMNS = (
    "parent, folder, stamp, id, task, kind, who, status, agent, condition, started, added, duration_ms, "
    "steps, problems, problem"
)


def full_catalogue(folder: Path) -> Catalogue:
    """Of a new project in ``folder``: three apps, fifty tasks, Chinese and English words."""
    project = Project.create(folder)
    project.save_tasks([Task(f"t{i}", f"Task {i}", app=("Shop", "To-do", "Chat")[i % 3]) for i in range(50)])
    opened = Catalogue(project)
    opened.refresh()
    with closing(sqlite3.connect(project.paths.catalogue)) as connection, connection:
        connection.executemany(
            f"INSERT INTO trajectories ({_COLUMNS}) VALUES ({', '.join('?' * 16)})",
            (
                (
                    *("", f"f{i}", "", f"id{i}", f"t{i % 50}", "golden", "ann"),
                    *("recovered" if i % 100 == 0 else "finished", "", ""),
                    *(2 * (f"2026-{i % 12 + 1:02}-{i * 7 % 28 + 1:02}",)),
                    *(1, 10, int(i % 1000 == 0), ""),
                )
                for i in range(TRAJECTORIES)
            ),
        )
        connection.executemany(
            "INSERT INTO words (rowid, text) VALUES (?, ?)",
            ((i + 1, f"tap Sign in {i} 稻 香 {i % 77} poster") for i in range(TRAJECTORIES)),
        )
    return opened
