"""Numbers as people read them, rounded half up from the exact fraction, as papers round."""

from __future__ import annotations

import math
from fractions import Fraction

from collector.metrics.measure import Unit
from collector.metrics.report_cell import ReportCell
from collector.model.i18n import _

NOTHING = "-"
"""Where nothing was counted."""
_DECIMALS = {
    Unit.PERCENT: 1, Unit.RATIO: 2, Unit.NUMBER: 1, Unit.COUNT: 0, Unit.SECONDS: 1, Unit.MONEY: 4,
    Unit.P_VALUE: 3,
}  # fmt: skip
_DIGITS = 12
_WITHOUT_COUNTS = (Unit.COUNT, Unit.P_VALUE)


def value_text(number: ReportCell, unit: Unit) -> str:
    """The value alone: ``85.5`` for a share of 0.855."""
    if number.value is None:
        return NOTHING
    if unit is Unit.PERCENT and number.hits is not None and number.count:
        return _rounded(Fraction(number.hits * 100, number.count), _DECIMALS[unit])
    return amount_text(number.value, unit)


def amount_text(value: float, unit: Unit) -> str:
    """A value of which no numerator is known, such as the end of an interval."""
    if unit is Unit.P_VALUE and value < 0.001:
        return "< 0.001"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return _rounded(Fraction(repr(float(value))) * (100 if unit is Unit.PERCENT else 1), _DECIMALS[unit])


def interval_text(number: ReportCell, unit: Unit) -> str:
    """The 95 % interval: ``79.0 to 90.2``; empty without one."""
    if number.value is None or number.low is None or number.high is None:
        return ""
    return _("{low} to {high}", low=amount_text(number.low, unit), high=amount_text(number.high, unit))


def count_text(number: ReportCell) -> str:
    """What was counted: ``130/152``, or of how many a mean is, ``n=152``; empty where nothing was."""
    if not number.count:
        return ""
    return f"n={number.count}" if number.hits is None else f"{number.hits}/{number.count}"


def exported(value: float) -> float:
    """``value`` for another program: the twelve digits that are exact, without what rounding left behind.

    A count stays a whole number.
    """
    return value if isinstance(value, int) else float(f"{value:.{_DIGITS}g}")


def cell_text(number: ReportCell, unit: Unit, *, with_intervals: bool = True) -> str:
    """The value with its interval and what was counted: ``85.5 (79.0 to 90.2) 130/152``."""
    value = value_text(number, unit)
    if not with_intervals:
        return value
    interval = interval_text(number, unit)
    count = "" if unit in _WITHOUT_COUNTS else count_text(number)
    return " ".join(filter(None, (value, interval and f"({interval})", count)))


def _rounded(exact: Fraction, decimals: int) -> str:
    """``exact`` to some decimals; a half goes away from zero."""
    scale = 10**decimals
    whole, rest = divmod(int(abs(exact) * scale * 2 + 1) // 2, scale)
    sign = "-" if exact < 0 and (whole or rest) else ""
    return f"{sign}{whole}.{rest:0{decimals}d}" if decimals else f"{sign}{whole}"
