"""Move several trajectories of a project as one change: a crash in the middle is made good later.

What is to be moved is first written to ``.trash/moves.json``, the commit point; then the folders are moved
one by one, and the file is removed. :func:`finish_moves` carries out what a crash left there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from collector.model.i18n import _
from collector.store.files import format_versions as versions
from collector.store.files import lock
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged, Locked, NotFound, StoreError
from collector.store.files.names import inside
from collector.store.project.project import Project
from collector.store.trajectory import codec, trajectory_files

Move = tuple[Path, Path]
"""Where a trajectory's folder is, and where it goes; both in the project."""
_MOVES = "moves.json"


@contextmanager
def moving(project: Project) -> Iterator[None]:
    """Hold the lock of moves: they are made by one program at a time, after those that a crash left."""
    project.require_writable()
    with lock.held_for_a_moment(project.paths.move_lock):
        _carry_out(project)
        yield


def move_trajectories(project: Project, moves: Sequence[Move]) -> None:
    """Move trajectories, all or, after a crash, once :func:`finish_moves` is called. Within :func:`moving`.

    Raises NotFound, StoreError when something is in the way, and Locked while one is written to; then nothing
    was moved.
    """
    for before, after in moves:
        if not before.is_dir():
            raise NotFound(
                _("The trajectory {id} is not there any more", id=before.name),
                _("another program moved or deleted it"),
            )
        if os.path.lexists(after):
            raise StoreError(
                _("There is a trajectory {id} already", id=after.name), "", _("Rename that one first")
            )
        if lock.is_live(before):
            raise Locked(
                _("{name} is being recorded or edited", name=before.name),
                _("a Waymark Studio has it open for writing"),
                _("Finish the recording, or close it there"),
            )
    disk, path = Disk(), project.paths.trash / _MOVES
    disk.make_folder(path.parent)
    listed = [[project.paths.relative(before), project.paths.relative(after)] for before, after in moves]
    disk.write(path, codec.dump_document(versions.MOVES.stamp({"moves": listed})))
    _carry_out(project, disk)


def are_pending(project: Project) -> bool:
    """Whether moves were cut short, so that what they need is to stay."""
    return (project.paths.trash / _MOVES).is_file()


def finish_moves(project: Project) -> bool:
    """Carry out moves that a crash cut short; returns whether there were any."""
    if not are_pending(project):
        return False
    with moving(project):
        return True


def _carry_out(project: Project, disk: Disk | None = None) -> None:
    path, disk = project.paths.trash / _MOVES, disk or Disk()
    if not path.is_file():
        return
    for before, after in _moves_in(project, path):
        if not before.is_dir() and not after.is_dir():
            break  # somebody removed it meanwhile: what was made of the rest stays where it is
        # A folder that is not there was moved before the crash.
        if not os.path.lexists(after):
            disk.make_folder(after.parent)
            disk.move(before, after)
            if not any(before.parent.iterdir()):
                before.parent.rmdir()
    disk.remove(path)


def _moves_in(project: Project, path: Path) -> list[Move]:
    document: dict[str, Any] = versions.MOVES.upgrade(trajectory_files.read_document(path), path.name)
    try:
        return [
            (inside(project.folder, str(before)), inside(project.folder, str(after)))
            for before, after in document["moves"]
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise Damaged(_("{name} cannot be read", name=path.name), str(error)) from None
