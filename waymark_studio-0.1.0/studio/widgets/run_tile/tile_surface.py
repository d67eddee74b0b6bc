"""The screen of a tile while a person is in control: mouse, wheel and keyboard become actions."""

from __future__ import annotations

import time
from collections.abc import Iterable

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from collector.model.action import Action
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.recorder.input_actions import InputActions
from collector.run.progress import WorkerProgress
from studio.widgets.device_view.events import PointerEvent, ScrollEvent
from studio.widgets.device_view.highlight import Overlay, Trace, TraceMark
from studio.widgets.device_view.view import DeviceView
from studio.widgets.device_view.view_frame import ViewFrame
from studio.widgets.run_tile.tile_screen import dialog_marks, screen_image, screen_size

_USUAL = Size(1080, 2400)


class TileSurface(DeviceView):
    """A device view whose picture is the newest observation of a run, and whose input becomes actions.

    What was done is drawn until the phone shows another screen.
    """

    acted = Signal(object)
    """An Action, in pixels of the screen."""
    margin = 6

    def __init__(self, parent: QWidget) -> None:
        super().__init__(None, parent)
        self._shown: WorkerProgress | None = None
        self._input = InputActions(_USUAL)
        self._wake = QTimer(self, singleShot=True)
        self._wake.timeout.connect(self._tick)
        self.pointer.connect(self._pointed)
        self.scrolled.connect(self._scrolled)
        self.key_pressed.connect(self._key_pressed)
        self.text_committed.connect(self._typed)
        self.setMinimumSize(40, 60)

    def show_worker(self, worker: WorkerProgress) -> None:
        """Show the newest screen."""
        before, self._shown = self._shown, worker
        size = screen_size(worker)
        if before is None or screen_size(before) != size:
            self._input = InputActions(size if not size.is_empty else _USUAL)
        if before is None or before.picture_number != worker.picture_number:
            image = screen_image(worker)
            frame = ViewFrame(image, size) if not image.isNull() else None
            self.show_frame(frame)
            self.set_notice("" if frame is not None else _("No picture yet"))
            self.set_traces(())
        self.set_marks(Overlay.TARGET, dialog_marks(worker))

    def end(self) -> None:
        """Send nothing more: the agent is in control again."""
        self._wake.stop()
        self.hide()

    @Slot(object)
    def _pointed(self, event: PointerEvent) -> None:
        self._send(self._input.pointer(event.action, event.pointer, event.position, event.time_ns))

    @Slot(object)
    def _scrolled(self, event: ScrollEvent) -> None:
        self._send(self._input.scroll(event.position, event.horizontal, event.vertical, event.time_ns))

    @Slot(str)
    def _key_pressed(self, name: str) -> None:
        self._send(self._input.key(name, time.monotonic_ns()))

    @Slot(str)
    def _typed(self, text: str) -> None:
        self._send(self._input.text(text, time.monotonic_ns()))

    @Slot()
    def _tick(self) -> None:
        self._send(self._input.tick(time.monotonic_ns()))

    def _send(self, actions: Iterable[Action]) -> None:
        for action in actions:
            self.set_traces((Trace(action, TraceMark.PERSON),) if action.point is not None else ())
            self.acted.emit(action)
        deadline = self._input.deadline_ns
        if deadline is None:
            self._wake.stop()
        else:
            self._wake.start(max(1, (deadline - time.monotonic_ns()) // 1_000_000 + 1))
