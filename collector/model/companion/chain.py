"""The dialogs of one injection: the first, those that its chain brings, and how often each comes back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from collector.model.companion.contract import CHAIN_ACTIVITY, CHAIN_PARAMETERS, CLOSED, FINISHED

CHAIN = "param_chain"
FIRST_ANSWER = "accept"
"""The answer of a dialog's first button, after which it does not come back."""
_MOST_RETURNS = 20


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A dialog of a chain: its activity or receiver, and its parameters."""

    activity: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExpectedDialog:
    """A dialog that an injection shows: its id, and how often it may come back."""

    dialog: str
    activity: str
    returns: int = 0


class EndOfDialog(Protocol):
    """What is needed of an answer to say what follows it."""

    @property
    def dialog(self) -> str: ...

    @property
    def showing(self) -> int: ...

    @property
    def answer(self) -> str: ...

    @property
    def how(self) -> str: ...


def read_chain(text: object) -> tuple[ChainLink, ...] | None:
    """The links of ``param_chain``; None for a text that is no chain."""
    if text in (None, ""):
        return ()
    try:
        listed = json.loads(str(text))
    except ValueError:
        return None
    if not isinstance(listed, list):
        return None
    links = []
    for link in listed:
        activity = link.get(CHAIN_ACTIVITY) if isinstance(link, dict) else None
        given = link.get(CHAIN_PARAMETERS, {}) if isinstance(link, dict) else None
        if not isinstance(activity, str) or not isinstance(given, dict):
            return None
        links.append(ChainLink(activity, given))
    return tuple(links)


def expected_dialogs(activity: str, values: Mapping[str, Any], dialog: str) -> tuple[ExpectedDialog, ...]:
    """The dialogs that an intent shows one after the other, the first of which has the id ``dialog``."""
    found = [ExpectedDialog(dialog, activity, _returns(values))]
    for number, link in enumerate(read_chain(values.get(CHAIN)) or (), start=2):
        name = str(link.parameters.get("param_dialog") or f"{dialog}.{number}")
        found.append(ExpectedDialog(name, link.activity, _returns(link.parameters)))
    return tuple(found)


def is_more_to_come(dialogs: Iterable[ExpectedDialog], end: EndOfDialog) -> bool:
    """Whether a dialog follows this end: the same again, or the next of the chain."""
    listed = list(dialogs)
    at = next((at for at, dialog in enumerate(listed) if dialog.dialog == end.dialog), None)
    if at is None or end.how == CLOSED:
        return False
    again = end.answer != FIRST_ANSWER and end.how != FINISHED and end.showing <= listed[at].returns
    return again or at + 1 < len(listed)


def _returns(values: Mapping[str, Any]) -> int:
    try:
        return min(max(int(values.get("param_returns") or 0), 0), _MOST_RETURNS)
    except (TypeError, ValueError):
        return 0
