"""Run the studio as a child process and query it over its local socket."""

from __future__ import annotations

import contextlib
import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from PySide6.QtNetwork import QLocalSocket

from collector.host.own_program import python_command
from collector.host.programs import start_program
from collector.host.quit_deadline import LONGEST_S, QUIT_S
from collector.model.i18n import _
from studio.app.demo.errors import TourError
from studio.app.logs import ENDED_LATE
from studio.app.single_instance import socket_name

_START_S = 60.0
_END_S = LONGEST_S + 15.0
_ANSWER_MS = 30_000
_INTERVAL_S, _LONGEST_INTERVAL_S = 0.03, 0.2
_WAITED_SHARE = 0.2
"""The part of the time waited so far that passes before the next question: an answer takes 10 ms and more."""


class StudioProcess:
    """A running window. The constructor waits until it answers; the end of ``with`` closes it."""

    def __init__(
        self, command: list[str], environment: dict[str, str], home: Path, folder: Path | None = None
    ) -> None:
        """``command`` holds the arguments of the interpreter; ``home`` is the folder of settings and logs.

        ``folder`` is its current folder, by default one of this account.
        """
        self.ended_late = False
        """Whether it is closed, and the deadline of quitting had to end it."""
        self._log = (home / "program.log").open("ab")
        self._process = start_program(
            [*python_command(), *command],
            stdout=self._log,
            stderr=self._log,
            folder=folder,
            variables=environment,
        )
        self._socket = QLocalSocket()
        self._connect(socket_name(home / "state"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        # The first error says more than a bad exit status after it.
        with contextlib.suppress(*([TourError] if error else [])):
            self.close()

    def _connect(self, name: str) -> None:
        limit = time.monotonic() + _START_S
        while time.monotonic() < limit:
            self._check_alive()
            self._socket.connectToServer(name)
            if self._socket.waitForConnected(200):
                return
            time.sleep(_INTERVAL_S)
        raise TourError(_("The window did not open"), to_do=_("See {path}", path=self._log.name))

    def _check_alive(self) -> None:
        if self._process.poll() is not None:
            raise TourError(
                _("The program ended with code {code}", code=self._process.returncode),
                to_do=_("See {path}", path=self._log.name),
            )

    def ask(self, question: str) -> Any:
        """Answer of the program to a question of :mod:`studio.app.window_inspector`."""
        return self._request({"ask": question})

    def raise_window(self) -> None:
        """Bring the window to the front, as a second start of the program does."""
        self._request({"raise": True})

    def run(self, command: str, **arguments: str) -> None:
        """Run a command of the window, as a key press does."""
        self._request({"run": command, "arguments": arguments})

    def _request(self, request: dict[str, object]) -> Any:
        self._socket.write(json.dumps(request).encode() + b"\n")
        self._socket.flush()
        while not self._socket.canReadLine():
            if not self._socket.waitForReadyRead(_ANSWER_MS):
                self._check_alive()
                raise TourError(_("The window does not answer any more"))
        answer = json.loads(bytes(self._socket.readLine().data()))
        if "error" in answer:
            raise TourError(str(answer["error"]))
        return answer["result"]

    def wait(self, question: str, condition: Callable[[Any], Any], what: str, seconds: float) -> Any:
        """Ask until ``condition(answer)`` is true and return its value. Raises TourError when time is up."""
        began = time.monotonic()
        while True:
            value = condition(self.ask(question))
            if value:
                return value
            waited = time.monotonic() - began
            if waited > seconds:
                raise TourError(_("In {seconds:.0f} s there was never {what}", seconds=seconds, what=what))
            time.sleep(min(max(_INTERVAL_S, waited * _WAITED_SHARE), _LONGEST_INTERVAL_S))

    def close(self) -> None:
        """Terminate the program as Ctrl+C does. Raises TourError when it does not exit with 0.

        On a machine that others load, the deadline of quitting may end it: ``ended_late`` says so then.
        """
        self._socket.abort()
        if self._process.poll() is None:
            self._process.terminate()
        asked = time.monotonic()
        try:
            code = self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise TourError(_("The window did not close")) from None
        finally:
            self._log.close()
        # Ended from outside of Python it says nothing any more.
        is_late = time.monotonic() - asked >= QUIT_S and code == 1
        said = Path(self._log.name).read_text("utf-8", errors="replace")
        self.ended_late = is_late or _(ENDED_LATE) in said
        if code != 0 and not self.ended_late:
            raise TourError(
                _("The program ended with code {code}", code=code), to_do=_("See {path}", path=self._log.name)
            )
