"""What the person says of the step at the cursor: whether it was right, and what would have been."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Slot

from collector.comparison.alignment.aligned import LETTERS, REFERENCE, AlignedTrajectories
from collector.model.action import Action, action_from_dict
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.verdicts.judgement import STEP, STEP_ERRORS, VERDICTS, Judgement
from collector.review.comments import pinned_node
from collector.review.review_edit import ReviewEdit
from collector.review.reviewing import Reviewing
from collector.store.trajectory.reader import StoredTrajectory
from studio.views.review.columns_controller import ColumnsController
from studio.views.review.session import ReviewSession
from studio.views.review.side_panel import ReviewSidePanel
from studio.views.review.steps.comments_page import CommentsPage
from studio.views.review.verdict_controller import ReviewVerdictController
from studio.views.services import WindowServices


class StepVerdictController(QObject):
    """Follows the session; a node that is selected on the screen can be named as what was to be tapped."""

    def __init__(
        self, session: ReviewSession, verdicts: ReviewVerdictController, columns: ColumnsController,
        panel: ReviewSidePanel, page: CommentsPage, services: WindowServices, parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session, self._verdicts, self._columns = session, verdicts, columns
        self._panel, self._page, self._form = panel, page, page.step_verdict
        services.commander.handle("review.judge-step", self.reveal)
        for verdict in VERDICTS[STEP]:
            services.commander.handle(f"review.step-{verdict}", partial(self._judge_here, verdict))
        verdicts.shown.connect(self._show)
        session.slot_changed.connect(self._show)
        for column in columns.columns:
            column.selection.selected_changed.connect(self._show_node)
        self._form.judged.connect(self._judge)
        self._form.better_named.connect(self._name)
        self._form.node_asked.connect(self._take_node)
        self._form.golden_asked.connect(self._take_golden)
        session.aligned_changed.connect(self._show_golden)

    def reveal(self) -> None:
        """Put the keyboard into the verdict on the step."""
        self._panel.reveal_page(self._page)
        self._form.verdict.setFocus()

    @property
    def _number(self) -> int | None:
        """The step at the cursor, from 0; None for a gap."""
        return self._session.step_number(self._session.side)

    @property
    def _own(self) -> Judgement | None:
        """What the person said of it last."""
        number, person = self._number, self._verdicts.person
        said = (
            item for item in self._verdicts.known.judgements
            if item.judge == person and item.subject.kind == STEP and item.subject.first == number
        )  # fmt: skip
        return next(said, None) if number is not None else None

    @Slot()
    def _show(self) -> None:
        may_judge = self._verdicts.stored is not None and self._verdicts.known.reviews is not None
        self._form.show_step(self._number, self._own, may_judge=may_judge)
        self._show_node()
        self._show_golden()

    @Slot()
    def _show_golden(self) -> None:
        session = self._session
        is_beside = session.is_aligned and session.side != REFERENCE
        has_step = is_beside and session.step_number(REFERENCE) is not None
        self._form.show_golden(LETTERS[REFERENCE] if has_step else "")

    @Slot()
    def _take_golden(self) -> None:
        """Say that what the reference does there would have been right."""
        aligned, side, number, own = self._session.aligned, self._session.side, self._number, self._own
        if aligned is not None and number is not None and own is not None:
            self._verdicts.act(lambda reviewing: _as_reference(reviewing, aligned, side, number, own))

    @Slot()
    def _show_node(self) -> None:
        selection = self._columns.columns[self._session.side].selection
        self._form.show_node(is_selected=selection.selected is not None)

    @Slot()
    def _take_node(self) -> None:
        from collector.review.better_action import tap_of  # loads scripts

        selection = self._columns.columns[self._session.side].selection
        if selection.selected is not None and selection.tree is not None:
            self._form.name(tap_of(pinned_node(selection.tree, selection.selected)))

    def _judge_here(self, verdict: str) -> None:
        if self._number is None:
            raise UserError(_("This trajectory has no step here"), "", _("Go to the step that you judge"))
        self._judge(verdict)

    @Slot(str)
    def _judge(self, verdict: str) -> None:
        """Give another verdict on the step; what would have been right stays, unless it was right."""
        stored, number, own = self._verdicts.stored, self._number, self._own
        if stored is None or number is None or (own is not None and own.verdict == verdict):
            return
        keeps = own is not None and own.better and verdict in STEP_ERRORS
        better = action_from_dict(dict(own.better)) if keeps and own is not None else None
        reason, folder = own.reason if own is not None else "", stored.folder
        self._verdicts.act(
            lambda reviewing: reviewing.judge_step(folder, number, verdict, better, reason),
            refused=self._show,
        )

    @Slot(str)
    def _name(self, text: str) -> None:
        """Say what would have been right instead; words that name nothing here stay in the field."""
        stored, number, own = self._verdicts.stored, self._number, self._own
        if stored is not None and number is not None and own is not None:
            self._verdicts.act(lambda reviewing: _named(reviewing, stored, number, own, text))


def _as_reference(
    reviewing: Reviewing, aligned: AlignedTrajectories, side: int, number: int, own: Judgement
) -> ReviewEdit:  # fmt: skip
    from collector.review.better_action import aligned_action

    better = aligned_action(aligned, side, number)
    return reviewing.judge_step(aligned.stored[side].folder, number, own.verdict, better, own.reason)


def _named(
    reviewing: Reviewing, stored: StoredTrajectory, number: int, own: Judgement, text: str
) -> ReviewEdit:  # fmt: skip
    from collector.review.better_action import better_action

    better: Action = better_action(stored, number, text)
    return reviewing.judge_step(stored.folder, number, own.verdict, better, own.reason)
