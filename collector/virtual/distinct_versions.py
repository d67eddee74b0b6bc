"""Prove by hash that versions of the phone differ: no two combinations of variations draw the same."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from collector.model.variation.phone_variation import PhoneVariation
from collector.virtual.drawn_screens import (
    PhoneLook,
    ScreenName,
    draw_screens,
    screens_of,
    varied_apps,
)


@dataclass(slots=True)
class VersionCount:
    """How many versions were drawn, and those that draw the same as an earlier one."""

    versions: int = 0
    screens: int = 0
    """Screens drawn: versions that say the same of a screen share it, and few take more than the first."""
    same: list[tuple[str, str]] = field(default_factory=list)
    """Names of an earlier version and of the one that equals it."""


@dataclass(slots=True)
class _Branch:
    """Versions that draw the same up to a screen: the one, or the branch of those, for each digest of it."""

    by_digest: dict[str, _Branch | PhoneVariation] = field(default_factory=dict)


class Versions:
    """Versions of the phone, compared over all screens of some of its apps, by SHA-256 of pixels and trees.

    What an app shows depends on what a variation says of that app, and on the settings of the phone: a screen
    is drawn once for all variations that say the same of these, and a version only up to the first screen on
    which it differs from each other.
    """

    def __init__(self, apps: Iterable[str] = (), look: PhoneLook | None = None) -> None:
        chosen = set(apps)
        named = [app for app in varied_apps() if app.name in chosen or (not chosen and not app.system)]
        self._screens = [
            (screen, number == 0) for app in named for number, screen in enumerate(screens_of(app))
        ]
        self._look = look or PhoneLook()
        self._digests: dict[str, str] = {}

    def compare(
        self, variations: Iterable[PhoneVariation], progress: Callable[[int], None] = lambda _done: None
    ) -> VersionCount:
        """Draw one version after the other; ``progress`` is called with how many are drawn."""
        count, known = VersionCount(), _Branch()
        for done, variation in enumerate(variations, start=1):
            earlier = self._same(known, variation)
            if earlier is None:
                count.versions += 1
            elif earlier.name != variation.name:
                count.same.append((earlier.name, variation.name))
            progress(done)
        count.screens = len(self._digests)
        return count

    def _same(self, branch: _Branch, variation: PhoneVariation) -> PhoneVariation | None:
        """The earlier version that draws the same on every screen; without one, the new version is kept."""
        last = len(self._screens) - 1
        for place in range(last + 1):
            digest = self._digest(variation, place)
            met = branch.by_digest.get(digest)
            if met is None:
                branch.by_digest[digest] = variation
                return None
            if isinstance(met, PhoneVariation):
                if place == last:
                    return met
                met = branch.by_digest[digest] = _Branch({self._digest(met, place + 1): met})
            branch = met
        return None

    def _digest(self, variation: PhoneVariation, place: int) -> str:
        screen, opens_pop_ups = self._screens[place]
        key = _key(variation, screen, opens_pop_ups=opens_pop_ups)
        if key not in self._digests:
            (drawn,) = draw_screens(variation, [screen], self._look)
            self._digests[key] = drawn.digest
        return self._digests[key]


def _key(variation: PhoneVariation, screen: ScreenName, *, opens_pop_ups: bool) -> str:
    """All that a variation says of a screen, as text."""
    app = screen.app
    of_app = PhoneVariation(
        str(screen),
        {app: variation.appearance_of(app)},
        {app: variation.content_of(app)},
        {app: variation.pop_ups_of(app) if opens_pop_ups else ()},
        {app: variation.noise_of(app)},
    )
    settings = sorted(variation.settings.items())
    return hashlib.sha256(f"{settings}\n{of_app.text}".encode()).hexdigest()
