"""Choose the state on the screen: live or recorded, and step from one recorded state to the next."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from studio.bridge.shown_state import ShownState
from studio.commands.commander import Commander
from studio.views.conditions.screen_pane import LIVE, RECORDED, ScreenPane
from studio.views.conditions.trajectory_picker import TrajectoryPicker
from studio.views.rules.live import LiveScreen
from studio.views.rules.session import RulesSession


class ScreenController(QObject):
    """Fills the screen pane, and tells the session what it shows."""

    def __init__(
        self, session: RulesSession, screen: ScreenPane, live: LiveScreen, commander: Commander,
        parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session, self._screen, self._live = session, screen, live
        self._commander = commander
        self._place: tuple[str, int] | None = None
        """Trajectory and index of the recorded state shown last, while the phone or nothing is on show."""
        screen.view.keyboard_changed.connect(self._keyboard_changed)
        screen.state_shown.connect(session.show_state)
        screen.stepped.connect(self._step)
        screen.source_chosen.connect(self._source_chosen)
        session.project_opened.connect(self._forget)
        session.selection.task_chosen.connect(self._follow_task)
        session.corpus_changed.connect(self._corpus_changed)
        session.backtests.shown.connect(self._show_recorded)
        self._picker = TrajectoryPicker(screen)
        self._picker.picked.connect(self._trajectory_picked)
        screen.trajectory_wanted.connect(self.choose_trajectory)
        commander.handle("rules.choose-trajectory", self.choose_trajectory)
        commander.handle("rules.previous-state", lambda: screen.stepped.emit(-1))
        commander.handle("rules.next-state", lambda: screen.stepped.emit(1))
        commander.handle("rules.toggle-live", self.toggle_source)

    @Slot(bool)
    def _keyboard_changed(self, has_keyboard: bool) -> None:
        self._commander.set_context(phone__typing=has_keyboard)

    def toggle_source(self) -> None:
        """Show the phone instead of a recorded state, or a recorded state instead of the phone."""
        self._screen.source_chosen.emit(RECORDED if self._screen.is_live else LIVE)

    @Slot()
    def choose_trajectory(self) -> None:
        """Open the list of all trajectories."""
        corpus, recorded = self._session.corpus, self._session.recorded
        if corpus is None or not self._session.has_recordings:
            return
        current = corpus.locate(recorded.position)[0] if recorded is not None else 0
        button = self._screen.choose
        at = button.mapToGlobal(button.rect().bottomLeft())
        self._picker.offer(corpus.trajectories, current, at)

    @Slot(int)
    def _trajectory_picked(self, number: int) -> None:
        corpus = self._session.corpus
        if corpus is not None and 0 <= number < len(corpus.trajectories):
            self._session.go_to(corpus.positions_of(number).start)
            self._session.selection.choose_task(corpus.trajectories[number].task_id)

    @Slot(str)
    def _source_chosen(self, source: str) -> None:
        self._screen.set_source(source)  # also without a phone, so that the next switch leads back
        if source == LIVE:
            self._live.show()
        elif self._session.has_recordings:
            self._session.go_to(self._recorded_position)
        else:
            self._show_nothing()

    @Slot()
    def _forget(self) -> None:
        """Another project is open."""
        self._place = None
        self._show_nothing()

    @Slot()
    def _show_nothing(self) -> None:
        self._screen.show_nothing(reading=self._session.is_reading)

    @property
    def _recorded_position(self) -> int:
        """The recorded state asked for last, even while the recordings were being read.

        Before that it is the first one of the task in hand.
        """
        session = self._session
        if session.pending_position is not None:
            return session.pending_position
        wanted = (session.open_state, self._place)
        places = (session.position_of(*place) for place in wanted if place is not None)
        known = next((position for position in places if position is not None), None)
        return known if known is not None else self._first_of(session.selection.task_id) or 0

    def _first_of(self, task_id: str) -> int | None:
        """The first recorded state of a task; None when nothing is recorded of it."""
        corpus = self._session.corpus
        if corpus is None or not task_id:
            return None
        of_task = (
            corpus.positions_of(number)
            for number, ref in enumerate(corpus.trajectories)
            if ref.task_id == task_id
        )
        return next((positions.start for positions in of_task if positions), None)

    @Slot(str)
    def _follow_task(self, task_id: str) -> None:
        """Show a recorded state of the task that was chosen elsewhere; the phone stays on show."""
        session, corpus = self._session, self._session.corpus
        first = self._first_of(task_id)
        if corpus is None or first is None:
            return
        number, _index = corpus.locate(min(self._recorded_position, len(corpus) - 1))
        if corpus.trajectories[number].task_id == task_id:
            return
        if self._screen.is_live or session.rehearsed is not None:
            number, index = corpus.locate(first)
            self._place = corpus.trajectories[number].id, index
        else:
            session.go_to(first)

    @Slot()
    def _corpus_changed(self) -> None:
        """Show a recorded state, unless the phone or a state of the rehearsal is on the screen."""
        session, corpus = self._session, self._session.corpus
        has_phone = self._live.phone is not None
        if corpus is None or not session.has_recordings:
            if has_phone:
                self._live.show()
            else:
                self._show_nothing()
        elif session.rehearsed is None and not (self._screen.is_live and has_phone):
            wanted = session.open_state
            session.go_to(min(self._recorded_position, len(corpus) - 1))
            if wanted is not None and session.position_of(*wanted) is None:
                session.open_state = wanted  # it is not recorded to its end yet

    @Slot(int)
    def _step(self, by: int) -> None:
        session, corpus = self._session, self._session.corpus
        recorded, position = session.recorded, session.pending_position
        if position is None and recorded is not None:
            position = recorded.position
        if position is None or corpus is None or session.rehearsed is not None:
            return
        trajectory, _index = corpus.locate(position)
        if position + by in corpus.positions_of(trajectory):
            session.go_to(position + by)

    @Slot(object)
    def _show_recorded(self, state: ShownState) -> None:
        # A request made while the recordings are read again waits for them; an earlier answer keeps it.
        if state.position == self._session.pending_position:
            self._session.pending_position = None
        self._place = state.place
        self._screen.show_recorded(state)
