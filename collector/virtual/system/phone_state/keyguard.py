"""The lock screen: what unlocks it, whether it is shown, and what was typed so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CredentialKind = Literal["none", "pin", "password", "pattern"]
SHORTEST = 4
"""Letters of a credential at least, or dots of a pattern."""
_REACH = 0.3
"""How far from a dot a finger touches it, across and down, in shares of the distance between two."""
_ATTEMPTS, _PAUSE_NS = 5, 30_000_000_000
"""After so many wrong ones in a row nothing is accepted for so long."""


@dataclass(slots=True)
class Keyguard:
    """The state of the lock screen. The phone's lock protects it."""

    disabled: bool = True
    """Whether the phone opens without one; a credential comes before it."""
    kind: CredentialKind = "none"
    secret: str = ""
    showing: bool = False
    asking: bool = False
    """Whether the credential is asked for, over the lock screen."""
    typed: str = ""
    failed: bool = False
    """Whether the last one was wrong."""
    _wrong: int = 0
    _paused_until_ns: int = 0

    @property
    def secure(self) -> bool:
        """Whether a credential unlocks it."""
        return self.kind != "none"

    @property
    def enabled(self) -> bool:
        return self.secure or not self.disabled

    @property
    def locked(self) -> bool:
        """Whether it is shown and a credential is needed."""
        return self.showing and self.secure

    def set(self, kind: CredentialKind, secret: str) -> None:
        """Set the credential, or remove it."""
        self.kind, self.secret = kind, secret
        self._wrong = self._paused_until_ns = 0
        if not self.secure:
            self.disabled = False

    def lock(self) -> None:
        """The screen goes off."""
        self.showing = self.enabled
        self._stop_asking()

    def open(self) -> None:
        """Take it away."""
        self.showing = False
        self._stop_asking()

    def raise_bouncer(self) -> None:
        """The person swipes up, or a key asks for it: ask for the credential, or open."""
        if not self.showing:
            return
        if self.secure:
            self.asking = True
        else:
            self.open()

    def back(self) -> None:
        """From the credential back to the lock screen."""
        self._stop_asking()

    def type(self, text: str) -> None:
        """Add what was typed; of a PIN digits only. A pattern is not typed."""
        self.raise_bouncer()
        if self.kind == "pattern":
            return
        self.failed = False
        self.typed += "".join(letter for letter in text if letter.isdigit() or self.kind == "password")

    def trace(self, x: float, y: float) -> None:
        """A finger is at a place of the nine dots, in shares: add the dot it touches, and one between."""
        self.failed = False
        column, row = int(x * 3), int(y * 3)
        far = max(abs(x * 3 - column - 0.5), abs(y * 3 - row - 0.5))
        if not (0 <= x < 1 and 0 <= y < 1) or far > _REACH:
            return
        dots = [(row, column)]
        if self.typed:
            before = divmod(int(self.typed[-1]) - 1, 3)
            if (before[0] + row) % 2 == 0 and (before[1] + column) % 2 == 0:
                dots.insert(0, ((before[0] + row) // 2, (before[1] + column) // 2))
        for dot in (str(down * 3 + across + 1) for down, across in dots):
            if dot not in self.typed:
                self.typed += dot

    def leave(self) -> None:
        """What was traced or typed means nothing."""
        self.typed = ""

    def delete(self) -> None:
        self.typed = self.typed[:-1]

    def submit(self, now_ns: int) -> None:
        """Try what was typed."""
        typed, self.typed = self.typed, ""
        if not self.asking or not typed:
            return
        if self.kind == "pattern" and len(typed) < SHORTEST:
            self.failed = True  # too short to count as an attempt
        elif self.check(typed, now_ns):
            self.open()
        else:
            self.failed = True

    def check(self, secret: str, now_ns: int) -> bool:
        """Whether it is the credential; never while a pause lasts."""
        if not self.secure:
            return True
        if self.pause_seconds(now_ns):
            return False
        if secret == self.secret:
            self._wrong = 0
            return True
        self._wrong += 1
        if self._wrong % _ATTEMPTS == 0:
            self._paused_until_ns = now_ns + _PAUSE_NS
        return False

    def pause_seconds(self, now_ns: int) -> int:
        """How long nothing is accepted any more; 0 when it is."""
        return max(0, -(-(self._paused_until_ns - now_ns) // 1_000_000_000))

    def _stop_asking(self) -> None:
        self.asking = self.failed = False
        self.typed = ""
