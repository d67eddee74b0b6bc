"""How a recording is replayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from collector.replay.replay_part import ReplayPart
from collector.replay.timing import ReplayTiming

PATIENCE_S = 10.0
"""Longest wait for the screen a step was recorded on."""


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """How to replay. ``texts`` are typed at the steps whose text was redacted, by index."""

    app: str = ""
    """Package of the task's app; empty to read it from the recording."""
    fresh: bool = False
    """Delete the app's data before."""
    patience_s: float = PATIENCE_S
    turns_phone: bool = True
    """Turn the phone as it lay when a step was recorded; off where a turned phone is what is tried."""
    texts: Mapping[int, str] = field(default_factory=dict)
    part: ReplayPart = field(default_factory=ReplayPart)
    timing: ReplayTiming = field(default_factory=ReplayTiming)
