"""Handle uncaught errors: log them, write a report file, show a toast; the window goes on."""

from __future__ import annotations

import logging
import platform
import re
import sys
import threading
import time
import traceback
from pathlib import Path
from types import TracebackType

import PySide6
from PySide6.QtCore import QObject, Qt, Signal, Slot

from collector.host.private_files import make_private_file, make_private_folder
from collector.model.errors import UserError

_log = logging.getLogger(__name__)
_TAIL_LINES = 60
_MOST_REPORTS = 20
# Reports are sent to other people: they must not contain secrets.
_SECRET = re.compile(r"(?i)\b((?:api[_-]?)?key|token|password|secret|authorization)(\s*[=:]\s*)\S+")


def scrub(text: str) -> str:
    """Return the text without the path of the home folder and without values that look like secrets."""
    text = text.replace(str(Path.home()), "~") if str(Path.home()) != "/" else text
    return _SECRET.sub(r"\1\2...", text)


def write_report(folder: Path, error: BaseException, where: str, log_file: Path) -> Path:
    """Write a report and return its path; keep the newest twenty reports."""
    make_private_folder(folder)
    path = folder / f"crash-{time.strftime('%Y%m%d-%H%M%S')}-{time.monotonic_ns() % 1000:03d}.txt"
    lines = "".join(traceback.format_exception(error))
    tail = ""
    if log_file.exists():
        tail = "\n".join(log_file.read_text(encoding="utf-8", errors="replace").splitlines()[-_TAIL_LINES:])
    report = scrub(
        f"where: {where}\npython: {sys.version.split()[0]}\nqt: {PySide6.__version__}\n"
        f"system: {platform.platform()}\n\n{lines}\nlast lines of the log\n{tail}\n"
    )
    make_private_file(path)
    path.write_text(report, encoding="utf-8", newline="\n")
    for old in sorted(folder.glob("crash-*.txt"))[:-_MOST_REPORTS]:
        old.unlink(missing_ok=True)
    return path


class CrashHooks(QObject):
    """Replaces the exception hooks of sys and threading. ``happened(error)`` is emitted on the GUI thread."""

    happened = Signal(object)
    _crossed = Signal(object)

    def __init__(self, folder: Path, log_file: Path) -> None:
        super().__init__()
        self._folder, self._log_file = folder, log_file
        self._busy = threading.local()
        self._crossed.connect(self._emit_happened, Qt.ConnectionType.QueuedConnection)
        self._before = (sys.excepthook, threading.excepthook, sys.unraisablehook)

    def install(self) -> None:
        """Set the hooks."""
        sys.excepthook = self._uncaught
        threading.excepthook = self._uncaught_in_thread
        sys.unraisablehook = self._unraisable

    def remove(self) -> None:
        """Restore the hooks that were set before."""
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._before

    def report(self, error: BaseException, where: str) -> None:
        """Log an error, on any thread. A UserError gets no report file."""
        if getattr(self._busy, "on", False):
            return
        self._busy.on = True
        try:
            if isinstance(error, UserError):
                _log.info("%s: %s", where, error)
            else:
                _log.error("uncaught in %s", where, exc_info=error)
                write_report(self._folder, error, where, self._log_file)
        except OSError:
            _log.warning("no crash report could be written")
        finally:
            self._busy.on = False
        self._crossed.emit(error)

    def _uncaught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
        else:
            self.report(error, "the window")

    def _uncaught_in_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            self.report(args.exc_value, f"thread {args.thread.name if args.thread else '?'}")

    def _unraisable(self, args: sys.UnraisableHookArgs) -> None:
        if args.exc_value is not None:
            self.report(args.exc_value, "clean-up")

    @Slot(object)
    def _emit_happened(self, error: BaseException) -> None:
        self.happened.emit(error)
