"""Hands on the phone itself, for as long as a recording runs: what they do goes to the recorder."""

from __future__ import annotations

from collector.device.hand_events import HandEvent, HandKey, HandsUnheard, HandTouch
from collector.device.hand_listener import HandListener
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.recorder.events import RecorderNotice
from collector.recorder.recorder import Recorder
from studio.bridge.phone import PhoneLink


class RecordingHands:
    """Listens to one phone from ``start`` to ``close``; neither waits. GUI thread."""

    def __init__(self, recorder: Recorder, phone: PhoneLink, *, listens: bool) -> None:
        """``listens`` says whether hands are recorded; where the keyboard lies is watched in any case."""
        self._recorder = recorder
        self._session = phone.session
        self._listener: HandListener | None = None
        if listens:
            self._listener = HandListener(phone.session.device, self._display)
            self._listener.events.subscribe(self._happened)

    @property
    def listener(self) -> HandListener | None:
        return self._listener

    def start(self) -> None:
        self._session.watch_keyboard(True)
        if self._listener is not None:
            self._listener.start()

    def close(self) -> None:
        """Stop at once; the thread ends behind."""
        self._session.watch_keyboard(False)
        if self._listener is not None:
            self._listener.hang_up()

    def _display(self) -> tuple[Size, int]:
        return self._session.screen_size, self._session.rotation

    def _happened(self, event: HandEvent) -> None:
        """On the listener's thread."""
        recorder = self._recorder
        match event:
            case HandTouch():
                recorder.hand_pointer(event.action, event.pointer, event.position, event.time_ns)
            case HandKey():
                recorder.hand_key(event.name)
            case HandsUnheard():
                recorder.events.emit(
                    RecorderNotice(
                        event.why, _("Act on the mirror, or switch it off in the settings of recording")
                    )
                )
