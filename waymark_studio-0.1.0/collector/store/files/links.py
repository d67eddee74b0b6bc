"""Keep what is read and written inside its folder: no symbolic link that leads out of it is followed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from collector.model.i18n import _
from collector.store.files.errors import UnsafePath
from collector.store.files.readable_path import ReadablePath


def leads_outside(path: Path, folder: Path) -> bool:
    """Whether ``path`` is a link whose target lies outside ``folder``, or that has no target."""
    if not path.is_symlink():
        return False
    try:
        return not path.resolve(strict=True).is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # to nowhere, or to itself
        return True


def folders_in(parent: Path, folder: Path) -> Iterator[str]:
    """Paths of the folders in ``parent``, hidden ones and links out of ``folder`` left out, in no order."""
    if not parent.is_dir() or leads_outside(parent, folder):
        return
    try:
        entries = os.scandir(parent)
    except FileNotFoundError:  # deleted since the question above
        return
    with entries:
        for entry in entries:
            if entry.name.startswith(".") or not entry.is_dir():
                continue
            if not entry.is_symlink() or not leads_outside(Path(entry.path), folder):
                yield entry.path


def refuse_link(path: ReadablePath) -> None:
    """Raise UnsafePath when a file of a trajectory, or one that is written, is a link."""
    if isinstance(path, Path) and path.is_symlink():
        raise link_refused(path)


def refuse_links_outside(folder: Path, paths: Iterable[Path]) -> None:
    """Raise UnsafePath for the first of ``paths`` that is a link out of ``folder``."""
    for path in paths:
        if leads_outside(path, folder):
            raise link_refused(path, path.relative_to(folder).as_posix())


def link_refused(path: Path, name: str = "") -> UnsafePath:
    """The error that names a link and where it leads; nothing was read or written there."""
    return UnsafePath(
        _("{name} is a link and is not followed", name=name or path.name),
        _("it leads to {target}", target=_target(path)),
        _("Replace the link with the file or folder itself"),
    )


def _target(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:
        return "?"
