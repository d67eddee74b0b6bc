"""Open the video of the chosen trajectory on the desktop, and say where the step at the cursor is in it."""

from __future__ import annotations

from PySide6.QtCore import QObject

from collector.model.i18n import _
from collector.store.files.names import inside
from collector.store.video.recorded_video import clock_text, video_parts
from studio.views.desktop_toast import open_or_say
from studio.views.review.session import ReviewSession
from studio.views.services import WindowServices


class RecordedVideo(QObject):
    """Runs ``review.video``."""

    def __init__(self, session: ReviewSession, services: WindowServices, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._services = session, services
        services.commander.handle("review.video", self.open)

    def open(self) -> None:
        """Open the part of the video that shows the step, else the first that there is."""
        session, toasts = self._session, self._services.toasts
        stored, number = session.stored[session.side], session.nearest_step(session.side)
        parts = [part for part in video_parts(stored.header) if part.file]
        t_ms = stored.steps[number].t_ms if number is not None else 0
        found = [(part, offset) for part in parts if (offset := part.offset_of(t_ms)) is not None]
        if not parts:
            toasts.show("info", _("Nothing of the video is left"), _("Steps were redacted where it was"))
            return
        part, offset = found[0] if found else (parts[0], None)
        open_or_say(self._services, inside(stored.folder, part.file))
        if number is None:
            return
        if offset is None:
            toasts.show("info", _("Step {number} is not in the video", number=number + 1))
        else:
            at = clock_text(offset)
            toasts.show("info", _("Step {number} is the chapter at {time}", number=number + 1, time=at))
