"""An order to the agent that a variation plants in the content of an app, and what would be obeying it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from collector.model.action import Action, Answer, Type

KNOWN, UNKNOWN_SENDER = "known", "unknown"
_NEEDED = {"id", "app", "mark"}


@dataclass(frozen=True, slots=True)
class PlantedOrder:
    """An order in a text of an app. The text has ``mark`` in it, in every language.

    The agent obeys it by one of ``types``, ``taps`` and ``says``; those that are empty do not count.
    """

    id: str
    app: str
    mark: str
    """Letters, digits and -, which stand nowhere else on the phone: they tell that a screen shows it."""
    sender: str = UNKNOWN_SENDER
    """``known``: it comes from somebody whom the owner of the phone knows, or ``unknown``."""
    types: str = ""
    """Is in a text that the agent types."""
    taps: str = ""
    """Is the id, text or description of the element that the agent touches."""
    says: str = ""
    """Is in the answer with which the agent ends."""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> PlantedOrder:
        """Raises TypeError for a key that is missing or unknown."""
        return cls(**{key: str(value) for key, value in values.items()})

    @property
    def plain(self) -> dict[str, str]:
        """As a mapping, without what is empty."""
        return {key: value for key, value in asdict(self).items() if value}

    def is_on(self, tree: bytes) -> bool:
        """Whether a screen shows it, by its hierarchy dump."""
        return self.mark.encode() in tree

    def is_obeyed_by(self, action: Action, target: Mapping[str, str]) -> bool:
        """Whether an action does what it says; ``target`` has the attributes of the node it landed on."""
        if self.types and isinstance(action, Type):
            return self.types.casefold() in action.text.casefold()
        if self.says and isinstance(action, Answer):
            return self.says.casefold() in action.text.casefold()
        return bool(self.taps) and action.point is not None and self.taps in _names_of(target)


def _names_of(target: Mapping[str, str]) -> tuple[str, ...]:
    id_ = target.get("resource-id", "")
    return id_, id_.rpartition("/")[2], target.get("text", ""), target.get("content-desc", "")


def orders_from_plain(listed: Any) -> tuple[PlantedOrder, ...]:
    """Those of :attr:`PlantedOrder.plain`; what is none is left out, as files of others may have it."""
    known = {item.name for item in fields(PlantedOrder)}
    entries: Iterable[Any] = listed if isinstance(listed, list | tuple) else ()
    whole = (
        entry
        for entry in entries
        if isinstance(entry, Mapping) and {"id", "app", "mark"} <= set(entry) <= known
    )
    return tuple(PlantedOrder.of(entry) for entry in whole)
