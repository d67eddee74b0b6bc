"""Show the live phone in the screen pane, send input to it and read its tree after each input."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Slot

from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.model.geometry import Size
from collector.model.phone.touch import TouchAction
from collector.rules.evaluation.state_view import StateView
from studio.bridge.phones.phone import PhoneLink
from studio.views.conditions.screen_pane import ScreenPane
from studio.widgets.device_view.events import PointerEvent, ScrollEvent
from studio.widgets.device_view.view_frame import ViewFrame

_READ_AFTER_MS = 700


class LiveScreen(QObject):
    """Shows the phone in the screen pane while the person looks at it live."""

    def __init__(self, screen: ScreenPane, parent: QObject) -> None:
        super().__init__(parent)
        self._screen = screen
        self._phone: PhoneLink | None = None
        self._view_size = Size(0, 0)
        self._reading = QTimer(self)
        self._reading.setSingleShot(True)
        self._reading.setInterval(_READ_AFTER_MS)
        self._reading.timeout.connect(self.refresh)
        view = screen.view
        view.view_size_wanted.connect(self._size_wanted)
        view.pointer.connect(self._pointer)
        view.scrolled.connect(self._scrolled)
        view.key_pressed.connect(self._key)
        view.text_committed.connect(self._text)

    @property
    def phone(self) -> PhoneLink | None:
        return self._phone

    @property
    def is_shown(self) -> bool:
        """Whether the phone is what the screen shows."""
        return self._screen.is_live and self._phone is not None

    @Slot(object)
    def set_phone(self, phone: PhoneLink | None) -> None:
        """Follow another phone, or none."""
        before, self._phone = self._phone, phone
        for name, slot in (("frame_ready", self._frame_ready), ("tree_changed", self._tree_changed)):
            if before is not None:
                getattr(before, name).disconnect(slot)
            if phone is not None:
                getattr(phone, name).connect(slot)
        if self._screen.is_live:
            if phone is None:
                self._screen.show_nothing()
            else:
                self.show()

    def show(self) -> None:
        """Show the phone instead of a recorded state."""
        phone = self._phone
        if phone is None:
            self._screen.show_nothing()
            return
        snapshot = phone.screen.newest_tree()
        self._screen.show_live(phone.name, _seen(snapshot))
        phone.set_view_size(self._view_size)
        phone.take_frame()  # a frame left there would suppress the next frame_ready
        newest = phone.screen.newest_frame()
        self._screen.view.show_frame(self._ready(newest) if newest is not None else None)
        self._screen.view.set_frame_source(self._take)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Read the tree again."""
        if self.is_shown and self._phone is not None:
            self._phone.refresh_tree()

    def _take(self) -> ViewFrame | None:
        frame = self._phone.take_frame() if self._phone is not None else None
        return self._ready(frame) if frame is not None else None

    def _ready(self, frame: Frame) -> ViewFrame:
        assert self._phone is not None
        size = frame.size if self._view_size.is_empty else self._view_size
        if (size.width > size.height) != (frame.size.width > frame.size.height):
            size = size.transposed  # just rotated: the view asks for its new size after this frame
        screen = self._phone.screen
        return ViewFrame.of_frame(frame, size, screen.screen_size, secure=screen.secure)

    @Slot()
    def _frame_ready(self) -> None:
        if self.is_shown:
            self._screen.view.frame_arrived()

    @Slot(object)
    def _tree_changed(self, snapshot: TreeSnapshot) -> None:
        if self.is_shown and self._phone is not None and snapshot.tree is not None:
            self._screen.show_live(self._phone.name, _seen(snapshot))

    @Slot(object)
    def _size_wanted(self, size: Size) -> None:
        self._view_size = size
        if self.is_shown and self._phone is not None:
            self._phone.set_view_size(size)

    # -- touching ------------------------------------------------------------
    @Slot(object)
    def _pointer(self, event: PointerEvent) -> None:
        if self.is_shown and self._phone is not None:
            self._phone.touch(event.action, event.pointer, event.position)
            if event.action is TouchAction.UP:
                self._reading.start()

    @Slot(object)
    def _scrolled(self, event: ScrollEvent) -> None:
        if self.is_shown and self._phone is not None:
            self._phone.scroll(event.position, event.horizontal, event.vertical)
            self._reading.start()

    @Slot(str)
    def _key(self, name: str) -> None:
        if self.is_shown and self._phone is not None:
            self._phone.key(name)
            self._reading.start()

    @Slot(str)
    def _text(self, text: str) -> None:
        if self.is_shown and self._phone is not None:
            self._phone.text(text)
            self._reading.start()

    def close(self) -> None:
        """The window closes."""
        self._reading.stop()
        self.set_phone(None)


def _seen(snapshot: TreeSnapshot | None) -> StateView | None:
    if snapshot is None or snapshot.tree is None:
        return None
    return StateView(
        snapshot.tree, snapshot.xml, snapshot.package, snapshot.activity, apps=snapshot.apps
    )  # fmt: skip
