"""The board of tiles: a tile a worker, as large as the room allows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from collector.model.geometry import Size
from collector.model.i18n import _
from collector.run.progress import WorkerProgress
from studio.widgets.controls import surface
from studio.widgets.device_view.highlight_painter import q
from studio.widgets.run_tile.tile import RunTile
from studio.widgets.run_tile.tile_layout import GAP, lay_out
from studio.widgets.run_tile.tile_screen import screen_size

_TICK_MS = 100
_WALKS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class TileBoard(QScrollArea):
    """Shows the workers that it is given, in order; one of them is chosen, and one may be enlarged.

    Numbers that change with time are painted ten times a second, and only while there are any.
    """

    chosen = Signal(str)
    """The worker that commands are for."""
    enlarged = Signal(str)
    """The worker whose tile fills the board; empty when all are shown again."""
    pause_asked = Signal(str, bool)
    give_back_asked = Signal(str)
    resume_asked = Signal()
    menu_asked = Signal(str, QPoint)
    person_acted = Signal(str, object)

    def __init__(
        self, clock: Callable[[], float] = time.time, me: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._clock, self._me = clock, me
        self._tiles: dict[str, RunTile] = {}
        self._chosen = self._enlarged = self._expected = ""
        self._layout = lay_out(1, Size(100, 100))
        self._canvas = surface("canvas")
        self.setWidget(self._canvas)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(_("Devices of the run"))
        self.setMinimumHeight(160)
        self._ticker = QTimer(self, interval=_TICK_MS)
        self._ticker.timeout.connect(self._tick)

    # -- what is shown -------------------------------------------------------
    @property
    def tiles(self) -> tuple[RunTile, ...]:
        return tuple(self._tiles.values())

    def tile(self, worker: str) -> RunTile | None:
        """The tile of a worker."""
        return self._tiles.get(worker)

    @property
    def enlarged_worker(self) -> str:
        """The worker whose tile fills the board; empty when all are shown."""
        return self._enlarged

    def set_person(self, me: str) -> None:
        """Say who uses this window."""
        self._me = me
        for tile in self._tiles.values():
            tile.set_person(me)

    def show_workers(self, workers: Iterable[WorkerProgress]) -> None:
        """Show these workers, one tile each."""
        shown = {worker.name: worker for worker in workers}
        if list(shown) != list(self._tiles):
            self._replace(shown)
        for worker in shown.values():
            self.show_worker(worker)

    def show_worker(self, worker: WorkerProgress) -> None:
        """Show what a worker does now; a new one gets a tile at the end."""
        tile = self._tiles.get(worker.name)
        if tile is None:
            shown = {name: tile.worker for name, tile in self._tiles.items()}
            self._replace({**shown, worker.name: worker})
            tile = self._tiles[worker.name]
        size = screen_size(tile.worker)
        tile.show_worker(worker)
        if self._expected == worker.name:
            self._grant()
        if size != screen_size(worker):
            self._arrange()
        if not self._ticker.isActive() and self.isVisible() and tile.counts:
            self._ticker.start()

    def _replace(self, workers: dict[str, WorkerProgress]) -> None:
        for name in [name for name in self._tiles if name not in workers]:
            self._tiles.pop(name).deleteLater()
        tiles = {name: self._tiles.get(name) or self._new_tile(worker) for name, worker in workers.items()}
        self._tiles = tiles
        for tile in tiles.values():
            tile.raise_()  # Tab walks in this order
        if self._enlarged not in tiles:
            self.enlarge("")
        if self._chosen not in tiles:
            self.choose(next(iter(tiles), ""))
        self._arrange()

    def _new_tile(self, worker: WorkerProgress) -> RunTile:
        tile = RunTile(worker, self._clock, self._me, self._canvas)
        tile.chosen.connect(self.choose)
        tile.enlarge_asked.connect(self._toggle)
        tile.pause_asked.connect(self.pause_asked)
        tile.give_back_asked.connect(self.give_back_asked)
        tile.resume_asked.connect(self.resume_asked)
        tile.menu_asked.connect(self.menu_asked)
        tile.person_acted.connect(self.person_acted)
        return tile

    @Slot(str)
    def choose(self, worker: str) -> None:
        """Make a tile the one that commands are for."""
        if worker == self._chosen:
            return
        self._chosen = worker
        for name, tile in self._tiles.items():
            tile.set_chosen(name == worker and len(self._tiles) > 1)
        if self._enlarged and worker and worker != self._enlarged:
            self.enlarge(worker)
        self.chosen.emit(worker)

    @Slot(str)
    def enlarge(self, worker: str) -> None:
        """Let a tile fill the board; an empty name shows all again."""
        if worker and worker not in self._tiles:
            return
        if worker == self._enlarged:
            return
        self._enlarged = worker
        self._arrange()
        if worker:
            self.choose(worker)
        self.enlarged.emit(worker)

    def expect_control(self, worker: str) -> None:
        """Give the keyboard to the phone of a worker as soon as the person of this window controls it."""
        self._expected = worker
        self._grant()

    def _grant(self) -> None:
        tile = self._tiles.get(self._expected)
        if tile is not None and tile.surface is not None:
            self._expected = ""
            tile.surface.take_keyboard()

    @Slot(str)
    def _toggle(self, worker: str) -> None:
        self.enlarge("" if self._enlarged == worker else worker)

    # -- places --------------------------------------------------------------
    def _arrange(self) -> None:
        area = self.maximumViewportSize()
        tiles = [self._tiles[self._enlarged]] if self._enlarged else list(self._tiles.values())
        sizes = (screen_size(tile.worker) for tile in tiles)
        screen = next((size for size in sizes if not size.is_empty), None)
        room = Size(area.width(), area.height())
        layout = lay_out(len(tiles), room, screen) if screen is not None else lay_out(len(tiles), room)
        if layout.height > room.height:
            bar = self.verticalScrollBar().sizeHint().width()
            room = Size(room.width - bar, room.height)
            layout = lay_out(len(tiles), room, screen) if screen is not None else lay_out(len(tiles), room)
        self._layout = layout
        self._canvas.resize(room.width, max(room.height, layout.height))
        for tile in self._tiles.values():
            tile.setVisible(tile in tiles)
        used = GAP + layout.columns * (layout.tile.width + GAP)
        aside = max(0, room.width - used) // 2 if self._enlarged else 0
        for number, tile in enumerate(tiles):
            tile.set_has_text(layout.has_text)
            tile.setGeometry(q(layout.place(number)).translated(aside, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._arrange()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(640, 438)

    # -- time and keys -------------------------------------------------------
    @Slot()
    def _tick(self) -> None:
        counting = [tile for tile in self._tiles.values() if tile.isVisible() and tile.counts]
        for tile in counting:
            tile.tick()
        if not counting:
            self._ticker.stop()
            for tile in self._tiles.values():
                tile.update()  # the last number gives way to a word

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key, names = Qt.Key(event.key()), list(self._tiles)
        if key == Qt.Key.Key_Escape and self._enlarged:
            self.enlarge("")
        elif key in _WALKS and self._chosen in names and not event.modifiers():
            down, across = _WALKS[key]
            columns = self._layout.columns if not self._enlarged else 1
            number = names.index(self._chosen) + (down * columns + across)
            if 0 <= number < len(names):
                self._tiles[names[number]].setFocus()
                self.ensureWidgetVisible(self._tiles[names[number]])
        else:
            super().keyPressEvent(event)
