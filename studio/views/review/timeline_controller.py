"""Show the trajectories of the session on the timeline, and follow the cursor both ways."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from studio.bridge.side_verdicts import SideVerdictsReader
from studio.views.review.session import ReviewSession
from studio.views.services import WindowServices
from studio.widgets.timeline.lanes import Track
from studio.widgets.timeline.timeline import Timeline


class TimelineController(QObject):
    """Follows the session."""

    def __init__(
        self, session: ReviewSession, verdicts: SideVerdictsReader, timeline: Timeline,
        services: WindowServices, parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session, self._verdicts, self._timeline, self._services = session, verdicts, timeline, services
        timeline.slot_chosen.connect(session.go)
        session.aligned_changed.connect(self._show_track)
        verdicts.changed.connect(self._show_track)
        session.slot_changed.connect(timeline.set_current)

    @Slot()
    def _show_track(self) -> None:
        self._timeline.set_track(Track((), self._session.count))
        self._timeline.set_current(self._session.slot)
