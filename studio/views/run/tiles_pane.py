"""The tiles of the phones of a run, above the results."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Slot
from PySide6.QtWidgets import QFrame, QStackedLayout, QVBoxLayout

from collector.model.action import Action
from collector.model.i18n import _, ngettext
from collector.run.cycle.steering.control import AnswerAgent, Pause, PersonAction, Resume
from studio.views.run.session import RunSession
from studio.views.services import WindowServices
from studio.widgets.commands.command_menu import CommandMenu
from studio.widgets.controls import EmptyState
from studio.widgets.run_tile.question_bar import QuestionBar
from studio.widgets.run_tile.tile_board import TileBoard

TILE_MENU = (
    ("run.pause-episode", "run.step", "run.take-over", "run.enlarge-phone"),
    ("run.open-episode", "run.show-log"),
    ("run.stop-episode",),
)


class TilesPane(QFrame):
    """Shows a tile for each worker of the run in hand, and follows the session."""

    def __init__(self, session: RunSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "canvas")
        self._session, self._services = session, services
        self.empty = EmptyState(*self._words_without_phones(), icon="")
        self.board = TileBoard(me=session.person)
        self.questions = QuestionBar()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.questions)
        self._stack = QStackedLayout()
        column.addLayout(self._stack, 1)  # before it has pages: without a parent it shows them as windows
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.board)
        self._connect()

    def _connect(self) -> None:
        session, board, services = self._session, self.board, self._services
        session.workers_changed.connect(self._show_workers)
        for signal in (session.progress_changed, session.experiment_changed, session.run_changed):
            signal.connect(self._show_empty)
        session.worker_changed.connect(self._show_worker)
        session.picture_changed.connect(self._show_worker)
        session.worker_selected.connect(board.choose)
        board.chosen.connect(self._choose)
        board.pause_asked.connect(self._pause)
        board.give_back_asked.connect(self._give_back)
        board.resume_asked.connect(partial(services.run_command, "run.start"))
        board.menu_asked.connect(self._open_menu)
        board.person_acted.connect(self._act)
        self.questions.answered.connect(self._answer)
        for signal in (session.workers_changed, session.worker_changed):
            signal.connect(self._show_questions)

    @Slot()
    def _show_workers(self) -> None:
        workers = self._session.workers
        self._show_person()
        self.board.show_workers(workers)
        self._stack.setCurrentWidget(self.board if workers else self.empty)
        self._show_empty()

    @Slot()
    def _show_empty(self) -> None:
        if self._stack.currentWidget() is self.empty:
            self.empty.set_words(*self._words_without_phones())

    def _words_without_phones(self) -> tuple[str, str]:
        """What there is to do while no phone is running."""
        progress, loaded = self._session.progress, self._session.loaded
        if loaded is not None and loaded.errors:
            return _("The experiment cannot be started"), ngettext(
                "Its file has {count} error, listed under Experiment",
                "Its file has {count} errors, listed under Experiment", len(loaded.errors),
            )  # fmt: skip
        if progress.total and not progress.left:
            is_offline = self._session.is_offline
            title = _("Every golden step is answered") if is_offline else _("Every episode has an outcome")
            return title, _("Choose a result to read its log; Enter opens it in Review")
        title = _("No phone is running")
        if self._session.is_offline:
            return _("No golden step is being asked"), _("Start the experiment to watch the questions here")
        if progress.finished:
            return title, ngettext(
                "{count} episode is left: Resume runs it", "{count} episodes are left: Resume runs them",
                progress.left,
            )  # fmt: skip
        return title, _("Start the experiment to watch its phones here")

    def _show_person(self) -> None:
        self.board.set_person(self._session.person)

    @Slot(str)
    def _show_worker(self, name: str) -> None:
        worker = self._session.progress.workers.get(name)
        if worker is not None and self.board.tile(name) is not None:
            self._show_person()
            self.board.show_worker(worker)

    @Slot(str)
    def _choose(self, name: str) -> None:
        if name != self._session.selected_worker:
            self._session.select_worker(name)

    @Slot(str, bool)
    def _pause(self, name: str, pause: bool) -> None:
        self._session.steer(name, Pause() if pause else Resume())

    @Slot(str)
    def _give_back(self, name: str) -> None:
        self._session.steer(name, Resume())

    @Slot(str, object)
    def _act(self, name: str, action: Action) -> None:
        self._session.steer(name, PersonAction(action))

    @Slot()
    def _show_questions(self) -> None:
        self.questions.show_workers(self._session.workers)

    @Slot(str, str)
    def _answer(self, name: str, text: str) -> None:
        self._session.steer(name, AnswerAgent(text, self._session.person))

    @Slot(str, QPoint)
    def _open_menu(self, name: str, at: QPoint) -> None:
        self._choose(name)
        CommandMenu(self._services.commander, TILE_MENU, self._services.run_command, self).popup(at)
