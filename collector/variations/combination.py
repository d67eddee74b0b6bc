"""Enumerate combinations of variations, each once: thousands of versions of the phone."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from itertools import product

from collector.model.errors import UserError
from collector.model.variation.phone_variation import ALL_APPS, DEFAULT, PhoneVariation
from collector.variations.registry import Variations

_FACTORS = ("appearance", "content", "pop_ups", "noise")
_ALL_AT_MOST = 100_000
"""Of so many combinations all are put into the order of a sample."""


def by_factor(known: Variations) -> dict[str, tuple[str, ...]]:
    """The names of the variations that change one factor alone, by factor, in order; without those that
    cannot be used or change nothing."""
    usable = [name for name in known.names if not known.diagnostics(name)]
    return {factor: tuple(name for name in usable if known.factors(name) == (factor,)) for factor in _FACTORS}


def all_versions(known: Variations, apps: Sequence[str]) -> Iterator[PhoneVariation]:
    """Versions of ``apps`` that differ: first those in which all are varied alike, then each by itself.

    One appearance, content, kind of pop-ups and kind of noise, or none of them, are combined in every way; in
    versions of each app by itself there is no noise. What shows only when it is touched is left out. In a
    fixed order.
    """
    factors = by_factor(known)
    concerned = {ALL_APPS, *apps}
    looks, contents, pop_ups, noises = (
        ("", *(name for name in factors[factor] if concerned.intersection(known.apps(name))))
        for factor in _FACTORS
    )
    noises = tuple(name for name in noises if not name or _shows_at_once(name, known))
    for parts in product(noises, looks, contents, pop_ups):
        yield from _resolved(parts, known)
    for choices in product(product(contents, pop_ups), repeat=len(apps)):
        if len(set(choices)) == 1:
            continue  # all apps alike: above
        pairs = zip(apps, choices, strict=True)
        of_apps = [f"{name}@{app}" for app, chosen in pairs for name in chosen if name]
        for look in looks:
            yield from _resolved((look, *of_apps), known)


def _shows_at_once(name: str, known: Variations) -> bool:
    return any(noise.shows_at_once for noise in known.resolve(name).noise.values())


def default_lists(known: Variations) -> list[list[str]]:
    """What is crossed when nothing is chosen: for each factor, as appearance or noise, the default and its
    variations."""
    return [[DEFAULT, *names] for names in by_factor(known).values()]


def crossed_size(lists: Sequence[Sequence[str]]) -> int:
    """How many combinations have one variation of each list."""
    return math.prod(len(names) for names in lists)


def crossed_versions(known: Variations, lists: Sequence[Sequence[str]]) -> list[str]:
    """Canonical names of the combinations of one variation of each list, each once, the last list changing
    fastest. Raises UserError for parts that contradict each other."""
    return list(dict.fromkeys(known.resolve(_joined(parts)).name for parts in product(*lists)))


def sampled_versions(
    known: Variations, lists: Sequence[Sequence[str]], count: int, seed: int
) -> list[str]:  # fmt: skip
    """So many different combinations of one variation of each list, in the order in which they are drawn.

    The same lists and seed give the same ones, and a smaller count the first of them. Combinations that
    contradict themselves are passed over; there are fewer where the lists have no more.
    """
    size, generator = crossed_size(lists), random.Random(seed)
    if size <= _ALL_AT_MOST:
        places = generator.sample(range(size), size)
    else:
        places = list(dict.fromkeys(generator.randrange(size) for _draw in range(count * 4 + 100)))
    names: dict[str, None] = {}
    for place in places:
        if len(names) == count:
            break
        names |= dict.fromkeys(version.name for version in _resolved(_at(lists, place), known))
    return [*names]


def _at(lists: Sequence[Sequence[str]], place: int) -> list[str]:
    """The parts of one of the combinations, counted from 0."""
    parts = []
    for names in reversed(lists):
        place, number = divmod(place, len(names))
        parts.append(names[number])
    return parts[::-1]


def _joined(parts: Sequence[str]) -> str:
    return "+".join(filter(None, parts)) or DEFAULT


def _resolved(parts: Sequence[str], known: Variations) -> Iterator[PhoneVariation]:
    try:
        yield known.resolve(_joined(parts))
    except UserError:  # one changes nothing of an app, or two contradict each other
        return
