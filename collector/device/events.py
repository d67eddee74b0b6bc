"""What a session tells, and the figures it keeps."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DeviceEvent:
    """Something happened to a session. ``kind`` is one of:

    ``frame`` a picture lies in the mailbox; ``tree`` a newer tree; ``source`` pictures come from
    ``text`` now; ``size`` the screen measures ``text`` now; ``secure`` protected when ``text`` is not empty;
    ``message`` a sentence for a person; ``lost`` the phone is gone, and why; ``back`` it is here again.
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
    """Frames nobody took before the next came."""
    tree_age_ms: int | None
    latency_ms: float = 0.0
    """From the last byte of a packet until its picture was handed on."""
    skipped: int = 0
    """Frames that came together with a newer one and were not scaled."""
    broken: int = 0
    """Packets the decoder could not read."""
    waiting: int = 0
    """Input not yet sent to the phone."""
