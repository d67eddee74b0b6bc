"""Events and performance figures of a device session."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DeviceEvent:
    """An event of a session. ``kind`` is one of:

    ``frame`` a frame is in the mailbox; ``tree`` there is a newer tree; ``source`` frames now come from the
    source ``text``; ``size`` the screen now has the size ``text``; ``secure`` the window is protected if
    ``text`` is not empty; ``message`` a sentence for a person; ``lost`` the phone is gone, with the reason;
    ``back`` it is connected again.
    """

    kind: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class SessionStats:
    """Figures for the HUD. Milliseconds are smoothed over the last frames."""

    fps: float
    decode_ms: float
    scale_ms: float
    dropped: int
    """Frames replaced before anybody took them."""
    tree_age_ms: int | None
    latency_ms: float = 0.0
    """From the last byte of a packet until its frame was delivered."""
    waiting: int = 0
    """Number of inputs not yet sent to the phone."""
