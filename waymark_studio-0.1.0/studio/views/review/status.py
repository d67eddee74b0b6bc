"""The facts of Review in the status bar: what is open, how it is aligned, and where the cursor is."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _, ngettext
from studio.views.review.session import ReviewSession
from studio.widgets.window_frame.status_bar import StatusBar, StatusItem

_LEFT, _RIGHT = ("review", "states", "aligned"), ("slot",)


class ReviewStatus(QObject):
    """Shows facts while the workspace is in front."""

    def __init__(self, session: ReviewSession, bar: StatusBar, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._bar = session, bar
        self._is_in_front = False
        session.aligned_changed.connect(self._show)
        session.slot_changed.connect(self._show)

    def set_in_front(self, in_front: bool) -> None:
        """Show the facts, or remove them when another workspace comes to the front."""
        self._is_in_front = in_front
        self._show()

    @Slot()
    def _show(self) -> None:
        session, aligned = self._session, self._session.aligned
        if not self._is_in_front or aligned is None:
            for key in (*_LEFT, *_RIGHT):
                self._bar.set_item(key, None, right=key in _RIGHT)
            return
        count = len(session.stored)
        steps = sum(len(stored.steps) for stored in session.stored)
        differences = len(aligned.difference_slots())
        self._put("review", ngettext("{count} trajectory", "{count} trajectories", count))
        self._put("states", ngettext("{count} state", "{count} states", steps))
        said = ngettext("aligned, {count} difference", "aligned, {count} differences", differences)
        if not session.is_aligned:
            said = _("not aligned") if session.cannot_align else _("aligning...")
        self._put("aligned", said if count > 1 else "")
        self._put("slot", _("slot {number} of {count}", number=session.slot + 1, count=session.count))

    def _put(self, key: str, text: str) -> None:
        item = StatusItem(text, rank=3) if text else None
        self._bar.set_item(key, item, right=key in _RIGHT)
