"""A virtual phone started from the window. It runs as its own process, so it never slows the mirror."""

from __future__ import annotations

import logging
import sys

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal, Slot

from collector.model.i18n import _
from studio.settings import Settings

_log = logging.getLogger(__name__)
_STOP_MS = 3000


class VirtualPhoneProcess(QObject):
    """Starts and stops one process."""

    ready = Signal(str)
    """Address of the phone, once it answers."""
    failed = Signal(str)
    """Why the phone could not be started."""
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.address = ""
        self._process = QProcess(self)
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.errorOccurred.connect(self._start_failed)
        self._process.finished.connect(self._finished)

    def start(self, settings: Settings) -> None:
        """Start the phone that the settings describe."""
        arguments = [
            *("--size", settings["virtual.size"]),
            *("--density", str(settings["virtual.density"])),
            *("--seed", str(settings["virtual.seed"])),
            *("--locale", settings["virtual.locale"]),
        ]
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("PYTHONUNBUFFERED", "1")
        self._process.setProcessEnvironment(environment)
        # A frozen studio has no interpreter: it takes the verbs itself.
        frozen = bool(getattr(sys, "frozen", False))
        first = [] if frozen else ["-m", "collector.cli.main"]
        self._process.start(sys.executable, [*first, "device", "virtual", "--port", "0", *arguments])

    def close(self) -> None:
        """Stop the process; kill it when it does not end within three seconds."""
        if self._process.state() != QProcess.ProcessState.NotRunning:
            self._process.terminate()
            if not self._process.waitForFinished(_STOP_MS):
                self._process.kill()
                self._process.waitForFinished(_STOP_MS)

    @Slot()
    def _read(self) -> None:
        while self._process.canReadLine():
            line = bytes(self._process.readLine().data()).decode(errors="replace").strip()
            if line.startswith("ready ") and not self.address:
                self.address = line.removeprefix("ready ")
                self.ready.emit(self.address)

    @Slot(QProcess.ProcessError)
    def _start_failed(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self.failed.emit(self._process.errorString())

    @Slot(int, QProcess.ExitStatus)
    def _finished(self, code: int, _status: QProcess.ExitStatus) -> None:
        message = bytes(self._process.readAllStandardError().data()).decode(errors="replace").strip()
        if message:
            _log.info("virtual phone: %s", message)
        if not self.address:
            self.failed.emit(
                message.splitlines()[-1] if message else _("it ended with code {code}", code=code)
            )
        self.ended.emit()
