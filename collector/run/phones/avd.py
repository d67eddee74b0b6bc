"""An Android virtual device (AVD) on the disk: its files, and whether an emulator runs it now."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from collector.host.other_processes import is_running
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.phones.android_sdk import AndroidSdk

_NAME = re.compile(r"[A-Za-z0-9._-]+")
_RUNNING = ("hardware-qemu.ini.lock", "multiinstance.lock")
"""A file, or a folder with a file ``pid``: the emulator keeps it while it runs the AVD."""


@dataclass(frozen=True, slots=True)
class Avd:
    """An AVD: ``NAME.ini`` names the folder that has everything else."""

    name: str
    ini: Path
    folder: Path

    @property
    def target(self) -> str:
        """The Android version as the SDK names it, as in ``android-34``; empty when it is not said."""
        return read_ini(self.ini).get("target", "")

    def is_running(self) -> bool:
        """Whether a living emulator has the AVD open."""
        return is_open(self.folder)

    def require_snapshot(self, name: str) -> None:
        """Raise UserError, which names those there are: the emulator itself would start without it."""
        saved = sorted(path.parent.name for path in self.folder.glob("snapshots/*/*"))
        if name not in saved:
            raise UserError(
                _(
                    "The emulator image (AVD) {name} has no snapshot {snapshot}",
                    name=self.name,
                    snapshot=name,
                ),
                _("it has: {known}", known=", ".join(dict.fromkeys(saved))) if saved else _("it has none"),
                _("Save one in the emulator's window, or leave --snapshot out"),
            )


def is_open(folder: Path) -> bool:
    """Whether a living emulator has the files of an AVD open. A killed one leaves its lock files."""
    return any(_is_alive(folder / name) for name in _RUNNING)


def emulator_pid(folder: Path) -> int:
    """The process that has the files of an AVD open, as it wrote itself; 0 for none."""
    locks = (folder / name for name in _RUNNING)
    return next((pid for lock in locks if is_running(pid := _pid_in(lock))), 0)


def find_avd(sdk: AndroidSdk, name: str) -> Avd:
    """Find an AVD by name. Raises UserError, which names those there are."""
    ini = sdk.avd_home / f"{name}.ini"
    if not _NAME.fullmatch(name) or not ini.is_file():
        known = ", ".join(sdk.avd_names())
        raise UserError(
            _("There is no emulator image (AVD) {name}", name=name),
            _("{folder} has: {known}", folder=sdk.avd_home, known=known)
            if known
            else _("{folder} has none", folder=sdk.avd_home),
            _("Create it in Android Studio or with avdmanager, or set ANDROID_AVD_HOME to its folder"),
        )
    folder = _folder_of(ini, name)
    if not (folder / "config.ini").is_file():
        raise UserError(
            _("The emulator image (AVD) {name} is incomplete", name=name),
            _("there is no file {path}", path=folder / "config.ini"),
            _("Create it again, or restore its folder"),
        )
    return Avd(name, ini, folder)


def read_ini(path: Path) -> dict[str, str]:
    """The values of an ini file of the SDK: ``key = value``, without sections."""
    text = path.read_text(encoding="utf-8", errors="replace")
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line)
    return {key.strip(): value.strip() for key, _equals, value in pairs}


def _folder_of(ini: Path, name: str) -> Path:
    """The folder an ini file names; of one that was copied here from another computer, the one beside it."""
    values = read_ini(ini)
    named = Path(values.get("path", ""))
    if values.get("path") and named.is_dir():
        return named
    relative = values.get("path.rel", "")
    beside = ini.parent.parent / relative
    return beside if relative and beside.is_dir() else ini.parent / f"{name}.avd"


def _is_alive(lock: Path) -> bool:
    return is_running(_pid_in(lock))


def _pid_in(lock: Path) -> int:
    """The process id in a lock of an emulator; 0 for none."""
    file = lock / "pid" if lock.is_dir() else lock
    try:
        return int(file.read_bytes().strip(b"\0 \r\n") or b"0")
    except (OSError, ValueError):
        return 0
