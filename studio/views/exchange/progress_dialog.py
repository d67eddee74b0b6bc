"""How far an import or an export is, how fast, and how long it still takes; it can be stopped."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _
from studio.bridge.jobs import Job
from studio.widgets.controls import BusyBar, Label
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.experiment.duration_text import duration_text

_OPENS_AFTER_MS = 500
_ESTIMATE_AFTER_S = 2.0


class ProgressDialog(Dialog):
    """Opens when the job takes long, and closes with it. Closed earlier, the job goes on behind it."""

    def __init__(self, job: Job, parent: QWidget, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` gives seconds."""
        super().__init__(job.title, _("Go on behind the window"), parent, no=_("Stop"))
        self._job: Job | None = job
        self._clock = clock
        self._began, self._first = clock(), 0
        self.bar = BusyBar()
        self.bar.setRange(0, 0)
        self.said = Label(_("It begins"), "body", "text-2")
        self.body.addWidget(self.bar)
        self.body.addWidget(self.said)
        job.progressed.connect(self._progressed)
        for ended in (job.succeeded, job.failed, job.stopped):
            ended.connect(self._end)
        self.no.clicked.disconnect()
        self.no.clicked.connect(self._stop)
        self._opens = QTimer(self, singleShot=True, interval=_OPENS_AFTER_MS)
        self._opens.timeout.connect(self.open)
        self._opens.start()

    @Slot(object)
    def _progressed(self, progress: tuple[int, int]) -> None:
        done, total = progress
        now = self._clock()
        if self._first == 0 and done > 1:  # what an interrupted export wrote counts for no speed
            self._first, self._began = done, now
        self.bar.setRange(0, total)
        self.bar.setValue(done)
        parts = [f"{done:,} / {total:,}" if total else f"{done:,}"]
        taken, own = now - self._began, done - self._first
        if own > 0 and taken > _ESTIMATE_AFTER_S:
            speed = f"{own / taken:,.1f}"
            if total > done:
                left = duration_text(taken * (total - done) / own)
                parts.append(_("{speed} a second, about {time} left", speed=speed, time=left))
            else:
                parts.append(_("{speed} a second", speed=speed))
        self.said.setText(", ".join(parts))

    @Slot()
    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self.no.setEnabled(False)
            self.said.setText(_("It stops"))

    @Slot()
    def _end(self) -> None:
        self._job = None
        self._opens.stop()
        self.close()
        self.deleteLater()

    @Slot()
    def reject(self) -> None:
        """Leave the job to go on, as Esc and the other button do."""
        self.accept()
