"""The commands for the selected phone of a run: pause, step, take over, stop, walk and enlarge."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Slot

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.cycle.steering.control import Pause, Resume, SingleStep, StopEpisode, TakeOver
from collector.run.progress import WorkerProgress
from studio.views.run.session import RunSession
from studio.views.run.tiles_pane import TilesPane
from studio.views.services import WindowServices
from studio.widgets.run_tile.tile_text import is_held, is_taken_over


class WorkerController(QObject):
    """Sends commands to the runner, which says by events what came of them."""

    def __init__(
        self, session: RunSession, services: WindowServices, tiles: TilesPane, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._services, self._tiles = session, services, tiles
        self._titles = (False, False)
        """Whether a person is in control of the selected phone, and whether its agent waits."""
        handle = services.commander.handle
        handle("run.pause-episode", self.pause)
        handle("run.step", self.step)
        handle("run.take-over", self.take_over)
        handle("run.answer", self.answer)
        handle("run.stop-episode", self.stop)
        handle("run.next-phone", partial(self.walk, 1))
        handle("run.previous-phone", partial(self.walk, -1))
        handle("run.enlarge-phone", self.enlarge)
        session.worker_selected.connect(self._retitle)
        session.worker_changed.connect(self._worker_changed)

    @Slot(str)
    def _worker_changed(self, name: str) -> None:
        if name == self._session.selected_worker:
            self._retitle()

    @Slot()
    def _retitle(self) -> None:
        """Let the commands say what they do next: take over or give back, pause or go on."""
        worker = self._session.progress.workers.get(self._session.selected_worker)
        has_person = worker is not None and is_taken_over(worker)
        waits = worker is not None and is_held(worker)
        if (has_person, waits) != self._titles:
            self._titles = (has_person, waits)
            retitle = self._services.commander.retitle
            retitle("run.take-over", _("Give back") if has_person else "")
            retitle("run.pause-episode", _("Let this phone go on") if waits else "")

    def _worker(self) -> WorkerProgress:
        """The selected worker with its episode. Raises UserError."""
        worker = self._session.progress.workers.get(self._session.selected_worker)
        if worker is None or not worker.cell:
            raise UserError(
                _("The selected phone runs no episode now"), "", _("Choose a phone that is at work")
            )
        return worker

    @Slot()
    def pause(self) -> None:
        """Let the phone wait before its next action, or go on."""
        worker = self._worker()
        self._session.steer(worker.name, Resume() if is_held(worker) else Pause())

    @Slot()
    def step(self) -> None:
        """Let the agent do one step, then wait."""
        worker = self._worker()
        if is_taken_over(worker):
            raise UserError(_("A person is in control of this phone"), "", _("Give it back first"))
        self._session.steer(worker.name, SingleStep())

    @Slot()
    def take_over(self) -> None:
        """Act in the agent's place, or give back; the tile is enlarged meanwhile."""
        worker, board = self._worker(), self._tiles.board
        if is_taken_over(worker):
            self._session.steer(worker.name, Resume())
            board.enlarge("")
            return
        self._session.steer(worker.name, TakeOver(self._session.person))
        board.enlarge(worker.name)
        board.expect_control(worker.name)

    @Slot()
    def answer(self) -> None:
        """Go to the field in which the question of an agent is answered."""
        self._tiles.questions.focus()

    def give_back_all(self) -> None:
        """Give back the phones that the person of this window controls: nobody else would."""
        for tile in self._tiles.board.tiles:
            if tile.is_mine:
                self._session.steer(tile.worker.name, Resume())

    @Slot()
    def stop(self) -> None:
        """End the episode without an outcome."""
        self._session.steer(self._worker().name, StopEpisode())

    def walk(self, by: int) -> None:
        """Select the next phone, or the one before."""
        names = [worker.name for worker in self._session.workers]
        if not names:
            return
        here = self._session.selected_worker
        number = names.index(here) + by if here in names else 0
        self._session.select_worker(names[number % len(names)])

    @Slot()
    def enlarge(self) -> None:
        """Let the selected phone fill the place of all, or show all again."""
        board = self._tiles.board
        board.enlarge("" if board.enlarged_worker else self._session.selected_worker)
