"""Delete, restore, rename and duplicate whole trajectories; every change can be undone.

A deleted trajectory is moved to the project's trash, from where it can be restored at any time.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from collector.model.message import _
from collector.store.files import format_versions as versions
from collector.store.files import lock
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged, Locked, NotFound, StoreError, write_error
from collector.store.files.layout import HEADER, is_trajectory
from collector.store.files.names import folder_name, new_id
from collector.store.files.part_files import TEMPORARY_PREFIX
from collector.store.files.project_version import raise_version_around
from collector.store.project.project import Project
from collector.store.trajectory import codec, trajectory_files
from collector.store.trajectory.read_only_runs import require_editable
from collector.store.trajectory.reader import read_header
from collector.store.trajectory.reviews.person_reviews import remove_reviews


@dataclass(frozen=True, slots=True)
class TrajectoryChange:
    """A trajectory that was moved. Moving it back, under its id before, undoes the change.

    For a duplicate ``before`` is the place in the trash that undoing moves it to.
    """

    title: str
    """What undo names, as in ``delete trajectory 20260412-093015-7f3a``."""
    before: Path
    after: Path
    id_before: str
    id_after: str

    @property
    def reversed(self) -> TrajectoryChange:
        """The change that undoes this one."""
        return TrajectoryChange(self.title, self.after, self.before, self.id_after, self.id_before)


def delete_trajectory(project: Project, folder: Path) -> TrajectoryChange:
    """Move a trajectory to the trash. Raises StoreError, and Locked while a program writes to it."""
    project.require_writable()
    require_own(project, folder)
    if project.paths.trash.is_symlink():
        raise StoreError(
            _("The trash of the project is a link"), _("it leads to another folder"), _("Remove the link")
        )
    place = free_place(project.paths.trash_of(folder.parent.name) / folder.name)
    title = _("delete trajectory {id}", id=folder.name)
    return apply_change(TrajectoryChange(title, folder, place, folder.name, folder.name))


def restore_trajectory(project: Project, reference: str) -> Path:
    """Move a trajectory, named by its id or by ``task/id``, back from the trash. Raises NotFound."""
    project.require_writable()
    trashed = [
        folder
        for folder in trashed_trajectories(project)
        if reference in (folder.name, _read_id(folder), f"{folder.parent.name}/{folder.name}")
    ]
    if len(trashed) != 1:
        why = _("the trash has several of that name") if trashed else _("the trash has none of that name")
        to_do = _("Name it as task/id: {known}", known=", ".join(_trash_names(project))) if trashed else ""
        raise NotFound(_("{reference!r} cannot be restored", reference=reference), why, to_do)
    folder, trajectory_id = trashed[0], _read_id(trashed[0])
    place = project.paths.trajectories / folder.parent.name / folder_name(trajectory_id)
    apply_change(TrajectoryChange("", folder, place, trajectory_id, trajectory_id))
    return place


def trashed_trajectories(project: Project) -> list[Path]:
    """The folders in the trash, in order of task and name."""
    folders = sorted(project.paths.trash.glob("*/*")) if project.paths.trash.is_dir() else []
    return [folder for folder in folders if folder.is_dir() and not folder.is_symlink()]


def empty_trash(project: Project) -> int:
    """Delete what is in the trash for good, and return how many trajectories that were."""
    count = len(trashed_trajectories(project))
    trash = project.paths.trash
    if trash.is_symlink() or not trash.is_dir():
        return 0
    try:
        shutil.rmtree(trash)
    except OSError as error:
        raise write_error(trash, error) from error
    return count


def rename_trajectory(project: Project, folder: Path, trajectory_id: str) -> TrajectoryChange:
    """Give a trajectory another id, which names its folder. Raises StoreError.

    A run keeps its id, which names its cell.
    """
    project.require_writable()
    require_own(project, folder)
    place = folder.parent / _require_free_id(project, trajectory_id)
    before = _read_id(folder)
    require_editable(read_header(folder))
    title = _("rename trajectory {id}", id=before)
    return apply_change(TrajectoryChange(title, folder, place, before, trajectory_id))


def duplicate_trajectory(
    project: Project, folder: Path, trajectory_id: str = "", *, with_reviews: bool = True
) -> TrajectoryChange:
    """Add a copy of a trajectory with all its files, under ``trajectory_id`` or a new id. Raises StoreError.

    Without reviews it lacks the verdicts of people and what makes their reviews; labels and comments stay.

    Of a run there is no copy: its id names its cell, and every count would include it twice.
    """
    project.require_writable()
    require_own(project, folder)
    require_editable(read_header(folder))
    _require_idle(folder)
    trajectory_id = trajectory_id or new_id()
    place = folder.parent / _require_free_id(project, trajectory_id)
    staging = free_place(project.paths.import_folder / place.name)
    disk = Disk()
    raise_version_around(place, disk)
    disk.make_folder(staging.parent)
    left_out = shutil.ignore_patterns(lock.LOCK_NAME, f"{TEMPORARY_PREFIX}*")
    try:
        # Links are copied as links: nothing outside the trajectory is read.
        shutil.copytree(folder, staging, symlinks=True, ignore=left_out)
        _write_id(disk, staging, trajectory_id)
        if not with_reviews:
            remove_reviews(staging)
        disk.move(staging, place)
    except OSError as error:
        raise write_error(place, error) from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    trash = project.paths.trash_of(folder.parent.name) / place.name
    title = _("duplicate trajectory {id}", id=_read_id(folder))
    return TrajectoryChange(title, trash, place, trajectory_id, trajectory_id)


def apply_change(change: TrajectoryChange) -> TrajectoryChange:
    """Move the trajectory of a change; ``change.reversed`` undoes it. Raises StoreError."""
    if not is_trajectory(change.before):
        raise NotFound(
            _("The trajectory {id} is not there any more", id=change.id_before),
            _("another program moved or deleted it"),
        )
    if os.path.lexists(change.after):
        raise StoreError(
            _("There is a trajectory {id} already", id=change.id_after), "", _("Rename that one first")
        )
    _require_idle(change.before)
    disk = Disk()
    if change.id_before != change.id_after:
        raise_version_around(change.before, disk)
    disk.make_folder(change.after.parent)
    disk.move(change.before, change.after)
    if change.id_before != change.id_after:
        _write_id(disk, change.after, change.id_after)
    if change.before.parent.is_dir() and not any(change.before.parent.iterdir()):
        change.before.parent.rmdir()
    return change


def require_own(project: Project, folder: Path) -> None:
    """Refuse folders that are not trajectories of the project, such as links that lead outside."""
    trajectories = project.paths.trajectories.resolve()
    if folder.is_symlink() or folder.resolve().parent.parent != trajectories or not is_trajectory(folder):
        raise StoreError(
            _("{name} is not a trajectory of this project", name=folder.name),
            _("only a folder in {place} can be changed", place=project.paths.trajectories),
        )


def _require_idle(folder: Path) -> None:
    if lock.is_live(folder):
        raise Locked(
            _("{name} is being recorded or edited", name=folder.name),
            _("a Waymark Studio has it open for writing"),
            _("Finish the recording, or close it there"),
        )


def _require_free_id(project: Project, trajectory_id: str) -> str:
    """Return the folder's name of a new id."""
    name = folder_name(trajectory_id)
    if not trajectory_id.strip() or name != trajectory_id:
        raise StoreError(
            _("{id!r} cannot be the id of a trajectory", id=trajectory_id),
            _("it names a folder"),
            _("Use letters, digits, dots and dashes"),
        )
    taken = {folder.name.casefold() for folder in project.trajectory_folders()}
    if name.casefold() in taken:
        raise StoreError(
            _("There is a trajectory {id} already", id=trajectory_id), "", _("Choose another name")
        )
    return name


def free_place(place: Path) -> Path:
    """``place``, or the first of ``place-2``, ``place-3`` ... that does not exist."""
    number, free = 1, place
    while os.path.lexists(free):
        number += 1
        free = place.with_name(f"{place.name}-{number}")
    return free


def _read_id(folder: Path) -> str:
    try:
        return codec.header_from_document(trajectory_files.read_header(folder)).id
    except (Damaged, ValueError):
        return folder.name


def _write_id(disk: Disk, folder: Path, trajectory_id: str) -> None:
    header = codec.header_from_document(trajectory_files.read_header(folder))
    document = codec.header_to_document(dataclasses.replace(header, id=trajectory_id))
    disk.write(folder / HEADER, codec.dump_document(versions.TRAJECTORY.stamp(document)))


def _trash_names(project: Project) -> list[str]:
    return [f"{folder.parent.name}/{folder.name}" for folder in trashed_trajectories(project)]
