"""Where the Android SDK lies on this computer: as a variable says, then the usual folder of the system."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from collector.host.environment import is_absolute

SDK_VARIABLES = ("ANDROID_HOME", "ANDROID_SDK_ROOT")
_HOMEBREW = ("/opt/homebrew/bin", "/usr/local/bin")
"""A program that was not started from a terminal does not have them on its PATH."""


def sdk_folders(environment: Mapping[str, str] = os.environ) -> Iterator[Path]:
    """The folders in which an SDK may lie, whether there is one or not."""
    for variable in SDK_VARIABLES:
        if is_absolute(folder := environment.get(variable, "")):
            yield Path(folder)
    if sys.platform == "darwin":
        yield Path.home() / "Library/Android/sdk"
    elif sys.platform == "win32":
        yield Path(environment.get("LOCALAPPDATA", str(Path.home() / "AppData/Local"))) / "Android/Sdk"
    else:
        yield Path.home() / "Android/Sdk"


def find_sdk_program(folder: str, name: str, environment: Mapping[str, str] = os.environ) -> Path | None:
    """A program in a folder of an SDK, such as ``platform-tools`` and ``adb``, or one of Homebrew's."""
    file = f"{name}.exe" if sys.platform == "win32" else name
    places = [root / folder / file for root in sdk_folders(environment)]
    if sys.platform == "darwin":
        places += [Path(root) / file for root in _HOMEBREW]
    return next((place for place in places if place.is_file() and os.access(place, os.X_OK)), None)
