"""Store a run that another machine recorded: built beside the trajectories and moved into place whole."""

from __future__ import annotations

import dataclasses
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath

from collector.model.episode import Episode
from collector.model.i18n import _
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.store.files import format_versions as versions
from collector.store.files import lock
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged, write_error
from collector.store.files.layout import HEADER
from collector.store.files.names import folder_name
from collector.store.files.project_version import raise_version_around
from collector.store.project.project import Project
from collector.store.project.runs import is_run_id_taken, run_id
from collector.store.trajectory import codec
from collector.store.trajectory.reader import read_header


def add_arrived_run(project: Project, files: Mapping[str, bytes]) -> TrajectoryHeader:
    """Store the files of a run, by their names in its folder, and return its header as it is stored.

    A run whose id the project has already gets the next attempt that is free. Raises StoreError; nothing is
    stored then.
    """
    project.require_writable()
    staging = project.paths.import_folder / f"arrived-{secrets.token_hex(4)}"
    disk = Disk()
    try:
        _write(disk, staging, files)
        header = read_header(staging)
        if header.kind != RUN or project.task(header.task_id) is None:
            raise Damaged(_("What arrived is no run of a task of this project"), header.id)
        place = project.paths.trajectories_of(header.task_id)
        raise_version_around(place, disk)
        disk.make_folder(place)
        with lock.held_for_a_moment(project.paths.run_lock):
            named = _with_free_id(project, header)
            if named != header:
                document = versions.TRAJECTORY.stamp(codec.header_to_document(named))
                disk.write(staging / HEADER, codec.dump_document(document))
            disk.move(staging, place / folder_name(named.id))
        return named
    except OSError as error:
        raise write_error(project.paths.trajectories, error) from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _write(disk: Disk, staging: Path, files: Mapping[str, bytes]) -> None:
    by_folder: dict[Path, dict[Path, bytes]] = {}
    for name, data in files.items():
        path = staging.joinpath(*safe_parts(name))
        by_folder.setdefault(path.parent, {})[path] = data
    for folder, contents in by_folder.items():
        disk.make_folder(folder)
        disk.write_all(contents)


def safe_parts(name: str) -> tuple[str, ...]:
    """The parts of a relative name of a file. Raises Damaged for one that leads elsewhere."""
    parts = PurePosixPath(name).parts
    windows = PureWindowsPath(name)
    leads_away = windows.drive or windows.root or ".." in (*parts, *windows.parts)
    if not parts or leads_away or "\0" in name:
        raise Damaged(_("What arrived has a file with an unsafe name: {name}", name=repr(name)))
    return parts


def _with_free_id(project: Project, header: TrajectoryHeader) -> TrajectoryHeader:
    named = header
    while is_run_id_taken(project, named.id):
        episode = named.episode or Episode()
        episode = dataclasses.replace(episode, attempt=(episode.attempt or 0) + 1)
        named = dataclasses.replace(named, id=run_id(named.task_id, episode), episode=episode)
    return named
