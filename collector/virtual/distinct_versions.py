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
    """Screens drawn: versions that say the same of a screen share it."""
    same: list[tuple[str, str]] = field(default_factory=list)
    """Names of an earlier version and of the one that equals it."""


class Versions:
    """Digests of the phone under variations, over all screens of some of its apps.

    What an app shows depends on what a variation says of that app, and on the settings of the phone: a screen
    is drawn once for all variations that say the same of these.
    """

    def __init__(self, apps: Iterable[str] = (), look: PhoneLook | None = None) -> None:
        chosen = set(apps)
        self._apps = [app for app in varied_apps() if app.name in chosen or (not chosen and not app.system)]
        self._look = look or PhoneLook()
        self._of_screens: dict[str, str] = {}

    def digest(self, variation: PhoneVariation) -> str:
        """SHA-256 over the pixels and trees of all screens."""
        whole = hashlib.sha256()
        for app in self._apps:
            for number, screen in enumerate(screens_of(app)):
                key = _key(variation, screen, opens_pop_ups=number == 0)
                if key not in self._of_screens:
                    (drawn,) = draw_screens(variation, [screen], self._look)
                    self._of_screens[key] = drawn.digest
                whole.update(self._of_screens[key].encode())
        return whole.hexdigest()

    def compare(
        self, variations: Iterable[PhoneVariation], progress: Callable[[int], None] = lambda _done: None
    ) -> VersionCount:
        """Draw one version after the other; ``progress`` is called with how many are drawn."""
        count, known = VersionCount(), dict[str, str]()
        for done, variation in enumerate(variations, start=1):
            digest = self.digest(variation)
            earlier = known.setdefault(digest, variation.name)
            if earlier != variation.name:
                count.same.append((earlier, variation.name))
            progress(done)
        count.versions, count.screens = len(known), len(self._of_screens)
        return count


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
