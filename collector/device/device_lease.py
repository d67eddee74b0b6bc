"""The lease of a phone among programs: one of them acts on it at a time, and the others are told which.

A lease is a lock file in a folder of the account. It is named after the phone, not after a connection
to it, and the system frees it when the program dies. Looking at a phone (its state, a screenshot) needs none.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import logging
import platform
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from collector.device.errors import DeviceError, DeviceTaken
from collector.device.identity import PhoneIdentity, read_identity
from collector.device.protocols import Device
from collector.host.file_lock import HeldFile, hold, holder, holders, lock_path
from collector.host.user_folders import runtime_folder
from collector.model.i18n import N_, _
from collector.model.text.local_time import local_time

_FOLDER = "devices"
_ASKING_S = 20.0
_log = logging.getLogger(__name__)

# What an owner does with a phone, as its note says it. Shown in the reader's language.
MIRROR = N_("mirror in the window")
RECORDING = N_("recording of a task")
REPLAY = N_("replay of a trajectory")
TRIAL = N_("trial of an agent")
INJECTION = N_("injection of an anomaly")
UNDO = N_("undo of anomalies")
REHEARSAL = N_("rehearsal of rules")
SOLVABILITY = N_("solvability check")
RESET = N_("reset of the phone")
DEVICE_CHECK = N_("check of the phone")
INSTALLATION = N_("installation of apps")
COPY = N_("copy of files")
EXPERIMENT_RUN = N_("run of an experiment")


@dataclass(frozen=True, slots=True)
class LeaseOwner:
    """The program that holds a lease."""

    program: str
    """``Waymark Studio``, or the verb of the command line."""
    pid: str
    host: str
    activity: str
    """One of the constants above, or a sentence."""
    since: dt.datetime | None
    """UTC; None when the note does not say."""
    key: str = ""
    """The phone's :attr:`~collector.device.identity.PhoneIdentity.key`."""

    @property
    def words(self) -> str:
        """Program, process, activity and time, for a person."""
        process = self.pid
        if self.host and self.host != platform.node():
            process = _("{pid} on {host}", pid=self.pid, host=self.host)
        return _(
            "{program}, process {pid}: {activity}, since {time}",
            program=self.program, pid=process, activity=_(self.activity), time=_time(self.since),
        )  # fmt: skip


class _HeldLease:
    """The lease of this process for one phone, shared by its parts."""

    def __init__(self, file: HeldFile) -> None:
        self.file = file
        self.leases: list[DeviceLease] = []

    def describe(self) -> None:
        """Write what the newest part does with the phone."""
        newest = self.leases[-1]
        self.file.write(_note(newest.identity, newest.program, newest.activity))


_held: dict[str, _HeldLease] = {}
_lock = threading.Lock()


class DeviceLease:
    """The right to act on one phone, until :meth:`release`. Use it as a context. Thread-safe.

    Parts of one process share a lease: it is free again when the last of them released its own.
    """

    def __init__(self, identity: PhoneIdentity, program: str, activity: str, path: Path) -> None:
        """For :func:`lease_device` alone."""
        self.identity = identity
        self.program, self.activity = program, activity
        self._path = path
        self.is_held = False
        """False when another program has the phone, and for good after :meth:`release`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        self.release()

    def take(self) -> LeaseOwner | None:
        """Take the phone; its owner when another program has it. Does nothing when it is held already."""
        key = str(self._path)
        with _lock:
            shared = _held.get(key)
            if shared is None:
                file = self._hold()
                if file is None:
                    return _owner(holder(self._path) or {})
                shared = _held[key] = _HeldLease(file)
            if not self.is_held:
                shared.leases.append(self)
                self.is_held = True
                shared.describe()
        return None

    def set_activity(self, activity: str) -> None:
        """Tell the others what is done with the phone now: a constant of this module, or a sentence."""
        with _lock:
            if activity == self.activity:
                return
            self.activity = activity
            if self.is_held:
                _held[str(self._path)].describe()

    def release(self) -> None:
        """Let another program have the phone. May be called twice."""
        key = str(self._path)
        with _lock:
            if not self.is_held:
                return
            self.is_held = False
            shared = _held[key]
            shared.leases.remove(self)
            if shared.leases:
                shared.describe()
            else:
                del _held[key]
                shared.file.release()

    def _hold(self) -> HeldFile | None:
        try:
            return hold(self._path, _note(self.identity, self.program, self.activity))
        except OSError as error:
            # A full or read-only disk: the phone can be used all the same, only not kept from others.
            _log.info("the lease of %s cannot be written: %s", self.identity.name, error)
            return HeldFile(self._path, None)


def lease_device(
    device: Device, program: str, activity: str, *, anyway: bool = False, folder: Path | None = None
) -> DeviceLease:
    """Lease a phone. Raises DeviceTaken when another program has it, and DeviceError when it is silent.

    With ``anyway`` the phone may be used although another program has it: the lease is then not held.
    """
    identity = read_identity(device)
    lease = lease_phone(identity, program, activity, folder=folder)
    owner = lease.take()
    if owner is not None and not anyway:
        raise DeviceTaken(identity.name, owner.words)
    return lease


def lease_phone(
    identity: PhoneIdentity, program: str, activity: str, *, folder: Path | None = None
) -> DeviceLease:
    """A lease that is not taken yet."""
    digest = hashlib.sha256(identity.key.encode(errors="replace")).hexdigest()[:24]
    return DeviceLease(identity, program, activity, lock_path(folder or _lease_folder(), digest))


def lease_owners(folder: Path | None = None) -> list[LeaseOwner]:
    """The owners of all phones in use now, on this account of this computer."""
    return [_owner(note) for note in holders(folder or _lease_folder())]


def owners_by_serial(devices: Iterable[Device], folder: Path | None = None) -> dict[str, LeaseOwner]:
    """The programs that use ``devices`` now, by adb's serial; asks the phones when any phone is in use.

    Phones that are still unasked after 20 seconds, because others are slow, are left out.
    """
    by_key = {owner.key: owner for owner in lease_owners(folder)}
    owners, end = {}, time.monotonic() + _ASKING_S
    for device in devices if by_key else ():
        if time.monotonic() > end:
            break
        with contextlib.suppress(DeviceError):
            owner = by_key.get(read_identity(device).key)
            if owner is not None:
                owners[device.serial] = owner
    return owners


def _lease_folder() -> Path:
    return runtime_folder() / _FOLDER


def _note(identity: PhoneIdentity, program: str, activity: str) -> dict[str, Any]:
    return {"program": program, "activity": activity, "phone": identity.name, "key": identity.key}


def _owner(note: Mapping[str, Any]) -> LeaseOwner:
    since = None
    with contextlib.suppress(ValueError):
        since = dt.datetime.fromisoformat(str(note.get("since")))
    program, pid, host, activity = (
        str(note.get(key) or "?") for key in ("program", "pid", "host", "activity")
    )
    return LeaseOwner(program, pid, host, activity, since, str(note.get("key") or ""))


def _time(since: dt.datetime | None) -> str:
    """The time of day in the reader's time zone, with the date unless it is today."""
    if since is None:
        return "?"
    local = local_time(since)
    today = local.date() == dt.datetime.now().astimezone().date()
    return local.strftime("%H:%M:%S" if today else "%Y-%m-%d %H:%M:%S")
