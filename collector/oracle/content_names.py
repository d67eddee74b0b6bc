"""What the contents of an app say: names of ids, the account of the person, the places of the town."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from collector.targets.values import kilometres
from collector.virtual.system.app_model import AppModel
from collector.virtual.ui.content import load, localized

_NAMES = ("name", "title", "label")
_NEAR_KM = 0.15
_MOST_NEAR = 3


def names_of(model: AppModel, name: str) -> Iterator[str]:
    """The names, in the language of the app, of the entries of its contents that have this id."""
    locale = model.context.locale
    for entry in _entries(load(model.app.name)):
        if entry.get("id") == name:
            for key in _NAMES:
                text = entry.get(key)
                if isinstance(text, Mapping):
                    text = localized(text, locale)
                if isinstance(text, str) and text:
                    yield text


def account_of(model: AppModel) -> dict[str, str]:
    """What the person signs in with, by field."""
    account = load(model.app.name).get("account")
    return {str(key): str(value) for key, value in account.items()} if isinstance(account, Mapping) else {}


def places_near(state: Any, lat: float, lng: float) -> list[tuple[str, str]]:
    """Id and name of the places of the town of a map that are nearest to a position."""
    town = getattr(state, "town", None)
    if town is None:
        return []
    near = [
        (distance, place) for place in town.places.values()
        if (distance := kilometres((lat, lng), (place.lat, place.lng))) <= _NEAR_KM
    ]  # fmt: skip
    near.sort(key=lambda item: item[0])
    return [(place.id, place.name(state.locale)) for _distance, place in near[:_MOST_NEAR]]


def _entries(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every mapping within contents."""
    if isinstance(value, Mapping):
        yield value
        for item in value.values():
            yield from _entries(item)
    elif isinstance(value, list):
        for item in value:
            yield from _entries(item)
