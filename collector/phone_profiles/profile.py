"""A profile: the phones that it is for, their quirks, and the settings that suit them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

import yaml

_OF_MODEL, _OF_MAKER, _OF_VERSION = 4, 2, 1


@dataclass(frozen=True, slots=True)
class PhoneNames:
    """What a phone says of itself: the values by which a profile is found."""

    manufacturer: str
    model: str
    android: str


@dataclass(frozen=True, slots=True)
class PhoneMatch:
    """The phones that a profile is for. What is empty matches all; a profile without any matches none."""

    manufacturers: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    """Names of models, where ``*`` stands for any letters; the case does not count."""
    android: tuple[int, int] | None = None
    """The first and the last version, by their first numbers."""

    def strength(self, phone: PhoneNames) -> int:
        """How closely it fits: 0 when it does not, and most when it names the model."""
        strength = 0
        for wanted, given, weight in (
            (self.models, phone.model, _OF_MODEL),
            (self.manufacturers, phone.manufacturer, _OF_MAKER),
        ):
            if wanted and not any(fnmatchcase(given.casefold(), name.casefold()) for name in wanted):
                return 0
            strength += weight if wanted else 0
        if self.android is not None:
            number = phone.android.partition(".")[0]
            if not number.isdecimal() or not self.android[0] <= int(number) <= self.android[1]:
                return 0
            strength += _OF_VERSION
        return strength


@dataclass(frozen=True, slots=True)
class SuitedSettings:
    """Settings that suit a phone, for those that the person left as they were."""

    frame_source: str = ""
    """Empty for the best that works."""
    tree_source: str = ""
    settle_ms: int | None = None


@dataclass(frozen=True, slots=True)
class LikePhone:
    """What a virtual phone of a profile says that it is, as words of ``waymark device virtual``."""

    manufacturer: str = ""
    model: str = ""
    android: str = ""
    size: str = ""
    density: int | None = None


@dataclass(frozen=True, slots=True)
class DeviceProfile:
    """What is known of a kind of phones."""

    name: str
    description: str = ""
    match: PhoneMatch = field(default_factory=PhoneMatch)
    quirks: tuple[str, ...] = ()
    """Ids of :data:`collector.model.phone.quirks.QUIRKS`."""
    settings: SuitedSettings = field(default_factory=SuitedSettings)
    virtual: LikePhone = field(default_factory=LikePhone)
    is_built_in: bool = False


NO_PROFILE = DeviceProfile("")


def profile_document(profile: DeviceProfile) -> Mapping[str, object]:
    """The profile as the plain values of its file; what it leaves open is left out."""
    match, settings, virtual = profile.match, profile.settings, profile.virtual
    parts: dict[str, object] = {
        "version": VERSION,
        "description": profile.description,
        "match": _present(
            manufacturers=list(match.manufacturers),
            models=list(match.models),
            android="-".join(map(str, dict.fromkeys(match.android))) if match.android else "",
        ),
        "quirks": list(profile.quirks),
        "settings": {key.replace("_", "-"): value for key, value in _present(
            frame_source=settings.frame_source, tree_source=settings.tree_source,
            settle_ms=settings.settle_ms,
        ).items()},
        "virtual": _present(
            manufacturer=virtual.manufacturer, model=virtual.model, android=virtual.android,
            size=virtual.size, density=virtual.density,
        ),
    }  # fmt: skip
    return {key: value for key, value in parts.items() if value not in ("", [], {})}


def profile_text(profile: DeviceProfile) -> str:
    """The file of a profile."""
    return str(yaml.safe_dump(dict(profile_document(profile)), allow_unicode=True, sort_keys=False))


def _present(**values: object) -> dict[str, object]:
    return {key: value for key, value in values.items() if value not in ("", [], None)}


VERSION = 1
"""Of the file format of profiles."""
