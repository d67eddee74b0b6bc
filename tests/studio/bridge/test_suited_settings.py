"""The settle time that suits a phone is used where the person left the setting as it is."""

from collector.phone_profiles.profile import SuitedSettings
from studio.bridge.suited_settings import settle_detector
from studio.settings import Settings

LONG = 700
_MS = 1_000_000


def _quiet_ms(detector) -> int:
    """How long the screen has to rest."""
    detector.begin(0)
    return next(ms for ms in range(0, 2000, 10) if detector.result(ms * _MS) is not None)


def test_what_suits_the_phone_counts_until_the_person_chooses(tmp_path):
    settings = Settings(tmp_path / "settings.yaml")
    assert _quiet_ms(settle_detector(settings, SuitedSettings())) == 400
    assert _quiet_ms(settle_detector(settings, SuitedSettings(settle_ms=LONG))) == LONG
    settings.set("recording.settle-ms", 300)
    assert _quiet_ms(settle_detector(settings, SuitedSettings(settle_ms=LONG))) == 300
