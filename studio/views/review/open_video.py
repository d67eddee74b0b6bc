"""Watch the video of the chosen trajectory, from the step at the cursor on."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _
from collector.store.files.names import inside
from collector.store.video.recorded_video import video_parts
from studio.views.desktop_toast import open_or_say
from studio.views.review.session import ReviewSession
from studio.views.review.video_dialog import VideoDialog
from studio.views.services import WindowServices


class RecordedVideo(QObject):
    """Runs ``review.video``."""

    def __init__(self, session: ReviewSession, services: WindowServices, workspace: QWidget) -> None:
        super().__init__(workspace)
        self._session, self._services, self._workspace = session, services, workspace
        services.commander.handle("review.video", self.open)

    def open(self) -> None:
        """Open the part of the video that shows the step, at its chapter; else the first part."""
        session, services = self._session, self._services
        stored, number = session.stored[session.side], session.nearest_step(session.side)
        parts = [part for part in video_parts(stored.header) if part.file]
        if not parts:
            services.toasts.show(
                "info", _("Nothing of the video is left"), _("Steps were redacted where it was")
            )
            return
        t_ms = stored.steps[number].t_ms if number is not None else 0
        found = [(part, offset) for part in parts if (offset := part.offset_of(t_ms)) is not None]
        part, offset = found[0] if found else (parts[0], 0)
        if not found and number is not None:
            services.toasts.show("info", _("Step {number} is not in the video", number=number + 1))
        path = inside(stored.folder, part.file)
        dialog = VideoDialog(path, offset, f"{stored.header.id}: {part.file}", self._workspace.window())
        dialog.opened_outside.connect(partial(open_or_say, services, path))
        dialog.open()
