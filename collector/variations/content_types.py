"""The types of the content of apps, read from their content files: what a variation may write there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from collector.located_yaml.safe_load import safe_load
from collector.model.i18n import N_, _
from collector.model.resources import asset
from collector.model.variation.phone_variation import ALL_APPS

LANGUAGE = re.compile(r"[a-z]{2,3}")
_OWN = ("version",)
"""Keys of a content file that no variation changes."""


@dataclass(frozen=True)
class ContentType:
    """What a value may be: one of ``kinds``, a list of ``item``, or a mapping."""

    kinds: frozenset[str]
    """Of text, texts, number, flag, nothing, list and mapping."""
    keys: Mapping[str, ContentType] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    """Keys that every such mapping has."""
    item: ContentType | None = None
    """Of a list; and of a mapping whose keys are free."""
    ids: frozenset[str] = frozenset()
    """The ids of the items of a list, or the keys of a mapping whose keys are free."""

    numbers: int = 0
    """How many numbers a list of numbers has, as a position and a range do; 0 for any other list."""

    @property
    def is_open(self) -> bool:
        """Whether the keys of a mapping are free, as ids are."""
        return "mapping" in self.kinds and self.item is not None

    @property
    def sentence(self) -> str:
        """What is expected, for a person."""
        return " / ".join(_(_NAMES[kind]) for kind in _NAMES if kind in self.kinds)


_NAMES = {
    "text": N_("a text"),
    "texts": N_("texts by language, as {en: ...}"),
    "number": N_("a number"),
    "flag": N_("true or false"),
    "list": N_("a list"),
    "mapping": N_("a mapping"),
    "nothing": N_("nothing"),
}


_MORE: dict[str, dict[str, Any]] = {
    "calendar": {"events": [{"id": "dentist", "title": {"en": ""}, "calendar": "", "date": ""}]},
    "maps": {
        "places": [
            {"id": "station", "kind": "", "rank": 1, "name": {"en": ""}, "hours": "", "lat": 0, "lng": 0}
        ],
        "saved": [{"name": "", "lat": 0, "lng": 0, "list": "", "color": ""}],
    },
    "shop": {"cart": {"mug": 1}},
    "todo": {"span": "all"},
}  # fmt: skip
"""What content may have that no content file of the studio has: an example of each, with all its keys."""


@cache
def content_apps() -> tuple[str, ...]:
    """The names of the apps that have content."""
    return tuple(sorted(path.stem for path in asset("virtual").glob("*.yaml")))


@cache
def own_content(app: str) -> Mapping[str, Any]:
    """The content file of an app."""
    content: Mapping[str, Any] = safe_load(asset("virtual", f"{app}.yaml").read_bytes(), app)
    return content


@cache
def content_type(app: str) -> ContentType:
    """The type of the content of an app; of ``all`` it has no keys."""
    if app == ALL_APPS:
        return ContentType(frozenset({"mapping"}))
    content = own_content(app)
    more = _MORE.get(app, {})
    keys = {
        key: _type_of([value for part in (content, more) if (value := part.get(key)) is not None],
                      is_closed=key == "words")
        for key in (*content, *(key for key in more if key not in content)) if key not in _OWN
    }  # fmt: skip
    return ContentType(frozenset({"mapping"}), keys)


@cache
def content_lists(app: str) -> dict[str, ContentType]:
    """The lists of an app's content whose items have ids: what an item may be, by the key of the list."""
    listed = {key: found.item for key, found in content_type(app).keys.items() if "list" in found.kinds}
    return {key: item for key, item in listed.items() if item is not None and "id" in item.keys}


def content_example(app: str, key: str) -> dict[str, Any]:
    """The first item of a list of an app's content, with the keys that every item has."""
    items = own_content(app).get(key) or _MORE[app][key]
    required = content_lists(app)[key].required
    return {name: value for name, value in items[0].items() if name in required or name == "id"}


def _type_of(values: Sequence[Any], *, is_closed: bool = False) -> ContentType:
    """The type of which all values are."""
    kinds = frozenset(map(_kind_of, values))
    items = [item for value in values if isinstance(value, list) for item in value]
    mappings = [value for value in values if _kind_of(value) == "mapping"]
    if mappings:
        inner = [value for mapping in mappings for value in mapping.values()]
        if not is_closed and _are_entries(inner):
            names = frozenset(str(name) for mapping in mappings for name in mapping)
            return ContentType(kinds, item=_type_of(inner), ids=names)
        return ContentType(kinds, _keys_of(mappings), _required(mappings))
    ids = frozenset(str(item["id"]) for item in items if isinstance(item, Mapping) and "id" in item)
    lengths = {len(value) for value in values if isinstance(value, list)}
    numbers = lengths.pop() if len(lengths) == 1 and all(_kind_of(item) == "number" for item in items) else 0
    return ContentType(kinds, item=_type_of(items) if items else None, ids=ids, numbers=numbers)


def _are_entries(values: Iterable[Any]) -> bool:
    """Whether the values of a mapping are entries by id, and not the fields of one thing."""
    kinds = set(map(_kind_of, values))
    return len(kinds) == 1 and kinds != {"text"}


def _keys_of(mappings: Iterable[Mapping[str, Any]]) -> dict[str, ContentType]:
    values: dict[str, list[Any]] = {}
    for mapping in mappings:
        for key, value in mapping.items():
            values.setdefault(str(key), []).append(value)
    return {key: _type_of(listed) for key, listed in values.items()}


def _required(mappings: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset.intersection(*(frozenset(map(str, mapping)) for mapping in mappings))


def _kind_of(value: Any) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "flag"
        case int() | float():
            return "number"
        case list():
            return "list"
        case Mapping():
            return "texts" if _is_texts(value) else "mapping"
    return "text"


def _is_texts(value: Mapping[Any, Any]) -> bool:
    languages = all(isinstance(key, str) and LANGUAGE.fullmatch(key) for key in value)
    return "en" in value and languages and all(isinstance(text, str) for text in value.values())
