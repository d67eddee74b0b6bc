"""Which trajectories of a large project were in order at their last check, and did not change since.

Reading all files of 20,000 trajectories takes minutes. What is remembered lies in the folders of the user and
not in the project: a project from elsewhere cannot say of itself that it is in order.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

from collector.host.user_folders import cache_folder
from collector.model.finding import Finding
from collector.store.files.disk import PrivateDisk
from collector.store.files.errors import StoreError
from collector.store.project.project import Project

CHECK_VERSION = 2
"""Raised when the check of a trajectory finds more than it did: all are then read again."""
SETTLED_NS = 2_000_000_000
"""A file that changed so recently may change again without another time: its trajectory is not remembered."""


@dataclass(frozen=True, slots=True)
class CheckedTrajectory:
    """What the check of one trajectory of a project found."""

    id: str
    """As its header says; empty when it cannot be read."""
    findings: tuple[Finding, ...] = ()
    notices: tuple[Finding, ...] = ()
    is_at_rest: bool = False
    """Whether no program holds it: else whether that program still runs decides what is found."""
    stamp: str = ""
    """That of its files before they were read; empty when nobody remembers it."""
    golden_of: str = ""
    """The task that it is a golden trajectory of; empty when it is none."""

    @property
    def is_in_order(self) -> bool:
        return self.is_at_rest and not self.findings and not self.notices


def stamp_of(folder: Path) -> str:
    """A digest of name, size and times of every file below a trajectory's folder; empty for what cannot be
    remembered: a folder that cannot be listed, and files that changed just now."""
    digest, newest = hashlib.blake2b(digest_size=16), 0
    waiting = [str(folder)]
    try:
        while waiting:
            with os.scandir(waiting.pop()) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
            for entry in listed:
                status = entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                newest = max(newest, status.st_mtime_ns, status.st_ctime_ns)
                digest.update(
                    f"{entry.name}\0{status.st_mode}\0{status.st_size}\0{status.st_ino}\0"
                    f"{status.st_mtime_ns}\0{status.st_ctime_ns}\n".encode()
                )
    except OSError:
        return ""
    return digest.hexdigest() if newest < time.time_ns() - SETTLED_NS else ""


class UnchangedTrajectories:
    """What the last check of a project found in order. Thread-compatible."""

    def __init__(self, project: Project, *, forgets: bool = False) -> None:
        """With ``forgets`` every trajectory is read again."""
        name = hashlib.sha256(os.fsencode(project.folder.resolve())).hexdigest()[:32]
        self._path = cache_folder() / "checked" / f"{name}.json"
        # What the check of a trajectory compares with beside its own files.
        compared = [sorted(project.states), sorted(task.id for task in project.tasks)]
        self._context = hashlib.sha256(json.dumps([CHECK_VERSION, *compared]).encode()).hexdigest()
        self._known = {} if forgets else self._read()
        self._now: dict[str, tuple[str, str, str]] = {}
        self.count = 0
        """How many trajectories were not read again."""

    def _read(self) -> dict[str, tuple[str, str, str]]:
        """What the last check noted; nothing when it compared with something else."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            document = json.loads(self._path.read_bytes())
            if document["context"] == self._context:
                return {
                    name: (str(stamp), str(id_), str(golden_of))
                    for name, (stamp, id_, golden_of) in document["known"].items()
                }
        return {}

    def known(self, where: str, folder: Path) -> CheckedTrajectory | None:
        """A trajectory that was in order and is as it was; None for any other."""
        known = self._known.get(where)
        if known is None:
            return None
        stamp, id_, golden_of = known
        if not stamp or stamp_of(folder) != stamp:
            return None
        self.count += 1
        return CheckedTrajectory(id_, is_at_rest=True, stamp=stamp, golden_of=golden_of)

    def note(self, where: str, checked: CheckedTrajectory) -> None:
        """Note that a trajectory is in order as its stamp says."""
        if checked.stamp:
            self._now[where] = (checked.stamp, checked.id, checked.golden_of)

    def write(self) -> None:
        """Keep what was noted for the next check; a disk that is full keeps nothing."""
        document = {"context": self._context, "known": self._now}
        with contextlib.suppress(OSError, StoreError):
            disk = PrivateDisk()
            disk.make_folder(self._path.parent)
            disk.write(self._path, json.dumps(document).encode())
