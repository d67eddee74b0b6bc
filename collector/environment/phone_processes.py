"""The processes of a vector's phones: forked from one that has loaded everything, or programs."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from typing import IO, Any

from collector.environment.phone_nursery import CODE, LONGEST, PID, SECONDS
from collector.host.own_program import python_command
from collector.host.programs import Signals, start_program
from collector.host.sockets import message_pair
from collector.model.errors import UserError
from collector.model.i18n import _

_WORKER = "collector.environment.phone_worker"
_NURSERY = "collector.environment.phone_nursery"


class PhoneProcess(ABC):
    """One process: lines go to ``requests``, and come from ``answers`` and ``errors``."""

    def __init__(self, pid: int, requests: IO[bytes], answers: IO[bytes], errors: IO[bytes]) -> None:
        self.pid, self.requests, self.answers, self.errors = pid, requests, answers, errors

    @abstractmethod
    def wait(self, seconds: float) -> int | None:
        """Its exit code, negative for a signal; None when nobody knows. It is killed after ``seconds``."""

    def close(self) -> None:
        """Close the files. What is left in ``requests`` for a process that has ended is dropped."""
        for file in (self.requests, self.answers, self.errors):
            with contextlib.suppress(OSError):
                file.close()


class PhoneProcesses(ABC):
    """Starts the processes of phones. To be closed, once they have ended."""

    @abstractmethod
    def start(self) -> PhoneProcess:
        """Start one. Raises OSError, and UserError when it cannot be forked."""

    @abstractmethod
    def close(self) -> None:
        """End what starts them."""


def phone_processes() -> PhoneProcesses:
    """What starts phones on this system. Only Linux lets forked processes use all libraries."""
    return _ForkedPhones() if sys.platform.startswith("linux") else _StartedPhones()


# -- programs of their own ---------------------------------------------------
class _StartedPhone(PhoneProcess):
    def __init__(self, process: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        super().__init__(process.pid, process.stdin, process.stdout, errors)
        self._process = process

    def wait(self, seconds: float) -> int | None:
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


class _StartedPhones(PhoneProcesses):
    def start(self) -> PhoneProcess:
        errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        try:
            return _StartedPhone(_program(_WORKER, errors), errors)
        except OSError:
            errors.close()
            raise

    def close(self) -> None:
        """Nothing is left."""


# -- forked ------------------------------------------------------------------
class _ForkedPhone(PhoneProcess):
    def __init__(self, nursery: _Nursery, pid: int, requests: int, answers: int, errors: IO[bytes]) -> None:
        super().__init__(pid, os.fdopen(requests, "wb"), os.fdopen(answers, "rb"), errors)
        self._nursery = nursery
        self._ended: dict[str, Any] | None = None

    def wait(self, seconds: float) -> int | None:
        if self._ended is None:  # nobody can wait for a process twice
            self._ended = self._nursery.ask({PID: self.pid, SECONDS: seconds})
        return self._ended.get(CODE)


class _ForkedPhones(PhoneProcesses):
    def __init__(self) -> None:
        self._nursery: _Nursery | None = None

    def start(self) -> PhoneProcess:
        if self._nursery is None or not self._nursery.is_alive:
            self.close()
            self._nursery = _Nursery()
        with contextlib.ExitStack() as theirs, contextlib.ExitStack() as undo:
            # Both ends of a pipe close in this process, one at once and the other on a failure.
            reads, requests = os.pipe()
            theirs.callback(os.close, reads)
            undo.callback(os.close, requests)
            answers, writes = os.pipe()
            theirs.callback(os.close, writes)
            undo.callback(os.close, answers)
            errors = undo.enter_context(tempfile.TemporaryFile())
            answer = self._nursery.ask({}, [reads, writes, errors.fileno()])
            if PID not in answer:
                raise UserError(
                    _("No phone could be started"), self._nursery.report(),
                    _("Free some memory, and make the vector again"),
                )  # fmt: skip
            undo.pop_all()
        return _ForkedPhone(self._nursery, answer[PID], requests, answers, errors)

    def close(self) -> None:
        if self._nursery is not None:
            self._nursery.close()
            self._nursery = None


class _Nursery:
    """The process that forks phones, seen from here."""

    def __init__(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - close() closes it
        self._socket, far = message_pair()
        with far:
            try:
                self._process = _program(_NURSERY, self._errors, far)
            except OSError:
                self._socket.close()
                self._errors.close()
                raise

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, request: dict[str, Any], descriptors: list[int] | None = None) -> dict[str, Any]:
        """The answer to a request; empty when the process has ended."""
        try:
            socket.send_fds(self._socket, [json.dumps(request).encode()], descriptors or [])
            answer = self._socket.recv(LONGEST)
        except OSError:
            return {}
        found: dict[str, Any] = json.loads(answer) if answer else {}
        return found

    def report(self) -> str:
        return last_line(self._errors)

    def close(self) -> None:
        self._socket.close()
        self._process.wait()  # it has nothing to do but to read that
        self._errors.close()


def last_line(errors: IO[bytes]) -> str:
    """The last line that a process wrote as it ended; empty when it wrote none."""
    errors.seek(0)
    lines = errors.read(64 * 1024).decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""


def _program(module: str, errors: IO[bytes], far: socket.socket | None = None) -> subprocess.Popen[bytes]:
    """Start a module as a program that is asked by its standard input, or by a socket."""
    inherits = [far.fileno()] if far is not None else []
    pipe = subprocess.PIPE if far is None else subprocess.DEVNULL
    return start_program(
        [*python_command(), "-P", "-m", module, *map(str, inherits)], stdin=pipe, stdout=pipe, stderr=errors,
        signals=Signals.OWN_GROUP, inherits=inherits,
    )  # fmt: skip
