"""A condition of every type to begin with, filled from the state on the screen."""

from __future__ import annotations

from collections.abc import Iterator

from collector.model.i18n import _
from collector.rules.evaluation.condition_semantics import all_semantics
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import Condition, Group


def condition_starters(state: StateView | None) -> Iterator[tuple[str, Condition]]:
    """Yield a title and a condition to begin with for every condition type and for groups."""
    starters = {
        semantics.spec.type: (semantics.spec, semantics.starter(state)) for semantics in all_semantics()
    }
    for name, (spec, starter) in starters.items():
        yield f"{name}   {_(spec.doc)}", starter
    inside = (starters["element_exists"][1],)
    yield (
        _("any   at least one of its conditions holds"),
        Group(kind="any", spelling="any", conditions=inside),
    )
    yield _("not   none of its conditions holds"), Group(kind="not", spelling="not", conditions=inside)
