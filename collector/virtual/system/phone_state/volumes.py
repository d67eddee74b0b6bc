"""The volumes of the audio streams, and the keys that change them."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.system.phone_state.settings import SettingsStore
from collector.virtual.system.phone_state.ticker import Ticker

VOLUME_UP, VOLUME_DOWN = 24, 25
_PANEL_SECONDS = 3.0
"""How long the volume panel stays after a press."""
_MUSIC = 3


@dataclass(frozen=True, slots=True)
class Stream:
    """An audio stream: its name, its key in the system settings, and the range of its volume."""

    name: str
    key: str
    lowest: int
    highest: int
    usual: int


STREAMS = {
    0: Stream("STREAM_VOICE_CALL", "volume_voice", 1, 7, 4),
    1: Stream("STREAM_SYSTEM", "volume_system", 0, 7, 5),
    2: Stream("STREAM_RING", "volume_ring", 0, 7, 5),
    3: Stream("STREAM_MUSIC", "volume_music", 0, 15, 7),
    4: Stream("STREAM_ALARM", "volume_alarm", 1, 7, 6),
    5: Stream("STREAM_NOTIFICATION", "volume_notification", 0, 7, 5),
}
"""The streams by Android's numbers."""


def volume(settings: SettingsStore, number: int) -> int:
    """The volume of a stream."""
    stream = STREAMS[number]
    text = settings.get("system", stream.key) or ""
    return int(text) if text.isdecimal() else stream.usual


class VolumeKeys:
    """Change the volume of music, as while nothing plays. The phone's lock protects it.

    The first press only shows the volume panel, as in AOSP's ``AudioService``; those while it is shown count.
    """

    def __init__(self, settings: SettingsStore, ticker: Ticker) -> None:
        self._settings = settings
        self._ticker = ticker
        self._hiding: int | None = None
        """Timer that hides the panel; None while it is hidden."""

    def press(self, code: int) -> None:
        """Press one of the two keys."""
        if self._hiding is not None:
            self._ticker.cancel(self._hiding)
            stream = STREAMS[_MUSIC]
            index = volume(self._settings, _MUSIC) + (1 if code == VOLUME_UP else -1)
            self._settings.put("system", stream.key, str(min(max(index, stream.lowest), stream.highest)))
        self._hiding = self._ticker.after(_PANEL_SECONDS, self._hide)

    def _hide(self) -> None:
        self._hiding = None
