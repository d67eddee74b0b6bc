"""Watch the services for what happens of the guided tour."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.store.project.sample_project import sample_in
from studio.app.guided_tour.tour_facts import JudgedRecording, TourFacts, judged_task, newest_recording
from studio.bridge import Job, JobRunner
from studio.bridge.jobs import JobQueue
from studio.bridge.phone_recording import RecordingEnd
from studio.bridge.phones.devices import Devices
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.recording import Recording
from studio.settings import Settings

PROJECT = "window.tour-project"


class TourFactsWatcher(QObject):
    """Follows while it is ``active``. The tour's project is the first without recordings that opens."""

    changed = Signal()

    def __init__(
        self, runner: JobRunner, settings: Settings, library: ProjectLibrary, devices: Devices,
        recording: Recording, parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._runner, self._settings = runner, settings
        self._library, self._devices, self._recording = library, devices, recording
        self.active = False
        self._recorded: JudgedRecording | None = None
        self._is_read = False
        library.opened.connect(self._project_opened)
        library.changed.connect(self._adopt)
        recording.ended.connect(self._ended)
        for signal in (
            devices.changed, devices.current_changed, recording.active_changed,
            recording.steps_changed, recording.verdicts_changed,
        ):  # fmt: skip
            signal.connect(self._tell)

    def begin(self) -> None:
        """Look at what is there, and follow it."""
        self.active, self._is_read = True, False
        self._adopt()
        self._read()

    def forget_project(self) -> None:
        """Begin with another project."""
        self._settings.set(PROJECT, "")
        self._recorded, self._is_read = None, False

    def note_read(self, is_read: bool = True) -> None:
        """Note whether the person went on from the verdict."""
        self._is_read = is_read
        self._tell()

    def record_again(self) -> None:
        """Let another recording take the place of the one that is there."""
        self._recorded = None
        self._tell()

    @property
    def facts(self) -> TourFacts:
        """What is so now."""
        snapshot, current = self._library.snapshot, self._devices.current
        is_live = current is not None and current.is_live
        is_virtual = current is not None and is_live and current.info.is_virtual
        own = current.name if current is not None and is_live and not is_virtual else ""
        if snapshot is None or not self._is_own(snapshot.folder):
            return TourFacts(phone=is_virtual, own_phone=own)
        task = judged_task(self._library.edits.tasks)
        facts = TourFacts(
            snapshot.name, is_virtual, own, task, recorded=self._recorded, is_read=self._is_read
        )  # fmt: skip
        if task is None or task.id not in self._recording.task_ids:
            return facts
        return replace(
            facts, is_recording=self._recording.is_running, steps=len(self._recording.steps),
            is_done=self._recording.verdicts.done is not None,
        )  # fmt: skip

    def _is_own(self, folder: Path) -> bool:
        return str(folder) == str(self._settings[PROJECT])

    @Slot()
    def _tell(self) -> None:
        if self.active:
            self.changed.emit()

    @Slot()
    def _project_opened(self) -> None:
        self._recorded, self._is_read = None, False
        self._adopt()
        self._read()

    @Slot()
    def _adopt(self) -> None:
        """Take a project without recordings for the tour's own, unless there is one."""
        snapshot = self._library.snapshot
        if not self.active or snapshot is None:
            return
        is_empty = snapshot.is_read and not snapshot.is_read_only and not sum(snapshot.counts.values())
        if not self._settings[PROJECT] and is_empty and sample_in(snapshot.folder) is None:
            self._settings.set(PROJECT, str(snapshot.folder))
        self._tell()

    @Slot(object, object, object)
    def _ended(self, _recording: object, _folder: Path, end: RecordingEnd) -> None:
        if end is RecordingEnd.FINISHED:
            self._read()
        self._tell()

    def _read(self) -> None:
        """Look for a finished recording in the tour's project, behind the window."""
        project = self._library.project
        if not self.active or project is None or not self._is_own(project.folder):
            self._tell()
            return

        def work(_job: Job) -> tuple[Path, JudgedRecording | None]:
            return project.folder, newest_recording(project)

        self._runner.run(work, success=self._was_read, queue=JobQueue.STORE)

    @Slot(object)
    def _was_read(self, found: tuple[Path, JudgedRecording | None]) -> None:
        if self._is_own(found[0]):
            self._recorded = found[1]
        self._tell()
