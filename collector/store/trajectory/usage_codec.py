"""Tokens, cost and time as the keys ``tokens``, ``cost``, ``currency`` and ``time_ms``, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collector.model.usage import Usage

USAGE_KEYS = ("tokens", "cost", "currency", "time_ms")


def usage_to_dict(usage: Usage) -> dict[str, Any]:
    """The keys of what was reported; the others are left out."""
    counts = {"input": usage.input_tokens, "output": usage.output_tokens}
    tokens = {name: count for name, count in counts.items() if count is not None}
    values = {
        "tokens": tokens,
        "cost": usage.cost,
        "currency": usage.currency,
        "time_ms": usage.time_ms,
    }
    return {key: value for key, value in values.items() if value or value not in (None, "", {})}


def usage_from_dict(values: Mapping[str, Any]) -> Usage:
    """The usage that ``values`` describe; other keys are ignored.

    Raises ValueError, TypeError, AttributeError or OverflowError on a value of the wrong kind.
    """
    tokens, cost = values.get("tokens") or {}, values.get("cost")
    return Usage(
        integer_or_none(tokens.get("input")),
        integer_or_none(tokens.get("output")),
        None if cost is None else float(cost),
        str(values.get("currency") or ""),
        integer_or_none(values.get("time_ms")),
    )


def integer_or_none(value: Any) -> int | None:
    """``value`` as an integer, None for None."""
    return None if value is None else int(value)
