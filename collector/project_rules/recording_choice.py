"""Choose the trajectories that rules are tried on, from the catalogue: no trajectory is opened for it."""

from __future__ import annotations

import logging
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from collector.store.catalogue import Catalogue
from collector.store.errors import StoreError
from collector.store.project import Project
from collector.store.query import QueryError

MOST_RUNS = 200
"""A project with more runs tries rules on its golden trajectories, unless a query asks for runs."""
_NO_RUNS = "-kind:run"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RecordingChoice:
    """The trajectories to try rules on."""

    folders: tuple[Path, ...] | None
    """In order of task and name; None for all."""
    runs_left_out: int = 0
    """Runs that are left out because there are so many; 0 when a query chose."""


def choose_recordings(project: Project, query: str = "", also: Path | None = None) -> RecordingChoice:
    """The trajectories that fit a query of the catalogue, and the one in the folder ``also``.

    Without a query all are chosen, or all but runs when there are many. Raises QueryError. A catalogue that
    cannot be used chooses all.
    """
    try:
        with Catalogue(project) as catalogue:
            catalogue.refresh()
            runs = catalogue.count("kind:run")
            if not query.strip() and runs <= MOST_RUNS:
                return RecordingChoice(None)
            names = catalogue.folders(query if query.strip() else _NO_RUNS)
    except QueryError:
        raise
    except (StoreError, sqlite3.Error):
        _log.warning("rules are tried on all trajectories: the catalogue cannot be used", exc_info=True)
        return RecordingChoice(None)
    folders = [project.folder / name for name in names]
    if also is not None and also not in folders and also.is_relative_to(project.folder):
        folders = sorted([*folders, also])
    return RecordingChoice(tuple(folders), 0 if query.strip() else runs)
