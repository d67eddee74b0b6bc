"""What a phone's process and the program that started it say to each other, in lines of two pipes."""

from __future__ import annotations

import json
import sys
import threading
from typing import TYPE_CHECKING

from collector.model.phone.phone_setup import PhoneSetup

if TYPE_CHECKING:
    from collector.virtual.device import VirtualDevice

READY = "ready "
"""What the process prints in front of its address, once it answers."""
RESET = "reset "
"""What the program writes in front of the arguments of a reset, as JSON."""
RESET_DONE = "reset done"
RESET_REFUSED = "reset refused: "


def obey_parent(phone: VirtualDevice, stopped: threading.Event) -> None:
    """Reset the phone whenever the program asks, on a thread; set ``stopped`` when that program ends.

    The end of the pipe tells it, also when the program is killed.
    """

    def obey() -> None:
        for line in sys.stdin:
            if line.startswith(RESET):
                print(_reset(phone, line.removeprefix(RESET)), flush=True)  # noqa: T201 - the answer
        stopped.set()

    threading.Thread(target=obey, name="parent pipe", daemon=True).start()


def _reset(phone: VirtualDevice, words: str) -> str:
    try:
        phone.machine.reset(PhoneSetup.parse(json.loads(words)))
    except (KeyError, ValueError, TypeError) as error:
        return RESET_REFUSED + " ".join(str(error.args[0] if error.args else error).split())
    return RESET_DONE
