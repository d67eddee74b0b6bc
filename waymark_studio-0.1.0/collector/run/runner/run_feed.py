"""Events of a run on their way to the log, to those who watch from other processes, and to the terminal."""

from __future__ import annotations

import dataclasses
import logging
import threading
from collections.abc import Callable
from pathlib import Path

from collector.run.control.event_masking import masked_event
from collector.run.control.run_log import RunLog
from collector.run.control.run_server import RunServer
from collector.run.control.runner_output import hide_in_output
from collector.run.events import RunEvent, TextsHidden
from collector.store.redaction.secret_text import SecretTexts
from collector.store.trajectory.header_file import now

_log = logging.getLogger(__name__)


class RunFeed:
    """Publishes events in one order for all. Thread-safe; never waits for anybody who watches."""

    def __init__(
        self, log: RunLog, server: RunServer, listener: Callable[[RunEvent], None], output: Path
    ) -> None:
        """``listener`` is called on the thread that publishes, with one event at a time.

        ``output`` is the file that this program may print to; see
        :mod:`collector.run.control.runner_output`.
        """
        self._log, self._server, self._listener, self._output = log, server, listener, output
        self._lock = threading.Lock()
        self._secrets = SecretTexts()

    def publish(self, event: RunEvent) -> None:
        """Tell everybody; an event without a time gets that of now. Hidden texts are masked for all."""
        with self._lock:
            if isinstance(event, TextsHidden):
                self._hide(event.texts)
                return
            timed = event if event.time else dataclasses.replace(event, time=now())
            timed = masked_event(timed, self._secrets)
            self._log.add(timed)
            self._server.publish(timed)
            try:
                self._listener(timed)
            except Exception:  # noqa: BLE001 - a terminal that is gone must not end the run
                _log.exception("a listener failed on %r", timed.kind)

    def _hide(self, texts: tuple[str, ...]) -> None:
        if self._secrets.add(*texts):
            self._log.hide(self._secrets)
            self._server.hide(self._secrets)
            hide_in_output(self._output, self._secrets)
