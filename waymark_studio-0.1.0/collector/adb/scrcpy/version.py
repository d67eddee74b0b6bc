"""Versions of scrcpy and the differences of their protocols."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_TEXT = re.compile(r"v?(\d+)\.(\d+)(?:\.(\d+))?")


@dataclass(frozen=True, slots=True, order=True)
class ScrcpyVersion:
    """A release number; each property is a difference of the protocol."""

    major: int
    minor: int
    patch: int = 0
    text: str = field(default="", compare=False)
    """The text as released: server and client compare it literally."""

    @classmethod
    def parse(cls, text: str) -> ScrcpyVersion:
        """Read ``2.7`` or ``3.3.4``; raise ValueError on anything else."""
        match = _TEXT.fullmatch(text.strip())
        if not match:
            raise ValueError(f"not a scrcpy version: {text!r} (expected MAJOR.MINOR or MAJOR.MINOR.PATCH)")
        return cls(int(match[1]), int(match[2]), int(match[3] or 0), text.strip())

    def __str__(self) -> str:
        if self.text:
            return self.text
        return f"{self.major}.{self.minor}" + (f".{self.patch}" if self.patch else "")

    def since(self, major: int, minor: int = 0, patch: int = 0) -> bool:
        return (self.major, self.minor, self.patch) >= (major, minor, patch)

    @property
    def spoken(self) -> bool:
        """Whether this codec knows the release."""
        return (self.major, self.minor) >= (1, 17) and self.major <= 4

    @property
    def named_options(self) -> bool:
        """``key=value`` arguments; a fixed order of values before."""
        return self.since(1, 22)

    @property
    def has_codec_meta(self) -> bool:
        return self.since(2)

    @property
    def has_session_packets(self) -> bool:
        """Sizes come in the stream, and the flags of a packet header move down one bit."""
        return self.since(4)

    @property
    def has_audio(self) -> bool:
        return self.since(2)

    @property
    def can_leave_video_out(self) -> bool:
        """``video=false``: a server for input alone."""
        return self.since(2, 1)

    @property
    def scales_touches_without_video(self) -> bool:
        """Without a video, touches still name the size that a video would have."""
        return not self.since(3)

    @property
    def touch_has_action_button(self) -> bool:
        return self.since(2)

    @property
    def scroll_is_integer(self) -> bool:
        return not self.since(1, 25)

    @property
    def scroll_has_buttons(self) -> bool:
        return self.since(1, 22)

    @property
    def scroll_span(self) -> int:
        """Notches of a full fixed-point value: 1 notch, 16 since 3.3.1."""
        return 16 if self.since(3, 3, 1) else 1

    @property
    def clipboard_has_sequence(self) -> bool:
        return self.since(1, 21)

    @property
    def power_mode_normal(self) -> int:
        """The byte that switches the display on."""
        return 1 if self.since(3) else 2

    @property
    def uhid_has_ids(self) -> bool:
        """UHID_CREATE names vendor and product."""
        return self.since(3, 1)

    @property
    def has_app_list(self) -> bool:
        """Whether the server prints the apps of the phone with their labels."""
        return self.since(3)

    @property
    def can_reset_video(self) -> bool:
        return self.since(3)
