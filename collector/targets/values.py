"""Compare values and records of apps within the tolerance of a target."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from collector.model.app_data.collections import CONTENT_ID, EXACT, TEXTS, DataCollection, Record
from collector.model.app_data.target import EXACT_TEXT, Tolerance

_EARTH_KM = 6371.0


def is_ignored(tolerance: Tolerance, collection: str, field: str = "") -> bool:
    """Whether a collection, or a field of it, does not count."""
    names = {collection.partition(".")[0], collection}
    if field:
        names.add(f"{collection}.{field}")
    return not names.isdisjoint(tolerance.ignored)


def same_record(
    first: Record, second: Record, collection: DataCollection, tolerance: Tolerance, *,
    free: Collection[str] = (), within_km: float | None = None,
) -> bool:  # fmt: skip
    """Whether two records are the same: in all fields of their collection but the ``free`` ones.

    A missing value is an empty one. ``within_km`` goes before the distance of the tolerance.
    """
    position = collection.position or ()
    for field in collection.fields:
        name = field.name
        if name in free or name in position or is_ignored(tolerance, collection.name, name):
            continue
        if not same_value(first.get(name), second.get(name), tolerance, field.type):
            return False
    if not position or any(is_ignored(tolerance, collection.name, name) for name in position):
        return True
    limit = tolerance.within_km if within_km is None else within_km
    return kilometres(_place(first, position), _place(second, position)) <= limit


def matches(
    record: Record, where: Mapping[str, Any], collection: DataCollection, tolerance: Tolerance
) -> bool:
    """Whether a record is the one that ``where`` describes."""
    for name, wanted in where.items():
        field = collection.field(name)
        if name == CONTENT_ID or field is None:
            if record.get(name) != wanted:
                return False
        elif not same_value(record.get(name), wanted, tolerance, field.type):
            return False
    return True


def same_value(first: Any, second: Any, tolerance: Tolerance, kind: str) -> bool:
    """Whether two values are the same. ``kind`` is the type of a field; texts of a list are in no order."""
    if kind == TEXTS:
        return sorted(_texts(first, tolerance)) == sorted(_texts(second, tolerance))
    if kind == EXACT or tolerance.text == EXACT_TEXT:
        return bool(_filled(first) == _filled(second))
    if isinstance(first, str) and isinstance(second, str):
        return plain_text(first) == plain_text(second)
    return bool(_filled(first) == _filled(second))


def plain_text(text: str) -> str:
    """A text without letters' case, punctuation, and spaces but one between words.

    Of a text that has nothing else than punctuation, all of it.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"[^\w\s]", "", folded).split()) or folded.strip()


def kilometres(first: tuple[float, float], second: tuple[float, float]) -> float:
    """The distance on the ground between two (latitude, longitude) in degrees; infinite without a number."""
    if not all(map(math.isfinite, (*first, *second))):
        return math.inf
    (lat, lng), (other_lat, other_lng) = (tuple(map(math.radians, place)) for place in (first, second))
    half = math.sin((lat - other_lat) / 2) ** 2
    half += math.cos(lat) * math.cos(other_lat) * math.sin((lng - other_lng) / 2) ** 2
    return 2 * _EARTH_KM * math.asin(min(1.0, math.sqrt(half)))


def _place(record: Record, position: Sequence[str]) -> tuple[float, float]:
    lat, lng = (record.get(name) for name in position)
    return _degrees(lat), _degrees(lng)


def _degrees(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan


def _texts(value: Any, tolerance: Tolerance) -> list[str]:
    texts = value if isinstance(value, list | tuple) else [value] if value else []
    return [str(text) if tolerance.text == EXACT_TEXT else plain_text(str(text)) for text in texts]


def _filled(value: Any) -> Any:
    """The value; None for an empty one, so that a missing value is like an empty one."""
    if isinstance(value, tuple):
        value = list(value)
    return None if value is False or value in ("", [], {}) else value
