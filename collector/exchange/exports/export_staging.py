"""The hidden folder beside a target in which an export is built, until it is whole.

An export that was killed leaves it. The same export goes on in it, another one to the same target begins it
anew, and ``waymark project check`` names it. "The same" has one identity: format, selection, options, split,
and the state of every file of the project that it reads.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from collector.exchange.errors import ExchangeError
from collector.exchange.exports.export_journal import ExportJournal, remove
from collector.exchange.exports.exported_part import ExportedPart
from collector.host import file_moves
from collector.host.file_lock import HeldFile, boot_id, hold, holder, lock_path
from collector.model.i18n import _
from collector.store.files.lock import LOCK_NAME
from collector.store.project.project import Project

PREFIX = ".waymark-export-"
_IDENTITY, _JOURNAL, _CONTENT, _REPLACED = "identity", "journal.jsonl", "content", "replaced"


@dataclass(frozen=True, slots=True)
class ExportStaging:
    """Where an export is built."""

    folder: Path
    path: Path
    """Of the file or folder that is moved to the target."""
    journal: ExportJournal
    goes_on: bool
    """Whether an interrupted export left trajectories that are whole."""

    @property
    def replaced(self) -> Path:
        """Where what was at the target waits, while the export is moved there."""
        return self.folder / _REPLACED


@contextlib.contextmanager
def export_staging(project: Project, target: Path, identity: str) -> Iterator[ExportStaging]:
    """Where the export with this identity is built, held while the context is open.

    What is in it is removed in the end. Only after an error of the disk, and when the program was told to
    end, what is whole stays for the next time. Raises ExchangeError when another program exports there.
    """
    folder = staging_folder(target)
    held = _hold(folder)
    if held is None:
        raise ExchangeError(
            _("{name} is being written by another export", name=target.name),
            "",
            _("Wait until it is done, or name another file"),
        )
    stays = False
    pointer = _pointer(project, folder)
    try:
        _put_back(folder, target)
        _begin(folder, identity)
        _write_pointer(pointer, folder)
        with ExportJournal(folder / _JOURNAL, folder) as journal:
            try:
                yield ExportStaging(folder, folder / _CONTENT / target.name, journal, journal.has_any)
            except (OSError, KeyboardInterrupt, SystemExit):
                stays = journal.has_any
                raise
    finally:
        if not stays:
            remove(folder)
            remove(pointer)
        held.release()


def staging_folder(target: Path) -> Path:
    """The hidden folder of exports to a target; it is there while one runs, and where one can go on."""
    return target.with_name(PREFIX + hashlib.sha256(target.name.encode()).hexdigest()[:8])


def _hold(folder: Path) -> HeldFile | None:
    path = lock_path(folder.parent, folder.name)
    try:
        return hold(path, {})
    except OSError:  # a file system without locks
        return HeldFile(path, None)


def _put_back(folder: Path, target: Path) -> None:
    """Put back what was at the target, when a program was killed as it replaced that."""
    replaced = folder / _REPLACED
    if replaced.exists() and not target.exists():
        file_moves.rename(replaced, target)


def _begin(folder: Path, identity: str) -> None:
    """Keep what an interrupted export with this identity left, else begin with an empty folder."""
    known = folder / _IDENTITY
    if known.is_file() and not folder.is_symlink() and known.read_text("utf-8", "replace") == identity:
        with ExportJournal(folder / _JOURNAL, folder) as journal:
            if journal.has_any:
                return
    remove(folder)
    (folder / _CONTENT).mkdir(parents=True)
    known.write_text(identity, "utf-8", newline="\n")


def identity_of(part: ExportedPart, target: Path, *said: object) -> str:
    """What two exports have in common that may go on from each other, as a digest.

    That is everything in ``said``, and each file of the project that may be read: its time and its size. It
    holds until the machine is started again: what was on its way to the disk may be lost then.
    """
    project = part.project
    digest = hashlib.sha256()
    texts = [boot_id(), str(project.folder.resolve()), target.name, *map(repr, said)]
    digest.update("\0".join(texts).encode("utf-8", "replace"))
    for path in (project.folder, *project.paths.rule_files(), project.paths.library):
        digest.update(_stamp(path))
    for folder in part.folders():
        digest.update(_stamp(folder))
    return digest.hexdigest()


def _stamp(path: Path) -> bytes:
    """Names, times and sizes of what lies directly in a folder; of a file its own."""
    try:
        with os.scandir(path) as entries:
            own = sorted(
                (entry.name, entry.stat().st_mtime_ns, entry.stat().st_size)
                for entry in entries
                if entry.name != LOCK_NAME and entry.is_file()
            )
        return f"{path.name} {own}\n".encode("utf-8", "replace")
    except NotADirectoryError:
        status = path.stat()
        return f"{path.name} {status.st_mtime_ns} {status.st_size}\n".encode("utf-8", "replace")
    except OSError:
        return b"\n"


def _pointer(project: Project, folder: Path) -> Path:
    """The file in the project's cache that names the folder of an export."""
    name = hashlib.sha256(str(folder.absolute()).encode("utf-8", "replace")).hexdigest()[:16]
    return project.paths.export_folder / f"{name}.json"


def _write_pointer(pointer: Path, folder: Path) -> None:
    with contextlib.suppress(OSError):  # a cache that cannot be written costs a finding alone
        pointer.parent.mkdir(parents=True, exist_ok=True)
        pointer.write_text(json.dumps({"folder": str(folder.absolute())}), "utf-8", newline="\n")


def interrupted_exports(project: Project) -> Iterator[Path]:
    """The hidden folders that exports of this project left when they were interrupted."""
    for pointer in sorted(project.paths.export_folder.glob("*.json")):
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            folder = Path(json.loads(pointer.read_text("utf-8"))["folder"])
            if folder.name.startswith(PREFIX) and is_abandoned(folder):
                yield folder


def abandoned_beside(target: Path) -> Iterator[Path]:
    """The hidden folders of interrupted exports in the folder of ``target``."""
    for folder in sorted(target.absolute().parent.glob(f"{PREFIX}*")):
        if is_abandoned(folder):
            yield folder


def is_abandoned(folder: Path) -> bool:
    """Whether no running program writes this folder."""
    return folder.is_dir() and holder(lock_path(folder.parent, folder.name)) is None
