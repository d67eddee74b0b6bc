"""What changes with time while the Record workspace is in front: frame rate, latency, age of the tree."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Slot

from studio.bridge.stall_monitor import StallMonitor
from studio.views.record.phones.mirror import MirrorPane
from studio.views.record.phones.record_status import RecordStatus
from studio.views.record.session import RecordSession
from studio.views.record.side_panel import RecordSidePanel

_TICK_MS = 500


class LiveFigures(QObject):
    """Shows the figures of the phone in front twice a second, between :meth:`start` and :meth:`stop`."""

    def __init__(
        self, mirror: MirrorPane, status: RecordStatus, side: RecordSidePanel, session: RecordSession
    ) -> None:
        super().__init__(mirror)
        self._mirror, self._status, self._side, self._session = mirror, status, side, session
        self.stalls = StallMonitor(self)
        self._ticking = QTimer(self, interval=_TICK_MS)
        self._ticking.timeout.connect(self.show)

    def start(self) -> None:
        self._ticking.start()
        self.stalls.start()

    def stop(self) -> None:
        self._ticking.stop()
        self.stalls.stop()

    @Slot()
    def show(self) -> None:
        """Show the figures as they are now."""
        self._status.tick(self._mirror.view.latency_ms)
        self._mirror.show_figures()
        phone = self._mirror.phone
        if phone is None or not self._session.is_live:
            self._side.tree.set_freshness(None)
            return
        age_ms = phone.stats.tree_age_ms
        seconds = age_ms / 1000 if age_ms is not None else None
        self._side.tree.set_freshness(seconds, fresh=phone.tree_is_fresh, stale=phone.tree_is_stale)
