"""The emulator that console commands act upon: a phone, the name of its image, and how it stops and ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from collector.virtual.console.redirections import Redirections
from collector.virtual.system.phone import Phone

if TYPE_CHECKING:
    from collector.virtual.console.webm_recorder import WebmRecorder


def _nothing() -> None: ...


class Emulator:
    """A virtual phone as an emulator's console sees it. Every method may be called from any thread."""

    def __init__(
        self,
        phone: Phone,
        end: Callable[[], None] = _nothing,
        halt: Callable[[bool], None] | None = None,
        redirections: Redirections | None = None,
    ) -> None:
        """``end`` is called once ``kill`` has been answered; ``halt`` stops the phone or lets it go on."""
        self.phone = phone
        self.end = end
        self._halt = halt
        self.redirections = redirections
        self.recorder: WebmRecorder | None = None
        self.is_running = True
        self.pressed = False
        """Whether ``event mouse`` holds a finger on the screen."""
        self.is_killed = False
        """Whether ``kill`` was said: :attr:`end` is to be called."""

    @property
    def name(self) -> str:
        """Name of the image, an AVD's: the serial number of the phone."""
        return self.phone.profile.serial

    def halt(self, halted: bool) -> None:
        """Stop the phone, which then answers nothing but this console, or let it go on."""
        self.is_running = not halted
        if self._halt is not None:
            self._halt(halted)
