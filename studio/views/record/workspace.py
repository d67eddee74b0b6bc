"""The Record workspace: everything about one task, one phone and one trajectory, wired together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer, Slot

from collector.model.i18n import _, ngettext
from collector.model.task import Task
from collector.model.tree import Node
from collector.recorder.events import NextStateReady, Phase, RecorderNotice, RecordingState
from collector.store.reader import StoredTrajectory, open_trajectory
from collector.store.writer import FINISHED
from studio.bridge.library import Snapshot
from studio.bridge.phone import PhoneLink
from studio.bridge.stall_monitor import StallMonitor
from studio.views.first_start import first_start
from studio.views.record.achieved_states import AchievedStates
from studio.views.record.mirror import MirrorPane
from studio.views.record.queue_panel import QueuePanel
from studio.views.record.record_status import RecordStatus
from studio.views.record.recording_controller import RecordingController
from studio.views.record.recording_toolbar import RecordingToolbar
from studio.views.record.recovery_prompt import RecoveryPrompt
from studio.views.record.session import RecordSession
from studio.views.record.side_panel import STEPS, RecordSidePanel
from studio.views.record.stored_screens import StoredScreen, StoredScreens
from studio.views.record.trajectory_anomalies import TrajectoryAnomalies
from studio.views.services import WindowServices
from studio.views.workspace import Workspace
from studio.widgets.timeline.anomalies import anomaly_lanes
from studio.widgets.timeline.lanes import Track, step_track
from studio.widgets.timeline.timeline import Timeline

_TICK_MS = 500


class RecordWorkspace(Workspace):
    """Parts know nothing of each other: what one tells, this hands to the others."""

    scope = "record"

    def __init__(self, shell: WindowServices) -> None:
        super().__init__(shell)
        self._asked_for = (Path(), 0)
        self.document = RecordSession(shell.tasks, shell.recording, self)
        self.pictures = StoredScreens(shell.tasks, self)
        self.milestones = AchievedStates(shell.tasks, self)
        self.interruptions = TrajectoryAnomalies(shell.tasks, self)
        self.queue = QueuePanel()
        self.mirror = MirrorPane(shell.recording, first_start(shell.commander))
        thumbnails = self.pictures.thumbnails
        autosave = int(shell.settings["recording.autosave-s"]) * 1000
        self.side = RecordSidePanel(self.document, self.mirror.selection, thumbnails, autosave)
        self.timeline = Timeline(thumbnails)
        self.bar = RecordingToolbar(self.toolbar, self)
        self.facts = RecordStatus(shell.status, self.document, self)
        self.stalls = StallMonitor(self)
        self.rescue = RecoveryPrompt(shell, self)
        self._settle_ms: float | None = None
        self._goes_on = False
        self._ticking = QTimer(self)
        self._ticking.setInterval(_TICK_MS)
        self.set_left(self.queue, "queue")
        self.set_centre(self.mirror)
        self.set_below(self.timeline)
        self.set_right(self.side, "steps")
        self.deeds = RecordingController(self)
        self._connect_parts()
        self._connect_recording()
        self._connect_services()
        self._document_changed()

    def _connect_parts(self) -> None:
        document, mirror, side = self.document, self.mirror, self.side
        document.changed.connect(self._document_changed)
        document.steps_changed.connect(self._steps_changed)
        document.current_changed.connect(self._current_changed)
        document.failed.connect(self.shell.toasts.show_error)
        self.pictures.arrived.connect(self._state_arrived)
        self.milestones.changed.connect(self._states_changed)
        self.interruptions.changed.connect(self._interruptions_changed)
        self.timeline.slot_chosen.connect(document.go)
        self.queue.task_chosen.connect(self._task_chosen)
        mirror.cursor_moved.connect(self.facts.show_cursor)
        mirror.view.opened_in_tree.connect(self._open_in_tree)
        mirror.keyboard_asked.connect(self.deeds.hide_keyboard)
        mirror.picture_asked.connect(self.deeds.save_region_image)
        mirror.key_bar.rotate_asked.connect(self.deeds.rotate)
        side.tree.refresh_asked.connect(mirror.refresh)
        side.steps.delete_asked.connect(document.delete)
        side.steps.rerecord_asked.connect(self.deeds.rerecord_at)
        self._ticking.timeout.connect(self._tick)

    def _connect_recording(self) -> None:
        recording = self.shell.recording
        recording.begun.connect(self._recording_begun)
        recording.state_changed.connect(self._state_changed)
        recording.step_committed.connect(self._step_committed)
        recording.next_ready.connect(self._next_ready)
        recording.event_noted.connect(self._event_noted)
        recording.problem.connect(self._problem)
        recording.failed.connect(self.shell.toasts.show_error)
        recording.finished.connect(self._recording_finished)

    def _connect_services(self) -> None:
        library, devices = self.shell.library, self.shell.devices
        library.opened.connect(self._project_opened)
        library.changed.connect(self._project_changed)
        library.shown.connect(self._trajectory_read)
        library.task_chosen.connect(self._task_wanted)
        self.queue.task_chosen.connect(library.choose_task)
        devices.current_changed.connect(self._phone_changed)
        self._project_opened(library.snapshot)
        self._phone_changed(devices.current)

    # -- what is known -------------------------------------------------------
    @property
    def task(self) -> Task | None:
        """The task chosen in the queue, or that of the trajectory on show."""
        snapshot = self.shell.library.snapshot
        header = self.document.header
        task_id = header.task_id if header is not None else self.queue.task_id
        return snapshot.task(task_id) if snapshot is not None else None

    @property
    def author(self) -> str:
        return str(self.shell.settings["recording.author"])

    # -- project and queue ---------------------------------------------------
    @Slot(object)
    def _project_opened(self, snapshot: Snapshot | None) -> None:
        self.document.close()
        self.queue.show_snapshot(snapshot)
        if snapshot is not None:
            first = self.queue.rows.after("")
            self.queue.choose(first.id if first is not None else "")
            self.rescue.look(self.shell.library.project)
        self._show_task()

    @Slot(object)
    def _project_changed(self, snapshot: Snapshot) -> None:
        self.queue.show_snapshot(snapshot)
        self._show_task()

    @Slot(str)
    def _task_wanted(self, task_id: str) -> None:
        """A task was chosen in another workspace; the one being recorded stays."""
        if task_id and not self.shell.recording.is_active:
            self.queue.choose(task_id)

    @Slot(str)
    def _task_chosen(self, task_id: str) -> None:
        header = self.document.header
        if header is not None and header.task_id != task_id:
            self.document.close()
        self._show_task()

    def _show_task(self) -> None:
        task = self.task
        states = self.milestones.of_task(task.essential_states) if task is not None else []
        for card in (self.mirror.task_card, self.mirror.task_line):
            card.show_task(task, states)

    # -- the phone -----------------------------------------------------------
    @Slot(object)
    def _phone_changed(self, phone: PhoneLink | None) -> None:
        self.mirror.set_phone(phone)
        self.facts.set_phone(phone)
        self.shell.recording.use_phone(phone)
        if phone is not None:
            phone.message.connect(self._phone_said)
            phone.lost.connect(self._phone_lost)
            phone.back.connect(self._phone_back)
            phone.secure_changed.connect(self._secure_changed)
            phone.source_changed.connect(self._source_changed)
            if self.isVisible():
                self.mirror.view.setFocus()
        self._set_context()

    @Slot(str)
    def _phone_said(self, sentence: str) -> None:
        self.shell.toasts.show("info", sentence)

    @Slot(str)
    def _source_changed(self, _name: str) -> None:
        self._tick()
        self._set_context()

    @Slot(str)
    def _phone_lost(self, why: str) -> None:
        paused = _("The recording is paused until it is back") if self.shell.recording.is_running else ""
        self.shell.toasts.show("warn", _("The phone is gone"), ". ".join(filter(None, (why, paused))))
        self._tick()
        self._set_context()

    @Slot()
    def _phone_back(self) -> None:
        self.shell.toasts.show("ok", _("The phone is back"))
        self._tick()
        self._set_context()

    @Slot(bool)
    def _secure_changed(self, secure: bool) -> None:
        if secure and self.shell.recording.is_running:
            self.shell.toasts.show(
                "info", _("Recording without pixels"), _("Secure screen; passwords are redacted")
            )
        self._tick()

    # -- the document --------------------------------------------------------
    @Slot()
    def _document_changed(self) -> None:
        header, folder = self.document.header, self.document.folder
        if header is not None and folder is not None:
            self.pictures.open(header.id, folder)
            self.queue.choose(header.task_id)
        self.milestones.open(folder, self.author)
        self.interruptions.open(folder)
        self.bar.show_stored(self.document.editor is not None)
        self._show_task()
        self._set_context()

    @Slot()
    def _steps_changed(self) -> None:
        self.milestones.follow(self.document.steps)
        self.interruptions.follow(self.document.steps)
        self._show_track()
        self.bar.show_count(len(self.document.steps))
        self.facts.show_steps()
        if self.document.editor is not None and self.document.undo_title:
            self.facts.just_saved()
        self._set_context()

    @Slot(int)
    def _current_changed(self, slot: int) -> None:
        self.timeline.set_current(slot)
        step = self.document.step
        if step is not None:
            self.pictures.ask(step)
        else:
            self.pictures.forget_wish()
            self.mirror.show_live()
        self.facts.show_steps()
        self._set_context()

    def _show_track(self) -> None:
        header = self.document.header
        if header is None:
            self.timeline.set_track(Track())
            return
        live = self.document.is_live and self.shell.recording.is_running
        steps = self.document.steps
        lanes = anomaly_lanes(self.interruptions.found, len(steps) + live)
        track = step_track(header.id, steps, live=live, states=self.milestones.marks(), anomalies=lanes)
        about = "  ·  ".join(filter(None, (header.task_id, header.id, header.who)))
        self.timeline.set_track(track, about)
        self.timeline.set_current(self.document.current)

    @Slot(object, object)
    def _state_arrived(self, step: object, state: StoredScreen) -> None:
        if step is self.document.step and self.document.step is not None:
            self.mirror.show_stored(self.document.step, state)

    @Slot()
    def _states_changed(self) -> None:
        self._show_task()
        self._show_track()

    @Slot()
    def _interruptions_changed(self) -> None:
        self.side.details.set_interruptions(self.interruptions.found)
        self._show_track()

    @Slot(object)
    def _open_in_tree(self, node: Node) -> None:
        self.side.show_node(node)

    def show_trajectory(self, folder: Path, step: int = 0) -> None:
        """Read a trajectory and step through it, from the one with the index ``step`` on."""
        self._asked_for = (folder, step)
        self.shell.tasks.run(
            lambda _job: open_trajectory(folder),
            success=self._trajectory_read,
            failure=self.shell.toasts.show_error,
        )

    @Slot(object)
    def _trajectory_read(self, stored: StoredTrajectory) -> None:
        if self.shell.recording.is_active:
            self.shell.toasts.show("warn", _("A recording is running"), _("Finish it first"))
            return
        self.shell.commander.run("view.record")
        self.document.open(stored)
        self.document.go(self._asked_for[1] if self._asked_for[0] == stored.folder else 0)
        self.timeline.canvas.setFocus()  # Left and Right step; on the screen they would walk the tree
        if stored.problems:
            count = len(stored.problems)
            words = ngettext(
                "{count} problem in this trajectory", "{count} problems in this trajectory", count
            )
            self.shell.toasts.show("warn", words, stored.problems[0])

    # -- the recording -------------------------------------------------------
    @Slot()
    def _recording_begun(self) -> None:
        steps = self.shell.recording.steps
        self.bar.begin(steps[-1].t_ms if steps else 0)
        header = self.shell.recording.header
        self.queue.show_recording(header.task_id if header is not None else "")
        self.side.tabs.set_current(STEPS)  # where the next thing happens; a live screen has no details
        self._settle_ms = None
        self.mirror.show_capture(None)
        self.mirror.pill.show_waiting()
        self.mirror.stage.set_wanted(self.mirror.pill, True)
        self.mirror.view.setFocus()

    @Slot(object)
    def _state_changed(self, state: RecordingState | None) -> None:
        self.bar.show_phase(state.phase if state is not None else None)
        self.side.set_recording(state is not None and state.phase is Phase.RECORDING)
        if state is not None and state.reason:
            self.mirror.pill.show_problem(state.reason)
        self._show_track()
        self._set_context()

    @Slot(object)
    def _step_committed(self, _step: object) -> None:
        self.facts.just_saved()
        if self.document.recording.steps:
            self.mirror.show_capture(self.document.recording.steps[-1], self._settle_ms)

    @Slot(object)
    def _event_noted(self, line: Mapping[str, Any]) -> None:
        if self.document.is_live:
            self.interruptions.note(line)

    @Slot(object)
    def _next_ready(self, event: NextStateReady) -> None:
        self._settle_ms = event.settle_ms
        if self.document.recording.steps:
            self.mirror.show_capture(self.document.recording.steps[-1], event.settle_ms)

    @Slot(object)
    def _problem(self, problem: RecorderNotice) -> None:
        self.shell.toasts.show("warn", problem.what, problem.to_do)

    def submit(self) -> None:
        """Finish, and go to the next task when all is on the disk."""
        self._goes_on = True
        self.shell.recording.finish()

    @Slot(object)
    def _recording_finished(self, folder: Path) -> None:
        self.queue.show_recording("")
        self.mirror.stage.set_wanted(self.mirror.pill, False)
        self.facts.just_saved()
        self.shell.library.refresh()
        self._show_track()
        self.shell.toasts.show(
            "ok",
            _("The recording is saved"),
            folder.name,
            action=_("Open"),
            act=lambda: self.show_trajectory(folder),
        )
        if self._goes_on:
            self._goes_on = False
            following = self.queue.rows.after(folder.parent.name)
            if following is not None:
                self.queue.choose(following.id)
        self._set_context()

    # -- context and figures -------------------------------------------------
    def _set_context(self) -> None:
        recording, document = self.shell.recording, self.document
        phone = self.mirror.phone
        self.shell.commander.set_context(
            device__live=phone is not None and phone.is_live,
            mirror__shown=phone is not None or document.is_open,
            recording=recording.is_running,
            paused=recording.phase is Phase.PAUSED,
            record__undoable=bool(document.undo_title),
            record__redoable=bool(document.redo_title),
            trajectory__open=document.is_open,
            trajectory__stored=document.editor is not None,
            step__selected=document.step is not None,
        )

    @Slot()
    def _tick(self) -> None:
        self.facts.tick(self.mirror.view.latency_ms)
        self.mirror.show_figures()
        phone = self.mirror.phone
        if phone is None or not self.document.shows_phone:
            self.side.tree.set_freshness(None)
            return
        age = phone.stats.tree_age_ms
        seconds = age / 1000 if age is not None else None
        self.side.tree.set_freshness(seconds, fresh=phone.tree_is_fresh, stale=phone.tree_is_stale)

    # -- life ----------------------------------------------------------------
    def activate(self) -> None:
        self.facts.show(self.author)
        self._ticking.start()
        self.stalls.start()
        if self.mirror.phone is not None:
            self.mirror.view.setFocus()

    def deactivate(self) -> None:
        self.side.details.save()
        self.facts.hide()
        self._ticking.stop()
        self.stalls.stop()

    def close_workspace(self) -> None:
        self.deactivate()
        self.bar.close()
        self.shell.recording.stop()
        self.document.close()
        self.mirror.close_phone()

    @property
    def is_unfinished(self) -> bool:
        """Whether the trajectory on show can be gone on with."""
        header = self.document.header
        return (
            self.document.editor is not None
            and header is not None
            and header.status
            not in (
                FINISHED,
                "imported",
            )
        )
