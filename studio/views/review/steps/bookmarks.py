"""Bookmarks: slots that the person wants to come back to, kept in the person's file of each trajectory."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _
from collector.model.verdicts.review import ReviewBookmark
from collector.store.trajectory.achieved_states import screen_of_step
from collector.store.trajectory.reader import StoredTrajectory
from studio.bridge.review.reviewer_work import ReviewerWork
from studio.views.review.session import ReviewSession
from studio.views.services import WindowServices
from studio.widgets.timeline.aligned_timeline import AlignedTimeline


class Bookmarks(QObject):
    """A bookmark belongs to a step, so that it stays when trajectories are aligned anew."""

    def __init__(
        self, session: ReviewSession, work: ReviewerWork, timeline: AlignedTimeline,
        services: WindowServices, parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session, self._work, self._timeline, self._services = session, work, timeline, services
        handle = services.commander.handle
        handle("review.bookmark", self.toggle)
        handle("review.next-bookmark", self.go_to_next)
        session.aligned_changed.connect(self._show)
        work.sides_changed.connect(self._show)

    @property
    def slots(self) -> list[int]:
        """The slots that are marked, in order."""
        aligned = self._session.aligned
        slots = aligned.slots if aligned is not None else ()
        return [at for at, slot in enumerate(slots) if any(map(self._is_marked, range(len(slot)), slot))]

    def _is_marked(self, side: int, step: int | None) -> bool:
        if step is None or side >= len(self._session.stored):
            return False
        unkept = (str(self._session.stored[side].folder), step) in self._session.unkept_bookmarks
        return unkept or self._kept(side, step) is not None

    def _kept(self, side: int, step: int) -> ReviewBookmark | None:
        sides = self._work.sides
        return sides[side].bookmarks.get(step) if side < len(sides) else None

    def toggle(self) -> None:
        """Mark the slot of the cursor, or take its mark away."""
        session, aligned = self._session, self._session.aligned
        if aligned is None:
            return
        at = aligned.slots[session.slot] if session.slot < len(aligned.slots) else ()  # none without steps
        here = [(side, step) for side, step in enumerate(at) if step is not None]
        marked = [place for place in here if self._is_marked(*place)]
        for side, step in marked or here[:1]:
            self._set(side, step, on=not marked)
        self._show()

    def _set(self, side: int, step: int, *, on: bool) -> None:
        stored = self._session.stored[side]
        if not self._can_keep(stored):
            change = self._session.unkept_bookmarks.add if on else self._session.unkept_bookmarks.discard
            change((str(stored.folder), step))
            return
        new = ReviewBookmark(step, screen_of_step(stored.steps, step))
        folder, mark = stored.folder, self._kept(side, step) or new
        self._work.act(lambda reviewing: reviewing.bookmark(folder, mark, on=on))

    def _can_keep(self, stored: StoredTrajectory) -> bool:
        """Whether the person's file can be written: not in a zip file, and not where all is read-only."""
        project = self._services.project_library.project
        return project is not None and not project.is_read_only and stored.archive is None

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
