"""Files as one block of bytes, to be sent to another machine, and back again."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.project.arrived_runs import safe_parts

_DATE = (1980, 1, 1, 0, 0, 0)
_COMPRESSED = frozenset((".png", ".jpg", ".jpeg", ".webp", ".mkv", ".mp4"))
_MOST_BYTES = 4 << 30


@dataclass(frozen=True, slots=True)
class FileBundle:
    """Files and a digest: equal files have an equal digest."""

    digest: str
    data: bytes


def pack(folder: Path, files: Iterable[Path]) -> FileBundle:
    """Pack files below ``folder``. Raises OSError; one that was deleted meanwhile is left out."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path in sorted(files):
            try:
                data = path.read_bytes()
            except FileNotFoundError:
                continue
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), _DATE)
            is_compressed = path.suffix.lower() in _COMPRESSED
            entry.compress_type = zipfile.ZIP_STORED if is_compressed else zipfile.ZIP_DEFLATED
            archive.writestr(entry, data, compresslevel=1)
    data = out.getvalue()
    return FileBundle(hashlib.sha256(data).hexdigest(), data)


def unpack(data: bytes) -> dict[str, bytes]:
    """The files by their names. Raises UserError for what :func:`pack` never makes."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if sum(entry.file_size for entry in entries) > _MOST_BYTES:
                raise _damaged(_("it unpacks to more than {size} GB", size=_MOST_BYTES >> 30))
            return {"/".join(safe_parts(entry.filename)): archive.read(entry) for entry in entries}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise _damaged(str(error)) from None


def _damaged(why: str) -> UserError:
    return UserError(_("The files that arrived cannot be read"), why)
