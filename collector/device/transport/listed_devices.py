"""The list of ``adb devices``, which names phones by what they say of themselves."""

from __future__ import annotations

from dataclasses import dataclass

from collector.device.errors import UnreadableServer
from collector.model.i18n import _
from collector.model.text.one_line import one_line

READY = "device"
"""The state adb gives a phone that takes commands."""
UNUSABLE = "unusable"
"""The state of a phone whose serial no command can name; adb has no such state."""
_MOST = 500
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class ListedDevice:
    """A line of ``adb devices``; ``state`` is device, offline, unauthorized, ..."""

    serial: str
    state: str

    @property
    def is_ready(self) -> bool:
        """Whether the phone takes commands."""
        return self.state == READY


def parse_devices(text: str, port: int) -> tuple[ListedDevice, ...]:
    """Read the list of the server on ``port``. Raises UnreadableServer when it is none.

    Serials of hardware are what the phone says. One with control characters, or of endless length, is shown
    without them and is not used: it must not reach a terminal, a log or a request.
    """
    lines = [line for line in text.split("\n") if line]
    if len(lines) > _MOST:
        raise UnreadableServer(port, _("It lists {count} phones", count=len(lines)))
    if not all("\t" in line for line in lines):
        raise UnreadableServer(port, _("Its list of phones has lines without a state"))
    return tuple(_listed(*line.split("\t", 1)) for line in lines)


def _listed(serial: str, state: str) -> ListedDevice:
    shown = one_line(serial, _LONGEST)
    return ListedDevice(shown, one_line(state, _LONGEST) if shown == serial != "" else UNUSABLE)
