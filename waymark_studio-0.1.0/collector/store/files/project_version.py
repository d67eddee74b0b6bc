"""Raise the version of a project before the first file of that version is written into it.

An older program then refuses the project as a whole, with one sentence, and not file by file.
"""

from __future__ import annotations

from pathlib import Path

from collector.store.files import format_versions as versions
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged, NotFound
from collector.store.files.layout import ProjectPaths, project_around


def raise_version(settings: Path, disk: Disk) -> bool:
    """Write the newest version into a ``project.yaml``, comments kept; return whether it was older.

    Raises StoreError; the file is whole or unchanged.
    """
    from collector.store.files import yaml_files  # loads YAML, which whoever reads alone does not need
    from collector.store.files.project_settings import read_settings

    if read_settings(settings)["version"] == versions.PROJECT.version:
        return False
    yaml_files.write(settings, {**yaml_files.load(settings), "version": versions.PROJECT.version}, disk)
    return True


def raise_version_around(path: Path, disk: Disk) -> None:
    """Raise the version of the project that ``path`` lies in; call it before a file at ``path`` is written.

    Nothing happens outside a project, or when ``project.yaml`` is damaged: no version opens that one.
    Raises FromTheFuture, and StoreError when the file cannot be written.
    """
    folder = project_around(path)
    if folder is None:
        return
    try:
        raise_version(ProjectPaths(folder).settings, disk)
    except (Damaged, NotFound):
        return
