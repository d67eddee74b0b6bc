"""Episode, outcome and agent's turn as mappings of ``trajectory.json`` and ``steps.jsonl``, and back.

The readers raise ValueError, TypeError, AttributeError or OverflowError on a value of the wrong kind; the
codec of the whole file turns them into one sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collector.model.action import action_from_dict, action_to_dict
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.verdicts.judgement import TASK, VERDICTS
from collector.store.trajectory.usage_codec import USAGE_KEYS, integer_or_none, usage_from_dict, usage_to_dict

_EPISODE_TEXTS = (
    "experiment", "cell", "agent", "model", "prompt", "condition", "modality", "variation", "language",
    "goal_style", "start", "offline",
)  # fmt: skip
_EPISODE_NUMBERS = ("buttons", "seed", "repeat", "attempt")
_EPISODE_KEYS = frozenset((*_EPISODE_TEXTS, *_EPISODE_NUMBERS))
_OUTCOME_TEXTS = ("status", "reason", "claimed", "infrastructure")
_OUTCOME_KEYS = frozenset((*_OUTCOME_TEXTS, "early_stop", "stopped", *USAGE_KEYS))
_TURN_KEYS = frozenset(("thought", "raw", "predicted", "timings_ms", *USAGE_KEYS))


def episode_to_dict(episode: Episode) -> dict[str, Any]:
    """The mapping of an episode in the documented order; what is not known is left out."""
    names = (
        "experiment", "cell", "agent", "model", "prompt", "condition", "modality", "buttons", "variation",
        "language", "goal_style", "start", "offline", "seed", "repeat", "attempt",
    )  # fmt: skip
    known = {name: getattr(episode, name) for name in names if getattr(episode, name) not in ("", None)}
    return {**known, **_unknown(episode.extra, _EPISODE_KEYS)}


def episode_from_dict(values: Mapping[str, Any]) -> Episode:
    """The episode a mapping describes."""
    known: dict[str, Any] = {
        **{name: str(values[name]) for name in _EPISODE_TEXTS if values.get(name) is not None},
        **{name: integer_or_none(values.get(name)) for name in _EPISODE_NUMBERS},
    }
    return Episode(**known, extra=_unknown(values, _EPISODE_KEYS))


def outcome_to_dict(outcome: Outcome) -> dict[str, Any]:
    """The mapping of an outcome."""
    return {
        "status": outcome.status,
        "reason": outcome.reason,
        "claimed": outcome.claimed,
        "early_stop": outcome.early_stop,
        "infrastructure": outcome.infrastructure,
        **({"stopped": True} if outcome.stopped else {}),
        **usage_to_dict(outcome.usage),
        **_unknown(outcome.extra, _OUTCOME_KEYS),
    }


def outcome_from_dict(values: Mapping[str, Any]) -> Outcome:
    """The outcome a mapping describes."""
    texts = {name: str(values[name]) for name in _OUTCOME_TEXTS if values.get(name) is not None}
    if texts.get("status") not in (None, "", *VERDICTS[TASK]):
        raise ValueError(f"no outcome: {texts['status']!r} (expected {', '.join(VERDICTS[TASK])})")
    return Outcome(
        **texts,
        early_stop=bool(values.get("early_stop", False)),
        stopped=bool(values.get("stopped", False)),
        usage=usage_from_dict(values),
        extra=_unknown(values, _OUTCOME_KEYS),
    )


def turn_to_dict(turn: AgentTurn) -> dict[str, Any]:
    """The mapping of an agent's turn; what is not known is left out."""
    values = {
        "thought": turn.thought,
        "raw": turn.raw,
        "predicted": action_to_dict(turn.predicted) if turn.predicted is not None else None,
        **usage_to_dict(turn.usage),
        "timings_ms": dict(turn.timings_ms),
    }
    known = {key: value for key, value in values.items() if value not in ("", None, {})}
    return {**known, **_unknown(turn.extra, _TURN_KEYS)}


def turn_from_dict(values: Mapping[str, Any]) -> AgentTurn:
    """The agent's turn a mapping describes."""
    predicted = values.get("predicted")
    return AgentTurn(
        thought=str(values.get("thought") or ""),
        raw=str(values.get("raw") or ""),
        predicted=action_from_dict(predicted) if predicted else None,
        usage=usage_from_dict(values),
        timings_ms={str(name): int(time) for name, time in (values.get("timings_ms") or {}).items()},
        extra=_unknown(values, _TURN_KEYS),
    )


def _unknown(values: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key not in known}
