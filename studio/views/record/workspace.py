"""The Record workspace: its panels and controllers, connected through one session."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QRect, Slot
from PySide6.QtWidgets import QApplication

from collector.model.i18n import _
from collector.recorder.events import NextStateReady, Phase, RecordingState
from collector.reset.reset_record import reset_sentence
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from studio.bridge.phones.mirrored_input import MirroredInput
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.phones.practice_count import PracticeCount
from studio.views.context_menu import ContextMenu, item_choice
from studio.views.edited_place import EditedPlace
from studio.views.first_start import FirstStartPage
from studio.views.panel_layout import Panel
from studio.views.record.achieved_state_controller import AchievedStateController
from studio.views.record.achieved_states import AchievedStates
from studio.views.record.phones.capture_status import CaptureStatus
from studio.views.record.phones.live_figures import LiveFigures
from studio.views.record.phones.mirror import MirrorPane
from studio.views.record.phones.mirror_controller import MirrorController
from studio.views.record.phones.mirrored_input_controller import MirroredInputController
from studio.views.record.phones.phone_files_controller import PhoneFilesController
from studio.views.record.phones.phone_lost_prompt import PhoneLostPrompt
from studio.views.record.phones.phone_notices import PhoneNotices
from studio.views.record.phones.phone_stage import PhoneStage
from studio.views.record.phones.phones_controller import PhonesController
from studio.views.record.phones.record_status import RecordStatus
from studio.views.record.queue.queue_panel import QUEUE_MENU, QueuePanel, is_task
from studio.views.record.recording_controller import RecordingController
from studio.views.record.recording_toolbar import RecordingToolbar
from studio.views.record.recovery_prompt import RecoveryPrompt
from studio.views.record.reset_controller import ResetController
from studio.views.record.session import RecordSession, RecordSessionState
from studio.views.record.side_panel import STEPS, TREE, RecordSidePanel
from studio.views.record.state_ticks import StateTicks
from studio.views.record.step_controller import STEP_MENU, StepController
from studio.views.record.step_replay_controller import StepReplayController
from studio.views.record.trajectory_anomalies import TrajectoryAnomalies
from studio.views.record.trajectory_controller import TrajectoryController
from studio.views.record.verdict_controller import VerdictController
from studio.views.redaction.hide_controller import hide_in_record
from studio.views.services import WindowServices
from studio.views.stored_screens import StoredScreen, StoredScreens
from studio.views.trajectory_edits.past_edits import PastEdits
from studio.views.undo_source import UndoSource, as_text_field, stack_source
from studio.views.workspace import Workspace
from studio.widgets.timeline.anomalies import anomaly_lanes
from studio.widgets.timeline.lanes import Track, step_track
from studio.widgets.timeline.thoughts import thought_lane
from studio.widgets.timeline.timeline import Timeline


class RecordWorkspace(Workspace):
    """Panels do not know each other: they follow the session, and what they emit is connected here."""

    scope = "record"
    most_below = 0.36

    def __init__(self, services: WindowServices) -> None:
        super().__init__(services)
        tasks, recording = services.tasks, services.recording
        library, commander = services.project_library, services.commander
        self.session = RecordSession(
            tasks, library, services.selection, services.trajectories, recording, services.settings, self
        )
        self.screens = StoredScreens(tasks, self, services.screens)
        marks = AchievedStates(tasks, lambda: library.project, library.edits.save_upgrade, self)
        self.achieved_states = marks
        marks.failed.connect(services.toasts.show_error)
        services.stored_labels.changed.connect(marks.reload)
        marks.saved.connect(services.stored_labels.marked)
        self.anomalies = TrajectoryAnomalies(tasks, self)
        self.toolbar.add_command("edit.undo", place=3)  # behind Pause and Resume
        self.queue = QueuePanel()
        self.mirror = MirrorPane(recording, FirstStartPage(services))
        autosave_ms = int(services.settings["recording.autosave-ms"])
        self.side = RecordSidePanel(self.session, self.mirror.selection, self.screens.thumbnails, autosave_ms)
        self.timeline = Timeline(self.screens.thumbnails)
        self.recording_toolbar = RecordingToolbar(self.toolbar, lambda: recording.elapsed_ms, self)
        practice = PracticeCount(tasks, services.devices, self)
        self.status = RecordStatus(services.status, self.session, self, practice)
        self.recovery = RecoveryPrompt(services, self)
        self.notices = PhoneNotices(recording, services.toasts, self)
        self.phone_lost = PhoneLostPrompt(services, self)
        self._settle_ms: float | None = None
        self.figures = LiveFigures(self.mirror, self.status, self.side, self.session)
        self.set_left(self.queue, "queue", _("Queue"))
        self.stage = PhoneStage(self.mirror)
        self.set_centre(self.stage)
        self.set_below(self.timeline, head=self.timeline.header.height())
        self.set_right(self.side, "steps", _("Steps"))
        self.files = PhoneFilesController(services, self.mirror.view, self)
        self.resets = ResetController(services, self.toolbar.buttons["record.reset"], self)
        self.mirrored = MirroredInput(services.devices, recording, self)
        self.recordings = RecordingController(self.session, services, self.resets, self.mirrored, self)
        self.trajectories = TrajectoryController(self.session, services, self)
        self.steps = StepController(self.session, self.side, services, self.trajectories.recorded)
        self.hiding = hide_in_record(self.session, self.trajectories.open, services, self)
        self.past_edits = PastEdits(services, self.session.stored_place, self.trajectories.open, self)
        self.step_replays = StepReplayController(self.session, services, self)
        self.capture_status = CaptureStatus(self.mirror, recording, self.step_replays, self)
        self.mirror_commands = MirrorController(self.mirror, self.side, services)
        MirroredInputController(self.stage, self.mirrored, services)
        self.phones = PhonesController(self.stage, self.queue, self.session, self.mirrored, services)
        self.palette_source = self.mirror_commands.touches
        self.state_marks = AchievedStateController(
            self.session, marks, library, commander, self.toolbar, services.toasts
        )
        self.verdicts = VerdictController(self.session, services, self)
        self.state_ticks = StateTicks(self.session, self.achieved_states, self.verdicts, services, self)
        self._connect_session()
        self._connect_recording()
        self._connect_project_and_phone()
        self._add_context_menus()
        self._show_trajectory()

    def _connect_session(self) -> None:
        session = self.session
        session.task_changed.connect(self.queue.select)
        session.task_changed.connect(self._show_task)
        session.trajectory_changed.connect(self._show_trajectory)
        session.steps_changed.connect(self._show_steps)
        session.current_changed.connect(self._show_current)
        session.failed.connect(self.trajectories.say_refused)
        session.trajectory_changed.connect(self.past_edits.follow)
        self.past_edits.read.connect(self.history_changed)
        reviews = self.services.state_reviews
        reviews.person_changed.connect(self._show_marks)
        reviews.visibility_changed.connect(self.trajectories.hide_from_operator)
        session.events_followed.connect(self._events_followed)
        self.queue.task_chosen.connect(session.choose_task)
        self.queue.hint.asked.connect(self._run_commands)
        self.queue.task_opened.connect(self.trajectories.open_newest_of)
        self.timeline.slot_chosen.connect(session.go)
        self.screens.arrived.connect(self._show_screen)
        self.state_ticks.changed.connect(self._show_states)
        self.anomalies.changed.connect(self._show_anomalies)
        self.verdicts.changed.connect(self._show_verdicts)
        self.mirror.cursor_moved.connect(self.status.show_cursor)
        self.mirror.view.picked.connect(self._open_tree)
        self.mirror.view.opened_in_tree.connect(self.side.show_node)
        self.recordings.open_asked.connect(self.trajectories.open_again)
        self.recordings.ending.connect(self.mirror.view.release_keyboard)
        self.trajectories.opened.connect(self._trajectory_opened)

    def _connect_recording(self) -> None:
        recording = self.services.recording
        recording.front_changed.connect(self._show_front_recording)
        recording.begun.connect(self._recording_begun)
        recording.state_changed.connect(self._show_recording_state)
        recording.step_committed.connect(self._step_committed)
        recording.next_ready.connect(self._next_state_ready)
        recording.rerecord_changed.connect(self._show_rerecord)
        self.step_replays.changed.connect(self._show_step_replay)
        recording.event_noted.connect(self._event_noted)
        recording.finished.connect(self._recording_finished)

    def _connect_project_and_phone(self) -> None:
        project_library, devices = self.services.project_library, self.services.devices
        project_library.opened.connect(self._project_opened)
        project_library.changed.connect(self._project_changed)
        project_library.history_changed.connect(self.history_changed)
        devices.current_changed.connect(self._phone_changed)
        self.notices.changed.connect(self._phone_state_changed)
        self.notices.changed.connect(self.phone_lost.show)
        self._project_opened(project_library.snapshot)
        self._phone_changed(devices.current)

    def _add_context_menus(self) -> None:
        services, steps, queue = self.services, self.side.steps, self.queue.list
        ContextMenu(queue, QUEUE_MENU, services, item_choice(queue, is_task))
        choose = item_choice(steps, lambda index: index.row() < len(steps.rows.steps))
        ContextMenu(steps, STEP_MENU, services, choose)
        ContextMenu(self.timeline.canvas, STEP_MENU, services, self.timeline.canvas.choose_at)

    @property
    def phone_rect(self) -> QRect:
        """Where the mirrored screen is, in this widget."""
        view = self.mirror.view
        shown = view.picture_rect()
        return QRect(view.mapTo(self, shown.topLeft()), shown.size()) if view.isVisible() else QRect()

    @Slot(tuple)
    def _run_commands(self, commands: tuple[str, ...]) -> None:
        for command in commands:
            self.services.run_command(command)

    # -- project and task --------------------------------------------------------
    @Slot(object)
    def _project_opened(self, snapshot: ProjectSnapshot | None) -> None:
        self.queue.show_snapshot(snapshot)
        self.session.choose_first_task()
        self.recovery.search(self.services.project_library.project)

    @Slot(object)
    def _project_changed(self, snapshot: ProjectSnapshot) -> None:
        self.queue.show_snapshot(snapshot)
        self._show_task()

    @Slot()
    def _show_task(self) -> None:
        task = self.session.task
        self.achieved_states.show_states(task, self.services.project_library.edits.states)
        states = self.state_ticks.task_states(task) if task is not None else []
        for card in (self.mirror.task_card, self.mirror.task_line):
            card.show_task(task, states)

    # -- phone -------------------------------------------------------------------
    @Slot(object)
    def _phone_changed(self, phone: PhoneLink | None) -> None:
        self.mirror.set_phone(phone)
        self.status.set_phone(phone)
        self.services.recording.use_phone(phone)
        self.notices.follow(phone)
        if phone is not None and self.isVisible() and as_text_field(QApplication.focusWidget()) is None:
            self.mirror.view.setFocus()  # nobody's typing is interrupted
        self._set_context()

    @Slot()
    def _phone_state_changed(self) -> None:
        self.figures.show()
        self._set_context()

    # -- trajectory and steps ------------------------------------------------------
    @Slot()
    def _show_trajectory(self) -> None:
        header, folder = self.session.header, self.session.folder
        if header is not None and folder is not None:
            self.screens.open(header.id, folder)
        self.achieved_states.open(folder, self.session.author)
        self.anomalies.open(folder)
        self.recording_toolbar.show_stored(self.session.editor is not None)
        self.mirror.set_stored_open(self.session.editor is not None)
        # The phone keeps its height from the first step of a recording to its end.
        self.set_panel_idle(Panel.BOTTOM, self.session.editor is None)
        self._show_task()
        self._set_context()

    @Slot()
    def _show_steps(self) -> None:
        session = self.session
        self.achieved_states.follow(session.steps)
        self.anomalies.follow(session.steps)
        self._show_track()
        self.recording_toolbar.show_count(len(session.steps))
        self.status.show_steps()
        self._set_context()

    @Slot(int)
    def _show_current(self, slot: int) -> None:
        self.timeline.set_current(slot)
        step = self.session.step
        if step is not None:
            self.screens.request(step)
        else:
            self.screens.cancel_request()
            self.mirror.show_live()
        self._show_judgements()
        self.status.show_steps()
        self._set_context()

    def _show_track(self) -> None:
        session, header = self.session, self.session.header
        if header is None:
            self.timeline.set_track(Track())
            self._fit_timeline()
            return
        recording = self.services.recording
        live = session.editor is None and recording.is_running
        lanes = anomaly_lanes(self.anomalies.interruptions, len(session.steps) + live)
        marks = self.state_ticks.lane_marks(session.task)
        paused = recording.phase is Phase.PAUSED
        track = step_track(
            header.id, session.steps, live=live, paused=paused, states=marks, anomalies=lanes,
            thoughts=(thought_lane(session.steps),), verdicts=self.verdicts.lanes(),
        )  # fmt: skip
        about = "  ·  ".join(filter(None, (header.task_id, header.id, header.who, reset_sentence(header))))
        self.timeline.set_track(track, about)
        self.timeline.set_current(session.current)
        self._fit_timeline()

    def _fit_timeline(self) -> None:
        """Make room for the lanes of a run."""
        self.suggest_height_below(max(self.timeline.sizeHint().height(), self.timeline.content_height))

    @Slot()
    def _show_marks(self) -> None:
        """Show the marks of the person who works now."""
        self.achieved_states.open(self.session.folder, self.session.author)

    @Slot(object, object)
    def _show_screen(self, step: object, screen: StoredScreen) -> None:
        if step is self.session.step and self.session.step is not None:
            self.mirror.show_stored(self.session.step, screen)

    @Slot()
    def _show_states(self) -> None:
        self._show_task()
        self._show_track()

    @Slot()
    def _show_anomalies(self) -> None:
        self.side.details.set_interruptions(self.anomalies.interruptions)
        self._show_track()

    @Slot()
    def _show_verdicts(self) -> None:
        self._show_judgements()
        self._show_track()

    def _show_judgements(self) -> None:
        judgements = self.verdicts.of_step()
        self.side.details.judgements.show_judgements(judgements, self.verdicts.sentences)

    @Slot()
    def _open_tree(self) -> None:
        """Show the tree beside the screen; the keyboard stays with the screen, whose arrows walk the tree."""
        self.show_panel(Panel.RIGHT)
        self.side.tabs.set_current(TREE)

    @Slot()
    def _trajectory_opened(self) -> None:
        # Left and Right move between steps; on the screen they would move in the tree.
        self.timeline.canvas.setFocus()

    # -- recording -------------------------------------------------------------------
    @Slot()
    def _recording_begun(self) -> None:
        header = self.services.recording.header
        self.queue.show_recording(header.task_id if header is not None else "")
        self.side.tree.clear()  # what was looked for was in the recording before
        self.side.tabs.set_current(STEPS)  # new steps appear there, and a live screen has no details
        self._settle_ms = None
        self.mirror.show_capture(None)
        self.mirror.view.setFocus()

    @Slot()
    def _show_front_recording(self) -> None:
        """Show the recording of the phone that came to the front, or that it has none."""
        recording, header = self.services.recording, self.services.recording.header
        phase = recording.phase if recording.is_running else None
        state = RecordingState(phase) if phase is not None else None
        self.queue.show_recording(header.task_id if header is not None and state is not None else "")
        self.side.tree.clear()
        self._settle_ms = None
        self.mirror.show_capture(None)
        self.capture_status.show_recording(state)
        self._show_recording_state(state)
        self._show_capture()

    @Slot(object)
    def _show_recording_state(self, state: RecordingState | None) -> None:
        self.recording_toolbar.show_phase(state.phase if state is not None else None)
        phase = state.phase if state is not None else None
        self.side.set_recording(phase is Phase.RECORDING, paused=phase is Phase.PAUSED)
        self.queue.show_pause(phase is Phase.PAUSED)
        self._show_track()
        self._show_rerecord()

    @Slot()
    def _show_rerecord(self) -> None:
        """Show, until it is used or cancelled, which step the next action replaces, or comes before."""
        index, inserts = self.services.recording.rerecords, self.services.recording.inserts
        self.recording_toolbar.show_rerecord(index is not None, inserts=inserts is not None)
        self.side.steps.rows.set_replaced(index, inserts)
        self._set_context()

    @Slot()
    def _show_step_replay(self) -> None:
        self.recording_toolbar.show_replay(self.step_replays.is_running)
        self._set_context()

    @Slot(object)
    def _step_committed(self, _step: object) -> None:
        self._show_capture()

    @Slot(object)
    def _next_state_ready(self, event: NextStateReady) -> None:
        self._settle_ms = event.settle_ms
        self._show_capture()

    def _show_capture(self) -> None:
        """Show how the newest step was captured."""
        steps = self.services.recording.steps
        if steps:
            self.mirror.show_capture(steps[-1], self._settle_ms)

    @Slot()
    def _events_followed(self) -> None:
        """Read the anomalies again that another program's run has met."""
        self.anomalies.open(self.session.folder)

    @Slot(object)
    def _event_noted(self, line: Mapping[str, Any]) -> None:
        if self.session.editor is None:
            self.anomalies.note(line)

    @Slot(object)
    def _recording_finished(self, _folder: Path) -> None:
        self.queue.show_recording("")
        self.side.tree.clear()  # what was selected was looked up for this recording
        self._show_track()
        self._set_context()

    # -- context and measurements ------------------------------------------------------
    def _set_context(self) -> None:
        recording, session = self.services.recording, self.session
        phone, trajectory = self.mirror.phone, self.session.trajectory
        self.services.commander.set_context(
            device__live=phone is not None and phone.is_live,
            mirror__shown=phone is not None or trajectory is not None,
            recording=recording.is_running,
            paused=recording.phase is Phase.PAUSED,
            phone__replaying=self.step_replays.is_running,
            rerecord__armed=recording.rerecords is not None,
            insert__armed=recording.inserts is not None,
            trajectory__open=trajectory is not None,
            trajectory__stored=session.editor is not None,
            step__selected=session.step is not None,
        )
        self.history_changed.emit()
        self.place_changed.emit()

    @property
    def edited_place(self) -> EditedPlace | None:
        return self.session.edited_place

    def show_edited(self, folder: Path, step: int) -> None:
        self.trajectories.open(folder, step)

    def show_entry(self, kind: str, entry_id: str) -> None:  # noqa: ARG002 - it shows tasks alone
        """Choose a task in the queue; a filter that hides it is cleared."""
        if self.services.recording.is_active:
            self.services.toasts.show("warn", _("A recording is running"), _("Finish it first"))
            return
        self.session.choose_task(entry_id)
        self.queue.reveal(entry_id)

    @property
    def history(self) -> UndoSource:
        """The edits of the open trajectory, those of the project where they are newer or it has none."""
        own, of_project = self.steps.history, stack_source(self.services.project_library.history)
        if own is None:
            return of_project
        if self.session.editor is None or own.undo_title or own.redo_title:
            return own
        return self.past_edits.with_those_of(of_project)

    # -- life ----------------------------------------------------------------------------
    def activate(self) -> None:
        """Show facts in the status bar and start the clocks."""
        self.status.show()
        self.phones.set_active(True)
        self.figures.start()
        if self.mirror.phone is not None:
            self.take_keyboard()

    def take_keyboard(self) -> None:
        self.mirror.view.setFocus()

    def deactivate(self) -> None:
        """Save what is being typed, leave the status bar and stop the clocks."""
        self.mirror.view.release_keyboard()
        self.side.details.save()
        self.status.hide()
        self.phones.set_active(False)
        self.figures.stop()

    def keep_state(self) -> RecordSessionState:
        """Give away the stored trajectory."""
        self.side.details.save()
        return self.session.keep_state()

    def take_state(self, state: RecordSessionState) -> None:
        """Go on with the stored trajectory, or with the recording that runs."""
        if self.services.recording.is_running:
            self._show_front_recording()
        self.session.take_state(state)

    def close_workspace(self) -> None:
        """Close the stored trajectory and the mirror. The recording is not the window's: it goes on."""
        self.deactivate()
        self.recording_toolbar.close()
        self.mirrored.switch(False)
        self.stage.close_tiles()
        self.session.close_all()
        self.mirror.close_phone()
