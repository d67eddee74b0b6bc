"""One evaluation of an expression on one screen: what it knows so far, and the steps that it has left."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.xpath.document import Document, Member
from collector.model.cancellation import check_cancelled
from collector.model.i18n import _

MAX_STEPS = 1_000_000
"""Steps of one evaluation: nodes looked at, and tests of them. Under half a second; paths that people write
take some thousand."""
_STEPS_UNASKED = 50_000
"""Steps between two questions whether the evaluation is still wanted."""
_LETTERS = 5
"""A step is charged for so many letters of a text: two to the power of this."""
T = TypeVar("T")
Code = Callable[["Evaluation", Member, int, int], T]
"""Compiled code: the value for a context node, its position from 1, and the number of nodes beside it."""


class TooManyStepsError(SelectorError):
    """An evaluation was given up because it took too many steps."""

    def __init__(self, limit: int = MAX_STEPS) -> None:
        super().__init__(
            _("The XPath takes too many steps on this screen"),
            _("It was given up after {limit} steps, the same on every machine", limit=f"{limit:,}"),
            _("Name the nodes more closely, or use several conditions"),
        )


class Evaluation:
    """An evaluation in progress."""

    __slots__ = ("_left", "_limit", "_pause", "_results", "document", "names", "nodes")

    def __init__(self, document: Document, *, plain: bool, limit: int) -> None:
        self.document = document
        self.nodes = document.nodes
        self.names = document.names(plain=plain)
        self._limit = self._left = limit
        self._pause = max(0, limit - _STEPS_UNASKED)
        self._results: dict[object, object] = {}

    def spend(self, steps: int) -> None:
        """Count ``steps``. Raises TooManyStepsError when there are not as many left, and Cancelled."""
        self._left -= steps
        if self._left < self._pause:
            self._look_around()

    def _look_around(self) -> None:
        if self._left < 0:
            raise TooManyStepsError(self._limit)
        check_cancelled()
        self._pause = max(0, self._left - _STEPS_UNASKED)

    def spend_on(self, *texts: str) -> None:
        """Count the work of one look at each of ``texts``."""
        self.spend(1 + (sum(map(len, texts)) >> _LETTERS))

    def once(self, key: object, work: Callable[[], T]) -> T:
        """The result of ``work``, done when ``key`` is first asked for."""
        if key not in self._results:
            self._results[key] = work()
        return self._results[key]  # type: ignore[return-value]  # one type for each key
