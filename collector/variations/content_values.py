"""Check values of the content of apps that mean more than their type says: times, dates, sizes, names."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from string import Formatter
from typing import Any

from collector.located_yaml.nearest_word import did_you_mean, nearest
from collector.located_yaml.safe_load import safe_load
from collector.located_yaml.value_reader import ValueReader
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import N_, _
from collector.model.resources import asset
from collector.model.variation.plus_merge import PLUS
from collector.variations.content_types import ContentType

ENGLISH = "en"
"""The language that counts where another is missing: every text has it."""
_RGB = re.compile(r"#[0-9A-Fa-f]{6}")
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")
_MOST_LISTED = 12
_FARTHEST = 36_500
"""Days, about a century."""


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a value has to be beyond its type."""

    fits: Callable[[Any], bool]
    expected: str


def _is_date(value: Any) -> bool:
    try:
        dt.date.fromisoformat(str(value))
    except ValueError:
        return False
    return len(str(value)) == len("2026-11-20")


def _numbers(low: float, high: float, expected: str) -> _Meaning:
    return _Meaning(lambda value: low <= value <= high, expected)


_TIME_OF_DAY = _Meaning(lambda value: value == "" or bool(_TIME.fullmatch(str(value))),
                        N_("a time from 00:00 to 23:59"))  # fmt: skip
_DATE = _Meaning(_is_date, N_("a date, as 2026-11-20"))
_DAYS = _Meaning(lambda value: value is None or (abs(value) <= _FARTHEST and value == int(value)),
                 N_("a whole number of days, at most a century"))  # fmt: skip
_SIZE = _numbers(0, 1_000_000, N_("a number from 0 to 1000000"))
_COUNT = _Meaning(lambda value: 0 <= value <= 1_000_000 and value == int(value),
                  N_("a whole number from 0 to 1000000"))  # fmt: skip
_LATITUDE = _numbers(-85, 85, N_("degrees from -85 to 85"))
_LONGITUDE = _numbers(-180, 180, N_("degrees from -180 to 180"))
_COLOUR = _Meaning(lambda value: bool(_RGB.fullmatch(str(value))), N_("a colour, as #2B6CB0"))
_MEANINGS = {
    "calendar.calendars.color": _COLOUR, "maps.kinds.*.color": _COLOUR, "maps.lists.color": _COLOUR,
    "maps.colors.color": _COLOUR, "messenger.people.color": _COLOUR,
    "calendar.events.time": _TIME_OF_DAY, "calendar.events.end": _TIME_OF_DAY,
    "calendar.events.date": _DATE, "calendar.events.day": _DAYS,
    "todo.tasks.due": _DAYS,
    "shop.orders.date": _DATE, "shop.cart.*": _COUNT, "shop.orders.items.*": _COUNT,
    "shop.products.price": _SIZE, "shop.products.stock": _COUNT,
    "shop.products.rating": _numbers(0, 5, N_("a number from 0 to 5")),
    "maps.places.lat": _LATITUDE, "maps.saved.lat": _LATITUDE,
    "maps.places.lng": _LONGITUDE, "maps.saved.lng": _LONGITUDE,
    "maps.zoom": _numbers(13, 18, N_("a number from 13 to 18")),
}  # fmt: skip
_RANGES, _RANGE = "code.numbers.*", N_("two whole numbers, the smaller one first")
_CHOICES = {
    "todo.span": ("today", "week", "all"),
    "calendar.events.repeat": ("daily", "weekly", "monthly", "yearly"),
}
NAMED = {
    "calendar.events.calendar": "calendars", "todo.tasks.list": "lists", "maps.places.kind": "kinds",
    "maps.saved.place": "places", "shop.products.category": "categories",
}  # fmt: skip
"""Values that name an entry of a list or mapping of the same app."""
NAMED_BY_KEY = {"shop.cart": "products", "shop.orders.items": "products"}


class MeaningReader:
    """Checks the values of one app's content, of which ``root`` is the node and ``expected`` the type.

    Names are looked up when ``is_whole``: else they may be those of a variation that it extends.
    """

    def __init__(
        self, values: ValueReader, app: str, root: YamlNode, expected: ContentType, *, is_whole: bool
    ) -> None:
        self._values, self._app, self._root, self._expected = values, app, root, expected
        self._is_whole = is_whole

    def check_value(self, node: YamlNode, where: str) -> None:
        """Check a text or number; ``where`` is as in messages, ``calendar.events.time``."""
        meaning = _MEANINGS.get(where) or next(
            (found for key, found in _MEANINGS.items() if "*" in key and fnmatchcase(where, key)), None
        )
        if meaning is not None and not meaning.fits(node.plain):
            what = _("{where} has to be {expected}", where=where, expected=_(meaning.expected))
            self._values.report("out-of-range", node.place, what)
        elif where in _CHOICES:
            self._check_word(node, node.text, _CHOICES[where], where)
        elif where in NAMED and node.text:
            self._check_name(node, NAMED[where], where)

    def check_range(self, node: YamlNode, where: str) -> None:
        """Check a list that says from where to where the seed draws a number."""
        if fnmatchcase(where, _RANGES):
            ends = node.plain
            if not all(type(end) is int for end in ends) or ends != sorted(ends):
                what = _("{where} has to be {expected}", where=where, expected=_(_RANGE))
                self._values.report("out-of-range", node.place, what)

    def check_texts(self, node: YamlNode, where: str, *, adds: bool) -> None:
        """Check texts by language: without ``adds``, when they replace others, one of them is English."""
        if not adds and node.get(ENGLISH) is None:
            what = _("{where} has no English text", where=where)
            to_do = _("Write {key}: it counts where a language is missing", key=ENGLISH)
            self._values.report("missing-field", node.place, what, to_do=to_do)
        app, _dot, word = where.partition(".words.")
        if word:
            self._check_placeholders(node, placeholders(app).get(word, frozenset()), where)

    def check_mapping(self, node: YamlNode, where: str) -> None:
        """Check the keys of a mapping that names others, and values that belong together."""
        if where in NAMED_BY_KEY:
            for key, _value in node.pairs:
                self._check_name(key, NAMED_BY_KEY[where], where)
        begin, end = node.get("time"), node.get("end")
        if where == "calendar.events" and begin is not None and end is not None:
            times = [begin.text, end.text]
            if all(map(_TIME.fullmatch, times)) and times != sorted(set(times)):
                what = _("{where} has to be after {other}", where=f"{where}.end", other=begin.text)
                self._values.report("out-of-range", end.place, what)

    def _check_name(self, node: YamlNode, key: str, where: str) -> None:
        if self._is_whole:
            self._check_word(node, node.text.removeprefix(PLUS), tuple(sorted(self._names(key))), where)

    def _check_word(self, node: YamlNode, word: str, known: tuple[str, ...], where: str) -> None:
        if word in known:
            return
        better = nearest(word, known)
        to_do = ""
        if better:
            to_do = _("Did you mean {word}?", word=better)
        elif 0 < len(known) <= _MOST_LISTED:
            to_do = _("Use one of: {known}", known=", ".join(known))
        what = _("There is no {key} called {word}", key=where, word=word)
        fixes = did_you_mean(word, known, node.place)
        self._values.report("unknown-variation-key", node.place, what, to_do=to_do, fixes=fixes)

    def _names(self, key: str) -> set[str]:
        """The ids of a list or mapping, with what the variation makes of it."""
        own, added = self._root.get(key), self._root.get(PLUS + key)
        names = set() if own is not None else set(self._expected.keys[key].ids)
        for node in (own, added):
            if node is not None:
                names.update(_ids(node))
        return names

    def _check_placeholders(self, node: YamlNode, known: frozenset[str], where: str) -> None:
        for _language, value in node.pairs if known else ():
            try:
                wrong = sorted(_fields(value.text) - known)
            except ValueError:
                what = _("{where} has a brace without its other one", where=where)
                self._values.report("wrong-shape", value.place, what)
                continue
            if wrong:
                what = _("{word} in {where} is no placeholder", word=f"{{{wrong[0]}}}", where=where)
                names = ", ".join(f"{{{name}}}" for name in sorted(known))
                self._values.report("unknown-variation-key", value.place, what,
                                    to_do=_("Use one of: {known}", known=names))  # fmt: skip


def _ids(node: YamlNode) -> Iterator[str]:
    if node.kind == "mapping":
        yield from (key.text.removeprefix(PLUS) for key, _value in node.pairs)
    for item in node.items:
        name = item.get("id") if item.kind == "mapping" else None
        if name is not None:
            yield name.text


@cache
def placeholders(app: str) -> dict[str, frozenset[str]]:
    """The placeholders of the words of an app that have some, such as ``count``."""
    words = safe_load(asset("virtual", f"{app}.yaml").read_bytes(), app)["words"]
    found = {word: frozenset(_fields(texts[ENGLISH])) for word, texts in words.items()}
    return {word: fields for word, fields in found.items() if fields}


def _fields(text: str) -> set[str]:
    """The placeholders of a text. Raises ValueError for one that cannot be read."""
    return {name for _literal, name, _format, _conversion in Formatter().parse(text) if name is not None}
