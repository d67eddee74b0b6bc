"""Fill the tab *Step* with the chosen side's step at the cursor."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from collector.model.verdicts.judgement import TASK
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.review.reviewer_work import ReviewerWork
from studio.views.review.session import ReviewSession
from studio.views.review.steps.step_page import StepPage
from studio.widgets.timeline.verdicts import judgement_slot


class ReviewStepController(QObject):
    """Follows the session."""

    def __init__(
        self,
        session: ReviewSession,
        work: ReviewerWork,
        page: StepPage,
        library: ProjectLibrary,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session, self._work, self._page, self._library = session, work, page, library
        for signal in (session.trajectories_changed, session.aligned_changed, session.side_changed):
            signal.connect(self._show_trajectory)
        session.slot_changed.connect(self._show_step)
        work.sides_changed.connect(self._show_trajectory)

    @Slot()
    def _show_trajectory(self) -> None:
        session = self._session
        if session.stored:
            stored = session.stored[session.side]
            aligned = session.aligned
            interruptions = aligned.reviewed[session.side].interruptions if aligned is not None else ()
            sides = self._work.sides
            judged = session.side < len(sides) and bool(sides[session.side].outcome)
            self._page.show_trajectory(stored.header, interruptions, judged=judged)
        self._show_step()

    @Slot()
    def _show_step(self) -> None:
        session, sides = self._session, self._work.sides
        if not session.stored:
            return
        side, number = session.side, session.step_number(session.side)
        count = len(session.stored[side].steps)
        known = sides[side].judgements if side < len(sides) else ()
        here = [item for item in known if number is not None and judgement_slot(item, count) == number]
        sentences = {name: state.label for name, state in self._library.edits.states.items()}
        ordered = sorted(here, key=lambda item: item.subject.kind != TASK)
        self._page.show_step(session.step(side), ordered, sentences)
