"""Mask texts that are to be hidden wherever a trajectory repeats them: in thoughts, events, judgements."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from collector.model.action import Action, Type
from collector.model.episode import AgentTurn, Outcome
from collector.store import codec
from collector.store.redaction import MASK

SHORTEST = 3
"""A shorter text occurs by chance in too many others to be masked everywhere."""
_FREE_TEXTS = ("text", "name", "reason", "raw")
"""Fields of actions that may repeat any text; the others name a key, a package or a direction."""
_Value = TypeVar("_Value")


class SecretTexts:
    """Texts to hide, also as JSON writes them. An empty set masks nothing."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._patterns: dict[str, int] = {}
        """Patterns of the texts, with the length of each."""
        self._pattern: re.Pattern[str] | None = None
        self.add(*texts)

    def __bool__(self) -> bool:
        return self._pattern is not None

    def add(self, *texts: str, whole: bool = False) -> None:
        """Hide these texts too; what is shorter than :data:`SHORTEST` is passed over.

        A ``whole`` text is hidden only where no letter or digit goes on before or behind it.
        """
        known = len(self._patterns)
        for text in texts:
            plain = text.strip()
            if len(plain) < SHORTEST:
                continue
            for written in (plain, *(json.dumps(plain, ensure_ascii=on)[1:-1] for on in (True, False))):
                pattern = re.escape(written)
                self._patterns[rf"(?<!\w){pattern}(?!\w)" if whole else pattern] = len(written)
        if len(self._patterns) > known:
            longest_first = sorted(self._patterns, key=self._patterns.__getitem__, reverse=True)
            self._pattern = re.compile("|".join(longest_first))

    def masked_json(self, line: bytes) -> bytes:
        """A line of JSON without secrets, its line break kept; what is no JSON is masked as text."""
        if self._pattern is None:
            return line
        try:
            value = codec.load_json(line)
        except ValueError:
            return self._pattern.sub(MASK, line.decode(errors="surrogateescape")).encode(
                errors="surrogateescape"
            )
        masked = self._masked(value)
        return line if masked == value or not isinstance(masked, dict) else codec.dump_line(masked)

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

    def masked_outcome(self, outcome: Outcome) -> Outcome:
        """An outcome whose sentences hold no secrets."""
        return dataclasses.replace(
            outcome, reason=self.masked(outcome.reason), extra=self.masked(outcome.extra),
            infrastructure=self.masked(outcome.infrastructure),
        )  # fmt: skip

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
