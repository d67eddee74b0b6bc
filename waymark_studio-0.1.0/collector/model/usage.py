"""What a model's answers took: tokens, money and time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """Sums over one or more answers; None where it was not reported."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    """In ``currency``."""
    currency: str = ""
    """ISO 4217, such as ``USD``."""
    time_ms: int | None = None

    def __add__(self, other: Usage) -> Usage:
        """The sum. Raises ValueError when the costs are in two currencies."""
        if self.currency and other.currency and self.currency != other.currency:
            raise ValueError(f"costs in {self.currency} and {other.currency} have no sum")
        cost = None if self.cost is None and other.cost is None else (self.cost or 0.0) + (other.cost or 0.0)
        return Usage(
            _sum(self.input_tokens, other.input_tokens),
            _sum(self.output_tokens, other.output_tokens),
            cost,
            self.currency or other.currency,
            _sum(self.time_ms, other.time_ms),
        )


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None and second is None else (first or 0) + (second or 0)
