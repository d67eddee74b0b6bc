"""The queue that the person works on: which one, how far it is, and what comes next."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QWidget

from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.review.project_queues import QueueCounts
from collector.review.queue import AUTOMATIC_VERDICTS, ReviewOrder, ReviewQueue
from collector.review.queued_trajectories import QueuedTrajectory, teaching_text
from rule_editor.widgets.menu_text import menu_text
from studio.bridge.review.reviewer_work import ReviewerWork
from studio.views.review.session import ReviewSession
from studio.views.review.steps.comments_controller import CommentsController
from studio.views.review.verdict_controller import ReviewVerdictController
from studio.views.review.verdict_page import VerdictPage
from studio.views.services import WindowServices
from studio.widgets.choice_button import ChoiceButton
from studio.widgets.choice_menu import ChoiceMenu
from studio.widgets.controls import Label
from studio.widgets.painting import elided

_ORDER_SETTING = "review.order"
_SHOWN = 6
"""So many of those that wait are in the menu, with what a word on each would teach."""
_NAME_WIDTH, _REASON_WIDTH = 320, 460
"""In logical pixels."""


class QueueController(QObject):
    """Owns the choice of the queue and its order in the toolbar."""

    changed = Signal()
    """Another queue is chosen, or another number waits in it."""

    def __init__(
        self,
        session: ReviewSession,
        work: ReviewerWork,
        verdicts: ReviewVerdictController,
        comments: CommentsController,
        page: VerdictPage,
        services: WindowServices,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session, self._work, self._services = session, work, services
        self._verdicts, self._comments, self._page = verdicts, comments, page
        self.queue = AUTOMATIC_VERDICTS
        self.button = ChoiceButton(_("Queue"))
        self.counts = Label("", "body", "text-2")
        self.counts.setContentsMargins(0, 0, 8, 0)  # words alone would seem to touch the edge of the toolbar
        self._is_submitting = False
        self._taken_last: QueuedTrajectory | None = None
        self.button.clicked.connect(self._open_menu)
        handle = services.commander.handle
        handle("review.choose-queue", self._open_menu)
        handle("review.take-next", self.take_next)
        handle("review.submit", self.submit)
        handle("review.skip", self.skip)
        work.progress_changed.connect(self._show)
        work.progress_changed.connect(self._read_waiting)
        work.taken.connect(self._taken)
        verdicts.shown.connect(self._show_reasons)
        work.acted.connect(self._acted)
        work.failed.connect(self._failed)

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        """What the toolbar shows."""
        return self.button, self.counts

    @property
    def order(self) -> ReviewOrder:
        """In which order trajectories of the queue come; it is kept for the next window."""
        return ReviewOrder(self._services.settings[_ORDER_SETTING])

    @property
    def todo(self) -> int:
        """How many trajectories wait in the chosen queue."""
        known = self._known()
        return known[1].todo if known is not None else 0

    # -- what is shown -------------------------------------------------------
    def _known(self) -> tuple[ReviewQueue, QueueCounts] | None:
        progress = self._work.progress
        queues = progress.queues if progress is not None else ()
        return next((known for known in queues if known[0].name == self.queue), None)

    @Slot()
    def _show(self) -> None:
        known, progress = self._known(), self._work.progress
        self.button.setVisible(known is not None)
        if known is None or progress is None:
            self.counts.setText("")
            self.changed.emit()
            return
        queue, counts = known
        self.button.set_value(queue.label)
        done = counts.total - counts.todo - counts.held
        self.counts.setText(_("{done} of {all} reviewed", done=done, all=counts.total))
        own = progress.own
        pace = (
            _("{seconds} s each", seconds=round(own.median_seconds)) if own.median_seconds is not None else ""
        )
        today = ngettext("{count} today", "{count} today", own.today)
        hour = ngettext("{count} in the last hour", "{count} in the last hour", own.last_hour)
        self.counts.setToolTip("\n".join(filter(None, (_("Your reviews"), today, hour, pace))))
        self._services.commander.set_context(review__queue=counts.todo > 0)
        self.changed.emit()

    @Slot()
    def _open_menu(self) -> None:
        progress = self._work.progress
        menu = ChoiceMenu(self.button)
        for queue, counts in progress.queues if progress is not None else ():
            action = menu.addAction(f"{queue.label}\t{counts.todo}")
            action.setCheckable(True)
            action.setChecked(queue.name == self.queue)
            action.triggered.connect(partial(self.choose, queue.name))
        menu.addSeparator()
        orders = QActionGroup(menu)
        for value, title in self._services.settings.setting(_ORDER_SETTING).choices:
            order = ReviewOrder(value)
            menu.add_radio(orders, _(title), order is self.order, partial(self.choose_order, order))
        if self.order is ReviewOrder.TEACHING and self._work.waiting:
            menu.addSeparator()
            for item in self._work.waiting:
                self._add_waiting(menu, item)
        menu.popup(self.button.mapToGlobal(QPoint(0, self.button.height())))

    def _add_waiting(self, menu: ChoiceMenu, item: QueuedTrajectory) -> None:
        reasons = teaching_text(item)
        name = f"{item.folder.parent.name} / {item.folder.name}"
        shown = (
            elided(menu.font(), name, _NAME_WIDTH, Qt.TextElideMode.ElideMiddle),
            elided(menu.font(), reasons, _REASON_WIDTH),
        )
        action = menu.addAction("\t".join(map(menu_text, shown)))
        action.setToolTip(f"{name}\n{reasons}")
        action.triggered.connect(partial(self._take, item.folder))

    def choose(self, name: str, *_checked: object) -> None:
        """Work on another queue."""
        self.queue = name
        self._show()
        self._read_waiting()

    def choose_order(self, order: ReviewOrder) -> None:
        """Take the trajectories of the queue in another order."""
        self._services.settings.set(_ORDER_SETTING, str(order))
        self._read_waiting()

    @Slot()
    def _read_waiting(self) -> None:
        if self.order is ReviewOrder.TEACHING:
            self._work.read_waiting(self.queue, self.order, _SHOWN)

    # -- what comes next -----------------------------------------------------
    def take_next(self) -> None:
        """Open the next trajectory of the queue."""
        self._take(None)

    def _take(self, wanted: Path | None, *_checked: object) -> None:
        stored = self._verdicts.stored
        self._work.take_next(self.queue, self.order, stored.folder if stored is not None else None, wanted)

    def submit(self) -> None:
        """Submit the review of the chosen trajectory, and open the next of the queue.

        While a comment is written it is pinned, and nothing else happens.
        """
        if self._comments.is_written:
            self._comments.pin()
            return
        folder = self._verdicts.folder
        if self._comments.has_draft:
            self._comments.write()
            raise UserError(
                _("The review is not submitted"),
                _("your comment is not pinned yet"),
                _("Pin it, or delete its words"),
            )
        self._verdicts.write_pending()
        self._is_submitting = True
        self._verdicts.act(lambda reviewing: reviewing.submit(folder))

    def skip(self) -> None:
        """Pass the chosen trajectory over, and open the next of the queue."""
        folder = self._verdicts.folder
        self._is_submitting = True
        self._verdicts.act(lambda reviewing: reviewing.skip(folder))

    @Slot(object)
    def _acted(self, _edit: object) -> None:
        if self._is_submitting:
            self._is_submitting = False
            self.take_next()
        self._work.read_progress()

    @Slot(object)
    def _failed(self, _error: object) -> None:
        self._is_submitting = False

    @Slot(object)
    def _taken(self, item: QueuedTrajectory | None) -> None:
        self._taken_last = item
        if item is None:
            self._services.toasts.show("ok", _("Nothing is left in this queue"))
        else:
            self._session.open([item.folder])
        self._work.read_progress()

    @Slot()
    def _show_reasons(self) -> None:
        """Say beside the verdicts why the queue gave the trajectory that is reviewed now."""
        stored, item = self._verdicts.stored, self._taken_last
        is_shown = stored is not None and item is not None and item.folder == stored.folder
        self._page.show_reasons(item.reasons if is_shown and item is not None else ())
