"""Find the folders of trajectories by name, without opening the project: nothing of it is read."""

from __future__ import annotations

import os
from pathlib import Path

from collector.model.i18n import _
from collector.store.files.errors import NotFound
from collector.store.files.layout import HEADER, ProjectPaths, is_trajectory
from collector.store.files.links import folders_in, leads_outside, refuse_links_outside


def find_trajectory(project: Path, reference: str) -> Path:
    """The folder of a trajectory named by id, by ``task/id`` or by path. Raises NotFound or UnsafePath.

    ``project`` is the project's folder.
    """
    folders = _folders_named(project, reference)
    as_path = Path(reference)
    if not folders and is_trajectory(as_path):
        return as_path
    if len(folders) == 1:
        return folders[0]
    if folders:
        raise NotFound(
            _("{reference!r} names several trajectories", reference=reference),
            _("{count} tasks have one of that name", count=len(folders)),
            _("Name it as task/id"),
        )
    raise NotFound(
        _("There is no trajectory {reference!r}", reference=reference),
        "",
        _("`waymark trajectory list` shows what there is"),
    )


def _folders_named(project: Path, reference: str) -> list[Path]:
    """Folders of the trajectories that an id or ``task/id`` names; no other is looked at."""
    parts = reference.split("/")
    if len(parts) > 2 or any(not part or part.startswith(".") or "\\" in part for part in parts):
        return []
    root = ProjectPaths(project).trajectories
    refuse_links_outside(project, [root])
    task_folders = [str(root / parts[0])] if len(parts) == 2 else sorted(folders_in(root, project))
    # Strings: a project has hundreds of tasks, and a Path takes as long to build as a file to look up.
    headers = (f"{folder}{os.sep}{parts[-1]}{os.sep}{HEADER}" for folder in task_folders)
    folders = [Path(header).parent for header in headers if os.path.isfile(header)]  # noqa: PTH113
    return [
        folder
        for folder in folders
        if not leads_outside(folder, project) and not leads_outside(folder.parent, project)
    ]
