"""The list of running jobs, each with its progress and a Cancel button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.bridge import Job, JobRunner
from studio.theme import theme
from studio.widgets.controls import BusyBar, Button, Label


class _JobRow(QWidget):
    def __init__(self, job: Job) -> None:
        super().__init__()
        self._job = job
        self.setFixedHeight(theme.size("row_problem"))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(12)
        row.addWidget(Label(job.title, "name", cut=True), 2)
        self._bar = BusyBar()
        row.addWidget(self._bar, 3)
        self._progress_text = Label("", "body", "text-2")
        self._progress_text.setMinimumWidth(72)
        self._progress_text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._progress_text)
        self._cancel = Button(_("Cancel"), kind="link", small=True)
        self._cancel.clicked.connect(self._stop)
        row.addWidget(self._cancel)
        job.progressed.connect(self._progressed)
        self._progressed()

    @Slot()
    def _progressed(self) -> None:
        done, total = self._job.done, self._job.total
        # With the range 0 to 0 the bar is busy without a value.
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        self._progress_text.setText(f"{done} / {total}" if total else str(done) if done else "")

    @Slot()
    def _stop(self) -> None:
        self._job.cancel()
        self._cancel.setEnabled(False)
        self._progress_text.setText(_("stopping"))


class JobList(QScrollArea):
    """Follows a job runner."""

    def __init__(self, jobs: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Jobs"))
        self._jobs = jobs
        self._rows: dict[Job, _JobRow] = {}
        self._no_jobs = Label(_("No jobs are running"), "body", "text-3")
        self._no_jobs.setContentsMargins(12, 10, 12, 10)
        self.setWidgetResizable(True)
        body = QWidget()
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._no_jobs)
        self._column.addStretch()
        self.setWidget(body)
        jobs.changed.connect(self.refresh)
        self.refresh()

    @property
    def count(self) -> int:
        """Number of jobs shown."""
        return len(self._rows)

    @Slot()
    def refresh(self) -> None:
        """Show the jobs that run now."""
        running = self._jobs.titled
        for job in [row for row in self._rows if row not in running]:
            row = self._rows.pop(job)
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        for job in running:
            if job not in self._rows:
                row = self._rows[job] = _JobRow(job)
                self._column.insertWidget(len(self._rows), row)
        self._no_jobs.setVisible(not self._rows)
