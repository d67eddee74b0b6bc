"""Limits on an XPath expression, checked when it is read: what passes is cheap on any real screen."""

from __future__ import annotations

from collections.abc import Iterable

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.xpath.syntax import COMPARISONS, Chain, Expression, Filter, Path, parts_of, walk
from collector.model.i18n import _

MAX_SEARCHES = 4
"""Searches of the screen inside one another, as in ``//*[.//*[.//*]]``, which has three."""
MAX_COMPARISONS = 20
"""Comparisons in a row, as in ``1 < 2 < 3``, which has two; each is evaluated inside the next."""
_SEARCHES = frozenset((
    "ancestor", "ancestor-or-self", "descendant", "descendant-or-self", "following", "preceding",
))  # fmt: skip
"""Axes on which a node may see the whole screen."""


def check_complexity(expression: Expression) -> None:
    """Raises SelectorError for too many searches inside one another, and for comparisons without end."""
    count = _searches(expression)
    if count > MAX_SEARCHES:
        raise _too_complex(
            _("{count} searches of the screen are inside one another; at most {limit} may be",
              count=count, limit=MAX_SEARCHES)
        )  # fmt: skip
    for part in walk(expression):
        if isinstance(part, Chain) and len(part.rest) > MAX_COMPARISONS and part.rest[0][0] in COMPARISONS:
            raise _too_complex(_("More than {limit} comparisons follow one another", limit=MAX_COMPARISONS))


def _too_complex(why: str) -> SelectorError:
    to_do = _("Use several conditions instead, or child steps inside the brackets")
    return SelectorError(_("The XPath is too complex"), why, to_do)


def _searches(expression: Expression) -> int:
    """How many searches of the screen are inside one another."""
    match expression:
        case Filter(operand, predicates):
            before = _searches(operand)
            return max(before, min(before, 1) + _most(predicates))
        case Path(steps, _, start):
            before = _searches(start) if start is not None else 0
            own = before > 0 or any(step.axis in _SEARCHES for step in steps)
            return max(before, own + _most(predicate for step in steps for predicate in step.predicates))
        case _:
            return _most(parts_of(expression))


def _most(expressions: Iterable[Expression]) -> int:
    return max(map(_searches, expressions), default=0)
