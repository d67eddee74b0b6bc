"""The undo journal of a phone: how to undo each change, on the disk before the change is made.

After a crash the next studio undoes what the journal holds. Each phone has one file, which is replaced whole
at every change. One studio at a time writes it: it holds the lock of the folder from its first change until
:meth:`UndoJournal.close`.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import threading
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from collector.anomalies.errors import PhoneInUse
from collector.device.identity import read_identity
from collector.device.protocols import Cancel, Device
from collector.host.private_files import make_private_file
from collector.host.user_folders import state_folder
from collector.model.i18n import _
from collector.store.files import lock
from collector.store.files.disk import Disk, PrivateDisk
from collector.store.files.errors import Damaged, FromTheFuture, Locked
from collector.store.files.names import folder_name

VERSION = 1
_FILE = "undo.json"


@dataclass(frozen=True, slots=True)
class UndoCheck:
    """A check that finds ``expect`` in the output of ``command`` while the change lasts."""

    command: str
    expect: str


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A change that is not undone: the commands that undo it, filled in, and the checks that then fail."""

    id: str
    anomaly: str
    undo: tuple[str, ...] = ()
    checks: tuple[UndoCheck, ...] = ()
    remembered: tuple[tuple[str, str], ...] = ()
    """What was read before the change, by the command that read it."""
    native: bool = True
    kept: bool = False
    """It was left on purpose, and only an explicit undo takes it back."""
    since: str = ""
    problem: str = ""
    """Why the last try to undo it failed."""
    earlier: bool = False
    """A studio before this one made it; not part of the journal's file."""

    @property
    def since_time(self) -> dt.datetime | None:
        """When it was made; None when the journal does not say."""
        try:
            return dt.datetime.fromisoformat(self.since)
        except ValueError:
            return None


class UndoJournal:
    """The pending changes of one phone. Thread-safe."""

    def __init__(self, phone: str, folder: Path | None = None, disk: Disk | None = None) -> None:
        """``phone`` is :func:`phone_key`; ``folder`` holds the journals of all phones."""
        self.phone = phone
        self._folder = (folder or state_folder() / "anomalies") / folder_name(phone)
        self._disk = disk or PrivateDisk()
        self._lock = threading.RLock()
        self._held: lock.Lock | None = None

    @property
    def pending(self) -> tuple[PendingChange, ...]:
        """In the order in which the changes were made. Raises Damaged or FromTheFuture."""
        with self._lock:
            return self._read()

    @property
    def remembered(self) -> dict[str, str]:
        """What the pending changes read before they were made, by the command that read it."""
        return {command: text for change in self.pending for command, text in reversed(change.remembered)}

    def find(self, pending_id: str) -> PendingChange | None:
        """The pending change of that id; None when it is undone."""
        return next((change for change in self.pending if change.id == pending_id), None)

    def hold(self) -> None:
        """Take the lock of this phone. Raises PhoneInUse while another studio changes it."""
        with self._lock:
            if self._held is not None:
                return
            self._disk.make_folder(self._folder)
            make_private_file(self._folder / lock.LOCK_NAME)
            try:
                self._held = lock.acquire(self._folder, take_over=True)
            except Locked as error:
                raise PhoneInUse(
                    _("Another Waymark Studio changes this phone"),
                    error.why,
                    _("Undo its anomalies there, or close it"),
                ) from None

    def add(self, change: PendingChange) -> None:
        """Write down how to undo a change; only then may it be made."""
        with self._lock:
            self.hold()
            self._write((*self._read(), change))

    def done(self, pending_id: str) -> None:
        """Forget a change that is undone."""
        with self._lock:
            self.hold()
            self._write(tuple(change for change in self._read() if change.id != pending_id))

    def change(self, pending_id: str, **changes: Any) -> None:
        """Change fields of :class:`PendingChange`."""
        with self._lock:
            self.hold()
            self._write(
                tuple(
                    replace(pending, **changes) if pending.id == pending_id else pending
                    for pending in self._read()
                )
            )

    def close(self) -> None:
        """Let another studio change the phone. Pending changes stay in the file."""
        with self._lock:
            if self._held is not None:
                self._held.release()
                self._held = None

    def _read(self) -> tuple[PendingChange, ...]:
        path = self._folder / _FILE
        try:
            document = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return ()
        except (OSError, ValueError) as error:
            raise self._damaged(error) from None
        if not isinstance(document, dict):
            raise self._damaged(ValueError(_("a mapping was expected")))
        version = document.get("version")
        if isinstance(version, int) and version > VERSION:
            raise FromTheFuture(
                _("A later Waymark Studio wrote the undo journal of {phone}", phone=self.phone),
                "",
                _("Undo its anomalies with that version"),
            )
        try:
            return tuple(_pending(line) for line in _list(document["pending"]))
        except (KeyError, TypeError, ValueError, re.error) as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> Damaged:
        what = _("The undo journal of {phone} cannot be read", phone=self.phone)
        return Damaged(
            what, _why(error), _("Set the phone right by hand, then remove {path}", path=self._folder)
        )

    def _write(self, pending: tuple[PendingChange, ...]) -> None:
        document = {
            "version": VERSION,
            "phone": self.phone,
            "pending": [_as_line(change) for change in pending],
        }
        self._disk.write(self._folder / _FILE, json.dumps(document, indent=1, ensure_ascii=False).encode())


def _as_line(change: PendingChange) -> dict[str, Any]:
    line = asdict(change)
    del line["earlier"]
    return line


def _why(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return _("{key} is missing", key=error.args[0]) if isinstance(error, KeyError) else str(error)


def _list(value: Any) -> list[Any]:
    """Require a list, so that a text is not read letter by letter and run."""
    if not isinstance(value, list):
        raise TypeError(_("a list was expected"))
    return value


def _pending(line: dict[str, Any]) -> PendingChange:
    checks = tuple(UndoCheck(str(check["command"]), str(check["expect"])) for check in _list(line["checks"]))
    for check in checks:
        re.compile(check.expect)
    remembered = tuple((str(command), str(text)) for command, text in _list(line["remembered"]))
    return PendingChange(
        str(line["id"]), str(line["anomaly"]), tuple(map(str, _list(line["undo"]))), checks, remembered,
        bool(line["native"]), bool(line["kept"]), str(line["since"]), str(line["problem"]),
    )  # fmt: skip


def phone_key(device: Device, cancel: Cancel | None = None) -> str:
    """Identify a phone, whatever connection adb has to it. Raises DeviceError."""
    return read_identity(device, cancel).lasting_key
