"""What a worker on another machine needs of a project: two bundles of files, and where they lie there."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from collector.anomalies.trust.trust import TrustBook
from collector.consent.allowed_hosts import AllowedHosts
from collector.host.owned_folder import OwnedFolder, abandoned_folders, own_folder
from collector.host.user_folders import cache_folder
from collector.model.trajectory import TrajectoryHeader
from collector.run.workers.file_bundle import FileBundle, pack, unpack
from collector.store.files.errors import StoreError
from collector.store.files.layout import (
    AUDITS,
    DEFINITIONS,
    EXPORT_REPORTS,
    IMPORT_REPORTS,
    PROPOSALS,
    TRAJECTORIES,
    ProjectPaths,
    is_trajectory,
)
from collector.store.trajectory.reader import read_header

BASE = ""
"""The bundle of all but trajectories; the others are named after their task."""
_STAYS = frozenset((TRAJECTORIES, IMPORT_REPORTS, EXPORT_REPORTS, PROPOSALS, DEFINITIONS, AUDITS))
"""Folders that no episode reads; what begins with a dot stays at home, too."""
_VIDEOS = frozenset((".mkv", ".mp4"))
_COPIES = "projects-of-workers"
_MOST_FILE_BYTES = 64 << 20

_Stamp = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class PersonConsent:
    """What the person at the head lets the project do, on the machines of its workers too."""

    trusted: tuple[str, ...] = ()
    """Digests of the commands of the project that may run."""
    hosts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The hosts that may be asked, with the names of the keys that may go to each."""


@dataclass(slots=True)
class ProjectBundles:
    """Makes the bundles of a project; each anew when one of its files changed. One thread at a time."""

    folder: Path
    _known: dict[str, tuple[_Stamp, FileBundle]] = field(default_factory=dict)

    def base(self) -> FileBundle:
        """Tasks, rules, anomalies, experiments, and whatever else lies there, such as prompts of agents."""
        return self._bundle(BASE, list(_base_files(self.folder)))

    def task(self, task_id: str, start: str = "") -> FileBundle:
        """The golden trajectories of a task, without videos. No runs, and none of other tasks.

        ``start`` is a trajectory of the task at which the agent begins: it comes along, a run too.
        """
        files = list(_trajectory_files(ProjectPaths(self.folder), task_id, start))
        return self._bundle(f"{task_id}\n{start}", files)

    def consent(self) -> PersonConsent:
        """What the person has agreed to."""
        return PersonConsent(TrustBook().digests(self.folder), tuple(AllowedHosts().hosts().items()))

    def _bundle(self, name: str, files: list[Path]) -> FileBundle:
        stamp = tuple((str(path), (facts := path.stat()).st_mtime_ns, facts.st_size) for path in files)
        known = self._known.get(name)
        if known is None or known[0] != stamp:
            known = self._known[name] = stamp, pack(self.folder, files)
        return known[1]


def _base_files(folder: Path) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith(".") or entry.name in _STAYS or entry.is_symlink():
            continue
        for path in [entry] if entry.is_file() else sorted(entry.rglob("*")):
            inside = path.relative_to(folder).parts
            if path.is_file() and not any(part.startswith(".") for part in inside):
                yield from [path] if path.stat().st_size <= _MOST_FILE_BYTES else []


def _trajectory_files(paths: ProjectPaths, task_id: str, start: str) -> Iterator[Path]:
    task_folder = paths.trajectories_of(task_id)
    for folder in sorted(task_folder.iterdir()) if task_folder.is_dir() else ():
        try:
            is_needed = is_trajectory(folder) and _is_needed(read_header(folder), start)
        except StoreError:
            continue
        for path in sorted(folder.rglob("*")) if is_needed else ():
            hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
            if path.is_file() and not hidden and path.suffix not in _VIDEOS:
                yield path


def _is_needed(header: TrajectoryHeader, start: str) -> bool:
    return header.id == start or not header.is_run


class ProjectCopy:
    """A worker's own copy of a project, filled from bundles, without any run of others.

    It lies in the cache of the worker's account and is deleted at the end; those of workers that died
    are deleted by the next one.
    """

    def __init__(self) -> None:
        parent = cache_folder() / _COPIES
        for left in abandoned_folders(parent):
            _forget_consent(left.path)
            left.delete()
        self._owned: OwnedFolder = own_folder(parent / f"project-{secrets.token_hex(4)}")
        self._digests: dict[str, str] = {}
        self._consent = PersonConsent()

    @property
    def folder(self) -> Path:
        return self._owned.path

    def lacks(self, name: str, digest: str) -> bool:
        """Whether the bundle of that name, in that version, has to be put in."""
        return self._digests.get(name) != digest

    def put(self, name: str, digest: str, data: bytes) -> None:
        """Replace the files of a bundle. Raises UserError and OSError."""
        files = unpack(data)
        paths = ProjectPaths(self.folder)
        for stale in [paths.trajectories_of(name)] if name != BASE else self._base_entries():
            shutil.rmtree(stale, ignore_errors=True) if stale.is_dir() else stale.unlink(missing_ok=True)
        self._digests.pop(name, None)
        for relative, content in files.items():
            path = self.folder / relative
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self._digests[name] = digest

    def agree(self, consent: PersonConsent) -> None:
        """Let the project do here what the person at the head lets it do."""
        if consent != self._consent:
            self._consent = consent
            book = TrustBook()
            book.forget(self.folder)
            book.trust_digests(self.folder, consent.trusted)
            AllowedHosts(self.folder).replace(dict(consent.hosts))

    def take_run(self, task_id: str, trajectory: str) -> bytes:
        """Pack a finished run, and delete it here. Raises OSError."""
        from collector.store.files.names import folder_name

        folder = ProjectPaths(self.folder).trajectories_of(task_id) / folder_name(trajectory)
        files = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
        data = pack(folder, files).data
        shutil.rmtree(folder, ignore_errors=True)
        return data

    def delete(self) -> None:
        """Delete it, and forget what was agreed to for it."""
        if self._consent != PersonConsent():
            _forget_consent(self.folder)
        self._owned.delete()

    def _base_entries(self) -> list[Path]:
        return [entry for entry in self.folder.iterdir() if entry.name != TRAJECTORIES]


def _forget_consent(folder: Path) -> None:
    TrustBook().forget(folder)
    AllowedHosts(folder).replace({})
