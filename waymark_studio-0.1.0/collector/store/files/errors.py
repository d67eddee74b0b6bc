"""Errors of the store, as sentences a person can act on.

StoreError
+-- NotFound        no project or trajectory there
+-- Locked          somebody else writes there (or did, and died: ``stale``)
+-- Damaged         the bytes are not what was written
+-- FromTheFuture   a later Waymark wrote it
+-- DiskFull        no room, quota or file-size limit
+-- ReadOnly        this account may only read there
+-- WriteFailed     the system refused for another reason
+-- UnsafePath      a name that would leave its folder
"""

# ruff: noqa: N818 - the names read as states of a folder, as those of the device layer do of a phone

from __future__ import annotations

import errno
from pathlib import Path

from collector.model.errors import UserError
from collector.model.i18n import _

_NO_ROOM = frozenset(
    code for name in ("ENOSPC", "EDQUOT", "EFBIG") if (code := getattr(errno, name, None)) is not None
)
_NO_PERMISSION = frozenset((errno.EACCES, errno.EPERM, errno.EROFS))


class StoreError(UserError):
    """Base of all errors of the store."""


class NotFound(StoreError):
    """There is no project or trajectory at this place."""


class Locked(StoreError):
    """Another writer holds the folder; when ``stale`` it is gone and its lock may be taken over."""

    def __init__(self, what: str, why: str = "", to_do: str = "", *, stale: bool = False) -> None:
        super().__init__(what, why, to_do)
        self.stale = stale


class Damaged(StoreError):
    """A file does not hold what its format promises."""


class FromTheFuture(StoreError):
    """A later version wrote the file; guessing at it could lose what it says."""


class DiskFull(StoreError):
    """The disk is full; everything saved before is unchanged."""


class ReadOnly(StoreError):
    """This account may only read there."""


class WriteFailed(StoreError):
    """The system refused to write for another reason than room."""


class UnsafePath(StoreError):
    """A name in a file points outside the folder it belongs to."""


def write_error(path: Path, error: OSError) -> StoreError:
    """The sentence for a failed write of ``path``."""
    if error.errno in _NO_ROOM:
        return DiskFull(
            _("{name} could not be saved", name=path.name),
            _("there is no room left on the disk"),
            _("Free some space and try again; everything saved before is safe"),
        )
    if error.errno in _NO_PERMISSION:
        return ReadOnly(
            _("{name} could not be saved", name=path.name),
            _("this account may only read in {folder}", folder=path.parent),
            _("Change the permissions of the folder, or copy it and open the copy"),
        )
    return WriteFailed(
        _("{name} could not be saved", name=path.name),
        error.strerror or str(error),
        _("Check that {folder} can be written to", folder=path.parent),
    )
