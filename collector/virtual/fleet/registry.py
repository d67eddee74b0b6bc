"""The virtual phones that run on this computer now, whichever program started them."""

from __future__ import annotations

import contextlib
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collector.host.file_lock import HeldFile, hold, holders, lock_path
from collector.host.user_folders import state_folder

if TYPE_CHECKING:
    # Its widgets take long to load, and who only lists phones needs none.
    from collector.virtual.system.phone_state.profile import PhoneProfile

_FOLDER = "virtual-phones"


@dataclass(frozen=True, slots=True)
class RunningPhone:
    """A virtual phone that another process runs."""

    name: str
    """Its serial number: with ``seed`` it identifies the phone."""
    seed: int
    address: str
    """``127.0.0.1:PORT``, another one at each start; of an emulator ``emulator-PORT``."""
    size: str
    density: int
    locale: str
    variation: str
    pid: int
    since: str
    """ISO 8601, UTC."""

    def end(self) -> None:
        """Ask its process to end, without waiting for it. One that has ended is no error."""
        # Windows says OSError of a process that is not there.
        with contextlib.suppress(ProcessLookupError if os.name == "posix" else OSError):
            os.kill(self.pid, signal.SIGTERM)


class Registration:
    """The entry of this process's phone, until :meth:`close`. A disk that takes none is no error."""

    def __init__(self, address: str, profile: PhoneProfile, folder: Path | None = None) -> None:
        self._address = address
        note = self._note(profile)
        path = lock_path(folder or _registry(), address.rpartition(":")[2])
        try:
            self._file = hold(path, note) or HeldFile(path, None)
        except OSError:
            self._file = HeldFile(path, None)

    def update(self, profile: PhoneProfile) -> None:
        """Write who the phone is after a reset."""
        self._file.write(self._note(profile))

    def close(self) -> None:
        """Remove the entry."""
        self._file.release()

    def _note(self, profile: PhoneProfile) -> dict[str, Any]:
        return {
            "address": self._address, "name": profile.serial, "seed": profile.seed, "size": str(profile.size),
            "density": profile.density, "locale": profile.locale, "variation": profile.variation.name,
        }  # fmt: skip


def running_phones(folder: Path | None = None) -> list[RunningPhone]:
    """The phones that run now, by name and seed."""
    phones = [
        RunningPhone(**{name: note[name] for name in RunningPhone.__slots__})
        for note in holders(folder or _registry())
        if set(RunningPhone.__slots__) <= set(note)
    ]
    return sorted(phones, key=lambda phone: (phone.name, phone.seed, phone.address))


def _registry() -> Path:
    return state_folder() / _FOLDER
