"""Says at the right of the toolbar that a run goes on, and on how many phones."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from collector.model.i18n import _, ngettext
from studio.bridge.runs.run_attachment import Attachment
from studio.views.run.session import RunSession
from studio.widgets.controls import Label
from studio.widgets.running_ring import RunningRing
from studio.widgets.theme_icon import ThemeIcon


class RunningNote(QWidget):
    """Hidden while nothing runs."""

    def __init__(self, session: RunSession) -> None:
        super().__init__()
        self._session = session
        self.words = Label("", "name")
        self.phones = Label("", "body", "text-2")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 4, 0)
        row.setSpacing(8)
        self.ring, self._paused = RunningRing(), ThemeIcon("pause", "accent")
        row.addWidget(self.ring)
        row.addWidget(self._paused)
        row.addWidget(self.words)
        row.addWidget(self.phones)
        for signal in (session.run_changed, session.workers_changed, session.experiment_chosen):
            signal.connect(self.show_run)
        self.show_run()

    @Slot()
    def show_run(self) -> None:
        """Show the run as it is now."""
        session, progress = self._session, self._session.progress
        is_paused = progress.state == "paused" and not session.is_stopping
        words = _("Stopping") if session.is_stopping else _("Paused") if is_paused else _("Running")
        if session.runs.state is Attachment.STARTING:
            words = _("Starting")
        count = sum(1 for worker in session.workers if not worker.is_gone)
        self.words.setText(words)
        self.ring.setVisible(not is_paused)
        self._paused.setVisible(is_paused)
        words = ngettext("{count} phone", "{count} phones", count)
        if session.is_offline:
            words = ngettext("{count} at a time", "{count} at a time", count)
        self.phones.setText(words if count else "")
        self.setVisible(session.is_active)
