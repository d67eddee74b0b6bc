"""Show the trajectories of the session on the timeline, and follow cursor, range and playback both ways."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QImage

from collector.model.i18n import _, ngettext
from collector.model.verdicts.judgement import STATE
from collector.store.trajectory.reader import StoredTrajectory
from studio.bridge.newest_answers import NewestAnswers
from studio.bridge.review.reviewer_work import ReviewerWork, SideVerdicts
from studio.commands.keys import printed
from studio.views.review.column_text import side_detail, side_title
from studio.views.review.session import ReviewSession
from studio.views.services import WindowServices
from studio.views.stored_screens import read_picture
from studio.widgets.commands.command_button import CommandFace
from studio.widgets.timeline.aligned_timeline import AlignedTimeline
from studio.widgets.timeline.aligned_track import StateMoment, TrackSide, aligned_track
from studio.widgets.timeline.axis import TimeAxis
from studio.widgets.timeline.lanes import Track


class TimelineController(QObject):
    """Follows the session, and handles the commands of playback, range and zoom."""

    def __init__(
        self, session: ReviewSession, work: ReviewerWork, timeline: AlignedTimeline,
        services: WindowServices, parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session, self._work, self._timeline, self._services = session, work, timeline, services
        self._answers = NewestAnswers(services.tasks, self)
        self._bind_header()
        self._handle_commands()
        timeline.slot_chosen.connect(session.go)
        timeline.range_chosen.connect(session.select)
        timeline.end_asked.connect(session.go_to_end)
        timeline.next_difference_asked.connect(self._ask_next_difference)
        timeline.preview_asked.connect(self._read_preview)
        session.trajectories_changed.connect(timeline.canvas.fit_opened)
        session.aligned_changed.connect(self._show_track)
        work.sides_changed.connect(self._show_track)
        session.slot_changed.connect(timeline.set_current)
        session.selected_changed.connect(self._show_selected)
        session.matching_changed.connect(self._show_matching)

    def _bind_header(self) -> None:
        head, commander = self._timeline.header, self._services.commander
        CommandFace(head.next_difference, commander, "review.next-difference")
        self._timeline.canvas.set_divergence_key(
            printed(commander.registry.shown_keys("review.first-divergence"))
        )

    def _handle_commands(self) -> None:
        timeline, handle = self._timeline, self._services.commander.handle
        handle("review.play", timeline.toggle_play, checked=lambda: timeline.is_playing)
        handle("review.speed", timeline.next_speed)
        handle("review.loop", self._toggle_loop, checked=lambda: timeline.is_looping)
        handle("review.clock", self._toggle_clock, checked=lambda: timeline.canvas.axis is not TimeAxis.STEP)
        handle("review.fit-timeline", timeline.canvas.fit_all)
        handle("review.zoom-in", timeline.wider)
        handle("review.zoom-out", timeline.narrower)
        handle("review.begin-range", timeline.begin_range)
        handle("review.end-range", timeline.end_range)
        handle("review.clear-range", lambda: self._session.select(None))

    def _toggle_loop(self) -> None:
        self._timeline.set_loop(not self._timeline.is_looping)

    def _toggle_clock(self) -> None:
        is_step = self._timeline.canvas.axis is TimeAxis.STEP
        self._timeline.set_axis(TimeAxis.CLOCK if is_step else TimeAxis.STEP)

    @Slot()
    def _ask_next_difference(self) -> None:
        self._services.run_command("review.next-difference")

    # -- the track -----------------------------------------------------------
    @Slot()
    def _show_track(self) -> None:
        session, aligned = self._session, self._session.aligned
        if aligned is None:
            self._timeline.set_track(Track(), "")
            return
        known = self._work.sides
        sides = [
            self._side(stored, known[side] if side < len(known) else SideVerdicts())
            for side, stored in enumerate(session.stored)
        ]
        self._timeline.set_track(aligned_track(aligned, sides), self._about())
        self._timeline.set_current(session.slot)

    def _about(self) -> str:
        count = len(self._session.stored)
        if count == 1:
            header = self._session.stored[0].header
            return "  ·  ".join(filter(None, (header.task_id, header.id)))
        if self._session.cannot_align:
            return _("{count} trajectories that could not be aligned", count=count)
        if not self._session.is_aligned:
            return _("Aligning {count} trajectories...", count=count)
        return ngettext(
            "{count} trajectory aligned by screen and action",
            "{count} trajectories aligned by screen and action", count,
        )  # fmt: skip

    def _side(self, stored: StoredTrajectory, known: SideVerdicts) -> TrackSide:
        header, library = stored.header, self._services.project_library
        sentences = {name: state.label for name, state in library.edits.states.items()}
        snapshot = library.snapshot
        task = snapshot.task(header.task_id) if snapshot is not None else None
        judged = {
            judgement.subject.state for judgement in known.judgements if judgement.subject.kind == STATE
        }
        states = [
            StateMoment(state, sentences.get(state, state), known.reached_at(state))
            for state in (task.essential_states if task is not None else ())
            if state in judged
        ]
        return TrackSide(
            str(stored.folder),
            side_title(header),
            side_detail(header),
            known.outcome,
            known.judgements,
            states,
            known.target,
            known.changes,
            known.risks,
            sentences,
            known.moments,
            stored.folder in self._session.live_folders,
        )

    @Slot()
    def _show_selected(self) -> None:
        self._timeline.set_range(self._session.selected)

    @Slot()
    def _show_matching(self) -> None:
        self._timeline.set_matching(self._session.matching)

    # -- previews ------------------------------------------------------------
    @Slot(object)
    def _read_preview(self, key: tuple[str, str]) -> None:
        """Read the sharp picture of a thumbnail that the pointer rests on."""
        files = {str(stored.folder): stored.files for stored in self._session.stored}.get(key[0])
        if files is not None:
            self._answers.ask("preview", lambda _job: (key, read_picture(files, key[1])), self._show_preview)

    def _show_preview(self, answer: tuple[tuple[str, str], QImage]) -> None:
        self._timeline.show_preview(*answer)

    def close(self) -> None:
        """The window closes."""
        self._answers.forget()
