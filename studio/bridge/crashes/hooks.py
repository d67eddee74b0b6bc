"""Handle uncaught errors: log them, write a report file, show a toast; the window goes on."""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import threading
import traceback
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal, Slot

from collector.crash_reports.crash_reports import collect_traces, report_error, trace_path
from collector.host.private_files import make_private_file, make_private_folder
from collector.model.errors import UserError

_log = logging.getLogger(__name__)


class CrashHooks(QObject):
    """Replaces the exception hooks of sys and threading."""

    happened = Signal(object)
    """The error, on the GUI thread; ``collector/crash_reports`` knows its report."""
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
        """Log an error that nobody caught, and have it shown. Any thread. A UserError gets no report file."""
        if getattr(self._busy, "on", False):
            return
        self._busy.on = True
        try:
            if isinstance(error, UserError):
                _log.info("%s: %s", where, error)
            else:
                self.keep(error, where)
        finally:
            self._busy.on = False
        self._crossed.emit(error)

    def keep(self, error: BaseException, where: str) -> None:
        """Log an error that nobody expected, and write its report; whoever caught it shows it. Any thread."""
        # As text: a record that lives on would hold the frames, and objects of Qt in them.
        _log.error("uncaught in %s: %s", where, "".join(traceback.format_exception(error)).rstrip())
        report_error(error, where, self._folder, self._log_file)

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


class ProcessTrace:
    """Has the stacks of this process written when a library or Qt crashes it; the next start reports them.

    Python's own errors do not end the window: :class:`CrashHooks` has those.
    """

    def __init__(self, folder: Path, log_file: Path) -> None:
        """Report first what crashed before, while the log still ends with it."""
        self._path = trace_path(folder, os.getpid())
        self._file = -1
        try:
            make_private_folder(folder)
            collect_traces(folder, log_file)
            make_private_file(self._path)
            self._file = os.open(self._path, os.O_WRONLY | os.O_TRUNC)
            faulthandler.enable(self._file)
        except OSError as error:
            _log.warning("a crash of the window would leave no report: %s", error)

    def close(self) -> None:
        """The process ends as it should."""
        if self._file < 0:
            return
        faulthandler.disable()
        os.close(self._file)
        self._file = -1
        self._path.unlink(missing_ok=True)
