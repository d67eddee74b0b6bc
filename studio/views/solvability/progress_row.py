"""The progress of a solvability check: a bar, the current step, the time left and Cancel."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from collector.model.i18n import _, ngettext
from collector.replay.solvability.progress import SolvabilityProgress
from studio.bridge.anomalies.solvability import Solvability
from studio.views.solvability.result_table import FIRST_STEP
from studio.widgets.controls import Button, Label, surface

_TICK_MS = 1000


class SolvabilityProgressRow(QWidget):
    """Follows the check; hidden while none runs."""

    def __init__(self, solvability: Solvability, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._solvability = solvability
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(160)
        self.bar.setAccessibleName(_("Progress of the solvability check"))
        self.words = Label("", "body", "text", cut=True)
        self.left = Label("", "body", "text-2")
        self.cancel = Button(_("Cancel"), "x", "outlined", small=True)
        self.cancel.clicked.connect(solvability.cancel)
        frame = surface("bar", "bottom")
        row = QHBoxLayout(frame)
        row.setContentsMargins(12, 5, 8, 5)
        row.setSpacing(12)
        row.addWidget(self.bar)
        row.addWidget(self.words, 1)
        row.addWidget(self.left)
        row.addWidget(self.cancel)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(frame)
        self._clock = QTimer(self, interval=_TICK_MS)
        self._clock.timeout.connect(self.renew)
        solvability.changed.connect(self.renew)
        solvability.progressed.connect(self.renew)
        self.renew()

    @Slot()
    def renew(self) -> None:
        """Show the progress as it is now."""
        running, progress = self._solvability.is_running, self._solvability.progress
        self.setVisible(running)
        if running != self._clock.isActive():
            self._clock.start() if running else self._clock.stop()
        if progress is None or not running:
            return
        self.bar.setRange(0, max(1, progress.runs))
        self.bar.setValue(progress.done)
        self.cancel.setEnabled(not self._solvability.is_stopping)
        if self._solvability.is_stopping:
            self.words.setText(_("Ending it, and setting the phone right"))
            self.left.setText("")
            return
        self.words.setText(_current_step_text(progress))
        self.left.setText(_("{time} left", time=time_words(progress.left_s)))


def _current_step_text(progress: SolvabilityProgress) -> str:
    number = min(progress.done + 1, max(1, progress.runs))
    run = _("Run {number} of {count}", number=number, count=progress.runs)
    trial_step = progress.current
    if trial_step is None:
        return run
    what = _("{task} without an anomaly", task=trial_step.task)
    if trial_step.anomaly:
        what = _("{task} under {anomaly}", task=trial_step.task, anomaly=trial_step.anomaly)
    step = _("step {step} of {count}", step=trial_step.step + FIRST_STEP, count=trial_step.steps)
    return f"{run}  ·  {what}  ·  {step}"


def time_words(seconds: float) -> str:
    """Return a duration in words, rounded to what is known of it."""
    if seconds < 45:
        return _("less than a minute")
    minutes = max(1, round(seconds / 60))
    if minutes < 90:
        return ngettext("about a minute", "about {count} minutes", minutes)
    return ngettext("about an hour", "about {count} hours", round(minutes / 60))
