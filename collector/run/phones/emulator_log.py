"""What an emulator printed before it ended, and what to do about it.

``docs/emulators.md`` has the messages of its sources.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from collector.model.i18n import N_, _

_LONGEST_LOG = 1 << 16
"""Bytes at the end of the file that are read."""
_LONGEST_REPORT = 400
_SERIOUS = re.compile(r"^(?:(?:emulator: )?(?:PANIC|FATAL|ERROR)\b|unknown option:|qemu-system-)")
_STATUS = re.compile(r"^CPU acceleration status:")
_UNKNOWN = N_("Start it once in Android Studio to see what it lacks")
_ADVICE = (
    (
        r"requires hardware acceleration|/dev/kvm",
        N_(
            "Switch on virtualization in the computer's firmware, and let this account use it: "
            "the group kvm on Linux, Windows Hypervisor Platform on Windows"
        ),
    ),
    (
        r"enough disk space|No space left",
        N_("Free some space, or set XDG_CACHE_HOME to a folder on a larger disk"),
    ),
    (
        r"emulators with the same AVD|[Aa]nother emulator instance|snapshot operation for",
        N_("End the emulator that has its files open, with: waymark device emulator stop --all"),
    ),
    (
        r"too many emulator instances|Address already in use",
        N_("Close some emulators, or choose other ports with --first-port"),
    ),
    (
        r"AVD system path|Missing (?:system|ramdisk|kernel) image|[Mm]issing .*kernel",
        N_("Install the system image of the AVD with sdkmanager, or set ANDROID_HOME to the SDK that has it"),
    ),
    (
        r"emulator engine program|CPU Architecture",
        N_("Create an image for the processor of this computer, and update the emulator"),
    ),
    (
        r"unknown option:",
        N_("Update the emulator with sdkmanager, or leave the option out"),
    ),
    (
        r"connect to display|platform plugin",
        N_("Leave --window out: there is no screen to show it on"),
    ),
    (
        r"bad_alloc|[Cc]annot allocate memory|set up guest memory",
        N_("Start fewer emulators, or give the image less memory"),
    ),
    (
        r"[Ii]mage is (?:corrupt|not in qcow2)|Could not open '.*(?:qcow2|img)'|L1 table",
        N_("A disk of the image is damaged: wipe its data in Android Studio, or create it again"),
    ),
)
"""Patterns in the log, the most particular first, and what a person does then."""


@dataclass(frozen=True, slots=True)
class EmulatorReport:
    """Why an emulator ended."""

    why: str
    """Its own words, on one line; empty when it printed nothing."""
    to_do: str


def read_report(log: Path) -> EmulatorReport:
    """Read why an emulator ended from what it printed. A log that cannot be read is as an empty one."""
    try:
        text = log.read_bytes()[-_LONGEST_LOG:].decode("utf-8", "replace")
    except OSError:
        return EmulatorReport("", _(_UNKNOWN))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    advice = next((words for pattern, words in _ADVICE if re.search(pattern, text)), _UNKNOWN)
    return EmulatorReport(_summary(lines), _(advice))


def _summary(lines: list[str]) -> str:
    """The lines that say what is wrong, the first first; the last two where none says so."""
    serious = [line for line in lines if _SERIOUS.match(line) or _STATUS.match(line)]
    said = " ".join(re.sub(r"\s+", " ", line) for line in serious or lines[-2:])
    return said if len(said) <= _LONGEST_REPORT else f"{said[: _LONGEST_REPORT - 3]}..."
