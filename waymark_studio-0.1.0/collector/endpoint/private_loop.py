"""An event loop of its own for a thread that waits for a model or a program, and can be told to stop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from collector.device.errors import CallCancelled

_CHECK_S = 0.04
"""How often it is checked whether the caller was cancelled."""
_CLEAN_UP_S = 1.0
_Result = TypeVar("_Result")


class PrivateLoop:
    """Runs one coroutine at a time and ends it when it takes too long or is cancelled.

    Created without a loop, so that whoever owns it can be pickled before its first use.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(
        self, work: Coroutine[Any, Any, _Result], seconds: float, cancel: threading.Event | None = None
    ) -> _Result:
        """Run ``work`` and return its result.

        Raises TimeoutError after ``seconds``, CallCancelled soon after ``cancel`` is set.
        """
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        return self._loop.run_until_complete(_guarded(work, seconds, cancel))

    def close(self) -> None:
        """Close the loop; a later call of ``run`` opens another."""
        loop, self._loop = self._loop, None
        if loop is None:
            return
        try:
            # Transports that were aborted are closed in the next rounds of the loop.
            loop.run_until_complete(asyncio.sleep(0))
            loop.run_until_complete(loop.shutdown_asyncgens())
        finally:
            loop.close()


async def _guarded(
    work: Coroutine[Any, Any, _Result], seconds: float, cancel: threading.Event | None
) -> _Result:
    loop = asyncio.get_running_loop()
    task, end = asyncio.ensure_future(work), loop.time() + seconds
    try:
        while not task.done():
            if cancel is not None and cancel.is_set():
                raise CallCancelled
            if (left := end - loop.time()) <= 0:
                raise TimeoutError
            await asyncio.wait({task}, timeout=min(left, _CHECK_S))
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=_CLEAN_UP_S)
