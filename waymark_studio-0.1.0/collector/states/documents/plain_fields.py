"""Read the keys of a loaded YAML document; a value of the wrong kind is an error with its key."""

from __future__ import annotations

import datetime as dt
from collections.abc import Container, Mapping
from typing import Any

from collector.model.i18n import _
from collector.store.files.errors import Damaged


class PlainFields:
    """The keys of one mapping of a file. Every method raises Damaged for a value of another kind."""

    def __init__(self, values: object, name: str, place: str = "") -> None:
        """``name`` is that of the file, ``place`` the key of the mapping in it, for errors."""
        self._name, self._place = name, place
        if not isinstance(values, Mapping):
            raise self._damaged(_("{key} has to be a mapping", key=place))
        self._values = values

    def text(self, key: str) -> str:
        """A text, number or time as text; empty when the key is missing."""
        value = self._values.get(key)
        if value is None:
            return ""
        if isinstance(value, (dt.datetime, dt.date)):
            return value.isoformat()
        if isinstance(value, (bool, list, dict)):
            raise self._damaged(_("{key} has to be a text", key=self._path(key)))
        return str(value)

    def required(self, key: str) -> str:
        """A text that may not be missing or empty."""
        if not (text := self.text(key).strip()):
            raise self._damaged(_("{key} is missing", key=self._path(key)))
        return text

    def word(self, key: str, known: Container[str], listed: str) -> str:
        """One of the known words, or empty; YAML's ``yes`` and ``no`` without quotes are words too."""
        value = self._values.get(key)
        text = ("yes" if value else "no") if isinstance(value, bool) else self.text(key)
        if text and text not in known:
            raise self._damaged(
                _("{key} is {text}; there are only: {known}", key=self._path(key), text=text, known=listed)
            )
        return text

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; empty when the key is missing."""
        value = self._values.get(key)
        if value is None:
            return ()
        if not isinstance(value, list) or any(isinstance(item, (list, dict, type(None))) for item in value):
            raise self._damaged(_("{key} has to be a list of texts", key=self._path(key)))
        return tuple(map(str, value))

    def flag(self, key: str) -> bool:
        """A truth; False when the key is missing."""
        value = self._values.get(key)
        if value is not None and not isinstance(value, bool):
            raise self._damaged(_("{key} has to be true or false", key=self._path(key)))
        return bool(value)

    def step(self, key: str) -> int | None:
        """A number of a step, from 0; None when the key is missing."""
        value = self._values.get(key)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
            raise self._damaged(_("{key} has to be a step, counted from 0", key=self._path(key)))
        return value

    def plain(self, key: str) -> Any:
        """Any value; None when the key is missing."""
        return self._values.get(key)

    def mapping(self, key: str) -> PlainFields | None:
        """The fields of a mapping inside; None when the key is missing."""
        value = self._values.get(key)
        return PlainFields(value, self._name, self._path(key)) if value is not None else None

    def mappings(self, key: str) -> list[PlainFields]:
        """The fields of each mapping of a list; empty when the key is missing."""
        value = self._values.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self._damaged(_("{key} has to be a list", key=self._path(key)))
        return [PlainFields(item, self._name, f"{self._path(key)}[{at}]") for at, item in enumerate(value, 1)]

    def rest(self, known: Container[str]) -> dict[str, Any]:
        """The keys that are not among ``known``."""
        return {str(key): value for key, value in self._values.items() if key not in known}

    def refuse_twice(self, key: str, names: list[str]) -> None:
        """Raise when a name stands twice in the list under ``key``."""
        for at, name in enumerate(names):
            if name in names[:at]:
                raise self._damaged(_("{key} has {name} twice", key=self._path(key), name=name))

    def _path(self, key: str) -> str:
        return f"{self._place}.{key}" if self._place else key

    def _damaged(self, why: str) -> Damaged:
        return Damaged(
            _("{name} cannot be read", name=self._name), why, _("Correct it, or restore it from a copy")
        )
