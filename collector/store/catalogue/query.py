"""The search language of project and catalogue: words and ``key:value``, as in ``app:Shop golden:<2 poster``.

All parts must hold. ``-`` in front turns one round, quotes keep spaces, ``<``, ``<=``, ``>``, ``>=``
compare numbers. A text begins with the value; ``agent:=x`` is exactly it and ``model:*x`` has it anywhere.
Chinese, Japanese and Korean words are found by any part of them, others by their start.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from collector.model.episode_text import BASELINE
from collector.model.i18n import N_, _
from collector.model.trajectory import GOLDEN, RECORDING, RECOVERED, UNFINISHED
from collector.store.catalogue.catalogue_row import BETWEEN
from collector.store.files.errors import StoreError
from collector.store.trajectory.fingerprint import UNKNOWN

TOKEN_PATTERN = re.compile(r'(-?)(?:(app-category|goal-style|orders-seen|\w+):)?(?:"([^"]*)"?|(\S+))')
NUMBER_PATTERN = re.compile(r"(<=|>=|<|>|=)?\s*(-?\d{1,18}(?:\.\d{1,18})?)")
_WIDE = re.compile(r"([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff])")
YES_WORDS = ("yes", "any", "true", "1")
NO_WORDS = ("no", "none", "false", "0")
TEXT_KEYS: Mapping[str, str] = {
    "id": N_("id of the trajectory"),
    "app": N_("name or package of the app"),
    "task": N_("id of the task"),
    "level": N_("level of the task"),
    "category": N_("category of the task"),
    "type": N_("type of the task: state or process"),
    "app-category": N_("category of the task's app"),
    "status": N_("recording, finished, recovered, imported or damaged"),
    "kind": N_("golden, run or unfinished"),
    "who": N_("who recorded it"),
    "started": N_("when it began, as in started:2026-04"),
    "review": N_("status of its reviews: draft, submitted, approved, rejected, none"),
    "experiment": N_("experiment of a run"),
    "cell": N_("cell of the experiment's matrix"),
    "agent": N_("agent of a run"),
    "model": N_("model of the agent"),
    "prompt": N_("prompt of the agent"),
    "condition": N_("anomaly of the condition"),
    "modality": N_("what the agent sees"),
    "variation": N_("variation of the app"),
    "language": N_("language of the phone, else that of the task"),
    "goal-style": N_("style in which a run's task was worded, as in goal-style:casual"),
    "start": N_("where a run's agent began: a trajectory, or one of its steps, as in start:golden-1@3"),
    "offline": N_("golden trajectory whose steps an agent was asked without a phone, or any, none"),
    "outcome": N_("success, failure or uncompleted"),
    "reason": N_("why a run ended so, or the id of a reason that a person gave"),
    "claimed": N_("what the agent said at the end: complete, answer or impossible"),
    "anomaly": N_("anomaly of the condition, or one that was injected"),
    "verdict": N_("verdict of any judge, or of one, as in verdict:failure=rules"),
    "judge": N_("who judged it"),
    "reached": N_("essential state that a judge saw"),
    "missed": N_("essential state that a judge did not see"),
    "labelled": N_("person who labelled its essential states"),
    "reviewer": N_("person with a review of it"),
    "tag": N_("tag that a reviewer gave it"),
}
"""Key of a text -> what it searches."""
NUMBER_KEYS: Mapping[str, str] = {
    "golden": N_("golden trajectories of the task"),
    "states": N_("essential states of the task, or their status: proposed, agreed, audited, none"),
    "steps": N_("steps"),
    "actions": N_("actions on the phone"),
    "buttons": N_("buttons of the anomaly's dialog"),
    "seed": N_("seed of a run"),
    "repeat": N_("repeat of a run, from 0"),
    "attempt": N_("attempt at a run, from 0"),
    "tokens": N_("tokens of a run, input and output"),
    "cost": N_("cost of a run"),
    "time": N_("seconds that the agent's answers took"),
    "met": N_("anomalies that really appeared in a run, or yes, no"),
    "helped": N_("steps that a person did in a run, or yes, no"),
    "loop": N_("identical actions of an agent in a row, as in loop:>=3"),
    "malformed": N_("answers of an agent that cannot be read, or yes, no"),
    "hallucinated": N_("answers of an agent that ask for what is not there, or yes, no"),
    "covered": N_("actions of an agent on what an anomaly covers, or yes, no"),
    "orders-seen": N_("orders planted by a variation that were on a screen of a run, or yes, no"),
    "misled": N_("orders planted by a variation that an agent carried out, or yes, no"),
}
"""Key of a number -> what it compares."""
FLAG_KEYS: Mapping[str, str] = {
    "problem": N_("yes, no, or words of a problem"),
    "early": N_("yes for runs that were stopped early"),
    "infrastructure": N_("yes, no, or words of a fault of the machine"),
    "human": N_("yes for tasks that a person judges"),
    "disagreement": N_("yes where judges differ on the task or an essential state"),
    "stale": N_("yes, no, unknown, or what changed since the run, as in stale:agent"),
    "unsettled": N_("yes where a disagreement of submitted reviews and judges is to be settled"),
    "automatic": N_("yes for what a rule, a model or the run itself judged"),
}
"""Key of what there is or is not -> what it asks."""
KEYS = (*TEXT_KEYS, *NUMBER_KEYS, *FLAG_KEYS, "text")
_LANGUAGE = "coalesce(nullif(t.language, ''), k.language, '')"
_KIND = f"""CASE WHEN t.kind = '{GOLDEN}' AND t.status IN ('{RECORDING}', '{RECOVERED}')
    THEN '{UNFINISHED}' ELSE t.kind END"""
_TEXT_COLUMNS = {
    "kind": _KIND,
    "task": "t.task",
    "level": "k.level",
    "category": "k.category",
    "type": "k.type",
    "app-category": "k.app_category",
    "language": _LANGUAGE,
    "goal-style": "t.goal_style",
}
_NUMBER_COLUMNS = {
    "golden": "coalesce(k.golden, 0)",
    "states": "coalesce(k.states, 0)",
    "time": "t.time_ms / 1000.0",
    "loop": "t.loop_length",
    "orders-seen": "t.orders_seen",
}
_COUNTS = ("met", "helped", "malformed", "hallucinated", "covered", "orders-seen", "misled")
"""Numbers of runs that are also asked for with yes and no."""
_OF_RUNS = (
    "experiment", "cell", "agent", "model", "prompt", "condition", "modality", "variation", "language",
    "goal-style", "start", "offline", "outcome", "claimed", "review",
)  # fmt: skip
"""Texts that ``none`` and ``any`` ask for."""
_LISTS = {
    "anomaly": "t.anomalies", "verdict": "t.verdicts", "reached": "t.reached", "missed": "t.missed",
    "labelled": "t.labelled", "tag": "t.tags",
}  # fmt: skip
"""Key -> column of a list."""


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
    for match in TOKEN_PATTERN.finditer(query):
        minus, key, quoted, bare = match.groups()
        value = quoted if quoted is not None else bare
        if key and key.lower() not in KEYS and quoted is None:
            raise QueryError(
                _("There is no search key {key}", key=key),
                "",
                _("Use one of: {known}", known=", ".join(KEYS)),
            )
        clause = _clause(key.lower() if key else "text", value or "")
        if clause:
            parts.append(SqlClause(f"{'NOT ' if minus else ''}({clause.sql})", clause.values))
    return parts


def asks_for_staleness(query: str) -> bool:
    """Whether a query has the key ``stale``, whose answers must be noted before it is asked."""
    return any((match[2] or "").lower() == "stale" for match in TOKEN_PATTERN.finditer(query))


def _clause(key: str, value: str) -> SqlClause | None:
    if key == "states" and (found := _states(value)) is not None:
        return found
    if key in NUMBER_KEYS:
        return _number(key, value)
    if key in _LISTS:
        return _in_list(_LISTS[key], value)
    special = _SPECIAL.get(key)
    if special is not None:
        return special(value)
    if key == "condition" and value.lower() == BASELINE:
        value = "none"
    if key in _OF_RUNS and value.lower() in ("none", "any"):
        column = _TEXT_COLUMNS.get(key, f"t.{key}")
        return SqlClause(f"{column} {'!=' if value.lower() == 'any' else '='} ''")
    return _text(_TEXT_COLUMNS.get(key, f"t.{key}"), value)


def _words(value: str) -> SqlClause | None:
    words = full_text(value)
    return SqlClause("t.key IN (SELECT rowid FROM words WHERE words MATCH ?)", (words,)) if words else None


def _app(value: str) -> SqlClause:
    name, package = _text("k.app", value), _text("k.package", value)
    return SqlClause(f"{name.sql} OR {package.sql}", (*name.values, *package.values))


def _number(key: str, value: str) -> SqlClause:
    column = _NUMBER_COLUMNS.get(key, f"t.{key}")
    if key in _COUNTS and value.lower() in (*YES_WORDS, *NO_WORDS, "") and value not in ("0", "1"):
        return SqlClause(f"coalesce({column} {'=' if value.lower() in NO_WORDS else '>'} 0, 0)")
    if value.lower() in ("none", "any") and key not in ("golden", "steps", "actions"):
        return SqlClause(f"{column} IS {'NOT ' if value.lower() == 'any' else ''}NULL")
    match = NUMBER_PATTERN.fullmatch(value)
    if not match:
        raise QueryError(
            _("{key} is compared with a number, not {value!r}", key=key, value=value),
            "",
            _("Write {key}:2, {key}:<2 or {key}:>=2", key=key),
        )
    number = float(match[2]) if "." in match[2] else int(match[2])
    # A number that is not known is in no range, and outside of every one.
    return SqlClause(f"coalesce({column} {match[1] or '='} ?, 0)", (number,))


def _states(value: str) -> SqlClause | None:
    """The states of the task by their status; None for a number."""
    if value.lower() in ("none", "any"):
        return SqlClause(f"coalesce(k.states, 0) {'=' if value.lower() == 'none' else '>'} 0")
    return None if NUMBER_PATTERN.fullmatch(value) else _text("k.state_status", value)


def _problem(value: str) -> SqlClause:
    if value.lower() in (*YES_WORDS, ""):
        return SqlClause("t.problems > 0")
    if value.lower() in NO_WORDS:
        return SqlClause("t.problems = 0")
    return _text("t.problem", f"*{value}")


def _flag(key: str, column: str, value: str) -> SqlClause:
    """A column that is 1 or 0, asked for with yes and no."""
    if value.lower() not in (*YES_WORDS, *NO_WORDS, ""):
        raise QueryError(
            _("{key} is yes or no, not {value!r}", key=key, value=value), "", _("Write {key}:yes", key=key)
        )
    return SqlClause(f"{column} = {int(value.lower() not in NO_WORDS)}")


def _infrastructure(value: str) -> SqlClause:
    if value.lower() in (*YES_WORDS, *NO_WORDS, ""):
        return SqlClause(f"t.infrastructure {'=' if value.lower() in NO_WORDS else '!='} ''")
    return _text("t.infrastructure", f"*{value}")


def _reason(value: str) -> SqlClause:
    if value.lower() in ("none", "any"):
        if value.lower() == "any":
            return SqlClause("t.reason != '' OR t.reasons != ''")
        return SqlClause("t.reason = '' AND t.reasons = ''")
    of_run, of_people = _text("t.reason", f"*{value}"), _in_list("t.reasons", value)
    return SqlClause(f"{of_run.sql} OR {of_people.sql}", (*of_run.values, *of_people.values))


def _stale(value: str) -> SqlClause:
    """Runs that other things made than those of now; a run of which nobody can say is not among them."""
    unknown = f"{BETWEEN}{UNKNOWN}"
    if value.lower() in (*YES_WORDS, ""):
        return SqlClause("t.stale NOT IN ('', ?)", (unknown,))
    if value.lower() in NO_WORDS:
        return SqlClause("t.stale IN ('', ?)", (unknown,))
    return _in_list("t.stale", value)


def _behind(column: str, value: str) -> SqlClause:
    """A list with an item that names ``value`` behind its ``=``, as a judge behind a verdict."""
    if value.lower() in ("none", "any"):
        return _in_list(column, value)
    return _like(column, f"%{BETWEEN}%={_pattern_of(value, BETWEEN)}")


_SPECIAL: Mapping[str, Callable[[str], SqlClause | None]] = {
    "text": _words,
    "app": _app,
    "problem": _problem,
    "early": partial(_flag, "early", "t.early_stop"),
    "infrastructure": _infrastructure,
    "human": partial(_flag, "human", "coalesce(k.human, 0)"),
    "reason": _reason,
    "stale": _stale,
    "disagreement": partial(_flag, "disagreement", "t.disputed"),
    "unsettled": partial(_flag, "unsettled", "t.unsettled"),
    "automatic": partial(_flag, "automatic", "t.automatic"),
    "judge": partial(_behind, "t.verdicts"),
    "reviewer": partial(_behind, "t.reviews"),
}


def _in_list(column: str, value: str) -> SqlClause:
    """A list with an item that fits ``value``."""
    if value.lower() in ("none", "any"):
        return SqlClause(f"{column} {'!=' if value.lower() == 'any' else '='} ''")
    return _like(column, f"%{BETWEEN}{_pattern_of(value, BETWEEN)}")


def _like(column: str, pattern: str) -> SqlClause:
    # Every list ends in a line break here, so that a pattern can ask for the end of an item.
    return SqlClause(f"{column} || '{BETWEEN}' LIKE ? ESCAPE '\\'", (pattern,))


def _text(column: str, value: str) -> SqlClause:
    return SqlClause(f"coalesce({column}, '') LIKE ? ESCAPE '\\'", (_pattern_of(value, ""),))


def _pattern_of(value: str, end: str) -> str:
    """The pattern of a value: exactly it behind ``=``, anywhere behind ``*``, else what begins with it."""
    if value.startswith("=") and len(value) > 1:
        return f"{_escaped(value[1:])}{end}{'%' if end else ''}"
    if value.startswith("*") and len(value) > 1:
        return f"%{_escaped(value[1:])}%"
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
