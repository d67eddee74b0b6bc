"""Safe folder names for every system, ids, and paths that stay inside their folder."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import re
import secrets
import stat
import unicodedata
from functools import lru_cache
from pathlib import Path, PurePosixPath

from collector.model.i18n import _
from collector.store.files.errors import UnsafePath

MAX_NAME_BYTES = 120
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]')
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")


def folder_name(name: str) -> str:
    """A folder name for any text: itself when safe everywhere, otherwise cleaned and marked with a digest.

    The digest keeps two texts that clean to the same name apart.
    """
    clean = _FORBIDDEN.sub("_", unicodedata.normalize("NFC", name)).strip(" .")
    if _RESERVED.fullmatch(clean):
        clean = f"_{clean}"
    short = clean.encode(errors="replace")[:MAX_NAME_BYTES].decode(errors="ignore").rstrip(" .")
    if short and short == name and not short.startswith((".", "~")):
        return short
    digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:8]
    return f"{short.lstrip('.~') or 'unnamed'}~{digest}"


def new_id(kind: str = "") -> str:
    """An id for a trajectory that sorts by time: ``20260412-093015-7f3a``, UTC."""
    now = dt.datetime.now(dt.UTC)
    return "-".join(part for part in (kind, now.strftime("%Y%m%d-%H%M%S"), secrets.token_hex(2)) if part)


def inside(folder: Path, name: str) -> Path:
    """``folder / name`` if that stays inside; raise :class:`UnsafePath` otherwise.

    Names in files use forward slashes. Links that lead outside are refused too.
    """
    path = folder.joinpath(*safe_parts(name, folder.name))
    if _is_linkless_below(os.fspath(folder), os.fspath(path)):
        return path
    real, whole = (os.path.normcase(os.path.realpath(place)) for place in (path, folder))
    if not f"{real}{os.sep}".startswith(f"{whole.rstrip(os.sep)}{os.sep}"):
        raise _outside(name, folder.name)
    return path


def _is_linkless_below(folder: str, path: str) -> bool:
    """Whether a path lies in a folder by its text, and no part of it after the folder is a link.

    Looks at these parts alone: long trajectories ask for tens of thousands of files, of which each costs a
    look at every parent when its real path is computed.
    """
    below = path.removeprefix(f"{folder}{os.sep}")
    if below == path:
        return False
    place = folder
    try:
        for part in below.split(os.sep):  # noqa: PTH206 - quick, as above
            place = f"{place}{os.sep}{part}"
            found = os.lstat(place)
            # On Windows a junction is no link, but has a tag.
            if stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", False):
                return False
    except (OSError, ValueError):
        return False
    return True


def safe_parts(name: str, folder: str) -> tuple[str, ...]:
    """The parts of a name that a file gives for another one; raise :class:`UnsafePath` when they lead out.

    ``folder`` is the folder's name, for the error.
    """
    parts = _safe_parts(name)
    if not parts:
        raise _outside(name, folder)
    return parts


@lru_cache(maxsize=4096)
def _safe_parts(name: str) -> tuple[str, ...]:
    """The parts of a name; none when it leads out. Trajectories share most of the names of their files."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or name.startswith(("/", "\\")) or ".." in parts or "\x00" in name or ":" in parts[0]:
        return ()
    try:
        os.fsencode(name)  # half of a character that needs two names no file
    except UnicodeEncodeError:
        return ()
    return parts


def _outside(name: str, folder: str) -> UnsafePath:
    return UnsafePath(
        _("{name!r} is not a file of {folder}", name=name, folder=folder),
        _("the name leads outside the folder"),
        _("The folder was made by something else or was tampered with"),
    )
