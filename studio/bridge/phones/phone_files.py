"""Send files to the phone in use and install apps on it, one after the other, behind the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.device.errors import CallCancelled
from collector.device.transport.file_transfer import install_app, is_app_file, push_file
from collector.model.i18n import _
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phones.phone import PhoneLink

__all__ = ["FileTransfer", "PhoneFiles", "is_app_file"]


@dataclass(frozen=True, slots=True)
class FileTransfer:
    """A file on its way to a phone."""

    path: Path
    phone: PhoneLink

    @property
    def title(self) -> str:
        if is_app_file(self.path):
            return _("Install {name}", name=self.path.name)
        return _("Send {name}", name=self.path.name)


class PhoneFiles(QObject):
    """Keeps the order in which files were given. GUI thread only; the jobs can be cancelled in the rail."""

    progressed = Signal(str, int)
    """The title of the transfer, and the percentage that is sent; an empty title when nothing is sent."""
    done = Signal(str)
    """A sentence about a file that arrived, or an app that was installed."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._waiting: list[FileTransfer] = []
        self._current: FileTransfer | None = None

    def send(self, phone: PhoneLink, paths: Sequence[Path]) -> None:
        """Install APK files, and copy all other files to the phone's Download folder."""
        phone.require_free()
        self._waiting += [FileTransfer(path, phone) for path in paths]
        if self._current is None:
            self._next()

    def _next(self) -> None:
        self._current = self._waiting.pop(0) if self._waiting else None
        transfer = self._current
        if transfer is None:
            self.progressed.emit("", 0)
            return
        self.progressed.emit(transfer.title, 0)
        device = transfer.phone.session.device

        def work(job: Job) -> str:
            def progress(sent: int, total: int) -> None:
                if job.cancelled:
                    raise CallCancelled(transfer.title)
                job.report(100 * sent // max(1, total), 100)

            if is_app_file(transfer.path):
                install_app(device, transfer.path, progress, job.cancel_event)
                return _("{name} is installed", name=transfer.path.name)
            target = push_file(device, transfer.path, progress, job.cancel_event)
            return _("{name} is on the phone in {folder}", name=target.name, folder=str(target.parent))

        job = self._runner.run(work, title=transfer.title, success=self._succeeded, failure=self._not_done)
        job.progressed.connect(self._progress)
        job.stopped.connect(self._next)

    @Slot(object)
    def _progress(self, progress: tuple[int, int]) -> None:
        if self._current is not None:
            self.progressed.emit(self._current.title, progress[0])

    @Slot(object)
    def _succeeded(self, sentence: str) -> None:
        self.done.emit(sentence)
        self._next()

    @Slot(object)
    def _not_done(self, error: Exception) -> None:
        """One that fails does not hold up the others; one that was cancelled needs no sentence."""
        if not isinstance(error, CallCancelled):
            self.failed.emit(error)
        self._next()
