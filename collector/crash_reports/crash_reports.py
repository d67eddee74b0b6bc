"""Crash reports: files in the log folder, for this account alone. Nothing sends them."""

from __future__ import annotations

import contextlib
import logging
import platform
import re
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from collector import __version__
from collector.host.other_processes import is_running
from collector.host.private_files import make_private_file, make_private_folder
from collector.model.errors import in_one_line

_log = logging.getLogger(__name__)

TAIL_LINES = 60
"""Lines at the end of the log that a report holds."""
_MOST_REPORTS = 20
_LONGEST = 1_000_000
"""Characters of a report that are read."""
# Reports are sent to other people: they must not contain secrets.
_SECRET = re.compile(r"(?i)\b((?:api[_-]?)?key|token|password|secret|authorization)(\s*[=:]\s*)\S+")
_TRACE = re.compile(r"process-(\d+)\.trace")
_ERROR = "error: "
_REPORT = "waymark_crash_report"
"""The attribute of an error that has its report."""
_reported: dict[str, Path] = {}
"""Reports of this process, by what happened and where in the program."""


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


def report_error(error: BaseException, where: str, folder: Path, log_file: Path | None = None) -> Path | None:
    """Write the report of an error, on any thread, and return its path; None when it cannot be written.

    What happens again at the same place, as a job that is repeated, has the report of the first time.
    """
    if _REPORT in vars(error):
        return report_of(error)
    stacks = "".join(traceback.format_exception(error))
    same = in_one_line(error) + "".join(map(str, traceback.extract_tb(error.__traceback__)[-1:]))
    path = _reported.get(same)
    try:
        if path is None or not path.exists():
            path = _reported[same] = write_report(folder, in_one_line(error), stacks, where, log_file)
    except OSError as problem:
        _log.warning("no crash report could be written: %s", problem)
        path = None
    setattr(error, _REPORT, path)
    return path


def was_reported(error: BaseException) -> bool:
    """Whether a report of it was written, or tried to be."""
    return _REPORT in vars(error)


def report_of(error: BaseException) -> Path | None:
    """The report that was written of an error."""
    return getattr(error, _REPORT, None)


def write_report(folder: Path, error: str, details: str, where: str, log_file: Path | None) -> Path:
    """Write a report and return its path; keep the newest twenty reports. Raises OSError.

    ``error`` is one line, ``details`` are the stacks.
    """
    make_private_folder(folder)
    path = folder / f"crash-{datetime.now():%Y%m%d-%H%M%S-%f}.txt"
    report = scrub(
        f"{_ERROR}{error}\nwhere: {where}\nwaymark: {__version__}\npython: {sys.version.split()[0]}\n"
        f"qt: {_version_of_qt()}\nsystem: {platform.platform()}\n\n"
        f"{details.rstrip()}\n{_tail(log_file)}"
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


def _version_of_qt() -> str:
    return getattr(sys.modules.get("PySide6"), "__version__", "not loaded")


def _tail(log_file: Path | None) -> str:
    if log_file is None or not log_file.exists():
        return ""
    lines = log_file.read_text(encoding="utf-8", errors="replace").splitlines()[-TAIL_LINES:]
    return "\n".join(["", "last lines of the log", *lines, ""])


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
