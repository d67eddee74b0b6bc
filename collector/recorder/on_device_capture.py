"""Record what is done on the phone itself, and track its keyboard, while a recording runs."""

from __future__ import annotations

from collector.device.input.getevent_listener import GeteventListener
from collector.device.input.on_device_input import (
    OnDeviceEvent,
    OnDeviceInputUnavailable,
    OnDeviceKey,
    OnDeviceKeyUp,
    OnDeviceTouch,
    OnDeviceUnknownKey,
)
from collector.device.session import DeviceSession
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.recorder.events import RecorderNotice
from collector.recorder.recorder import Recorder


class OnDeviceCapture:
    """Feed touches and keys of one phone to a recorder from ``start`` to ``close``; neither waits."""

    def __init__(self, recorder: Recorder, session: DeviceSession, *, listens: bool) -> None:
        """``listens`` says whether on-device input is recorded; the keyboard is tracked in any case."""
        self._recorder = recorder
        self._session = session
        self.listener: GeteventListener | None = None
        if listens:
            self.listener = GeteventListener(session.device, self._display)
            self.listener.events.subscribe(self._feed)

    def start(self) -> None:
        """Start the listener and the keyboard tracker."""
        self._session.watch_keyboard(True)
        if self.listener is not None:
            self.listener.start()

    def close(self) -> None:
        """Stop at once; the listener's thread ends by itself."""
        self._session.watch_keyboard(False)
        if self.listener is not None:
            self.listener.hang_up()

    def _display(self) -> tuple[Size, int]:
        return self._session.screen_size, self._session.rotation

    def _feed(self, event: OnDeviceEvent) -> None:
        """On the listener's thread."""
        recorder = self._recorder
        match event:
            case OnDeviceTouch():
                recorder.on_device_touch(
                    event.action, event.pointer, event.position, event.time_ns, event.tool
                )
            case OnDeviceKey():
                recorder.on_device_key(event.name)
            case OnDeviceKeyUp(name=name, held_ms=held_ms):
                recorder.on_device_key_up(name, held_ms)
            case OnDeviceUnknownKey(label=label):
                recorder.events.emit(
                    RecorderNotice(
                        _("The key {name} of the phone is not recorded: it has no action", name=label),
                        _("Do the same on the screen, or in the mirror"),
                    )
                )
            case OnDeviceInputUnavailable():
                recorder.events.emit(
                    RecorderNotice(
                        event.why, _("Act on the mirror, or switch it off in the settings of recording")
                    )
                )
