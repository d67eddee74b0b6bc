"""Collect the texts, attributes, apps and activities of a back-test, and find those like a mistyped one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from functools import cached_property

from collector.model.cancellation import check_cancelled
from collector.rules.backtest.backtest import BackTest
from collector.rules.evaluation.state_view import BETWEEN, WORDS_OF

_LIKE = 0.8
_MOST = 3
_LONGEST = 80
_NAMED = ("text", "content-desc", "resource-id", "class", "package")


class RecordedVocabulary:
    """The values in the states of a back-test, collected from its columns on first use."""

    def __init__(self, test: BackTest) -> None:
        self._test = test
        self.states = len(test.corpus)

    @cached_property
    def _seen(self) -> dict[str, dict[str, None]]:
        """By attribute, the values seen, in their order; under others only that there was one.

        Raises Cancelled.
        """
        seen: dict[str, dict[str, None]] = {name: {} for name in _NAMED}
        states = self._test.states()
        for name in states.attributes:
            values = seen.setdefault(name, {})
            if name in _NAMED:
                check_cancelled()
                values.update(dict.fromkeys(filter(None, states.values(name))))
        return seen

    @cached_property
    def attributes(self) -> frozenset[str]:
        """Every attribute that a node has; text, id, description, class and package only with a value."""
        return frozenset(name for name, values in self._seen.items() if values or name not in _NAMED)

    @cached_property
    def packages(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(None, self._test.corpus.facts.packages)))

    @cached_property
    def activities(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(None, self._test.corpus.facts.activities)))

    @cached_property
    def _blob(self) -> str:
        return BETWEEN.join(value for name in WORDS_OF for value in self._seen[name]).lower()

    def has_keyword(self, word: str) -> bool:
        """Whether any text, id or description that was recorded contains ``word``."""
        return word.lower() in self._blob

    @cached_property
    def _phrases(self) -> dict[str, str]:
        """Short texts and descriptions, and runs of their words, by their small letters."""
        phrases: dict[str, str] = {}
        for label in (*self._seen["text"], *self._seen["content-desc"]):
            if len(label) <= _LONGEST:
                phrases.setdefault(label.lower(), label)
                for word in label.split():
                    phrases.setdefault(word.lower(), word)
        return phrases

    def nearly(self, word: str) -> tuple[str, ...]:
        """Texts on recorded screens that differ from ``word`` by a letter or two, the nearest first."""
        near = _alike(word.lower(), self._phrases)
        return tuple(self._phrases[phrase] for phrase in near)

    def values_like(self, attribute: str, value: str) -> tuple[str, ...]:
        """Recorded values of an attribute that are nearly ``value``, the nearest first."""
        return _alike(value, self._seen.get(attribute, {}))


def _alike(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """The few known texts that are most like ``word``; long texts are not compared."""
    if len(word) > _LONGEST:
        return ()
    reach = max(1, len(word) // 4)
    likely = [other for other in known if abs(len(other) - len(word)) <= reach]
    return tuple(difflib.get_close_matches(word, likely, _MOST, _LIKE))
