"""What has to be taken back on a phone, on the disk before it is done, so that a crash leaves nothing behind.

One file a phone, whole or not at all at every change, and one studio at a time: the folder's lock
is held from the first change until :meth:`UndoJournal.close`.
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
from collector.device.protocols import Device
from collector.model.i18n import _
from collector.model.user_folders import state_folder
from collector.store import lock
from collector.store.disk import Disk
from collector.store.errors import Damaged, FromTheFuture, Locked
from collector.store.names import folder_name

VERSION = 1
_FILE = "undo.json"
_SHARED_SERIALS = ("", "unknown", "EMULATOR")
"""What phones without a serial number of their own say, or begin with."""


@dataclass(frozen=True, slots=True)
class UndoCheck:
    """A check that must no longer find what it finds while the change is made."""

    command: str
    expect: str


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A change not yet taken back: the commands that do it, filled in, and what then shows that it is."""

    id: str
    anomaly: str
    undo: tuple[str, ...] = ()
    checks: tuple[UndoCheck, ...] = ()
    remembered: tuple[tuple[str, str], ...] = ()
    """What was read before the change, by the command that read it."""
    native: bool = True
    kept: bool = False
    """Left as it is on purpose: it is not taken back by itself."""
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
        self._disk = disk or Disk()
        self._lock = threading.RLock()
        self._held: lock.Lock | None = None

    @property
    def pending(self) -> tuple[PendingChange, ...]:
        """In the order in which the changes were made. Raises Damaged or FromTheFuture."""
        with self._lock:
            return self._read()

    def hold(self) -> None:
        """Become the one who changes this phone. Raises PhoneTaken while another studio is."""
        with self._lock:
            if self._held is not None:
                return
            self._disk.make_folder(self._folder)
            try:
                self._held = lock.acquire(self._folder, take_over=True)
            except Locked as error:
                raise PhoneInUse(
                    _("Another Waymark Studio changes this phone"),
                    error.why,
                    _("Undo its anomalies there, or close it"),
                ) from None

    def add(self, one: PendingChange) -> None:
        """Write down what takes a change back; only then may it be made."""
        with self._lock:
            self.hold()
            self._write((*self._read(), one))

    def done(self, pending_id: str) -> None:
        """It is taken back."""
        with self._lock:
            self.hold()
            self._write(tuple(one for one in self._read() if one.id != pending_id))

    def change(self, pending_id: str, **changes: Any) -> None:
        """Change fields of :class:`PendingChange`."""
        with self._lock:
            self.hold()
            self._write(
                tuple(replace(one, **changes) if one.id == pending_id else one for one in self._read())
            )

    def close(self) -> None:
        """Let another studio change the phone. What is pending stays written down."""
        with self._lock:
            if self._held is not None:
                self._held.release()
                self._held = None

    def _read(self) -> tuple[PendingChange, ...]:
        path = self._folder / _FILE
        try:
            found = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return ()
        except (OSError, ValueError) as error:
            raise self._damaged(error) from None
        if not isinstance(found, dict):
            raise self._damaged(ValueError(_("a mapping was expected")))
        version = found.get("version")
        if isinstance(version, int) and version > VERSION:
            raise FromTheFuture(
                _("A later Waymark Studio wrote the undo journal of {phone}", phone=self.phone),
                "",
                _("Undo its anomalies with that version"),
            )
        try:
            return tuple(_pending(one) for one in _list(found["pending"]))
        except (KeyError, TypeError, ValueError, re.error) as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> Damaged:
        what = _("The undo journal of {phone} cannot be read", phone=self.phone)
        return Damaged(
            what, _why(error), _("Set the phone right by hand, then remove {path}", path=self._folder)
        )

    def _write(self, pending: tuple[PendingChange, ...]) -> None:
        document = {"version": VERSION, "phone": self.phone, "pending": [_as_line(one) for one in pending]}
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
    """A list; a text must not be read letter by letter and run."""
    if not isinstance(value, list):
        raise TypeError(_("a list was expected"))
    return value


def _pending(line: dict[str, Any]) -> PendingChange:
    checks = tuple(UndoCheck(str(one["command"]), str(one["expect"])) for one in _list(line["checks"]))
    for check in checks:
        re.compile(check.expect)
    remembered = tuple((str(command), str(said)) for command, said in _list(line["remembered"]))
    return PendingChange(
        str(line["id"]), str(line["anomaly"]), tuple(map(str, _list(line["undo"]))), checks, remembered,
        bool(line["native"]), bool(line["kept"]), str(line["since"]), str(line["problem"]),
    )  # fmt: skip


def phone_key(device: Device) -> str:
    """What tells one phone from every other, by whatever way adb reaches it.

    A phone's own serial number; adb's name for it where that number is missing or shared, as
    emulators and virtual phones share theirs. Raises DeviceError.
    """
    said = device.shell("getprop ro.serialno; getprop ro.waymark.seed").text.splitlines()
    own = said[0].strip() if said else ""
    virtual = len(said) > 1 and bool(said[1].strip())
    if virtual or any(own == one if not one else own.startswith(one) for one in _SHARED_SERIALS):
        return device.serial
    return own
