"""Settings that the person left as they are, and that the profile of a phone says better."""

from __future__ import annotations

from collector.phone_profiles.profile import SuitedSettings
from collector.recorder.settle import SettleDetector
from studio.settings import Settings

_SETTLE = "recording.settle-ms"


def settle_detector(settings: Settings, suited: SuitedSettings) -> SettleDetector:
    """It waits as long as the person chose, else as long as suits the phone, else as long as usual."""
    if suited.settle_ms is not None and settings.is_default(_SETTLE):
        return SettleDetector(suited.settle_ms)
    return SettleDetector(int(settings[_SETTLE]))
