"""The search language of project and catalogue: words and ``key:value``, as in ``app:Shop golden:<2 poster``.

All parts must hold. ``-`` in front turns one round, quotes keep spaces, ``<``, ``<=``, ``>``, ``>=``
compare numbers. Chinese, Japanese and Korean words are found by any part of them, others by their start.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from collector.model.i18n import _
from collector.store.errors import StoreError

_TOKEN = re.compile(r'(-?)(?:(\w+):)?(?:"([^"]*)"?|(\S+))')
_NUMBER = re.compile(r"(<=|>=|<|>|=)?\s*(\d{1,18})")
_WIDE = re.compile(r"([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff])")
TEXT_KEYS = ("app", "task", "status", "kind", "who", "level", "category", "agent", "condition", "started")
NUMBER_KEYS = ("golden", "steps")
_COLUMNS = {
    "app": "k.app",
    "task": "t.task",
    "level": "k.level",
    "category": "k.category",
    "golden": "coalesce(k.golden, 0)",
}
_YES = ("yes", "any", "true", "1")
_NO = ("no", "none", "false", "0")


class QueryError(StoreError):
    """The query cannot be understood."""


@dataclass(frozen=True, slots=True)
class SqlClause:
    """One SQL condition and its parameters."""

    sql: str
    values: tuple[object, ...] = ()


def spaced(text: str) -> str:
    """``text`` with spaces around every wide character, so that a word index finds each."""
    return _WIDE.sub(r" \1 ", text)


def clauses(query: str) -> list[SqlClause]:
    """The conditions of a query over trajectories ``t`` and tasks ``k``. Raises :class:`QueryError`."""
    parts = []
    for match in _TOKEN.finditer(query):
        minus, key, quoted, bare = match.groups()
        value = quoted if quoted is not None else bare
        if key and key.lower() not in _known() and quoted is None:
            raise QueryError(
                _("There is no search key {key}", key=key),
                "",
                _("Use one of: {known}", known=", ".join(_known())),
            )
        clause = _clause(key.lower() if key else "text", value or "")
        if clause:
            parts.append(SqlClause(f"NOT ({clause.sql})", clause.values) if minus else clause)
    return parts


def _known() -> tuple[str, ...]:
    return (*TEXT_KEYS, *NUMBER_KEYS, "problem", "text")


def _clause(key: str, value: str) -> SqlClause | None:
    if key == "text":
        words = full_text(value)
        return (
            SqlClause("t.key IN (SELECT rowid FROM words WHERE words MATCH ?)", (words,)) if words else None
        )
    if key == "problem":
        return _problem(value)
    if key in NUMBER_KEYS:
        match = _NUMBER.fullmatch(value)
        if not match:
            raise QueryError(
                _("{key} is compared with a number, not {value!r}", key=key, value=value),
                "",
                _("Write {key}:2, {key}:<2 or {key}:>=2", key=key),
            )
        return SqlClause(f"{_COLUMNS.get(key, f't.{key}')} {match[1] or '='} ?", (int(match[2]),))
    column = _COLUMNS.get(key, f"t.{key}")
    if key == "app":
        return SqlClause(
            "(k.app LIKE ? ESCAPE '\\' OR k.package LIKE ? ESCAPE '\\')", (_starting(value),) * 2
        )
    return SqlClause(f"coalesce({column}, '') LIKE ? ESCAPE '\\'", (_starting(value),))


def _problem(value: str) -> SqlClause:
    if value.lower() in (*_YES, ""):
        return SqlClause("t.problems > 0")
    if value.lower() in _NO:
        return SqlClause("t.problems = 0")
    return SqlClause("t.problem LIKE ? ESCAPE '\\'", (f"%{_escaped(value)}%",))


def _starting(value: str) -> str:
    return f"{_escaped(value)}%"


def _escaped(value: str) -> str:
    return re.sub(r"([\\%_])", r"\\\1", value)


def full_text(text: str) -> str:
    """The FTS5 expression for a search for words; empty when ``text`` has none."""
    parts = []
    for word in text.split():
        pieces = re.findall(r"\w+", spaced(word))
        if pieces:
            phrase = '"' + " ".join(pieces) + '"'
            parts.append(phrase if _WIDE.search(pieces[-1]) else f"{phrase}*")
    return " ".join(parts)
