"""Filter the slots of the session: the steps are indexed and searched behind the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from collector.comparison.steps.step_query import StepQuery
from collector.comparison.steps.trajectory_index import index_of
from collector.model.i18n import _, ngettext
from collector.store.catalogue.query import QueryError
from studio.bridge.jobs import Job
from studio.bridge.newest_answers import NewestAnswers
from studio.bridge.review.reviewer_work import ReviewerWork
from studio.views.review.filter_bar import FilterBar
from studio.views.review.session import ReviewSession
from studio.views.services import WindowServices


class FilterController(QObject):
    """A filter stays while the cursor moves, and holds again for what is aligned or judged anew."""

    def __init__(
        self,
        session: ReviewSession,
        work: ReviewerWork,
        bar: FilterBar,
        behind: QWidget,
        services: WindowServices,
        parent: QObject,
    ) -> None:
        """``behind`` gets the keyboard when the filter is closed."""
        super().__init__(parent)
        self._session, self._work, self._bar, self._behind = session, work, bar, behind
        self._answers = NewestAnswers(services.tasks, self)
        self._answers.failed.connect(self._failed)
        self._query: StepQuery | None = None
        services.commander.handle("review.filter", bar.open_filter)
        bar.searched.connect(self._search)
        bar.closed.connect(behind.setFocus)
        session.aligned_changed.connect(self._apply)
        work.sides_changed.connect(self._apply)
        session.selected_changed.connect(self._apply)

    @Slot(str)
    def _search(self, text: str) -> None:
        try:
            query = StepQuery(text)
        except QueryError as error:
            self._bar.show_result(str(error), is_problem=True)
            return
        self._query = None if query.is_empty else query
        self._apply()

    @Slot()
    def _apply(self) -> None:
        """Find the slots that fit, with the verdicts that the person may see alone."""
        aligned, query, sides = self._session.aligned, self._query, self._work.sides
        if aligned is None or query is None or len(sides) != len(aligned.stored):
            self._answers.forget()
            self._session.set_matching(None)
            self._bar.show_result("")
            return
        shown = [side.judgements for side in sides]

        def work(_job: Job) -> frozenset[int]:
            indexes = [
                index_of(stored, judgements) for stored, judgements in zip(aligned.stored, shown, strict=True)
            ]
            return query.slots(aligned, indexes)

        self._answers.ask("filter", work, self._show)

    @Slot(object)
    def _show(self, slots: frozenset[int]) -> None:
        self._session.set_matching(slots)
        inside = self._session.selected or range(self._session.count)
        count, every = len(slots.intersection(inside)), len(inside)
        self._bar.show_result(
            ngettext("{count} of {all} slots", "{count} of {all} slots", count, all=every)
            if count
            else _("No step fits")
        )

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self._bar.show_result(str(error), is_problem=True)

    def close(self) -> None:
        """Answer nothing any more."""
        self._answers.forget()
