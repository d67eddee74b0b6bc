"""Find the recorded states that are one screen: the same window, with the same nodes and the same picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping

from collector.comparison.state_difference.state_difference import RecordedScreen
from collector.model.cancellation import check_cancelled
from collector.model.tree import Tree
from collector.replay.next_screen import counts, differences
from collector.rules.evaluation.state_view import full_activity


class ScreenJoining:
    """Number the states that are added, equal ones alike."""

    def __init__(self) -> None:
        self._known: dict[Hashable, list[tuple[int, RecordedScreen]]] = {}
        self._digests: dict[Hashable, int] = {}
        self._count = 0

    def number(self, screen: RecordedScreen, digest: Hashable) -> int:
        """The number of a state: that of the first equal one, or the next. ``digest`` is that of its files.

        Clocks and the system's bars do not count. Two states of which nothing can be compared are two.
        """
        if digest not in self._digests:
            self._digests[digest] = self._find(screen)
        return self._digests[digest]

    def _find(self, screen: RecordedScreen) -> int:
        alike = self._known.setdefault(_kind(screen), [])
        for number, known in alike:
            check_cancelled()
            if (
                _same_activity(known, screen)
                and _comparable(known, screen)
                and not differences(known, screen)
            ):
                return number
        alike.append((self._count, screen))
        self._count += 1
        return self._count - 1


def _comparable(one: RecordedScreen, other: RecordedScreen) -> bool:
    return bool((one.tree and other.tree) or (one.picture and other.picture))


def _same_activity(one: RecordedScreen, other: RecordedScreen) -> bool:
    """Whether it is one activity; where one of the recordings does not say it, the screens decide."""
    activities = [full_activity(screen.package, screen.activity) for screen in (one, other)]
    return not all(activities) or activities[0] == activities[1]


def _kind(screen: RecordedScreen) -> Hashable:
    """What is the same of equal screens, and quickly said: only within it pictures are compared."""
    return screen.package, _nodes(screen.tree)


def _nodes(tree: Tree | None) -> Hashable:
    if tree is None:
        return None
    kinds: Mapping[tuple[str, str], int] = Counter(
        (node.class_name, node.resource_id) for node in tree if counts(node)
    )
    return frozenset(kinds.items())
