"""Work for processes of their own: what a test hands to them must be found in a module."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

from collector.model.errors import UserError
from collector.model.i18n import _


def said_by(word: str) -> Callable[[int], tuple[int, str, int]]:
    """A function that says a number with a word in the language in use, and which process did it.

    It raises UserError for 41, and ends any process but that of the test suddenly at 13.
    """

    def say(number: int) -> tuple[int, str, int]:
        if number == 41:
            raise UserError("41", "too many", "Say less")
        if number == 13 and word == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        return number, _(word), os.getpid()

    return say
