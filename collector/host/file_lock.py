"""Lock files that processes share. The system releases a lock when its process dies, however it dies.

The open file is locked, not its name, so a pid that was given to another process cannot keep the lock of a
dead one. A note in the file (pid, host, boot id, since) tells people who holds it.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import platform
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

# Windows forbids reading locked bytes, so the lock lies far behind the note.
_LOCKED_BYTE = 1 << 30
_ATTEMPTS = 5
PATIENCE_S = 0.01
"""Pause between two attempts to lock, in seconds."""
_LONGEST_NOTE = 4096
_SUFFIX = ".lock"


class HeldFile:
    """A lock file that this process holds until :meth:`release`, which removes it."""

    def __init__(self, path: Path, file: IO[bytes] | None) -> None:
        """Without a file nothing is locked, as on a disk that takes none."""
        self.path = path
        self._file = file

    def write(self, note: Mapping[str, Any]) -> None:
        """Replace the note that other processes read; pid, host and start stay in it."""
        if self._file is not None:
            write_note(self._file, own_note() | dict(note))

    def release(self) -> None:
        """Let go. May be called twice."""
        file, self._file = self._file, None
        if file is not None:
            remove_locked(self.path, file)


def remove_locked(path: Path, file: IO[bytes]) -> None:
    """Remove the lock file ``path``, which this process has open and locked, and close it."""
    # Removed while it is still locked: who locks the removed file next sees that, and opens a new one.
    # Windows removes no open file: it is closed first there, and stays when the next one has it open already.
    if sys.platform == "win32":
        file.close()
    with contextlib.suppress(OSError):
        path.unlink()
    file.close()


def hold(path: Path, note: Mapping[str, Any]) -> HeldFile | None:
    """Create and lock the file ``path``, with a note; None while somebody else holds it. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0)
        try:
            if not try_lock(file):
                file.close()
                return None
            if names_file(path, file):
                held = HeldFile(path, file)
                held.write(note)
                return held
        except OSError:
            file.close()
            raise
        file.close()


def holder(path: Path) -> dict[str, Any] | None:
    """The note of the process that holds the file ``path`` now; None when none does."""
    try:
        with path.open("r+b", buffering=0) as file:
            return read_note(file) if is_locked(file) else None
    except OSError:
        return None


def holders(folder: Path) -> Iterator[dict[str, Any]]:
    """The notes of all lock files of ``folder`` that are held now; remove those whose process died."""
    for path in sorted(folder.glob(f"*{_SUFFIX}")):
        note = holder(path)
        if note is not None:
            yield note
            continue
        with contextlib.suppress(OSError):
            left = hold(path, {})
            if left is not None:
                left.release()


def lock_path(folder: Path, name: str) -> Path:
    """The lock file of ``name``, a safe file name, in ``folder``."""
    return folder / f"{name}{_SUFFIX}"


def names_file(path: Path, file: IO[bytes]) -> bool:
    """Whether ``path`` still names the open file, which its last holder may just have removed."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def try_lock(file: IO[bytes]) -> bool:
    """Try to lock for a moment: another process may be testing just now whether the holder lives."""
    for _attempt in range(_ATTEMPTS):
        if system_lock(file):
            return True
        time.sleep(PATIENCE_S)
    return False


def read_note(file: IO[bytes]) -> dict[str, Any]:
    """The note in a lock file; empty when nobody holds it. Question marks stand in a damaged one."""
    file.seek(0)
    try:
        note = json.loads(file.read(_LONGEST_NOTE) or b"{}")
    except ValueError:
        return {"pid": "?", "host": "?"}
    return note if isinstance(note, dict) else {}


def write_note(file: IO[bytes], note: Mapping[str, Any]) -> None:
    """Write a note over the one before it: a full disk has no room for a new one, but for this."""
    data = json.dumps(note).encode()
    file.seek(0)
    file.write(data)
    file.truncate(len(data))


def own_note() -> dict[str, Any]:
    """What tells this process from all others, and the time (ISO 8601, UTC)."""
    return {
        "pid": os.getpid(),
        "host": platform.node(),
        "boot_id": boot_id(),
        "since": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
    }


def boot_id() -> str:
    """An id of this start of the machine; empty where the system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


if os.name == "nt":
    import msvcrt

    def system_lock(file: IO[bytes]) -> bool:
        """Lock the open file until it is closed; False while another one holds the lock. Raises OSError."""
        file.seek(_LOCKED_BYTE)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True

    def is_locked(file: IO[bytes]) -> bool:
        """Whether another open file holds the lock. Raises OSError."""
        return not system_lock(file)
else:
    import fcntl

    def system_lock(file: IO[bytes]) -> bool:
        """Lock the open file until it is closed; False while another one holds the lock. Raises OSError."""
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def is_locked(file: IO[bytes]) -> bool:
        """Whether another open file holds the lock. Raises OSError."""
        try:
            # Shared, so that two who ask in the same moment do not take each other for the holder.
            fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False
