"""A phone of this process that is as another virtual phone is: the oracle looks behind its screen instead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from collector.environment.stepped_phone import SteppedPhone
from collector.hierarchy.parse import parse_tree
from collector.judge.screen_similarity import texts_on
from collector.model.action import Action, LongPress, Tap
from collector.model.geometry import Point
from collector.model.tree import Node, Tree
from collector.model.variation.phone_variation import PhoneVariation
from collector.recorder.screen_moment import ScreenMoment
from collector.virtual.apps import make_apps
from collector.virtual.system.phone import Phone, PhoneProfile

_DENSITIES = (320, 213, 160, 240, 280, 360, 400, 420, 440, 480, 560, 640)
_USUAL_WIDTH_DP = 360
"""Of a phone's screen; a small one, as in tests and runs, has the density that gives this width."""
_ALIKE = 0.6
"""Share of the texts of two screens that both have, from which they are one screen."""
_ACTION_S = 1.0


@dataclass(frozen=True, slots=True)
class TwinOptions:
    """What a phone may be: each seed and language is tried, in this order."""

    seeds: tuple[int, ...]
    locales: tuple[str, ...]
    variation: PhoneVariation


class TwinPhone:
    """Does what the other phone does. Not thread-safe."""

    def __init__(self, profile: PhoneProfile) -> None:
        self._stepped = SteppedPhone(profile)
        self._stepped.settle(_ACTION_S)
        self._tree: Tree | None = None

    @property
    def phone(self) -> Phone:
        return self._stepped.phone

    @property
    def stepped(self) -> SteppedPhone:
        return self._stepped

    @property
    def tree(self) -> Tree:
        """What is on its screen."""
        if self._tree is None:
            self._tree = parse_tree(self._stepped.phone.hierarchy_xml())
        return self._tree

    @property
    def package(self) -> str:
        front = self._stepped.phone.focused
        return front.package if front is not None else ""

    def do(self, action: Action) -> None:
        """Do an action and let the phone settle. Raises DeviceError."""
        began = self._stepped.now
        self._stepped.do(action)
        self._stepped.settle(began + _ACTION_S)
        self._tree = None

    def restart(self, package: str) -> None:
        """Close an app and open it, as one whose process ended."""
        self._stepped.phone.force_stop(package)
        self._stepped.phone.launch(package)
        self._stepped.settle(self._stepped.now + _ACTION_S)
        self._tree = None

    def is_on(self, live: ScreenMoment) -> bool:
        """Whether the other phone shows the same screen."""
        if live.tree is None or live.package != self.package:
            return False
        here, there = texts_on(self.tree), texts_on(live.tree)
        both = here | there
        return not both or len(here & there) / len(both) >= _ALIKE

    def on_screen(self, action: Action, live: Tree) -> Action | None:
        """An action for this phone as one for the other, whose elements may lie elsewhere.

        None while the element that it touches is not there.
        """
        if not isinstance(action, Tap | LongPress):
            return action
        node = _node_at(self.tree, action.point)
        if node is None or node.bounds is None:
            return action
        key, center = (node.resource_id, node.label), node.bounds.center
        same = [other.bounds for other in live if other.bounds and (other.resource_id, other.label) == key]
        if not same:
            return None
        if node.bounds in same:
            return action
        place = min((bounds.center for bounds in same), key=center.distance_to)
        return LongPress(place.x, place.y) if isinstance(action, LongPress) else Tap(place.x, place.y)

    def close(self) -> None:
        """Switch it off."""
        self._stepped.close()


def twin_of(live: ScreenMoment, options: TwinOptions) -> TwinPhone | None:
    """A twin of a phone that shows its home screen; None when it is no new phone of these options."""
    for profile in _profiles(live, options):
        twin = TwinPhone(profile)
        if live.app_data is None or dict(live.app_data) == dict(twin.stepped.app_data()):
            return twin
        twin.close()
    return None


def _profiles(live: ScreenMoment, options: TwinOptions) -> Iterator[PhoneProfile]:
    density = 0
    for seed, locale in product(options.seeds, options.locales):
        profile = PhoneProfile(
            seed=seed, locale=locale, size=live.screen, variation=options.variation, apps=make_apps(()),
            caret_blinks=False,
        )  # fmt: skip
        density = density or _density_of(live, profile)
        yield replace(profile, density=density)


def _density_of(live: ScreenMoment, profile: PhoneProfile) -> int:
    """The density with which a phone of this size shows its home screen as the other one does."""
    wanted = {(node.resource_id, node.bounds) for node in live.tree or ()}
    usual = 160 * live.screen.width // _USUAL_WIDTH_DP
    best = (-1, _DENSITIES[0])
    for density in (usual, *_DENSITIES):
        twin = TwinPhone(replace(profile, density=density))
        shared = len(wanted & {(node.resource_id, node.bounds) for node in twin.tree})
        twin.close()
        best = max(best, (shared, density), key=lambda rated: rated[0])
        if shared == len(wanted):
            break
    return best[1]


def _node_at(tree: Tree, point: Point) -> Node | None:
    """The smallest node with a name at a point."""
    nodes = [
        node for node in tree
        if node.bounds is not None and node.bounds.contains(point) and (node.resource_id or node.label)
    ]  # fmt: skip
    return min(nodes, key=lambda node: node.bounds.area if node.bounds is not None else 0, default=None)
