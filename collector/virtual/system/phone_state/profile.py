"""Profile of a phone: model, screen, language, seed and apps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from collector.model.geometry import Size
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.seeds import DEFAULT_SEED
from collector.model.variation.phone_variation import PhoneVariation
from collector.virtual.system.phone_state.permission_levels import is_runtime
from collector.virtual.ui.app import App, Battery
from collector.virtual.ui.effects import Intent

_LOWERED_PERCENT = 75
_SDKS = {
    "5": 21, "5.0": 21, "5.1": 22, "6": 23, "7": 24, "7.0": 24, "7.1": 25, "8": 26, "8.0": 26, "8.1": 27,
    "9": 28, "10": 29, "11": 30, "12": 31, "12.1": 32, "13": 33, "14": 34, "15": 35, "16": 36,
}  # fmt: skip


def sdk_of(android: str) -> int:
    """The SDK of an Android version, 5 to 16; raise ValueError for others."""
    if android not in _SDKS:
        raise ValueError(f"{android!r} is no Android this phone can be (expected 5 to 16)")
    return _SDKS[android]


@dataclass(frozen=True, slots=True)
class PhoneProfile:
    """The properties that distinguish one virtual phone from another. ``density`` in dpi."""

    model: str = "Waymark Phone"
    manufacturer: str = "Waymark"
    serial: str = "WAYMARK0001"
    android: str = "15"
    sdk: int = 35
    size: Size = field(default_factory=lambda: Size(720, 1600))
    density: int = 320
    locale: str = "en-US"
    seed: int = DEFAULT_SEED
    variation: PhoneVariation = field(default_factory=PhoneVariation)
    apps: tuple[App[Any], ...] = ()
    battery: Battery = field(default_factory=Battery)
    caret_blinks: bool = True
    input_timeout: float = 5.0
    """Seconds a touch waits for a stopped app until Android reports that it does not respond."""
    is_emulator: bool = False
    """Whether it says that it is an emulator of the Android SDK; see :meth:`as_emulator`."""
    asks_permissions: bool = False
    """Whether a new app must ask for its permissions, as on a person's phone; else they are granted."""

    quirks: frozenset[str] = frozenset()
    """What it does otherwise, as phones of some makers: ids of :mod:`collector.model.phone.quirks`."""

    starts_with: Intent | None = None
    """What a new or reset phone shows over its home screen; the apps of such a phone were recorded."""

    @property
    def lowered_size(self) -> Size | None:
        """The size that the maker lowers the screen to; None for all its pixels."""
        if "resolution-override" not in self.quirks:
            return None
        return Size(*(side * _LOWERED_PERCENT // 100 & ~1 for side in (self.size.width, self.size.height)))

    def with_quirks(self, quirks: Iterable[str]) -> PhoneProfile:
        """This phone with the quirks of others; a tablet's screen is wide when it is upright."""
        chosen, size = frozenset(quirks), self.size
        if "landscape-natural" in chosen and size.width < size.height:
            size = size.transposed
        return replace(self, quirks=chosen, size=size)

    def not_granted(self, app: App[Any]) -> set[tuple[str, str]]:
        """The permissions that a newly installed app lacks, each with the name of its package."""
        if not self.asks_permissions:
            return set()
        return {(app.package, name) for name in app.permissions if is_runtime(name)}

    def as_emulator(self) -> PhoneProfile:
        """This phone as an emulator: the model of the SDK's images; its serial number names the image."""
        return replace(self, is_emulator=True, model="sdk_gphone64_arm64", manufacturer="Google")

    def with_setup(self, setup: PhoneSetup) -> PhoneProfile:
        """This profile with the values that a setup changes.

        Raises ValueError for another screen than that of the recordings that a phone plays.
        """
        if self.starts_with is not None and (setup.size or self.size) != self.size:
            raise ValueError(f"the screen of a phone that plays recordings stays {self.size}")
        return replace(
            self,
            seed=self.seed if setup.seed is None else setup.seed,
            locale=setup.locale or self.locale,
            size=setup.size or self.size,
            density=setup.density or self.density,
            variation=setup.variation or self.variation,
        )
