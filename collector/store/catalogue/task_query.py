"""Select tasks by words of the search language, as in ``app:Shop level:easy -human:yes golden:>0``.

The syntax is that of :mod:`collector.store.catalogue.query`, with the keys that tasks have.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable

from collector.model.i18n import _
from collector.model.task import Task
from collector.store.catalogue.query import NO_WORDS, NUMBER_PATTERN, TOKEN_PATTERN, YES_WORDS, QueryError

_TEXTS: dict[str, Callable[[Task], Iterable[str]]] = {
    "app": lambda task: (task.app, task.package),
    "task": lambda task: (task.id,),
    "level": lambda task: (task.level,),
    "category": lambda task: (task.category,),
    "type": lambda task: (task.type,),
    "app-category": lambda task: (task.app_category,),
    "language": lambda task: (task.language,),
    "goal-style": lambda task: tuple(task.rewordings) or ("",),
}
_GOLDEN, _STATES, _HUMAN, _TEXT = "golden", "states", "human", "text"
TASK_KEYS = (*_TEXTS, _GOLDEN, _STATES, _HUMAN, _TEXT)
_COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq}
_Test = Callable[[Task, int], bool]
"""Whether a task with a number of golden trajectories fits."""


class TaskQuery:
    """A query over tasks, all of whose parts must hold; an empty one fits every task.

    Raises QueryError for a key or a value that there is not.
    """

    def __init__(self, text: str) -> None:
        self.asks_for_golden = False
        """Whether :meth:`fits` needs the number of golden trajectories."""
        self._tests: list[tuple[_Test, bool]] = []
        for match in TOKEN_PATTERN.finditer(text):
            minus, written, quoted, bare = match.groups()
            key = written.lower() if written else _TEXT
            value = (quoted if quoted is not None else bare) or ""
            if key not in TASK_KEYS:
                raise QueryError(
                    _("Tasks have no search key {key}", key=written), "",
                    _("Use one of: {known}", known=", ".join(TASK_KEYS)),
                )  # fmt: skip
            self._tests.append((self._test(key, value), bool(minus)))

    def fits(self, task: Task, golden: int = 0) -> bool:
        """Whether a task with so many golden trajectories fits."""
        return all(test(task, golden) != is_negated for test, is_negated in self._tests)

    def _test(self, key: str, value: str) -> _Test:
        if key == _GOLDEN:
            self.asks_for_golden = True
            compare = _number(key, value)
            return lambda _task, golden: compare(golden)
        if key == _STATES:
            compare = _number(key, value)
            return lambda task, _golden: compare(len(task.essential_states))
        if key == _HUMAN:
            if value.lower() not in (*YES_WORDS, *NO_WORDS, ""):
                raise QueryError(
                    _("human is yes or no, not {value!r}", value=value), "", _("Write human:yes")
                )
            wanted = value.lower() not in NO_WORDS
            return lambda task, _golden: task.human_validation == wanted
        if key == _TEXT:
            words = re.findall(r"\w+", value.casefold())
            return lambda task, _golden: _has_words(task, words)
        texts = _TEXTS[key]
        return lambda task, _golden: any(_matches(text, value) for text in texts(task))


def _matches(text: str, value: str) -> bool:
    """Whether a text begins with ``value``; with ``=`` in front it is exactly it, with ``*`` it has it."""
    text, value = text.casefold(), value.casefold()
    if value in ("none", "any"):
        return bool(text) == (value == "any")
    if value.startswith("="):
        return text == value[1:]
    return value[1:] in text if value.startswith("*") else text.startswith(value)


def _has_words(task: Task, words: list[str]) -> bool:
    text = f"{task.id} {task.instruction} {task.app} {task.note}".casefold()
    present = re.findall(r"\w+", text)
    return all(any(known.startswith(word) for known in present) or _is_wide_in(word, text) for word in words)


def _is_wide_in(word: str, text: str) -> bool:
    """Chinese, Japanese and Korean words are found by any part of them."""
    return not word.isascii() and word in text


def _number(key: str, value: str) -> Callable[[int], bool]:
    if value.lower() in ("none", "any"):
        return lambda number: (number > 0) == (value.lower() == "any")
    match = NUMBER_PATTERN.fullmatch(value)
    if match is None:
        raise QueryError(
            _("{key} is compared with a number, not {value!r}", key=key, value=value), "",
            _("Write {key}:2, {key}:<2 or {key}:>=2", key=key),
        )  # fmt: skip
    compare, limit = _COMPARE[match[1] or "="], float(match[2])
    return lambda number: compare(number, limit)
