"""The run in the status bar: phones, retries, how many episodes are done, and the pace."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _, ngettext
from studio.views.run.session import RunSession
from studio.widgets.window_frame.status_bar import StatusBar, StatusItem

_LEFT, _RIGHT = ("run-phones", "run-retries"), ("run-done", "run-pace")


class RunStatus(QObject):
    """Shows facts while the workspace is in front."""

    def __init__(self, session: RunSession, bar: StatusBar, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._bar = session, bar
        self._is_in_front = False
        for signal in (session.progress_changed, session.workers_changed, session.run_changed):
            signal.connect(self.show)

    def set_in_front(self, in_front: bool) -> None:
        """Show the facts, or remove them."""
        self._is_in_front = in_front
        self.show()

    @Slot()
    def show(self) -> None:
        """Show the facts as they are now."""
        session, progress = self._session, self._session.progress
        if not self._is_in_front or not session.name:
            for key in (*_LEFT, *_RIGHT):
                self._bar.set_item(key, None, right=key in _RIGHT)
            return
        live = [worker for worker in session.workers if not worker.is_gone] if session.is_running else []
        words = ngettext("{count} phone", "{count} phones", len(live))
        if session.is_offline:
            words = ngettext("{count} at a time", "{count} at a time", len(live))
        phones = StatusItem(
            words, "state-ok",
            tip="\n".join(worker.phone or worker.name for worker in live), rank=3,
        )  # fmt: skip
        retries = ngettext("{count} retry", "{count} retries", progress.retries)
        pace = progress.episodes_a_minute
        self._bar.set_item("run-phones", phones if live else None)
        self._bar.set_item("run-retries", StatusItem(retries, rank=4) if session.is_running else None)
        done = StatusItem(
            f"{progress.finished} / {progress.total}", tip=_("Episodes with an outcome"), rank=1
        )
        self._bar.set_item("run-done", done if progress.total else None, right=True)
        pace_words = _("{count} episodes a minute", count=f"{pace:.1f}")
        self._bar.set_item(
            "run-pace", StatusItem(pace_words, rank=2) if session.is_running and pace else None, right=True
        )
