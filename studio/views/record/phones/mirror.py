"""The mirror pane of the Record workspace: the phone with its cards, live or at a recorded step."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from collector.device.frame import Frame
from collector.device.protocols import InputTarget
from collector.device.snapshot import TreeSnapshot
from collector.model.action import HELD_FROM_MS
from collector.model.geometry import Position, Size
from collector.model.i18n import _
from collector.model.phone.touch import TouchAction
from collector.model.trajectory import Step
from collector.model.tree import Node
from collector.recorder.events import NextStateReady, StepCaptured
from studio.bridge.phone_recording import PhoneRecording
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.recording import Recording
from studio.theme import theme
from studio.views.step_screen import show_action, show_screen, step_traces
from studio.views.stored_screens import StoredScreen
from studio.widgets.device_view.card_layout import DeviceCardLayout
from studio.widgets.device_view.events import PointerEvent, ScrollEvent
from studio.widgets.device_view.header import DeviceHeader
from studio.widgets.device_view.highlight import Trace
from studio.widgets.device_view.view import DeviceView, MirrorMode
from studio.widgets.device_view.view_frame import ViewFrame
from studio.widgets.hud import Hud, MirrorFigures, PointerCard
from studio.widgets.node_selection import NodeSelection
from studio.widgets.recording_cards.capture_card import CaptureCard, CaptureFacts, CapturePill
from studio.widgets.recording_cards.key_bar import KeyBar
from studio.widgets.recording_cards.task_card import TaskCard

_READ_AFTER_MS = 700
"""Delay between the last input and reading the tree again, while nothing is recorded."""


class MirrorPane(QWidget):
    """Show the phone or a recorded step, and send a person's input to the recording's target."""

    cursor_moved = Signal(object)
    keyboard_requested = Signal()
    screenshot_requested = Signal()
    pressed = Signal(str, int)
    """A key of the phone was pressed, by name, and held for so many milliseconds."""

    def __init__(
        self,
        recording: Recording,
        empty: QWidget,
        parent: QWidget | None = None,
    ) -> None:
        """``empty`` is shown without a phone and a step."""
        super().__init__(parent)
        self._recording = recording
        self._phone: PhoneLink | None = None
        self._phone_recording: PhoneRecording = recording.front
        self._modes: dict[str, MirrorMode] = {}
        self._stored: Step | None = None
        self._is_stored_open = False
        self._view_size = Size(0, 0)
        self._pointer_at: Position | None = None
        self.selection = NodeSelection(self)
        self.view = DeviceView(self.selection)
        self.header = DeviceHeader(self.view)
        self.header.setFixedHeight(theme.size("device_header"))
        self.stage = DeviceCardLayout(self.view)
        self.task_card, self.task_line = TaskCard(), TaskCard()
        self.task_line.set_compact(True)
        self.key_bar, self.capture = KeyBar(), CaptureCard()
        self.pill, self.hud, self.pointer_card = CapturePill(), Hud(), PointerCard()
        self._pages = QStackedWidget()
        self._empty = empty
        self._reading = QTimer(self)
        self._reading.setSingleShot(True)
        self._reading.setInterval(_READ_AFTER_MS)
        self._lay_out()
        self._connect()
        self._show_page()

    def _lay_out(self) -> None:
        stage = self.stage
        stage.set_left(self.task_card)
        stage.add_right(self.key_bar)
        stage.add_right(self.capture)
        stage.add_corner(self.hud)
        stage.add_corner(self.pointer_card)
        stage.set_pill(self.pill)
        for card in (self.hud, self.pointer_card, self.pill):
            stage.set_card_enabled(card, False)
        phone = QWidget()
        column = QVBoxLayout(phone)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.task_line)
        stage.set_line(
            self.task_line
        )  # not before: it shows the line, which would be a window without a parent
        column.addWidget(stage, 1)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(phone)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)

    def _connect(self) -> None:
        view, recording = self.view, self._recording
        view.pointer.connect(self._pointer)
        view.scrolled.connect(self._scrolled)
        view.key_pressed.connect(self.press)
        view.text_committed.connect(self._text)
        view.cursor_moved.connect(self._cursor_moved)
        view.mode_changed.connect(self._mode_changed)
        view.view_size_wanted.connect(self._size_wanted)
        self.selection.hovered_changed.connect(self._node_lit)
        self.selection.selected_changed.connect(self._node_lit)
        self.key_bar.key_pressed.connect(self.press)
        self.key_bar.refresh_requested.connect(self.refresh)
        self.key_bar.keyboard_requested.connect(self.keyboard_requested)
        self.key_bar.screenshot_requested.connect(self.screenshot_requested)
        recording.step_captured.connect(self._captured)
        recording.next_ready.connect(self._next_ready)
        self._reading.timeout.connect(self.refresh)

    # -- which phone ---------------------------------------------------------
    @property
    def phone(self) -> PhoneLink | None:
        return self._phone

    def set_phone(self, phone: PhoneLink | None) -> None:
        """Mirror another phone, or none. Each keeps its mode, Interact or Inspect."""
        if self._phone is not None:
            self._modes[self._phone.serial] = self.view.chosen_mode
            if self._phone is not phone:
                self._phone.set_view_size(Size(0, 0))  # nothing is scaled for nobody
        self._follow(phone)
        if phone is not None:
            self.view.set_mode(self._modes.get(phone.serial, MirrorMode.INTERACT))
        self.header.show_owner(phone.taken if phone is not None else "")
        if self._stored is None:
            self.view.set_notice("")
            self.view.show_frame(None)
            self.selection.set_tree(None)
        self._show_page()
        if phone is not None:
            self._scale(phone)
            if self._stored is None:
                self.show_live()

    def _follow(self, phone: PhoneLink | None) -> None:
        before, self._phone = self._phone, phone
        self._phone_recording = self._recording.of(phone.serial if phone is not None else "")
        wires = (
            ("frame_ready", self._frame_ready),
            ("tree_changed", self._tree_changed),
            ("secure_changed", self._secure_changed),
            ("taken_changed", self.header.show_owner),
            ("lost", self._lost),
            ("back", self._back),
        )
        for name, slot in wires:
            if before is not None:
                getattr(before, name).disconnect(slot)
            if phone is not None:
                getattr(phone, name).connect(slot)

    def _show_page(self) -> None:
        is_empty = self._phone is None and self._stored is None and not self._is_stored_open
        self._pages.setCurrentIndex(0 if is_empty else 1)
        for card in (self.key_bar, self.capture):
            self.stage.set_card_enabled(card, self._stored is None)
        self.stage.set_card_enabled(self.pill, self._stored is None and self._recording.is_running)

    def set_stored_open(self, is_open: bool) -> None:
        """Say whether a stored trajectory is open: its first screen may take a moment to be read."""
        self._is_stored_open = is_open
        self._show_page()

    def close_phone(self) -> None:
        """The window closes."""
        self._reading.stop()
        self._follow(None)

    # -- what is shown -------------------------------------------------------
    def show_live(self) -> None:
        """The phone as it is now."""
        if self._stored is not None:
            self.selection.select(None)  # it was the target of a recorded step
        self._stored = None
        phone = self._phone
        self.view.set_traces(())
        self.view.set_target(None)
        self.view.set_live(True)
        self._show_page()
        if phone is None:
            self.view.set_frame_source(None)
            self.view.show_frame(None)
            return
        phone.take_frame()  # a frame left there would suppress the next frame_ready
        self._show_newest(phone)
        self.view.set_frame_source(self._take)
        self.view.set_notice(_("The phone is gone"), _("Waiting for it to come back")) if phone.is_lost else (
            self.view.set_notice("")
        )
        snapshot = phone.screen.newest_tree()
        if snapshot is not None and snapshot.tree is not self.selection.tree:
            self._tree_changed(snapshot)

    def _show_newest(self, phone: PhoneLink) -> None:
        newest = phone.screen.newest_frame()
        self.view.show_frame(self._ready(newest) if newest is not None else None)

    def show_stored(self, step: Step, state: StoredScreen) -> None:
        """Show a recorded step: its picture, its tree, where it was touched and its target node."""
        self._stored = step
        self.view.set_live(False)
        self.view.set_frame_source(None)
        self._show_page()
        show_screen(self.view, step, state)
        show_action(self.view, step, step_traces(step, by_agent=False))

    def show_capture(self, step: Step | None, settle_ms: float | None = None) -> None:
        """Show how the newest step was captured."""
        if step is None:
            self.capture.show_capture(None)
            return
        state = step.state
        facts = CaptureFacts(step.index + 1, self._frame_age, settle_ms, state.tree_age_ms, state.skew)
        redaction = _("passwords") if step.redacted else ""
        self.capture.show_capture(replace(facts, redaction=redaction, secure=state.secure))

    @property
    def _frame_age(self) -> float | None:
        """Age of a frame when it is painted, as the view measures it."""
        return self.view.latency_ms

    def show_figures(self) -> None:
        """Update the HUD while it is visible."""
        phone = self._phone
        if phone is None or not self.hud.isVisible():
            return
        stats = phone.stats
        age = stats.tree_age_ms / 1000 if stats.tree_age_ms is not None else None
        self.hud.show_figures(
            MirrorFigures(
                None if phone.is_still else stats.fps,
                stats.decode_ms,
                stats.scale_ms,
                self.view.paint_ms,
                stats.waiting,
                self.view.latency_ms,
                age,
                not phone.tree_is_stale,
            )
        )

    def toggle_hud(self) -> None:
        """Show or hide the HUD (F12)."""
        self.stage.set_card_enabled(self.hud, not self.hud.isVisible())
        self.show_figures()

    # -- frames and trees ----------------------------------------------------
    def _take(self) -> ViewFrame | None:
        frame = self._phone.take_frame() if self._phone is not None else None
        return self._ready(frame) if frame is not None else None

    def _ready(self, frame: Frame) -> ViewFrame:
        phone, size = self._phone, self._view_size
        assert phone is not None
        if (size.width > size.height) != (frame.size.width > frame.size.height):
            size = size.transposed  # just rotated: the view asks for its new size after this frame
        if size.is_empty:
            size = frame.size
        return ViewFrame.of_frame(frame, size, phone.screen.screen_size, secure=phone.screen.secure)

    @Slot()
    def _frame_ready(self) -> None:
        if self._stored is None:
            self.view.frame_arrived()

    @Slot(object)
    def _tree_changed(self, snapshot: TreeSnapshot) -> None:
        if self._stored is None and snapshot.tree is not None and self._phone is not None:
            self.selection.set_tree(snapshot.tree, self._phone.index_of(snapshot.tree))

    @Slot(bool)
    def _secure_changed(self, _secure: bool) -> None:
        """Show the newest frame again: a black frame is recognized as protected only after it was shown."""
        if self._stored is None and self._phone is not None:
            self._show_newest(self._phone)

    @Slot(object)
    def _size_wanted(self, size: Size) -> None:
        self._view_size = size
        if self._phone is not None:
            self._scale(self._phone)

    def _scale(self, phone: PhoneLink) -> None:
        """Have frames scaled to what is seen of them: of a phone that records unseen nothing is."""
        phone.set_view_size(self._view_size if self.isVisible() else Size(0, 0))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        if self._phone is not None:
            self._scale(self._phone)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        super().hideEvent(event)
        if self._phone is not None:
            self._phone.set_view_size(Size(0, 0))

    @Slot(str)
    def _lost(self, why: str) -> None:
        if self._stored is None:
            self.view.set_notice(_("The phone is gone"), why or _("Waiting for it to come back"))

    @Slot()
    def _back(self) -> None:
        if self._stored is None:
            self.show_live()

    # -- input ---------------------------------------------------------------
    @property
    def _target(self) -> InputTarget | None:
        """Where input goes now; None without a phone."""
        return self._phone_recording.target_for(self._phone) if self._phone is not None else None

    @Slot(object)
    def _pointer(self, event: PointerEvent) -> None:
        if (target := self._target) is not None:
            target.touch(event.action, event.pointer, event.position)
        if event.action is TouchAction.UP:
            self._input_sent()

    @Slot(object)
    def _scrolled(self, event: ScrollEvent) -> None:
        if (target := self._target) is not None:
            target.scroll(event.position, event.horizontal, event.vertical)
        self._input_sent()

    @Slot(str)
    @Slot(str, int)
    def press(self, name: str, held_ms: int = 0) -> None:
        """Press a key of the phone, by name; one that was held is held on the phone as long."""
        held_ms = held_ms if held_ms >= HELD_FROM_MS else 0
        if (target := self._target) is not None:
            target.key(name, held_ms)
        self.pressed.emit(name, held_ms)
        self._input_sent()

    @Slot(str)
    def _text(self, text: str) -> None:
        if (target := self._target) is not None:
            target.text(text)
        self._input_sent()

    def _input_sent(self) -> None:
        if not self._recording.records(self._phone):
            self._reading.start()  # the recorder reads it by itself when the screen rests
        elif gathered := self._recording.gathered:
            self.pill.show_typing(gathered)

    @Slot()
    def refresh(self) -> None:
        """Read the tree again."""
        if self._phone is not None:
            self._phone.refresh_tree()

    @Slot(object)
    def _mode_changed(self, mode: MirrorMode) -> None:
        interact = mode is MirrorMode.INTERACT
        self.stage.set_card_enabled(self.pointer_card, not interact and self.view.is_live)
        self.stage.set_card_enabled(self.task_card, interact or not self.view.is_live)
        self.stage.set_card_enabled(self.key_bar, interact)
        self.stage.set_card_enabled(self.capture, interact)
        if not interact and self._stored is None:
            self.refresh()

    @Slot(object)
    def _cursor_moved(self, position: Position | None) -> None:
        self._pointer_at = position
        self.cursor_moved.emit(position)
        if self.pointer_card.isVisible():
            self._show_place(position, self.selection.hovered)

    @Slot(object)
    def _node_lit(self, _node: Node | None) -> None:
        if self.pointer_card.isVisible():
            self._show_place(self._pointer_at, self.selection.hovered)

    def _show_place(self, position: Position | None, node: Node | None) -> None:
        density = self._phone.screen.density if self._phone is not None else 0
        node = node or self.selection.selected
        self.pointer_card.show_pointer(position.point if position is not None else None, node, density)

    # -- recording -----------------------------------------------------------
    @Slot(object)
    def _captured(self, event: StepCaptured) -> None:
        self.pill.show_waiting(by_hand=bool(event.input_source))
        if self._stored is None and event.action.point is not None:
            self.view.set_traces([Trace(event.action)])

    @Slot(object)
    def _next_ready(self, event: NextStateReady) -> None:
        self.pill.show_captured(event.settle_ms / 1000, event.nodes)
        if self._stored is None:
            self.view.set_traces(())

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        self.update()
        super().changeEvent(event)
