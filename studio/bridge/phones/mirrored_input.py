"""Mirror the input of the phone in front to all phones of the window."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from collector.device.protocols import InputTarget
from collector.model.geometry import Position
from collector.model.phone.touch import TouchAction
from studio.bridge.phones.devices import Devices
from studio.bridge.phones.mirrored_phone import (
    FingerEvent,
    FingerGesture,
    MirroredAct,
    MirroredPhone,
    PlainInput,
    WheelTurn,
    screen_of,
)
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.recording import Recording

TWICE_MS = 300
"""How long a second touch is awaited that makes a double tap of the first."""
_NEED = "mirrored input"


class MirroredInput(QObject):
    """Off by default, and off again when the phones of the window are others. GUI thread; nothing waits."""

    changed = Signal()
    """It was switched, or something was not mirrored: :attr:`is_on`, :meth:`problem`."""
    ended = Signal()
    """It was switched off because the phones of the window are others."""

    def __init__(self, devices: Devices, recording: Recording, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._devices, self._recording = devices, recording
        self.is_on = False
        self._serials: tuple[str, ...] = ()
        self._phones: dict[str, MirroredPhone] = {}
        self._front_serial = ""
        self._gesture: FingerGesture | None = None
        self._twice = QTimer(self, singleShot=True, interval=TWICE_MS)
        self._twice.timeout.connect(self._end_gesture)
        devices.links.changed.connect(self._phones_changed)

    @property
    def count(self) -> int:
        """How many phones get the input; 0 while it goes to the one in front alone."""
        return len(self._serials) if self.is_on else 0

    @property
    def others(self) -> tuple[PhoneLink, ...]:
        """The phones that get the input of the one in front; none while it is off."""
        return self._devices.links.others if self.is_on else ()

    def problem(self, serial: str) -> str:
        """What did not reach a phone, and why; empty when the last act did."""
        phone = self._phones.get(serial)
        return phone.problem if phone is not None else ""

    def switch(self, on: bool) -> None:
        """Begin or end to mirror."""
        if on == self.is_on or (on and len(self._devices.links.serials) < 2):
            return
        self.is_on = on
        self._gesture = None
        self._twice.stop()
        self._serials = self._devices.links.serials if on else ()
        self._devices.links.need(_NEED, self._serials)
        self._follow()
        self.changed.emit()

    # -- input of the phone in front -------------------------------------------
    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        """One event of a finger on the phone in front; the gesture goes on once it is complete."""
        front = self._front
        if front is None:
            return
        now = time.monotonic()
        if self._gesture is None:
            if action is not TouchAction.DOWN:
                return
            self._gesture = FingerGesture(screen_of(front), now)
        self._twice.stop()
        self._gesture.events.append(FingerEvent(now - self._gesture.begun_s, action, pointer, position))
        if not self._gesture.is_down:
            self._twice.start()

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        """Turns of the wheel on the phone in front."""
        front = self._front
        if front is not None:
            self._add(WheelTurn(screen_of(front), position, horizontal, vertical))

    def key(self, name: str, held_ms: int = 0) -> None:
        """A key that was pressed on the phone in front, and held so long."""
        self._add(PlainInput(lambda target, _link: target.key(name, held_ms), needs_rest=name != "delete"))

    def text(self, text: str) -> None:
        """Text that was typed on the phone in front."""
        self._add(PlainInput(lambda target, _link: target.text(text)))

    def act(self, send: Callable[[InputTarget, PhoneLink], None]) -> None:
        """Something else that is done on every phone, such as opening an app, behind what was done before."""
        self._add(PlainInput(send, needs_rest=True))

    # -- inside --------------------------------------------------------------
    @property
    def _front(self) -> PhoneLink | None:
        """The phone in front, while its input is mirrored and reaches it."""
        front = self._devices.current
        return front if self.is_on and front is not None and not front.busy else None

    def _add(self, act: MirroredAct) -> None:
        if self._front is None:
            return
        self._end_gesture()
        for phone in self._phones.values():
            phone.add(act)

    @Slot()
    def _end_gesture(self) -> None:
        gesture, self._gesture = self._gesture, None
        self._twice.stop()
        if gesture is not None and not gesture.is_down:
            for phone in self._phones.values():
                phone.add(gesture)

    @Slot()
    def _phones_changed(self) -> None:
        if self._front_serial != self._devices.links.front:
            self._front_serial, self._gesture = self._devices.links.front, None
        if self.is_on and set(self._devices.links.serials) != set(self._serials):
            self.switch(False)
            self.ended.emit()
        else:
            self._follow()

    def _follow(self) -> None:
        """Mirror to the phones that are not in front now."""
        wanted = {link.serial: link for link in self.others}
        for serial, phone in tuple(self._phones.items()):
            if wanted.get(serial) is not phone.link:
                del self._phones[serial]
                phone.close()
                phone.deleteLater()
        for serial, link in wanted.items():
            if serial not in self._phones:
                phone = self._phones[serial] = MirroredPhone(link, self._recording, self)
                phone.problem_changed.connect(self.changed)
