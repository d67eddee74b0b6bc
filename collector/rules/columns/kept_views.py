"""The views of a corpus that stay in memory, while somebody has the corpus."""

from __future__ import annotations

import threading
from collections import OrderedDict

from collector.rules.columns.recorded_view import RecordedView

KEPT_VIEWS = 1000
"""Views of a corpus that stay in memory, when it has no more states. Those of a larger one are read one after
the other, and would be dropped before anybody comes back to them."""
KEPT_BYTES = 2_000_000
"""Bytes of the dumps of these views: with all its nodes and their attributes a dump takes up to 20 times as
much memory. To run 87 rules over 512 states takes 0.3 s so, and 0.2 s with three times the bytes."""
_FEW_VIEWS = 24
"""Views that stay in memory however many states there are, and however large their dumps are."""


class KeptViews:
    """All that fit into :data:`KEPT_VIEWS` and :data:`KEPT_BYTES`, else few: those used last. Thread-safe."""

    def __init__(self, states: int) -> None:
        """``states`` are those of the corpus."""
        self.lock = threading.RLock()
        self._states = states
        self._views: OrderedDict[int, RecordedView] = OrderedDict()
        self._sizes: dict[int, int] = {}
        """Position of each view that is kept -> bytes of its dump, once it was read."""
        self._bytes = 0
        self._has_ended = False

    def get(self, position: int) -> RecordedView | None:
        with self.lock:
            if position in self._views:
                self._views.move_to_end(position)
            return self._views.get(position)

    def keep(self, position: int, view: RecordedView) -> None:
        with self.lock:
            if not self._has_ended:
                self._views[position] = view
                self._drop()

    def has_read(self, position: int, size: int) -> None:
        """The dump of a view has ``size`` bytes: of large dumps fewer views are kept."""
        with self.lock:
            if position in self._views:
                self._bytes += size - self._sizes.get(position, 0)
                self._sizes[position] = size
                self._drop()

    def _drop(self) -> None:
        """Drop the views that were not used for the longest time; whoever holds one may go on with it."""
        fits = self._states <= KEPT_VIEWS and self._bytes <= KEPT_BYTES
        most = KEPT_VIEWS if fits else min(KEPT_VIEWS, _FEW_VIEWS)
        while len(self._views) > most:
            position, _view = self._views.popitem(last=False)
            self._bytes -= self._sizes.pop(position, 0)

    def end(self) -> None:
        """Keep none from now on: each knows its corpus, so all would wait for a collection of cycles."""
        with self.lock:
            self._has_ended = True
            self._views.clear()
            self._sizes.clear()
