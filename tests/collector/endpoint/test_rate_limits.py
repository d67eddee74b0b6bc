"""No minute has more requests or tokens than allowed, whatever the order of questions and answers."""

from __future__ import annotations

import threading
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.device.errors import CallCancelled
from collector.endpoint.endpoint_options import read_endpoint
from collector.endpoint.rate_limits import MINUTE_S, RateLimits


class Clock(threading.Event):
    """A clock that waiting moves on; an event that is never set."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout
        self.now += timeout
        return False


@given(
    limit=st.integers(1, 4), tokens=st.integers(0, 300), sizes=st.lists(st.integers(0, 200), max_size=12),
    pause=st.floats(0, 40),
)  # fmt: skip
def test_no_minute_has_more_requests_or_tokens_than_allowed(limit, tokens, sizes, pause):
    clock = Clock()
    limits = RateLimits(limit, tokens, clock)
    sent = []
    for size in sizes:
        answered = limits.wait(clock)
        sent.append((clock.now, size))
        answered(size)
        clock.now += pause
    for at, _size in sent:
        minute = [size for when, size in sent if at - MINUTE_S + 1e-6 < when <= at]
        assert len(minute) <= limit
        # The answer that goes over the limit cannot be known before; the next request waits for it.
        assert not tokens or sum(minute[:-1]) <= tokens


def test_a_request_on_its_way_counts_as_the_mean_of_the_answers():
    clock = Clock()
    limits = RateLimits(tokens=100, clock=clock)
    limits.wait(clock)(60)
    limits.wait(clock)(40)  # 60 + 60 would be more than 100: it waited
    assert clock.now == MINUTE_S
    limits.wait(clock)
    assert clock.now == MINUTE_S


def test_a_wait_is_cancelled():
    limits, cancel = RateLimits(1), threading.Event()
    limits.wait(cancel)
    cancel.set()
    with pytest.raises(CallCancelled):
        limits.wait(cancel)


def test_all_who_ask_one_model_share_its_limits():
    options = {"model": "m", "base_url": "http://127.0.0.1:9/v1", "requests_per_minute": 7}
    assert read_endpoint(options).limits is read_endpoint(options).limits
    assert read_endpoint(options).limits is not read_endpoint({**options, "model": "other"}).limits


def test_nothing_is_remembered_where_nothing_is_limited():
    limits, clock = RateLimits(clock=lambda: 0.0), Clock()
    tracemalloc.start()
    try:
        for _number in range(1_000):
            limits.wait(clock)(1_000)
        size, _most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size < 5_000
