"""Choose the trajectories that rules are tried on, from the catalogue: no trajectory is opened for it."""

from __future__ import annotations

import logging
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from collector.model.episode import REPLAY_AGENT
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.query import QueryError
from collector.store.files.errors import StoreError
from collector.store.project.project import Project

MOST_RUNS = 200
"""A project with more runs tries rules on its golden trajectories, unless a query asks for runs."""
_NO_RUNS = "-kind:run"
_NO_REPLAYS = f"-agent:={REPLAY_AGENT} offline:none"
"""A replay repeats a recording, and steps that were asked offline have its screens: they would count twice,
those of a solvability check many times."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RecordingChoice:
    """The trajectories to try rules on."""

    folders: tuple[Path, ...] | None
    """In order of task and name; None for all."""
    runs_left_out: int = 0
    """Runs of agents that are left out because there are so many; 0 when a query chose."""


def choose_recordings(project: Project, query: str = "", also: Path | None = None) -> RecordingChoice:
    """The trajectories that fit a query of the catalogue, and the one in the folder ``also``.

    Without a query all are chosen but replays, and when there are many runs of agents no run. Raises
    QueryError. A catalogue that cannot be used chooses all.
    """
    try:
        with Catalogue(project) as catalogue:
            catalogue.refresh()
            chosen, left_out = query, 0
            if not query.strip():
                runs = catalogue.count(f"kind:run {_NO_REPLAYS}")
                chosen, left_out = (_NO_RUNS, runs) if runs > MOST_RUNS else (_NO_REPLAYS, 0)
            names = catalogue.folders(chosen)
    except QueryError:
        raise
    except (StoreError, sqlite3.Error):
        _log.warning("rules are tried on all trajectories: the catalogue cannot be used", exc_info=True)
        return RecordingChoice(None)
    folders = [project.folder / name for name in names]
    if also is not None and also not in folders and also.is_relative_to(project.folder):
        folders = sorted([*folders, also])
    return RecordingChoice(tuple(folders), left_out)
