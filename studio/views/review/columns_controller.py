"""Show each trajectory of the session in its column, at the slot and the moment of the session."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from collector.comparison.alignment.aligned import LETTERS, REFERENCE
from collector.comparison.alignment.trajectory_alignment import MOST
from collector.model.episode_text import verdict_text
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.store.trajectory.fingerprint import part_titles
from studio.bridge.review.reviewer_work import ReviewerWork
from studio.views.review.column import ReviewColumn
from studio.views.review.column_text import side_detail, side_title, step_facts
from studio.views.review.session import Moment, ReviewSession
from studio.views.services import WindowServices
from studio.views.step_screen import show_action, show_screen, step_traces
from studio.views.stored_screens import StateThumbnails, StoredScreen, StoredScreens
from studio.widgets.captions.verdict_text import verdict_icon, verdict_tone
from studio.widgets.device_view.highlight import Overlay, Trace
from studio.widgets.device_view.injected_dialogs import system_dialogs
from studio.widgets.reached_states import ReachedState
from studio.widgets.state_difference.difference_overlay import reference_trace

_FAR_PX = 8
"""An agent's point and the reference's that are farther apart are both drawn."""


class ColumnsController(QObject):
    """Owns the columns, one for each side that can be open, and the screens they show."""

    menu_asked = Signal(int, QPoint)
    """The menu of a side, at a point of the screen."""
    screen_shown = Signal(int)
    """The column of a side shows another screen and tree."""

    def __init__(
        self,
        session: ReviewSession,
        work: ReviewerWork,
        thumbnails: StateThumbnails,
        services: WindowServices,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session, self._work, self._services = session, work, services
        self._thumbnails = thumbnails
        self.widget = QWidget()
        self.columns = [ReviewColumn() for _side in range(MOST)]
        self._screens = [
            StoredScreens(services.tasks, self, services.screens, thumbnails) for _side in range(MOST)
        ]
        self._shown: list[Step | None] = [None] * MOST
        """The step of each side whose screen is on show, or is being read."""
        row = QHBoxLayout(self.widget)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for side, column in enumerate(self.columns):
            row.addWidget(column, 1)
            column.hide()
            column.pressed.connect(partial(session.choose_side, side))
            column.moment_chosen.connect(self._choose_moment)
            column.facts_chosen.connect(self._choose_facts)
            column.menu_asked.connect(partial(self.menu_asked.emit, side))
            self._screens[side].arrived.connect(partial(self._screen_arrived, side))
        session.trajectories_changed.connect(self._show_sides)
        session.aligned_changed.connect(self._show_slot)
        session.slot_changed.connect(self._show_slot)
        session.moment_changed.connect(self._show_moment)
        session.side_changed.connect(self._show_side)
        work.sides_changed.connect(self._show_verdicts)

    @Slot(str)
    def _choose_moment(self, moment: str) -> None:
        self._session.show_moment(Moment(moment))

    @Slot(bool)
    def _choose_facts(self, shown: bool) -> None:
        for column in self.columns:
            column.choose_facts(shown)

    # -- sides ---------------------------------------------------------------
    @Slot()
    def _show_sides(self) -> None:
        stored = self._session.stored
        self._thumbnails.follow({str(each.folder): each.files for each in stored})
        for side, column in enumerate(self.columns):
            column.setVisible(side < len(stored))
            self._shown[side] = None
            if side < len(stored):
                header = stored[side].header
                column.show_side(LETTERS[side], side_title(header), side_detail(header))
                self._screens[side].open(str(stored[side].folder), stored[side].files)
        self._show_verdicts()

    @Slot(int)
    def _show_side(self, _side: int) -> None:
        for side, column in enumerate(self.columns):
            column.set_current(side == self._session.side and len(self._session.stored) > 1)

    @Slot()
    def _show_verdicts(self) -> None:
        known = self._work.sides
        for side in range(len(self._session.stored)):
            status = known[side].outcome if side < len(known) else ""
            text = verdict_text(status) if status else ""
            self.columns[side].verdict.set_badge(text, verdict_icon(status), verdict_tone(status))
            self._show_stale(side, known[side].stale if side < len(known) else ())
            self._show_misled(side, known[side].misled if side < len(known) else ())
            self._show_states(side)

    def _show_stale(self, side: int, parts: tuple[str, ...]) -> None:
        """Say that other things made a run than those of now."""
        tip = _("Since it was run, {parts} changed", parts=part_titles(parts)) if parts else ""
        self.columns[side].stale.set_badge(_("stale") if parts else "", "clock", "warn", tip)

    def _show_misled(self, side: int, obeyed: tuple[tuple[str, int], ...]) -> None:
        """Say that the agent did what texts of the variation ordered it to do."""
        facts = (
            _("At step {step} the agent carried out the order {order}", step=step + 1, order=order)
            for order, step in obeyed
        )
        badge = self.columns[side].misled
        badge.set_badge(_("misled") if obeyed else "", "state-warn", "warn", "\n".join(facts))

    # -- the slot ------------------------------------------------------------
    @Slot()
    def _show_slot(self) -> None:
        for side in range(len(self._session.stored)):
            self._show_step(side)

    @Slot()
    def _show_moment(self) -> None:
        for column in self.columns:
            column.moments.set_current(self._session.moment)
        self._show_slot()

    def _show_step(self, side: int) -> None:
        session, column = self._session, self.columns[side]
        step, number = session.step(side), session.step_number(side)
        reference = session.step(REFERENCE) if side != REFERENCE else None
        if step is None or number is None:
            column.show_facts(0, None)
        else:
            letter = LETTERS[REFERENCE] if side != REFERENCE and session.is_aligned else ""
            column.show_facts(number + 1, step_facts(step, reference, letter))
        place = session.shown_step(side)
        self._shown[side] = shown = session.stored[side].steps[place] if place is not None else None
        if shown is None:
            column.show_empty()
            self._screens[side].cancel_request()
        else:
            self._screens[side].request(shown)
        self._show_states(side)

    def _screen_arrived(self, side: int, step: Step, screen: StoredScreen) -> None:
        if step is not self._shown[side]:
            return
        view = self.columns[side].view
        show_screen(view, step, screen)
        is_injected = self._is_under_native_anomaly(side, step)
        view.set_marks(Overlay.INJECTED, system_dialogs(screen.tree) if is_injected else ())
        is_gap = self._session.step_number(side) is None
        if is_gap:
            view.set_notice(
                _("No counterpart here"), _("It is on the screen of step {step}", step=step.index + 1)
            )
        if self._session.moment is Moment.ACTION and not is_gap:
            show_action(view, step, self._traces(side, step), self._session.stored[side].header.density)
        self.screen_shown.emit(side)

    def _is_under_native_anomaly(self, side: int, step: Step) -> bool:
        """Whether commands on the phone had injected an anomaly when a step was taken."""
        aligned = self._session.aligned
        interruptions = aligned.reviewed[side].interruptions if aligned is not None else ()
        steps = self._session.stored[side].steps
        native = (number for each in interruptions if each.native for number in each.steps)
        return any(number < len(steps) and steps[number] is step for number in native)

    def _traces(self, side: int, step: Step) -> list[Trace]:
        """Where a side touches, and where the reference does when that is another place."""
        traces = step_traces(step, by_agent=self._session.stored[side].header.is_run)
        other = self._session.step(REFERENCE) if side != REFERENCE and self._session.is_aligned else None
        trace = reference_trace(step, other) if other is not None else None
        if trace is None or trace.action.point is None:
            return traces
        mine = step.action.point if step.action is not None else None
        is_far = mine is None or mine.distance_to(trace.action.point) > _FAR_PX
        return [trace, *traces] if is_far else traces

    # -- essential states ----------------------------------------------------
    def _show_states(self, side: int) -> None:
        """Which essential states of the task any judge saw up to the step on show."""
        session, library = self._session, self._services.project_library
        if side >= len(self._work.sides) or side >= len(session.stored):
            return
        snapshot = library.snapshot
        task = snapshot.task(session.stored[side].header.task_id) if snapshot is not None else None
        at = _last_step(session, side)
        rows = []
        for state in task.essential_states if task is not None else ():
            reached = self._work.sides[side].reached_at(state)
            known = library.edits.states.get(state)
            icon = "state-ok" if reached is not None and reached <= at else "state-todo"
            tip = _("reached at step {step}", step=reached + 1) if reached is not None else ""
            rows.append(ReachedState(known.label if known is not None else state, icon, tip))
        self.columns[side].show_states(rows)

    def close(self) -> None:
        """The window closes."""
        for screens in self._screens:
            screens.cancel_request()


def _last_step(session: ReviewSession, side: int) -> int:
    """The last step of a side up to the current slot; -1 before its first."""
    numbers = (session.step_number(side, slot) for slot in range(session.slot, -1, -1))
    return next((number for number in numbers if number is not None), -1)
