"""The line under the phone: what is captured of it, and whether it is where the next action goes."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from collector.recorder.events import Phase, RecordingState
from studio.bridge.recording import Recording
from studio.views.record.phones.mirror import MirrorPane
from studio.views.record.step_replay_controller import StepReplayController
from studio.widgets.captions.next_place import next_place_sentence


class CaptureStatus(QObject):
    """Follows the recording, and what brings the phone to where it ends; the mirror shows the captures."""

    def __init__(
        self, mirror: MirrorPane, recording: Recording, replays: StepReplayController, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._mirror, self._stage, self._pill = mirror, mirror.stage, mirror.pill
        self._recording, self._replays = recording, replays
        self._was_paused = False
        recording.begun.connect(self.begin)
        recording.state_changed.connect(self.show_state)
        recording.rerecord_changed.connect(self._show_place)
        recording.place_changed.connect(self._show_place)
        recording.steps_changed.connect(self._show_place)
        recording.finished.connect(self._hide)
        replays.changed.connect(self._replay_changed)
        self._pill.bring_asked.connect(replays.ask)

    @Slot()
    def begin(self) -> None:
        """Show that a recording runs in which nothing was done yet."""
        self._was_paused = False
        self._pill.show_ready()
        self._stage.set_card_enabled(self._pill, True)

    def show_recording(self, state: RecordingState | None) -> None:
        """Show the recording of another phone, in its present phase; None when it has none."""
        if state is None:
            self._hide()
            return
        self.begin()
        phone, has_steps = self._mirror.phone, bool(self._recording.steps)
        if has_steps and phone is not None and phone.tree_is_fresh:
            self._pill.show_ready(is_first=False)
        elif has_steps:
            self._pill.show_waiting()
        self.show_state(state)

    @Slot(object)
    def show_state(self, state: RecordingState | None) -> None:
        """Show the phase of the recording; None when nothing is recorded."""
        phase = state.phase if state is not None else None
        if phase is Phase.PAUSED:
            self._pill.show_paused()
        elif phase is Phase.RECORDING and self._was_paused:
            self._pill.show_waiting()
        self._was_paused = phase is Phase.PAUSED
        if state is not None and state.reason:
            self._pill.show_problem(state.reason)
        self._show_place()

    @Slot()
    def _replay_changed(self) -> None:
        """What a replay paused stays paused where it did not get there."""
        if not self._replays.is_running and self._recording.phase is Phase.PAUSED:
            self._pill.show_paused()
        self._show_place()

    @Slot()
    def _show_place(self) -> None:
        """Show where the next action goes, and that the phone is elsewhere until its screen was compared."""
        recording = self._recording
        replaced, inserts, index = recording.rerecords, recording.inserts, recording.next_index
        where = ""
        if recording.phase is Phase.RECORDING:
            where = next_place_sentence(replaced, inserts)
        self._pill.show_next_place(where)
        shown = index is not None and recording.is_elsewhere and not self._replays.is_running
        self._pill.show_elsewhere(index + 1 if index is not None and shown else None)

    @Slot()
    def _hide(self) -> None:
        self._stage.set_card_enabled(self._pill, False)
