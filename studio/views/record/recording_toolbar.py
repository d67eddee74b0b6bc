"""The toolbar of the Record workspace: record button with clock, pause or resume, and step count."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Slot

from collector.model.i18n import _, ngettext
from collector.recorder.events import Phase
from studio.widgets.controls import Label
from studio.widgets.painting import text_width
from studio.widgets.window_frame.toolbar import Toolbar

_START = "record.start"
_CLOSE = "record.close-trajectory"
_FINISH = "record.finish"
_CANCEL_RERECORD = "step.cancel-rerecord"
_STOP_INSERT = "step.stop-insert"
_CANCEL_REPLAY = "record.cancel-bring-phone"
_MANY = 88
"""A number of steps whose digits are wide, to reserve the room of the count."""
_WHILE_RECORDING = ("record.pause", "record.answer", "record.wait")


class RecordingToolbar(QObject):
    """Shows, hides and relabels the buttons of a toolbar by the phase of the recording.

    ``elapsed`` returns the milliseconds of the recording, as its steps count them.
    """

    def __init__(self, toolbar: Toolbar, elapsed: Callable[[], int], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._toolbar = toolbar
        # Nothing in the toolbar moves when a recording starts, pauses or ends.
        faces = (_with_clock(_("Recording"), 0), _with_clock(_("Paused"), 0), _with_clock(_("Finishing"), 0))
        toolbar.buttons[_START].set_text_room(_("Record"), *faces)
        toolbar.buttons["record.pause"].take_turns_with(toolbar.buttons["record.resume"])
        self._elapsed = elapsed
        self._phase: Phase | None = None
        self._stored = False
        self._count = Label("", "body", "text-2")
        self._count.setMinimumWidth(text_width(_steps(_MANY)))
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        toolbar.facts.addWidget(self._count)
        self._clock = QTimer(self)
        self._clock.setInterval(250)
        self._clock.timeout.connect(self._tick)
        self.show_phase(None)
        self.show_rerecord(False)
        self.show_replay(False)

    def show_phase(self, phase: Phase | None) -> None:
        """Show the phase of the recording; None when nothing is recorded."""
        self._phase = phase
        self._toolbar.set_shown("record.resume", phase is Phase.PAUSED)
        self.show_stored(self._stored)
        if phase is Phase.RECORDING:
            self._clock.start()
        else:
            self._clock.stop()
        self._tick()

    def show_stored(self, stored: bool) -> None:
        """Say whether a stored trajectory is open: it has Close in place of the recording commands."""
        self._stored = stored
        for command in _WHILE_RECORDING:
            self._toolbar.set_shown(command, not stored)
        if not stored:
            self._toolbar.set_shown("record.pause", self._phase is not Phase.PAUSED)
        self._toolbar.set_shown(_FINISH, not stored)
        self._toolbar.set_shown(_CLOSE, stored)

    def show_rerecord(self, armed: bool, *, inserts: bool = False) -> None:
        """Show the button that cancels while the next action is to replace a step, or to come before one."""
        self._toolbar.set_shown(_CANCEL_RERECORD, armed)
        self._toolbar.set_shown(_STOP_INSERT, inserts)

    def show_replay(self, running: bool) -> None:
        """Show the button that cancels while the phone is brought to where the steps end."""
        self._toolbar.set_shown(_CANCEL_REPLAY, running)

    def show_count(self, steps: int) -> None:
        """Show the number of steps; nothing when there are none."""
        self._count.setText(_steps(steps) if steps else "")

    def close(self) -> None:
        """Stop the clock."""
        self._clock.stop()

    @Slot()
    def _tick(self) -> None:
        button = self._toolbar.buttons[_START]
        if self._phase is None:
            button.set_face(_("Record"), "record", "primary")  # Finish cannot be pressed: it is not filled
            return
        label = {Phase.PAUSED: _("Paused"), Phase.RECORDING: _("Recording")}.get(self._phase, _("Finishing"))
        # The red dot is for a recording that runs.
        icon, kind = ("pause", "outlined") if self._phase is Phase.PAUSED else ("state-rec", "recording")
        button.set_face(_with_clock(label, self._elapsed() // 1000), icon, kind)


def _with_clock(label: str, seconds: int) -> str:
    return f"{label}  {seconds // 60:02d}:{seconds % 60:02d}"


def _steps(count: int) -> str:
    return ngettext("{count} step", "{count} steps", count)
