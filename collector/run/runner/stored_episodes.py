"""The stored episodes of an experiment: finished, ended by a fault, or left by a runner that died."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from collector.model.episode import Episode, Outcome
from collector.model.i18n import _
from collector.model.trajectory import TrajectoryHeader
from collector.store.catalogue.catalogue import Catalogue, Progress
from collector.store.files import lock
from collector.store.files.errors import Locked, StoreError
from collector.store.files.layout import STATES, is_trajectory
from collector.store.files.names import folder_name
from collector.store.files.part_files import sweep_parts
from collector.store.project.project import Project
from collector.store.project.runs import end_run
from collector.store.trajectory import codec, recover, trajectory_files
from collector.store.trajectory.fingerprint import stored_fingerprint

_PATIENCE_S = 15.0
_POLL_S = 0.05
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StoredEpisode:
    """A stored episode of an experiment."""

    folder: Path
    cell: str
    """``Cell.id``."""
    header: TrajectoryHeader

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it is being run, and when its runner died."""
        return self.header.outcome

    @property
    def is_finished(self) -> bool:
        """Whether it is the episode of its cell: no fault ended it."""
        return self.outcome is not None and not self.outcome.infrastructure

    @property
    def fingerprint(self) -> Mapping[str, str]:
        """The digest of each part that made it; empty when the file does not say."""
        return stored_fingerprint(self.header.episode)


def read_episodes(
    project: Project, experiment: str, progress: Progress | None = None
) -> tuple[StoredEpisode, ...]:
    """The episodes of an experiment, in the order of their start."""
    with Catalogue(project) as catalogue:
        catalogue.refresh(progress)
        rows = catalogue.find("kind:run experiment:any")
    folders = [project.folder / row.folder for row in rows if row.experiment == experiment]
    episodes = [episode for folder in folders if (episode := _read(folder)) is not None]
    return tuple(sorted(episodes, key=lambda episode: (episode.header.started, episode.header.id)))


def finished_by_cell(episodes: Iterable[StoredEpisode]) -> Mapping[str, StoredEpisode]:
    """The finished episode of each cell; of several the first."""
    finished: dict[str, StoredEpisode] = {}
    for episode in episodes:
        if episode.is_finished:
            finished.setdefault(episode.cell, episode)
    return finished


def end_dead_episodes(
    project: Project, episodes: Sequence[StoredEpisode], patience_s: float = _PATIENCE_S
) -> list[StoredEpisode]:
    """Give every episode that a dead runner left without an outcome one: a fault of the infrastructure.

    Also repairs what a crash left, removes folders in which nothing was begun and half-written files of
    episodes. Returns the episodes as they are then. Raises StoreError when an episode is still being written
    after ``patience_s``.
    """
    recover.clear_unbegun(project.task_folders())
    for episode in episodes:
        sweep_parts(episode.folder, passed_over=(STATES,))
    return [_ended(episode, patience_s) for episode in episodes]


def end_lost_episode(project: Project, task: str, trajectory: str, why: str) -> Outcome | None:
    """End the episode of a worker that was lost, with a fault, unless it had its outcome already.

    Returns the outcome that is stored; None without a trajectory. Raises StoreError.
    """
    folder = project.paths.trajectories_of(task) / folder_name(trajectory)
    episode = _read(folder) if trajectory else None
    if episode is None:
        return None
    return _ended(episode, _PATIENCE_S, why).outcome


def _ended(episode: StoredEpisode, patience_s: float, why: str = "") -> StoredEpisode:
    folder = episode.folder
    deadline = time.monotonic() + patience_s
    while lock.is_live(folder):  # a worker that outlives its runner for a moment
        if time.monotonic() > deadline:
            raise Locked(
                _("The episode {id} is being written by another program", id=episode.header.id),
                _("process {pid} holds it", pid=(lock.holder_of(folder) or {}).get("pid", "?")),
                _("Wait until that is done, or end that program"),
            )
        time.sleep(_POLL_S)
    if recover.needs_recovery(folder):
        recover.recover(folder)
    current = _read(folder) or episode
    if current.outcome is not None:
        return current
    end_run(folder, Outcome(infrastructure=why or _("The runner ended before the episode did")))
    return _read(folder) or current


def _read(folder: Path) -> StoredEpisode | None:
    """The episode in a folder; None when it was moved away, or cannot be read."""
    if not is_trajectory(folder):
        return None
    try:
        header = codec.header_from_document(trajectory_files.read_header(folder))
    except (StoreError, ValueError) as error:
        _log.info("%s was left out: %s", folder.name, error)
        return None
    episode = header.episode or Episode()
    return StoredEpisode(folder, f"{episode.cell} / {episode.seed} / {episode.repeat}", header)
