"""Merging is associative, and the order in which variations are named makes no difference."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from collector.model.errors import UserError
from collector.model.variation.plus_merge import PLUS, merged
from collector.variations.content_types import content_apps
from collector.variations.registry import Variations

VARIATIONS = Variations()
_ITEMS = st.lists(
    st.fixed_dictionaries({"id": st.sampled_from("abc")}, optional={"title": st.sampled_from(["x", "y"])}),
    max_size=3, unique_by=lambda item: item["id"],
)  # fmt: skip
_TEXTS = {"title": st.sampled_from(["x", "y"]), "place": st.sampled_from(["", "z"])}
_INNER = st.fixed_dictionaries({}, optional={**_TEXTS, "items": _ITEMS})
_DATA = st.fixed_dictionaries({}, optional={**_TEXTS, "items": _ITEMS, "inner": _INNER})
"""Each key always has values of one type, as in the contents of an app."""


def onto(base: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Everything of ``more`` merged onto ``base``."""
    return merged(base, _added(more))


def _added(value: Any) -> Any:
    """The value with ``+`` at all its keys but the ids."""
    if isinstance(value, Mapping):
        return {key if key == "id" else PLUS + key: _added(inner) for key, inner in value.items()}
    return [_added(item) for item in value] if isinstance(value, list) else value


@given(_DATA, _DATA, _DATA)
def test_merging_onto_is_associative(first, second, third):
    assert onto(onto(first, second), third) == onto(first, onto(second, third))


@given(_DATA, _DATA)
def test_merging_is_idempotent_and_leaves_its_input_alone(first, second):
    before = repr((first, second))
    once = onto(first, second)
    assert onto(once, second) == once
    assert repr((first, second)) == before


_PARTS = st.builds(
    lambda name, app: f"{name}@{app}" if app else name,
    st.sampled_from(VARIATIONS.names), st.sampled_from(["", "", *content_apps()]),
)  # fmt: skip


def resolved(parts: tuple[str, ...]) -> object:
    """What a combination is; None when it is refused."""
    try:
        return VARIATIONS.resolve("+".join(parts))
    except UserError:
        return None


@given(st.lists(_PARTS, min_size=1, max_size=3, unique=True))
def test_the_order_of_a_combination_makes_no_difference(parts):
    first, *others = (resolved(order) for order in permutations(parts))
    assert all(other == first for other in others)


def test_most_pairs_can_be_combined():
    """The property above would hold as well if everything was refused."""
    pairs = [pair for pair in permutations(VARIATIONS.names, 2) if pair[0] < pair[1]]
    usable = sum(resolved(pair) is not None for pair in pairs)
    assert usable > len(pairs) / 2
