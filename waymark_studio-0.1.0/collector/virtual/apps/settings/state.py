"""State of the settings app itself; the settings are in the phone's store."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SettingsState:
    """The search and the Wi-Fi network that is being joined."""

    locale: str = "en-US"
    query: str = ""
    network: str = "lab"
    """Id of the network the phone is connected to while Wi-Fi is on."""
    saved: tuple[str, ...] = ("lab", "guest")
    joining: str = ""
    password: str = ""
    dialog: str = ""
    """join, timeout, saver_schedule or none."""
