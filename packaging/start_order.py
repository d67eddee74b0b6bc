"""The order of modules in a frozen application: those of a start lie together.

An AppImage unpacks whole blocks as they are read, so that scattered modules cost several times their size.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from typing import Any

import bootstrap
import start_times

_LIST = "print(*sys.modules, sep='\\n', flush=True)"
_COMMAND = f"import sys; from collector.cli.main import main; main(['--version']); {_LIST}"
_WINDOW = start_times.WINDOW.replace('print("painted", flush=True)', _LIST)


def places() -> dict[str, int]:
    """The places of the modules that `waymark --version` loads, then of those up to a painted window.

    Where Qt finds no screen, those of the window have none.
    """
    names: list[str] = []
    with tempfile.TemporaryDirectory(prefix="waymark-") as home:
        own = {"PYTHONPATH": str(bootstrap.ROOT), "QT_QPA_PLATFORM": "offscreen", "WAYMARK_HOME": home}
        for code in (_COMMAND, _WINDOW):
            words = [sys.executable, "-c", code]
            done = subprocess.run(words, env=os.environ | own, capture_output=True, text=True, check=False)
            names += done.stdout.split()
    return {name: place for place, name in reversed([*enumerate(names)])}


def ordered(entries: Iterable[tuple[Any, ...]], places: Mapping[str, int]) -> list[tuple[Any, ...]]:
    """Entries of PyInstaller's tables, whose first item is a name: those with places first."""
    return sorted(entries, key=lambda entry: places.get(entry[0], math.inf))
