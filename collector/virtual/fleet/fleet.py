"""Many virtual phones at once, started side by side."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

from collector.model.phone.phone_setup import PhoneSetup
from collector.virtual.fleet.phone_options import PhoneOptions
from collector.virtual.fleet.phone_process import READY_SECONDS, PhoneProcess


class Fleet:
    """Virtual phones, each a process of its own, from :meth:`start` to :meth:`stop`. Use it as a context."""

    def __init__(self) -> None:
        self._phones: list[PhoneProcess] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def phones(self) -> tuple[PhoneProcess, ...]:
        """The phones started and not stopped, in order of their start; their processes may have ended."""
        return tuple(self._phones)

    def start(
        self, options: Sequence[PhoneOptions], seconds: float = READY_SECONDS
    ) -> tuple[PhoneProcess, ...]:
        """Start a phone for each of ``options``, all at once, and return them when all answer.

        Raises UserError when one does not answer within ``seconds``; the others of the call are stopped.
        """
        started = [PhoneProcess(chosen) for chosen in options]
        deadline = time.monotonic() + seconds
        try:
            for phone in started:
                phone.start()
            for phone in started:
                phone.wait_ready(max(0.0, deadline - time.monotonic()))
        except BaseException:
            for phone in started:
                phone.stop()
            raise
        self._phones += started
        return tuple(started)

    def reset(self, setup: PhoneSetup | None = None, phones: Sequence[PhoneProcess] | None = None) -> None:
        """Reset ``phones``, or all, side by side; see :meth:`PhoneProcess.reset`.

        Raises UserError when one refuses or does not answer; the others are reset all the same.
        """
        chosen = self._phones if phones is None else phones
        with ThreadPoolExecutor(max(1, len(chosen)), "phone reset") as pool:
            results = [pool.submit(phone.reset, setup) for phone in chosen]
        for result in results:
            result.result()

    def restart(self, phone: PhoneProcess, seconds: float = READY_SECONDS) -> PhoneProcess:
        """Put a new process in the place of ``phone``, such as one that no longer answers, and return it."""
        index = self._phones.index(phone)
        phone.stop()
        renewed = PhoneProcess(phone.options)
        renewed.start()
        self._phones[index] = renewed
        renewed.wait_ready(seconds)
        return renewed

    def stop(self) -> None:
        """Stop all phones. May be called twice."""
        for phone in self._phones:
            phone.terminate()
        while self._phones:
            self._phones.pop().stop()
