"""What of a person's edits is on the disk: when it was saved last, what waits, what was refused."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTime, QTimer, Signal, Slot

from collector.model.errors import UserError
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from collector.store.files.disk_writes import DISK_WRITES, DiskWrite
from collector.store.files.layout import CACHE
from studio.bridge.event_bridge import EventBridge
from studio.bridge.jobs import JobRunner
from studio.bridge.project_library import ProjectLibrary

_PENDING_AFTER_MS = 250
"""A save that takes less is not shown as pending."""


@dataclass(frozen=True, slots=True)
class SaveState:
    """``time`` is when something of the project reached the disk last; None when nothing did yet."""

    time: QTime | None = None
    is_pending: bool = False
    error: str = ""
    """Why something that was edited is not on the disk; empty when all is."""


class SaveStatus(QObject):
    """Follows the writes of the store below the folder of the open project."""

    changed = Signal(object)
    """The :class:`SaveState`."""

    def __init__(
        self, runner: JobRunner, project_library: ProjectLibrary, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._project_library = project_library
        self._folder: Path | None = None
        self._time: QTime | None = None
        self._refused: dict[Path, UserError] = {}
        self._last_error = ""
        self.state = SaveState()
        self._bridge = EventBridge(self)
        self._bridge.listen(DISK_WRITES)
        self._bridge.happened.connect(self._written)
        self._pending = QTimer(self, singleShot=True, interval=_PENDING_AFTER_MS)
        self._pending.timeout.connect(self._show)
        runner.changed.connect(self._jobs_changed)
        project_library.opened.connect(self._opened)
        project_library.edits.saved.connect(self._show)
        project_library.edits.failed.connect(self._edit_failed)

    def close(self) -> None:
        """Stop following the writes."""
        self._bridge.close()
        self._pending.stop()
        self._runner.changed.disconnect(self._jobs_changed)

    @Slot(object)
    def _opened(self, snapshot: ProjectSnapshot | None) -> None:
        self._folder = snapshot.folder if snapshot is not None else None
        self._time, self._last_error = None, ""
        self._refused.clear()
        self._show()

    @Slot(object)
    def _written(self, write: DiskWrite) -> None:
        folder = self._folder
        if folder is None or not write.path.is_relative_to(folder):
            return
        if write.path.relative_to(folder).parts[:1] == (CACHE,):
            return
        if write.error is not None:
            self._refused[write.path.parent] = write.error
        else:
            refused = self._refused.pop(write.path.parent, None)
            if refused is not None:
                self._runner.mended.emit(refused)
            self._time = QTime.currentTime()
        self._show()

    @Slot(object)
    def _edit_failed(self, error: Exception) -> None:
        self._last_error = str(error)
        self._show()

    @Slot()
    def _jobs_changed(self) -> None:
        if self._runner.saving and not self._pending.isActive():
            self._pending.start()
        elif self.state.is_pending and not self._runner.saving:
            self._show()

    @Slot()
    def _show(self) -> None:
        error = next((str(refused) for refused in self._refused.values()), "")
        if self._project_library.edits.is_unsaved:
            error = error or self._last_error
        state = SaveState(self._time, self._runner.saving and not self._pending.isActive(), error)
        if state != self.state:
            self.state = state
            self.changed.emit(state)
