"""Cancel long computations: whoever starts one says how it is cancelled, and its loops ask.

A job, an episode or a test begins a computation with :func:`cancellable`. Loops over screens, rules and
conditions call :func:`check_cancelled`, however deep they are. Each thread has its own computation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

CancelCheck = Callable[[], bool] | None
"""Returns True when the work should stop; None = never."""


class Cancelled(Exception):  # noqa: N818 - what happened, not what went wrong
    """The work was cancelled."""


_current: ContextVar[CancelCheck] = ContextVar("cancelled", default=None)


@contextmanager
def cancellable(cancelled: CancelCheck) -> Iterator[None]:
    """Let the loops within ask ``cancelled``; None leaves what they asked before."""
    token = _current.set(cancelled or _current.get())
    try:
        yield
    finally:
        _current.reset(token)


def check_cancelled() -> None:
    """Raises Cancelled when the computation of this thread is no longer wanted."""
    cancelled = _current.get()
    if cancelled is not None and cancelled():
        raise Cancelled
