"""Find the emulator of the Android SDK, and the folder that holds its virtual devices (AVDs)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from collector.host.android_folders import SDK_VARIABLES, find_sdk_program
from collector.host.programs import find_program
from collector.model.errors import UserError
from collector.model.i18n import _

AVD_HOME = "ANDROID_AVD_HOME"
_AVD_PARENTS = (
    ("ANDROID_USER_HOME", "avd"),
    ("ANDROID_EMULATOR_HOME", "avd"),
    ("ANDROID_SDK_HOME", ".android/avd"),
)
_EMULATOR = "emulator"


@dataclass(frozen=True, slots=True)
class AndroidSdk:
    """The programs and folders that emulators need, as the environment names them."""

    emulator: Path
    """The program."""
    avd_home: Path
    """Folder of ``NAME.ini`` and ``NAME.avd``."""

    @property
    def root(self) -> Path | None:
        """Folder of the SDK, as the program's place says; None when it lies elsewhere."""
        folder = self.emulator.resolve().parent
        return folder.parent if folder.name == _EMULATOR else None

    def avd_names(self) -> list[str]:
        """The AVDs of this account, in order of name."""
        return sorted(path.stem for path in self.avd_home.glob("*.ini") if path.is_file())


def find_sdk(environment: Mapping[str, str] = os.environ) -> AndroidSdk:
    """Find the SDK. Raises UserError that says where it was looked for."""
    program = find_sdk_program(_EMULATOR, _EMULATOR, environment) or find_program(_EMULATOR, environment)
    if program is None:
        places = [
            f"{name} ({environment[name]})" if environment.get(name) else _("{name} (not set)", name=name)
            for name in SDK_VARIABLES
        ]
        raise UserError(
            _("No Android emulator was found"),
            _("looked for it in {places}, in the usual folder of the SDK and on the PATH",
              places=", ".join(places)),
            _("Install the emulator with Android Studio or sdkmanager, and set ANDROID_HOME to the SDK"),
        )  # fmt: skip
    return AndroidSdk(program, find_avd_home(environment))


def find_avd_home(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of AVDs, in the order in which the emulator looks for it."""
    if own := environment.get(AVD_HOME):
        return Path(own)
    for variable, below in _AVD_PARENTS:
        if (folder := environment.get(variable)) and (Path(folder) / below).is_dir():
            return Path(folder) / below
    return Path.home() / ".android" / "avd"
