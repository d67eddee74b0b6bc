"""The Review workspace: its layout, and the controllers that connect its panels to the session."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from collector.model.editing.edit_stack import EditStack
from collector.model.i18n import _
from collector.store.video.recorded_video import video_parts
from studio.bridge.review.reviewer_work import ReviewerWork
from studio.commands.tables.reviewer import TABS
from studio.views.context_menu import ContextMenu
from studio.views.edited_place import EditedPlace
from studio.views.first_things import FirstThings
from studio.views.panel_layout import Panel
from studio.views.redaction.hide_controller import HideController, HideSubject
from studio.views.review.columns_controller import ColumnsController
from studio.views.review.differences_controller import DifferencesController
from studio.views.review.filter_bar import FilterBar
from studio.views.review.filter_controller import FilterController
from studio.views.review.open_video import RecordedVideo
from studio.views.review.overlay_menu import OverlayMenu
from studio.views.review.queue_controller import QueueController
from studio.views.review.session import ReviewSession, ReviewSessionState
from studio.views.review.share_controller import ShareController
from studio.views.review.side_panel import ReviewSidePanel
from studio.views.review.status import ReviewStatus
from studio.views.review.steps.bookmarks import Bookmarks
from studio.views.review.steps.comments_controller import CommentsController
from studio.views.review.steps.comments_page import CommentsPage
from studio.views.review.steps.step_controller import ReviewStepController
from studio.views.review.steps.step_page import StepPage
from studio.views.review.steps.step_verdict_controller import StepVerdictController
from studio.views.review.timeline_controller import TimelineController
from studio.views.review.trace import TraceController, TracePage
from studio.views.review.trajectory_controller import ReviewTrajectoryController
from studio.views.review.verdict_controller import ReviewVerdictController
from studio.views.review.verdict_page import VerdictPage
from studio.views.services import WindowServices
from studio.views.stored_screens import StateThumbnails
from studio.views.trajectory_edits.edit_menu import EDIT_MENU
from studio.views.undo_source import UndoSource, as_text_field, stack_source
from studio.views.workspace import Workspace
from studio.widgets.controls import EmptyState
from studio.widgets.timeline.aligned_timeline import AlignedTimeline

_TIMELINE_HEIGHT = 434


STEP_MENU = (("review.run-from-step",), *EDIT_MENU)


class ReviewWorkspace(Workspace):
    """Builds the panels, the session and the controllers; panels listen to the session."""

    scope = "review"
    folds_right_below = 1100  # the phones and their timeline need the width
    folds_bottom_below = 0  # without its timeline nothing shows where the trajectories differ
    most_below = 0.37

    def __init__(self, services: WindowServices) -> None:
        super().__init__(services)
        self.session = ReviewSession(services.tasks, services.project_library, services.trajectories, self)
        self.work = ReviewerWork(services.tasks, services.project_library, self)
        self.thumbnails = StateThumbnails(services.tasks, self)
        self.columns = ColumnsController(self.session, self.work, self.thumbnails, services, self)
        self.timeline = AlignedTimeline(self.thumbnails.cache)
        self._lay_out()
        self.trajectories = ReviewTrajectoryController(self.session, services, self)
        self.timeline_controller = TimelineController(self.session, self.work, self.timeline, services, self)
        self.verdicts = ReviewVerdictController(
            self.session, self.work, self.side, self.verdict_page, services, self
        )
        self.comments = CommentsController(
            self.session, self.verdicts, self.columns, self.side, self.comments_page, services, self
        )
        StepVerdictController(
            self.session, self.verdicts, self.columns, self.side, self.comments_page, services, self
        )
        self.steps = ReviewStepController(
            self.session, self.work, self.step_page, services.project_library, self
        )
        self.traces = TraceController(self.session, self.work, self.trace_page, services, self)
        self.queue = QueueController(
            self.session, self.work, self.verdicts, self.comments, self.verdict_page, services, self
        )
        for widget in self.queue.widgets:
            self.toolbar.facts.addWidget(widget)
        self.filters = FilterController(
            self.session, self.work, self.filter_bar, self.timeline.canvas, services, self
        )
        self.shares = ShareController(self.session, self.work, services, self)
        self.video = RecordedVideo(self.session, services, self)
        self.hiding = HideController("review.hide", self._hide_subject, self._reopen, services, self)
        self.bookmarks = Bookmarks(self.session, self.work, self.timeline, services, self)
        self.overlays = OverlayMenu(self.columns, self.toolbar.buttons["review.overlays"], services, self)
        self.status = ReviewStatus(self.session, services.status, self)
        self.differences = DifferencesController(self.session, self.columns, self.side, services, self)
        self._chosen: Path | None = None
        """The trajectory that the panel at the right was about when trajectories were opened last."""
        self._handle_tabs()
        self._connect()
        self._show_context()

    def _lay_out(self) -> None:
        """Put the columns into the centre, the timeline below and the pages at the right."""
        self._empty = EmptyState(
            _("Nothing is open"),
            _("Open a trajectory in Project, Run or Metrics, or the latest one"),
            _("Review the next of {count}", count=0),
            other=_("Open the latest trajectory"),
            icon="review",
        )
        FirstThings(self._empty, "review", self.services, self)
        self._centre = QStackedWidget()
        self.filter_bar = FilterBar()
        self._centre.addWidget(_stacked(self.columns.widget, self.filter_bar))
        self._centre.addWidget(self._empty)
        self.set_centre(self._centre)
        self.verdict_page, self.comments_page = VerdictPage(self.services.commander), CommentsPage()
        self.verdict_page.command_asked.connect(self.services.run_command)
        self.step_page, self.trace_page = StepPage(), TracePage()
        self.side = ReviewSidePanel(
            [
                (_("Verdict"), self.verdict_page),
                (_("Comments"), self.comments_page),
                (_("Step"), self.step_page),
            ],
            [(_("Trace"), self.trace_page)],
        )
        self.set_below(self.timeline, head=self.timeline.header.height(), height=_TIMELINE_HEIGHT)
        self.set_right(self.side, "inspector", _("Review"))

    def _hide_subject(self) -> HideSubject | None:
        """The step whose screen the chosen side shows."""
        session = self.session
        number = session.shown_step(session.side) if session.stored else None
        if number is None:
            return None
        stored = session.stored[session.side]
        return HideSubject(stored.folder, stored.steps[number])

    def _reopen(self, folder: Path, step: int) -> None:
        self.services.commander.run("review.open", folder=str(folder), step=str(step))

    def _handle_tabs(self) -> None:
        handle, side = self.services.commander.handle, self.side
        for place, name in enumerate(TABS):
            handle(f"review.tab-{name}", partial(side.reveal_place, place))
        handle("review.next-tab", partial(side.reveal_beside, 1))
        handle("review.previous-tab", partial(side.reveal_beside, -1))
        side.revealed.connect(self._show_side)

    @Slot()
    def _show_side(self) -> None:
        self.show_panel(Panel.RIGHT)

    def _connect(self) -> None:
        session = self.session
        session.failed.connect(self.services.toasts.show_error)
        self.work.failed.connect(self.services.toasts.show_error)
        session.trajectories_changed.connect(self._read_verdicts)
        for signal in (session.trajectories_changed, session.aligned_changed, session.side_changed,
                       session.selected_changed, session.matching_changed):  # fmt: skip
            signal.connect(self._show_context)
        for place in (session.trajectories_changed, session.aligned_changed, session.side_changed,
                      session.slot_changed):  # fmt: skip
            place.connect(self.place_changed)
        ContextMenu(self.timeline.canvas, STEP_MENU, self.services, self.timeline.canvas.choose_at)
        session.events_followed.connect(self.work.read_again)
        self.columns.menu_asked.connect(self.trajectories.open_menu)
        # Connected last: the timeline is on show by then.
        session.trajectories_changed.connect(self._trajectories_opened)
        self.timeline.track_changed.connect(self._fit_timeline)
        self.comments.pinned.connect(self.take_keyboard)
        self._empty.pressed.connect(self._take_next)
        self._empty.other_pressed.connect(self._open_latest)
        self.queue.changed.connect(self._offer_next)
        self.services.project_library.opened.connect(self._offer_next)
        self.services.project_library.changed.connect(self._offer_next)
        self._offer_next()
        library = self.services.project_library
        library.edits.saved.connect(self.work.read_again)
        library.opened.connect(self._person_changed)
        self.services.state_reviews.person_changed.connect(self._person_changed)
        self.work.history_changed.connect(self.history_changed)
        self.work.acted.connect(self._acted)

    @Slot()
    def take_keyboard(self) -> None:
        """Let the keys of Review work."""
        self.timeline.canvas.setFocus()

    @Slot()
    def _trajectories_opened(self) -> None:
        """Take the keyboard; from who types only when the words would be about another trajectory now."""
        before, stored = self._chosen, self.verdicts.stored
        self._chosen = stored.folder if stored is not None else None
        focus = QApplication.focusWidget()
        is_left = focus is not None and self.side.isAncestorOf(focus) and self._chosen != before
        if self.isVisible() and (is_left or as_text_field(focus) is None):
            self.take_keyboard()

    @Slot()
    def _fit_timeline(self) -> None:
        """Give the timeline no more room than its lanes take."""
        self.suggest_height_below(min(_TIMELINE_HEIGHT, self.timeline.content_height))

    @Slot()
    def _read_verdicts(self) -> None:
        self.work.read(self.session.stored)

    @Slot()
    def _person_changed(self) -> None:
        """Another project is open, or another person works here: others' verdicts may be hidden now."""
        self.work.forget()
        self.work.read_again()
        if self.isVisible():
            self.work.read_progress()

    @Slot(object)
    def _acted(self, _edit: object) -> None:
        """Lists and searches name verdicts."""
        self.services.project_library.refresh()

    @property
    def history(self) -> UndoSource:
        """The acts of the reviewer, and the edits of trajectories that were made here."""
        return stack_source(self.work.history)

    @Slot()
    def _offer_next(self) -> None:
        """Offer the next of the queue while it has any."""
        count = self.queue.todo
        self._empty.set_button(_("Review the next of {count}", count=count) if count > 0 else "", "review")

    @Slot()
    def _take_next(self) -> None:
        self.services.run_command("review.take-next")

    @Slot()
    def _open_latest(self) -> None:
        self.services.run_command("review.open")

    @Slot()
    def _show_context(self) -> None:
        """Say what the commands can work on, and show the empty state while nothing is open."""
        session = self.session
        count = len(session.stored)
        header = session.stored[session.side].header if count else None
        self.services.commander.set_context(
            review__open=count > 0,
            review__several=count > 1,
            review__aligned=session.is_aligned,
            review__range=session.selected is not None,
            review__filtered=session.matching is not None,
            review__golden=header is not None and not header.is_run,
            review__video=header is not None and bool(video_parts(header)),
            review__other=count > 1 and session.side > 0,
        )
        self._centre.setCurrentIndex(int(not count))
        self.set_panel_needed(Panel.BOTTOM, count > 0)
        self.set_panel_needed(Panel.RIGHT, count > 0)

    # -- edits ---------------------------------------------------------------
    @property
    def edited_place(self) -> EditedPlace | None:
        session = self.session
        step = session.step_number(session.side) if session.stored else None
        stored = session.stored[session.side] if session.stored else None
        if step is None or stored is None or stored.header.is_run or stored.archive is not None:
            return None
        return EditedPlace(stored.folder, step, len(stored.steps))

    @property
    def edit_stack(self) -> EditStack:
        return self.work.history

    def show_edited(self, folder: Path, step: int) -> None:
        self.session.take_back(folder, step)

    # -- life ----------------------------------------------------------------
    def open_trajectory(self, folder: str = "", step: str = "", beside: str = "") -> None:
        """Open a trajectory; see :meth:`ReviewTrajectoryController.open`. Raises UserError."""
        self.trajectories.open(folder, step, beside)

    def activate(self) -> None:
        self.work.read_progress()
        self.status.set_in_front(True)
        self.take_keyboard()

    def deactivate(self) -> None:
        self.status.set_in_front(False)
        self.verdicts.write_pending()

    def keep_state(self) -> ReviewSessionState:
        kept = self.session.keep_state()
        return replace(kept, filter=self.filter_bar.field.text(), history=self.work.history)

    def take_state(self, state: ReviewSessionState) -> None:
        self.session.take_state(state)
        self.work.take_history(state.history)
        if state.filter:
            self.filter_bar.show()
            self.filter_bar.field.setText(state.filter)

    def close_workspace(self) -> None:
        self.session.close()
        self.work.close()
        self.columns.close()
        self.timeline_controller.close()
        self.filters.close()
        self.differences.close()
        self.traces.close()


def _stacked(*widgets: QWidget) -> QWidget:
    """Widgets one under the other; the first takes the room."""
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for place, widget in enumerate(widgets):
        column.addWidget(widget, int(place == 0))
    return whole
