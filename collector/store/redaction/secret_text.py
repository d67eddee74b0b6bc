"""Mask texts that are to be hidden wherever a trajectory repeats them: in thoughts, events, judgements."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from collector.model.action import Action, Type
from collector.model.episode import AgentTurn, Outcome
from collector.model.verdicts.judgement import Judgement
from collector.store.redaction.screens import MASK
from collector.store.redaction.text_forms import (
    LONG,
    FoldedText,
    TextForm,
    escaped_forms,
    folded_forms,
    merged,
    plain_spans,
)
from collector.store.trajectory import codec

SHORTEST = 3
"""A shorter text occurs by chance in too many others to be masked everywhere."""
_FREE_TEXTS = ("text", "name", "reason", "raw", "question")
"""Fields of actions that may repeat any text; the others name a key, a package or a direction."""
_MOST_JOINED = 64
"""Characters of pieces typed one after the other that are also hidden together."""
_Value = TypeVar("_Value")


class SecretTexts:
    """Texts to hide, also escaped, in another case, spelled out or encoded. An empty set masks nothing.

    A text of fewer than :data:`.text_forms.LONG` letters and digits, as a PIN, is hidden only where no word
    goes on around it: otherwise it would take half of all numbers with it.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._written: dict[str, bool] = {}
        """Each text as it is and escaped, in small letters, and whether it is hidden only as a whole word."""
        self._forms: set[TextForm] = set()
        self.typed = ""
        """The end of what was typed so far, piece by piece."""
        self.add(*texts)

    def __bool__(self) -> bool:
        return bool(self._written)

    def add(self, *texts: str, whole: bool = False) -> bool:
        """Hide these texts too; what is shorter than :data:`SHORTEST` is passed over. Whether any was new.

        A ``whole`` text is hidden only as it is, where no letter or digit goes on before or behind it.
        """
        is_new = False
        for text in texts:
            plain = text.strip()
            if len(plain) < SHORTEST:
                continue
            alone = whole or is_short(plain)
            for written in map(str.lower, escaped_forms(plain)):
                known = self._written.get(written)
                if known is None or (known and not alone):
                    self._written[written] = alone
                    is_new = True
            if not whole:
                self._forms |= folded_forms(plain)
        return is_new

    def add_typed(self, text: str) -> bool:
        """Hide a typed text, by itself and together with what was typed before. Whether it was new."""
        self.typed = (self.typed + text)[-_MOST_JOINED:]
        return self.add(text, *(() if is_short(self.typed) else (self.typed,)))

    def finds(self, text: str) -> bool:
        """Whether ``text`` holds any of them."""
        return bool(self._spans(text))

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Where a text holds them, as start and end."""
        if not self._written or len(text) < SHORTEST:
            return []
        lower = text.lower()
        lower = lower if len(lower) == len(text) else text  # a few letters have two small ones
        spans = [
            span
            for written, alone in self._written.items()
            for span in plain_spans(lower, written, alone=alone)
        ]
        if self._forms:
            folded = FoldedText(text)
            spans += (span for form in self._forms for span in folded.spans_of(form))
        return merged(spans)

    def _masked_text(self, text: str) -> str:
        """The text with each of them masked; one without any is kept as it is, with its code and values."""
        spans = self._spans(text)
        if not spans:
            return text
        kept, end = [], 0
        for start, stop in spans:
            kept += [text[end:start], MASK]
            end = stop
        return "".join((*kept, text[end:]))

    def masked_json(self, line: bytes) -> bytes:
        """A line of JSON without secrets, its line break kept; what is no JSON is masked as text."""
        if not self:
            return line
        try:
            value = codec.load_json(line)
        except ValueError:
            return self._masked_text(line.decode(errors="surrogateescape")).encode(errors="surrogateescape")
        masked = self._masked(value)
        return line if masked == value or not isinstance(masked, dict) else codec.dump_line(masked)

    def masked(self, value: _Value) -> _Value:
        """Mask every secret in the texts of a value: a text, a number, a list or a mapping; keys stay."""
        if not self:
            return value
        return self._masked(value)  # type: ignore[no-any-return]

    def _masked(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._masked_text(value)
        if isinstance(value, Mapping):
            return {key: self._masked(entry) for key, entry in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self._masked(entry) for entry in value)
        return value

    def masked_action(self, action: Action | None) -> Action | None:
        """The action without secrets; typed text that holds one is dropped whole."""
        if action is None or not self:
            return action
        if isinstance(action, Type):
            return Type(redacted=True) if self.finds(action.text) else action
        names = {field.name for field in dataclasses.fields(action)}.intersection(_FREE_TEXTS)
        return dataclasses.replace(action, **{name: self._masked(getattr(action, name)) for name in names})

    def masked_outcome(self, outcome: Outcome) -> Outcome:
        """An outcome whose sentences hold no secrets."""
        return dataclasses.replace(
            outcome, reason=self.masked(outcome.reason), extra=self.masked(outcome.extra),
            infrastructure=self.masked(outcome.infrastructure),
        )  # fmt: skip

    def masked_judgement(self, judgement: Judgement) -> Judgement:
        """A judgement whose words and proofs hold no secrets."""
        return dataclasses.replace(
            judgement, reason=self.masked(judgement.reason), raw=self.masked(judgement.raw),
            proof=self.masked(judgement.proof),
        )  # fmt: skip

    def masked_turn(self, turn: AgentTurn | None) -> AgentTurn | None:
        """What an agent said, without secrets."""
        if turn is None or not self:
            return turn
        return dataclasses.replace(
            turn, thought=self._masked(turn.thought), raw=self._masked(turn.raw),
            predicted=self.masked_action(turn.predicted), extra=self._masked(turn.extra),
        )  # fmt: skip


def is_short(text: str) -> bool:
    """Whether a text has too few letters and digits to be looked for inside of words."""
    return sum(map(str.isalnum, text)) < LONG


def without_texts(turn: AgentTurn | None) -> AgentTurn | None:
    """An agent's turn without anything it said: how long it took and what it cost stay."""
    if turn is None:
        return None
    return AgentTurn(usage=turn.usage, timings_ms=turn.timings_ms)
