"""Bookmarks: slots that the person wants to come back to while the trajectories are open."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _
from studio.views.review.session import ReviewSession
from studio.views.services import WindowServices
from studio.widgets.timeline.aligned_timeline import AlignedTimeline


class Bookmarks(QObject):
    """A bookmark belongs to a step, so that it stays when trajectories are aligned anew."""

    def __init__(
        self, session: ReviewSession, timeline: AlignedTimeline, services: WindowServices, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._timeline, self._services = session, timeline, services
        self._steps: list[tuple[str, int]] = []
        """Folder and step of each."""
        handle = services.commander.handle
        handle("review.bookmark", self.toggle)
        handle("review.next-bookmark", self.go_to_next)
        session.aligned_changed.connect(self._show)

    @property
    def slots(self) -> list[int]:
        """The slots that are marked, in order."""
        aligned = self._session.aligned
        places = {str(stored.folder): side for side, stored in enumerate(self._session.stored)}
        found: set[int] = set()
        for folder, step in self._steps:
            side = places.get(folder)
            if aligned is not None and side is not None:
                found.update(at for at, slot in enumerate(aligned.slots) if slot[side] == step)
        return sorted(found)

    def toggle(self) -> None:
        """Mark the slot of the cursor, or take its mark away."""
        session, aligned = self._session, self._session.aligned
        if aligned is None:
            return
        here = [
            (str(stored.folder), step)
            for stored, step in zip(aligned.stored, aligned.slots[session.slot], strict=True)
            if step is not None
        ]
        marked = [place for place in here if place in self._steps]
        if marked:
            self._steps = [place for place in self._steps if place not in marked]
        else:
            self._steps.append(here[0])
        self._show()

    def go_to_next(self) -> None:
        """Go to the next bookmark, from the last one to the first."""
        slots = self.slots
        if not slots:
            self._services.toasts.show("info", _("There is no bookmark"))
            return
        self._session.go(next((slot for slot in slots if slot > self._session.slot), slots[0]))

    @Slot()
    def _show(self) -> None:
        self._timeline.set_bookmarks({slot: _("Bookmark") for slot in self.slots})
