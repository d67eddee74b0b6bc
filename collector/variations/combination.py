"""Enumerate combinations of variations, each once: thousands of versions of the phone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from collector.model.errors import UserError
from collector.model.variation.phone_variation import ALL_APPS, PhoneVariation
from collector.variations.registry import Variations

_FACTORS = ("appearance", "content", "pop_ups", "noise")


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


def _resolved(parts: Sequence[str], known: Variations) -> Iterator[PhoneVariation]:
    try:
        yield known.resolve("+".join(filter(None, parts)) or "default")
    except UserError:  # one changes nothing of an app, or two contradict each other
        return
