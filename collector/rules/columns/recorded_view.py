"""A recorded state as rules see it, read from disk when a rule first looks at it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from collector.model.action import Action
from collector.model.app_data.collections import AppData
from collector.model.trajectory import Target
from collector.model.tree import Node, Tree
from collector.rules.columns.known_screens import KnownScreen, KnownScreens
from collector.rules.evaluation.state_view import StateView, main_package

if TYPE_CHECKING:
    from collector.rules.evaluation.state_view import RgbImage


@dataclass(frozen=True, slots=True)
class KnownStates:
    """Ids of essential states up to a recorded state."""

    reached: frozenset[str] = frozenset()
    undecided: frozenset[str] = frozenset()
    """Those of which no rule can say so far whether they were reached."""


class StateReader(Protocol):
    """Reads what a :class:`RecordedView` needs."""

    def xml(self) -> bytes:
        """The dump, empty when there is none or it cannot be read."""
        ...

    def picture(self) -> RgbImage | None:
        """The screenshot, height x width x 3 RGB."""
        ...

    def previous(self) -> StateView | None:
        """The state before."""
        ...

    def apps(self) -> frozenset[str] | None:
        """Packages on the phone; None when its list was not recorded."""
        ...

    def app_data(self) -> AppData | None:
        """What apps kept for the person; None when it was not recorded."""
        ...

    def known(self) -> KnownStates:
        """Essential states reached here or before."""
        ...


class RecordedView(StateView):
    """A :class:`StateView` that reads everything on first use. Not thread-safe."""

    def __init__(
        self, reader: StateReader, step: int, *, package: str, activity: str, key: str,
        action: Action | None, target: Target | None, screens: KnownScreens | None = None,
    ) -> None:  # fmt: skip
        """With ``screens`` the view shares what is worked out of its dump with others of the same dump."""
        # The dataclass's own __init__ would set attributes that are read later.
        self._reader, self._screens = reader, screens
        self._package = package
        self.step, self.activity, self.key = step, activity, key
        self.action, self.target = action, target
        self.picture, self.app_data = reader.picture, reader.app_data

    @cached_property
    def xml(self) -> bytes:  # type: ignore[override]  # a value all the same
        return self._reader.xml()

    @cached_property
    def _screen(self) -> KnownScreen:
        return self._screens.of(self.xml) if self._screens is not None else KnownScreen(self.xml)

    @cached_property
    def tree(self) -> Tree | None:  # type: ignore[override]
        return self._screen.tree

    @cached_property
    def _keywords(self) -> dict[str, bool]:  # type: ignore[override]
        return self._screen.keywords

    @cached_property
    def _selected(self) -> dict[str, tuple[Node, ...] | None]:  # type: ignore[override]
        return self._screen.selected

    @cached_property
    def _indexes(self) -> dict[str, dict[str, list[Node]]]:
        return self._screen.indexes

    @cached_property
    def package(self) -> str:  # type: ignore[override]
        """As recorded, else the package of most nodes."""
        return self._package or main_package(node.package for node in self.nodes)

    @cached_property
    def apps(self) -> frozenset[str] | None:  # type: ignore[override]
        return self._reader.apps()

    @cached_property
    def reached(self) -> frozenset[str]:  # type: ignore[override]
        return self._reader.known().reached

    @cached_property
    def undecided(self) -> frozenset[str]:  # type: ignore[override]
        return self._reader.known().undecided

    @property
    def previous(self) -> StateView | None:  # type: ignore[override]
        """Not cached, so that one view does not hold a whole trajectory in memory."""
        return self._reader.previous()
