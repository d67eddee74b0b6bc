"""Crash reports: files in the log folder, for this account alone. Nothing sends them."""

from __future__ import annotations

import contextlib
import platform
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import PySide6

from collector import __version__
from collector.host.other_processes import is_running
from collector.host.private_files import make_private_file, make_private_folder

TAIL_LINES = 60
"""Lines at the end of the log that a report holds."""
_MOST_REPORTS = 20
_LONGEST = 1_000_000
"""Characters of a report that are read."""
# Reports are sent to other people: they must not contain secrets.
_SECRET = re.compile(r"(?i)\b((?:api[_-]?)?key|token|password|secret|authorization)(\s*[=:]\s*)\S+")
_TRACE = re.compile(r"process-(\d+)\.trace")
_ERROR = "error: "


@dataclass(frozen=True)
class CrashReport:
    """A report as it was read."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        """Names of reports are in the order of time."""
        return self.path.name

    @property
    def at(self) -> datetime:
        """When it happened, in the computer's time."""
        return datetime.strptime(self.name[:21], "crash-%Y%m%d-%H%M%S")

    @property
    def error(self) -> str:
        """What happened, on one line, as Python or the system names it."""
        lines = self.text.splitlines()
        return next((line.removeprefix(_ERROR) for line in lines if line.startswith(_ERROR)), "")


def scrub(text: str) -> str:
    """Return the text without the path of the home folder and without values that look like secrets."""
    text = text.replace(str(Path.home()), "~") if str(Path.home()) != "/" else text
    return _SECRET.sub(r"\1\2...", text)


def write_report(folder: Path, error: str, details: str, where: str, log_file: Path) -> Path:
    """Write a report and return its path; keep the newest twenty reports. Raises OSError.

    ``error`` is one line, ``details`` are the stacks.
    """
    make_private_folder(folder)
    path = folder / f"crash-{datetime.now():%Y%m%d-%H%M%S-%f}.txt"
    report = scrub(
        f"{_ERROR}{error}\nwhere: {where}\nwaymark: {__version__}\npython: {sys.version.split()[0]}\n"
        f"qt: {PySide6.__version__}\nsystem: {platform.platform()}\n\n"
        f"{details.rstrip()}\n\nlast lines of the log\n{_tail(log_file)}\n"
    )
    make_private_file(path)
    try:
        path.write_text(report, encoding="utf-8", newline="\n")
    except OSError:
        path.unlink(missing_ok=True)  # on a full disk it would be a report of nothing
        raise
    for old in sorted(folder.glob("crash-*.txt"))[:-_MOST_REPORTS]:
        with contextlib.suppress(OSError):  # the new one is there
            old.unlink(missing_ok=True)
    return path


def _tail(log_file: Path) -> str:
    if not log_file.exists():
        return ""
    return "\n".join(log_file.read_text(encoding="utf-8", errors="replace").splitlines()[-TAIL_LINES:])


def trace_path(folder: Path, pid: int) -> Path:
    """The file that a process of the window has its stacks written to when it crashes."""
    return folder / f"process-{pid}.trace"


def collect_traces(folder: Path, log_file: Path) -> None:
    """Make reports of the stacks that crashed processes left, and remove their files. Raises OSError."""
    for path in sorted(folder.glob("process-*.trace")):
        match = _TRACE.fullmatch(path.name)
        if match is None or is_running(int(match[1])):
            continue
        stacks = path.read_text(encoding="utf-8", errors="replace")[:_LONGEST]
        if stacks.strip():  # an empty one is of a process that was killed: there is nothing to report
            error = stacks.strip().splitlines()[0]
            write_report(folder, error, stacks, f"process {match[1]}, which ended", log_file)
        path.unlink(missing_ok=True)


def read_reports(folder: Path, after: str = "") -> list[CrashReport]:
    """The reports whose names come after one, newest first. What cannot be read is left out."""
    reports = []
    for path in sorted(folder.glob("crash-*.txt"), reverse=True):
        if path.name <= after:
            break
        try:
            text = path.read_text(encoding="utf-8", errors="replace")[:_LONGEST]
            report = CrashReport(path, text)
            _ = report.at  # a name that is no time is of no report
        except (OSError, ValueError):
            continue
        reports.append(report)
    return reports


def delete_reports(reports: Sequence[CrashReport]) -> None:
    """Delete the files of reports; one that is gone already is none. Raises OSError."""
    for report in reports:
        report.path.unlink(missing_ok=True)
