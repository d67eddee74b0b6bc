"""The search language of the task table: words and ``key:value`` terms, all of which must match. No Qt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from collector.model.verdicts.state_progress import STATE_WORDS
from studio.views.project.tasks.task_rows import TaskTableRow

_TOKEN = re.compile(r'(-?)(?:(\w[\w-]*):)?(?:"([^"]*)"?|(\S*))')
_NUMBER = re.compile(r"(<=|>=|<|>|=)?(\d+)")
_ANY = ("any", "yes", "true", "")
_NONE = ("none", "no", "false")
TEXT: dict[str, Callable[[TaskTableRow], Iterable[str]]] = {
    "app": lambda row: (row.task.app, row.task.package),
    "task": lambda row: (row.task.id,),
    "type": lambda row: (row.task.type,),
    "language": lambda row: (row.task.language,),
    "app-category": lambda row: (row.task.app_category,),
    "goal-style": lambda row: tuple(row.task.rewordings) or ("none",),
    "answer": lambda row: (row.task.expected_answer.rule if row.task.expected_answer else "none",),
    "human": lambda row: ("yes" if row.task.human_validation else "no",),
    "level": lambda row: (row.task.level,),
    "category": lambda row: (row.task.category,),
    "status": lambda row: (row.review, row.review_words),
}
NUMBERS: dict[str, Callable[[TaskTableRow], int]] = {
    "golden": lambda row: row.golden,
    "rules": lambda row: row.rule_count,
    "states": lambda row: row.states.count,
}
_LISTS: dict[str, Callable[[TaskTableRow], Iterable[str]]] = {
    "reached": lambda row: row.states.reached,
    "missed": lambda row: row.states.missed,
}
"""Essential states that a judge saw, or did not see, in a golden trajectory of the task."""
KEYS = (*TEXT, *NUMBERS, *_LISTS, "problem", "text")


@dataclass(frozen=True, slots=True)
class FilterTerm:
    """One term of a search; an empty ``key`` searches all texts of a task."""

    key: str
    value: str
    negative: bool = False

    @property
    def text(self) -> str:
        """The term as it is typed."""
        value = f'"{self.value}"' if " " in self.value else self.value
        return f"{'-' if self.negative else ''}{self.key + ':' if self.key else ''}{value}"

    def matches(self, row: TaskTableRow) -> bool:
        """Return whether a task matches."""
        return _matches(self.key, self.value.casefold(), row) != self.negative


def parse(text: str) -> list[FilterTerm]:
    """Split a search into terms. An unknown key is searched for as text."""
    terms = []
    for match in _TOKEN.finditer(text):
        minus, key, quoted, bare = match.groups()
        value = quoted if quoted is not None else bare or ""
        if key and key.casefold() not in KEYS:
            key, value = "", f"{key}:{value}"
        if key or value:
            terms.append(FilterTerm((key or "").casefold(), value, bool(minus)))
    return terms


def matching(rows: Iterable[TaskTableRow], terms: Sequence[FilterTerm]) -> list[TaskTableRow]:
    """Return the rows that match every term, in their order."""
    return [row for row in rows if all(term.matches(row) for term in terms)]


def _matches(key: str, value: str, row: TaskTableRow) -> bool:
    if key in TEXT:
        return any(text.casefold().startswith(value) for text in TEXT[key](row))
    if key == "states" and any(word.startswith(value) for word in STATE_WORDS) and value:
        return row.states.matches(value, row.task.golden_wanted)
    if key in _LISTS:
        return any(name.casefold().startswith(value) for name in _LISTS[key](row))
    if key in NUMBERS:
        return _compare(NUMBERS[key](row), value)
    if key == "problem":
        return _has_problem(row, value)
    return value in _all_text(row)


def _has_problem(row: TaskTableRow, value: str) -> bool:
    if value in _ANY:
        return bool(row.problem)
    if value in _NONE:
        return not row.problem
    return value in row.problem.casefold()


def _compare(number: int, value: str) -> bool:
    match = _NUMBER.fullmatch(value)
    if match is None:
        # Incomplete, as in ``golden:<``: every task matches.
        return True
    limit = int(match[2])
    return {
        "<": number < limit,
        "<=": number <= limit,
        ">": number > limit,
        ">=": number >= limit,
    }.get(match[1], number == limit)


def _all_text(row: TaskTableRow) -> str:
    task = row.task
    return "\n".join(
        (task.id, task.instruction, task.app, task.package, task.category, task.note, *row.sentences)
    ).casefold()
