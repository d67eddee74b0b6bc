"""Raise the version of a project before the first file of that version is written into it.

An older program then refuses the project as a whole, with one sentence, and not file by file.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from collector.store.files import format_versions as versions
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged, NotFound
from collector.store.files.layout import ProjectPaths, project_around

_SETTLED_NS = 2_000_000_000
"""A file that changed so recently may change again without another time: it is read each time."""
_newest: dict[Path, tuple[int, ...]] = {}
"""The settings files that were found to be of the newest version, each as it was then."""
_settings_of: dict[str, Path] = {}
"""The settings of the project around what lies in a folder: thousands are written beside each other."""


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
    beside = os.path.abspath(path.parent)  # noqa: PTH100 - no link is looked up
    known = _settings_of.get(beside)
    if known is not None and _is_newest(known, _stamp(known)):
        return
    folder = project_around(path)
    if folder is None:
        return
    settings = _settings_of[beside] = ProjectPaths(folder).settings
    stamp = _stamp(settings)
    if _is_newest(settings, stamp):
        return
    try:
        if not raise_version(settings, disk) and stamp is not None:
            _newest[settings] = stamp
    except (Damaged, NotFound):
        return


def _is_newest(settings: Path, stamp: tuple[int, ...] | None) -> bool:
    """Whether settings with that stamp were found to be of the newest version."""
    return stamp is not None and _newest.get(settings) == stamp


def _stamp(path: Path) -> tuple[int, ...] | None:
    """What changes with every change of a file; None for one that changed just now, or is not there."""
    try:
        status = path.stat()
    except OSError:
        return None
    if max(status.st_mtime_ns, status.st_ctime_ns) > time.time_ns() - _SETTLED_NS:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
