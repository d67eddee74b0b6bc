"""The budgets of single measurements: what is over one fails, or is reported where the machine is busy."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

REPORT = "BENCH_REPORT"
"""An environment variable: with a value, what is over its budget is reported and no failure."""


@pytest.fixture
def within(benchmark: BenchmarkFixture) -> Callable[[float], None]:
    """``within(seconds)``: the median of what was measured has to be at most so long."""

    def check(seconds: float) -> None:
        median = benchmark.stats.stats.median
        over = f"{benchmark.name}: {median * 1000:.3g} ms, over its budget of {seconds * 1000:g} ms"
        if median <= seconds:
            return
        if not os.environ.get(REPORT):
            pytest.fail(over, pytrace=False)
        warnings.warn(over, stacklevel=2)

    return check
