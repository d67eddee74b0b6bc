"""Which phone to be: model, screen, language, seed and apps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from collector.model.geometry import Size
from collector.virtual.ui.app import App, Battery


@dataclass(frozen=True, slots=True)
class PhoneProfile:
    """Everything that makes one virtual phone differ from another. ``density`` in dpi."""

    model: str = "Waymark Phone"
    manufacturer: str = "Waymark"
    serial: str = "WAYMARK0001"
    android: str = "15"
    sdk: int = 35
    size: Size = field(default_factory=lambda: Size(720, 1600))
    density: int = 320
    locale: str = "en-US"
    seed: int = 1
    apps: tuple[App[Any], ...] = ()
    battery: Battery = field(default_factory=Battery)
    caret_blinks: bool = True
    input_timeout: float = 5.0
    """Seconds a touch waits for a stopped app until Android says that it does not respond."""
