"""The machine that a measurement is of, in one line that names nobody."""

from __future__ import annotations

import os
import platform
import re
from datetime import date
from importlib.metadata import version
from pathlib import Path

from collector import __version__


def measured_machine() -> str:
    """Date, program, processors, memory, system, load and the versions that matter."""
    load = f"load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else ""
    parts = (
        date.today().isoformat(),
        f"Waymark Studio {__version__}",
        f"{os.cpu_count()} cores{_processor()}",
        _memory(),
        f"{platform.system()} {platform.release().partition('-')[0]}",
        f"Python {platform.python_version()}",
        f"PySide6 {version('PySide6-Essentials')}",
        load,
    )
    return ", ".join(part for part in parts if part)


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    if not facts.is_file():
        return ""
    names = (
        re.findall(r"^model name\s*:\s*(.+)$", facts.read_text("utf-8"), re.MULTILINE)
        if facts.is_file()
        else []
    )
    return f" of {' '.join(names[0].split())}" if names else ""


def _memory() -> str:
    if not hasattr(os, "sysconf") or "SC_PHYS_PAGES" not in os.sysconf_names:
        return ""
    return f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GB"
