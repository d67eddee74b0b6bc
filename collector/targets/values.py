"""Compare values and records of apps within the tolerance of a target."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Hashable, Mapping
from typing import Any

from collector.model.app_data.collections import CONTENT_ID, EXACT, TEXTS, DataCollection, Record
from collector.model.app_data.target import WORDS, Tolerance

_EARTH_KM = 6371.0
_NO_WORD = re.compile(r"[^\w\s]+")
_MARKS = ("Mn", "Mc")
_NO_SIGNS = ("COMBINING", "VARIATION SELECTOR", "ARABIC", "HEBREW")
"""Beginnings of the names of marks without which a word is the same: how an emoji looks, vowels that most
leave out."""


def is_ignored(tolerance: Tolerance, collection: str, field: str = "") -> bool:
    """Whether a collection, or a field of it, does not count."""
    names = {collection.partition(".")[0], collection}
    if field:
        names.add(f"{collection}.{field}")
    return not names.isdisjoint(tolerance.ignored)


def counted_fields(collection: DataCollection, tolerance: Tolerance) -> tuple[str, ...]:
    """The fields of records that count, but for the position: that is compared by its distance."""
    position = collection.position or ()
    names = (field.name for field in collection.fields if field.name not in position)
    return tuple(name for name in names if not is_ignored(tolerance, collection.name, name))


def record_key(
    record: Record, collection: DataCollection, tolerance: Tolerance, free: Collection[str] = ()
) -> tuple[Hashable, ...]:
    """What is equal for records whose counted fields are the same, those but the ``free`` ones."""
    return tuple(
        comparable(record.get(name), tolerance, _type_of(collection, name))
        for name in counted_fields(collection, tolerance)
        if name not in free
    )


def is_near(
    first: Record, second: Record, collection: DataCollection, tolerance: Tolerance,
    within_km: float | None = None,
) -> bool:  # fmt: skip
    """Whether the positions of two records are the same; always where they have none, or none counts.

    ``within_km`` goes before the distance of the tolerance.
    """
    position = collection.position
    if position is None or any(is_ignored(tolerance, collection.name, name) for name in position):
        return True
    limit = tolerance.within_km if within_km is None else within_km
    first_lat, first_lng = position_of(first, collection)
    second_lat, second_lng = position_of(second, collection)
    return kilometres((first_lat, first_lng), (second_lat, second_lng)) <= limit


def position_of(record: Record, collection: DataCollection) -> tuple[float, ...]:
    """Latitude and longitude in degrees, infinite where there is no number; empty without a position."""
    return tuple(_degrees(record.get(name)) for name in collection.position or ())


def matches(
    record: Record, where: Mapping[str, Any], collection: DataCollection, tolerance: Tolerance
) -> bool:
    """Whether a record is the one that ``where`` describes."""
    return all(
        record.get(name) == wanted
        if name == CONTENT_ID
        else comparable(record.get(name), tolerance, _type_of(collection, name))
        == comparable(wanted, tolerance, _type_of(collection, name))
        for name, wanted in where.items()
    )


def comparable(value: Any, tolerance: Tolerance, kind: str) -> Hashable:
    """What is equal for values that are the same; None for an empty one, as for a missing one.

    ``kind`` is the type of the field; texts of a list are in no order.
    """
    is_free_text = kind != EXACT and tolerance.text == WORDS
    if kind == TEXTS:
        texts = value if isinstance(value, list | tuple) else [value] if value else []
        return tuple(sorted(plain_text(str(text)) if is_free_text else str(text) for text in texts)) or None
    if is_free_text and isinstance(value, str):
        return plain_text(value) or None
    return _frozen(value)


def _frozen(value: Any) -> Hashable:
    """A plain value as one that can be a key; None for an empty one."""
    if isinstance(value, Mapping):
        return frozenset((key, _frozen(item)) for key, item in value.items()) or None
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value)) or None
    return None if value is False or value == "" else value


def plain_text(text: str) -> str:
    """A text without letters' case, punctuation, and spaces but one between words.

    Of a text that has nothing else than punctuation, all of it.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_NO_WORD.sub(_vowel_sign, folded).split()) or folded.strip()


def _vowel_sign(found: re.Match[str]) -> str:
    """The marks of a run of no letters: signs of vowels in Thai and Hindi, which decide what a word is."""
    return "".join(
        mark for mark in found[0]
        if unicodedata.category(mark) in _MARKS and not unicodedata.name(mark, "").startswith(_NO_SIGNS)
    )  # fmt: skip


def kilometres(first: tuple[float, float], second: tuple[float, float]) -> float:
    """The distance on the ground between two (latitude, longitude) in degrees; infinite without a number."""
    if not all(map(math.isfinite, (*first, *second))):
        return math.inf
    (lat, lng), (other_lat, other_lng) = (tuple(map(math.radians, place)) for place in (first, second))
    half = math.sin((lat - other_lat) / 2) ** 2
    half += math.cos(lat) * math.cos(other_lat) * math.sin((lng - other_lng) / 2) ** 2
    return 2 * _EARTH_KM * math.asin(min(1.0, math.sqrt(half)))


def _type_of(collection: DataCollection, name: str) -> str:
    field = collection.field(name)
    return field.type if field is not None else EXACT


def _degrees(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.inf
