"""A page of an experiment's results that is read behind the window, and only while it is on show."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from collector.model.errors import UserError
from studio.bridge.jobs import Job
from studio.views.run.session import RunSession
from studio.widgets.controls import Label


class ExperimentPage(QFrame):
    """Has a row with a note above a table, and reads anew what became old.

    A subclass says what is read, in :meth:`_read`.
    """

    def __init__(self, session: RunSession, pause_ms: int) -> None:
        """``pause_ms`` is how long changes are awaited before they are read together."""
        super().__init__()
        self._session = session
        self._is_active, self._is_old = False, True
        self._job: Job | None = None
        self.note = Label("", "caption", "text-2", cut=True)
        self._pause = QTimer(self, singleShot=True, interval=pause_ms)
        self._pause.timeout.connect(self._read)
        for signal in (session.experiment_chosen, session.cells_changed, session.project_library.changed):
            signal.connect(self._outdate)

    def _lay_out(self, choice: QWidget, choice_stretch: int, note_stretch: int, table: QWidget) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(12)
        row.addWidget(choice, choice_stretch)
        row.addWidget(self.note, note_stretch)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(table, 1)

    def set_active(self, active: bool) -> None:
        """Follow what is stored while the page is on show."""
        self._is_active = active
        if active and self._is_old:
            self._read()

    @Slot()
    def _outdate(self) -> None:
        self._is_old = True
        if self._is_active and not self._pause.isActive():
            self._pause.start()

    @Slot()
    def _read(self) -> None:
        raise NotImplementedError

    def _begin(self) -> None:
        """What is read from here on is new; what is still read for before is not shown."""
        self._is_old = False
        if self._job is not None and not self._job.finished:
            self._job.cancel()

    def _say(self, words: str) -> None:
        self.note.set_tone("text-2")
        self.note.setText(words)

    def _say_failure(self, error: Exception, words: str) -> None:
        """Show what a person can mend of ``error``, or ``words`` for anything else."""
        self.note.set_tone("err")
        self.note.setText(str(error) if isinstance(error, UserError) else words)
