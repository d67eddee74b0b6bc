"""What the commands of proposals and audits can work on, and the facts of the work in the status bar."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _, ngettext
from studio.bridge.review.task_review import TaskReview
from studio.views.services import WindowServices
from studio.views.states.proposals.comparison_rows import settled_of
from studio.views.states.proposals.proposal_stage import ProposalStage, stage_of
from studio.views.states.session import StatesSession
from studio.widgets.window_frame.author_item import author_item
from studio.widgets.window_frame.status_bar import StatusItem

_FACTS = ("states", "settled")


class ReviewContext(QObject):
    """Follows the work on the task of the session."""

    def __init__(self, session: StatesSession, services: WindowServices, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._services = session, services
        self._reviews = services.state_reviews
        self._is_in_front = False
        session.task_changed.connect(self._reviews.follow)
        session.states_changed.connect(self._show_facts)
        self._reviews.changed.connect(self._show)
        self._reviews.failed.connect(services.toasts.show_error)
        self._reviews.acted.connect(self._acted)
        self._reviews.person_changed.connect(self._person_changed)
        self._show()

    @Slot()
    def _show(self) -> None:
        review = self._reviews.review
        stage = stage_of(review) if review is not None else None
        own = review.own if review is not None else None
        counts = settled_of(review) if review is not None else None
        definition_stage = stage in (ProposalStage.DEFINE, ProposalStage.STALE, ProposalStage.FINISHED)
        self._services.commander.set_context(
            proposal__startable=stage is ProposalStage.START,
            proposal__open=stage is ProposalStage.OPEN,
            proposal__signed=own is not None and bool(own.signed),
            definition__open=stage is ProposalStage.DEFINE,
            definition__settled=counts is not None and counts[0] == counts[1],
            definition__stale=definition_stage and review is not None and bool(review.stale_reason),
            definition__finished=stage is ProposalStage.FINISHED,
            audit__startable=review is not None and review.may_audit,
            audit__open=review is not None and review.audit is not None and not review.audit.signed,
            audit__signed=review is not None and review.audit is not None and bool(review.audit.signed),
        )
        self._show_facts()

    @Slot(object)
    def _acted(self, _change: object) -> None:
        """A signature shows what was hidden before, or hides it again."""
        self._session.load_recordings()
        self._session.history_changed.emit()

    @Slot(str)
    def _person_changed(self, _person: str) -> None:
        self._session.load_recordings()

    # -- the status bar ------------------------------------------------------------
    def set_in_front(self, is_in_front: bool) -> None:
        """Show the facts while the workspace is in front, and remove them when another one is."""
        self._is_in_front = is_in_front
        self._show_facts()

    @Slot()
    def _show_facts(self) -> None:
        status, review = self._services.status, self._reviews.review
        if not self._is_in_front or review is None:
            for key in _FACTS:
                status.set_item(key, None, right=True)
            status.set_item("author", author_item(self._reviews.person), right=True)
            return
        count = len(self._session.states)
        status.set_item(
            "states",
            StatusItem(ngettext("one essential state", "{count} essential states", count), rank=3),
            right=True,
            lead=True,
        )
        counts = settled_of(review)
        text = _("{done} of {all} settled", done=counts[0], all=counts[1]) if counts is not None else ""
        status.set_item("settled", StatusItem(text, rank=4) if text else None, right=True)
        status.set_item("author", author_item(review.person, role_of(review)), right=True)


def role_of(review: TaskReview) -> str:
    """What the person of a review does in its task, in a word; empty for nothing yet."""
    if review.audit is not None:
        return _("auditor")
    operators = review.operators
    if review.person in operators:
        return _("operator {side}", side="AB"[operators.index(review.person)])
    return ""
