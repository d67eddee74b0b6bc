"""The lock for the one writer of a folder. The system releases it when the holder dies.

The note in it tells people who writes, and tells a lock of another machine on a shared folder from our own.
"""

from __future__ import annotations

import contextlib
import logging
import os
import platform
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Self

from collector.host.file_lock import (
    PATIENCE_S,
    is_locked,
    names_file,
    own_note,
    read_note,
    remove_locked,
    system_lock,
    try_lock,
    write_note,
)
from collector.model.i18n import _
from collector.store.files.errors import Locked, write_error
from collector.store.files.links import refuse_link

LOCK_NAME = ".lock"
_LONGEST_CHANGE_S = 10.0
_log = logging.getLogger(__name__)


class Lock:
    """A held lock; :meth:`release` it, or use it as a context."""

    def __init__(self, path: Path, file: IO[bytes], former: dict[str, Any]) -> None:
        """``former`` is the note of a holder that ended without letting go, or empty."""
        self.path = path
        self._file: IO[bytes] | None = file
        self._former = former

    def release(self) -> None:
        """Let go: nobody holds the folder any more, and nothing is unfinished in it."""
        if self._file is None:
            return
        # The note goes first: a lock file without a note is nobody's. One that cannot be removed stays empty.
        with contextlib.suppress(OSError):
            self._file.truncate(0)
        remove_locked(self.path, self._file)
        self._close(self._file)

    def restore(self) -> None:
        """Let go as if the lock had not been acquired: what its former holder left is still unfinished."""
        if self._file is None or not self._former:
            self.release()
            return
        with contextlib.suppress(OSError):
            write_note(self._file, self._former)
        self._close(self._file)

    def _close(self, file: IO[bytes]) -> None:
        file.close()
        self._file = None
        _touch(self.path.parent)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        self.release()


def acquire(folder: Path, *, take_over: bool = False) -> Lock:
    """Become the writer of ``folder``.

    Raises :class:`Locked` while another writer lives, and also, with ``stale`` set, when
    the last one died without letting go, unless ``take_over`` says to go on in its place.
    """
    path = folder / LOCK_NAME
    while True:
        file = _opened(path)
        held = _held(folder, path, file, take_over=take_over)
        if held is not None:
            return held


def _opened(path: Path) -> IO[bytes]:
    """The lock file, made when there is none."""
    while True:
        refuse_link(path)
        try:
            return path.open("r+b" if path.exists() else "x+b", buffering=0)
        except OSError as error:
            # Made or removed between the question and the answer.
            if not isinstance(error, FileExistsError | FileNotFoundError) or not path.parent.is_dir():
                raise write_error(path, error) from error


def _held(folder: Path, path: Path, file: IO[bytes], *, take_over: bool) -> Lock | None:
    """The lock of an open file; None when the file was removed by the one who let go of it just now."""
    try:
        holder = read_note(file)
        if not try_lock(file):
            raise _locked(folder, holder)
        if not names_file(path, file):
            file.close()
            return None
        # The note is only sure once the lock is held: its former holder may just have let go.
        holder = read_note(file)
        if holder and not take_over:
            raise _stale(folder, holder)
        write_note(file, own_note())
    except OSError as error:
        file.close()
        raise write_error(path, error) from error
    except Locked:
        file.close()
        raise
    _touch(folder)
    return Lock(path, file, holder)


@contextlib.contextmanager
def held_for_a_moment(path: Path) -> Iterator[None]:
    """Hold the lock file ``path`` during a short change that other processes make too, one after another.

    A file system without locks is written without one: saving matters more. Raises :class:`Locked` when
    another process holds it for longer than any such change takes.
    """
    refuse_link(path)
    try:
        path.parent.mkdir(exist_ok=True)
        file = path.open("ab", buffering=0)
    except OSError as error:
        _log.info("%s cannot be opened, so nothing is locked: %s", path.name, error)
        yield
        return
    with file:
        _await_lock(file, path)
        yield


def _await_lock(file: IO[bytes], path: Path) -> None:
    end = time.monotonic() + _LONGEST_CHANGE_S
    try:
        while not system_lock(file):
            if time.monotonic() > end:
                raise Locked(
                    _("{name} is in use by another program", name=path.name),
                    _("it has not let go for {seconds} seconds", seconds=round(_LONGEST_CHANGE_S)),
                    _("Close that program, or try again"),
                )
            time.sleep(PATIENCE_S)
    except OSError as error:
        _log.info("%s cannot be locked: %s", path.name, error)


def holder_of(folder: Path) -> dict[str, Any] | None:
    """The note of the process that holds or held the lock of ``folder``; None when there is none."""
    path = folder / LOCK_NAME
    if path.is_symlink():  # nobody's: this program never makes one
        return None
    try:
        if not path.stat().st_size:  # let go; of thousands of trajectories none is opened
            return None
        with path.open("rb", buffering=0) as file:
            return read_note(file) or None
    except OSError:
        return None


def is_own(folder: Path) -> bool:
    """Whether the holder of the lock of ``folder`` is, or was, this process."""
    holder = holder_of(folder) or {}
    return holder.get("pid") == os.getpid() and holder.get("host") == platform.node()


def is_live(folder: Path) -> bool:
    """Whether a writer holds ``folder`` right now, as far as this machine can tell."""
    path = folder / LOCK_NAME
    if path.is_symlink():
        return False
    try:
        with path.open("r+b", buffering=0) as file:
            return is_locked(file)
    except OSError:
        return False


def _touch(folder: Path) -> None:
    """Tell by the folder's time that a writer came or went: the catalogue looks at nothing else first."""
    with contextlib.suppress(OSError):
        os.utime(folder)


def _locked(folder: Path, holder: dict[str, Any]) -> Locked:
    return Locked(
        _("{name} is being written by another Waymark Studio", name=folder.name),
        _("process {pid} on {host} holds it", pid=holder.get("pid", "?"), host=holder.get("host", "?")),
        _("Close it there, or open it for reading only"),
    )


def _stale(folder: Path, holder: dict[str, Any]) -> Locked:
    elsewhere = holder.get("host") != platform.node()
    why = (
        _("process {pid} on {host} has not let go of it", pid=holder.get("pid"), host=holder.get("host"))
        if elsewhere
        else _("the program that wrote it, process {pid}, ended without closing it", pid=holder.get("pid"))
    )
    to_do = (
        _("Take it over only if no other program writes there")
        if elsewhere
        else _("Recover it to continue; everything saved is kept")
    )
    return Locked(_("{name} was left open", name=folder.name), why, to_do, stale=True)
