"""Variations of a phone's appearance, by the names OpenApps uses where it has one."""

from __future__ import annotations

from collections.abc import Mapping

DEFAULT = "default"
VARIATIONS: Mapping[str, Mapping[tuple[str, str], str]] = {
    DEFAULT: {},
    "dark_theme": {("secure", "ui_night_mode"): "2"},
    "large_text": {("system", "font_scale"): "1.3"},
    "small_text": {("system", "font_scale"): "0.85"},
    "landscape": {("system", "accelerometer_rotation"): "0", ("system", "user_rotation"): "1"},
}
"""The settings that each variation changes, by namespace and key."""


def variation_settings(names: str) -> dict[tuple[str, str], str]:
    """The settings of variations joined by ``+``. Raises ValueError for a name that there is not."""
    settings: dict[tuple[str, str], str] = {}
    for name in names.split("+"):
        if name not in VARIATIONS:
            raise ValueError(f"there is no variation {name!r} (there are: {', '.join(VARIATIONS)})")
        settings |= VARIATIONS[name]
    return settings
