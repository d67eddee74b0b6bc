"""Mask texts that are to be hidden wherever a trajectory repeats them: in thoughts, events, judgements."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from collector.model.action import Action, Type
from collector.model.episode import AgentTurn
from collector.store.redaction import MASK

SHORTEST = 3
"""A shorter text occurs by chance in too many others to be masked everywhere."""
_FREE_TEXTS = ("text", "name", "reason", "raw")
"""Fields of actions that may repeat any text; the others name a key, a package or a direction."""
_Value = TypeVar("_Value")


class SecretTexts:
    """Texts to hide, also as JSON writes them. An empty set masks nothing."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._texts: set[str] = set()
        self._pattern: re.Pattern[str] | None = None
        self.add(*texts)

    def __bool__(self) -> bool:
        return self._pattern is not None

    def add(self, *texts: str) -> None:
        """Hide these texts too; what is shorter than :data:`SHORTEST` is passed over."""
        known = len(self._texts)
        for text in texts:
            plain = text.strip()
            if len(plain) >= SHORTEST:
                quoted = (json.dumps(plain, ensure_ascii=ascii_only)[1:-1] for ascii_only in (True, False))
                self._texts.update((plain, *quoted))
        if len(self._texts) > known:
            longest_first = sorted(self._texts, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def masked(self, value: _Value) -> _Value:
        """The same text, number, list or mapping with every secret in its texts masked; keys stay."""
        if self._pattern is None:
            return value
        return self._masked(value)  # type: ignore[no-any-return]

    def _masked(self, value: Any) -> Any:
        assert self._pattern is not None
        if isinstance(value, str):
            # A text without a secret is kept as it is: a sentence may know its code and values.
            return self._pattern.sub(MASK, value) if self._pattern.search(value) else value
        if isinstance(value, Mapping):
            return {key: self._masked(entry) for key, entry in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self._masked(entry) for entry in value)
        return value

    def masked_action(self, action: Action | None) -> Action | None:
        """The action without secrets; typed text that holds one is dropped whole."""
        if action is None or self._pattern is None:
            return action
        if isinstance(action, Type):
            return Type(redacted=True) if self._pattern.search(action.text) else action
        names = {field.name for field in dataclasses.fields(action)}.intersection(_FREE_TEXTS)
        return dataclasses.replace(action, **{name: self._masked(getattr(action, name)) for name in names})

    def masked_turn(self, turn: AgentTurn | None) -> AgentTurn | None:
        """What an agent said, without secrets."""
        if turn is None or self._pattern is None:
            return turn
        return dataclasses.replace(
            turn, thought=self._masked(turn.thought), raw=self._masked(turn.raw),
            predicted=self.masked_action(turn.predicted), extra=self._masked(turn.extra),
        )  # fmt: skip


def without_texts(turn: AgentTurn | None) -> AgentTurn | None:
    """An agent's turn without anything it said: how long it took and what it cost stay."""
    if turn is None:
        return None
    return AgentTurn(usage=turn.usage, timings_ms=turn.timings_ms)
