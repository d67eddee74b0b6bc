"""How many requests and tokens a minute one endpoint gets from this process, whichever thread asks."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from collector.device.errors import CallCancelled

MINUTE_S = 60.0
_LONGEST_WAIT_S = 0.5
"""So long is waited before the limits are looked at again: another thread may have asked meanwhile."""


class RateLimits:
    """Lets requests through so that no minute has more requests or tokens than allowed. Thread-safe.

    The tokens of an answer are known only afterwards: a request that is on its way counts as the mean of the
    answers so far.
    """

    def __init__(
        self, requests: int = 0, tokens: int = 0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``requests`` and ``tokens`` a minute; 0 for no limit. ``clock`` gives seconds."""
        self._requests, self._tokens, self._clock = requests, tokens, clock
        self._sent: deque[list[float]] = deque()
        """Of each request of the last minute: when it was sent, and its tokens."""
        self._answered, self._counted = 0, 0.0
        self._lock = threading.Lock()

    def wait(self, cancel: threading.Event) -> Callable[[int], None]:
        """Wait until a request may be sent, and count it.

        Returns what is to be called with the number of tokens of its answer. Raises CallCancelled once
        ``cancel`` is set.
        """
        while True:
            if cancel.is_set():
                raise CallCancelled
            with self._lock:
                seconds = self._seconds()
                if seconds <= 0:
                    return self._count()
            cancel.wait(min(seconds, _LONGEST_WAIT_S))

    def _seconds(self) -> float:
        """Seconds until the next request may be sent; 0 for now."""
        now = self._clock()
        while self._sent and now - self._sent[0][0] >= MINUTE_S:
            self._sent.popleft()
        waits = [0.0]
        if self._requests and len(self._sent) >= self._requests:
            waits.append(self._sent[-self._requests][0] + MINUTE_S - now)
        if self._tokens and self._sent:
            left = self._tokens - self._mean()
            counted = sum(tokens for _at, tokens in self._sent)
            for at, tokens in self._sent:
                if counted <= left:
                    break
                counted -= tokens
                waits.append(at + MINUTE_S - now)
        return max(waits)

    def _mean(self) -> float:
        return self._counted / self._answered if self._answered else 0.0

    def _count(self) -> Callable[[int], None]:
        if not (self._requests or self._tokens):
            return lambda _tokens: None  # nothing is limited, and nothing need be remembered
        request = [self._clock(), self._mean()]
        self._sent.append(request)

        def answered(tokens: int) -> None:
            with self._lock:
                request[1] = float(tokens)
                self._answered += 1
                self._counted += tokens

        return answered


_shared: dict[tuple[str, str, int, int], RateLimits] = {}
_lock = threading.Lock()


def shared_limits(origin: str, model: str, requests: int, tokens: int) -> RateLimits:
    """The limits that all who ask a model of one endpoint in this process share."""
    with _lock:
        return _shared.setdefault((origin, model, requests, tokens), RateLimits(requests, tokens))
