"""A program that speaks JSON lines: started, spoken with, and ended with everything that it started.

Nothing that it does can make the studio wait longer than it was told to, or fill its memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from collector.agents.agent_log import AgentLog
from collector.endpoint.private_loop import PrivateLoop
from collector.host.connected_program import start_connected
from collector.host.quit_deadline import before_sudden_end
from collector.model.i18n import _

MAX_LINE = 1_000_000
"""Bytes of the longest line that is read."""
_MAX_WAITING = 500
"""Lines that may wait to be read; a program that writes more is flooding."""
_MAX_NOISE = 2000
"""Lines that are no message, before one that is."""
_LOGGED_LINES, _LOGGED_CHARACTERS = 200, 500
_MASKED_CHARACTERS = 2000
"""Of a line that is longer the rest is dropped; it is cut for a person only once secrets are masked."""
_HINTED_LINES, _HINTED_CHARACTERS = 3, 120
"""What a fault quotes of the end of standard error."""
_END_S, _KILL_S = 1.0, 5.0
_Result = TypeVar("_Result")
_log = logging.getLogger(__name__)


class ProgramFault(Exception):  # noqa: N818 - a state of the program
    """The program cannot be spoken with any more; ``str()`` says why in a clause."""


class BrokenLine(Exception):  # noqa: N818 - a state of a line
    """A line that should be a message and cannot be read; ``raw`` is what came."""

    def __init__(self, why: str, raw: str) -> None:
        super().__init__(why)
        self.raw = raw


class AgentProgram:
    """One run of a program. All calls on one thread.

    After a ProgramFault only :meth:`end` makes sense.
    """

    def __init__(self, name: str, mask: Callable[[str], str], log: AgentLog) -> None:
        """``name`` is for the program's log, ``mask`` hides what must not get there.

        ``log`` keeps what the program writes beside its messages, as it is.
        """
        self._name, self._mask, self._kept = name, mask, log
        self._loop = PrivateLoop()
        self._transport: asyncio.SubprocessTransport | None = None
        self._pipes = _Pipes(self._note, mask)
        self._logged = 0
        self._forget: Callable[[], None] = lambda: None
        """Do not kill it any more when this process ends suddenly."""

    def start(self, command: Sequence[str], cwd: Path, env: Mapping[str, str], seconds: float) -> None:
        """Start it. Raises ProgramFault when the system refuses to."""
        try:
            self._loop.run(self._start(command, cwd, env), seconds)
        except TimeoutError:
            raise ProgramFault(_("it did not start within {seconds} s", seconds=f"{seconds:g}")) from None
        except (OSError, ValueError) as error:
            why = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise ProgramFault(_("it cannot be started ({why})", why=why)) from None

    def send(self, message: Mapping[str, Any], seconds: float, cancel: threading.Event | None = None) -> None:
        """Send a message and wait until the program has read it. Raises ProgramFault and CallCancelled."""
        self._run(self._send(message), seconds, cancel)

    def receive(
        self, seconds: float, allowed: float, cancel: threading.Event | None = None
    ) -> dict[str, Any]:
        """The next message. Raises ProgramFault, BrokenLine and CallCancelled.

        ``seconds`` are left of those that were ``allowed`` for an answer, and that a fault names.
        """
        self._logged = 0
        return self._run(self._receive(), seconds, cancel, allowed)

    def ask(
        self, message: Mapping[str, Any], seconds: float, cancel: threading.Event | None = None
    ) -> dict[str, Any]:
        """Send a message and return the next one that comes, which may come before all of it was read."""
        self._logged = 0
        return self._run(self._ask(message), seconds, cancel)

    def has_ended(self) -> bool:
        """Whether it ended by itself since the last call."""
        self._loop.run(self._pipes.exited(0.02), 1)
        return self._pipes.has_exited

    def note(self, text: str) -> None:
        """Write a text of the program to the log."""
        for line in text.splitlines():
            self._note(line.encode("utf-8", "replace"))

    def end(self, farewell: Mapping[str, Any] | None = None) -> None:
        """End the program and all that it started; one that does not go by itself is killed.

        ``farewell`` is sent first, while it can still be spoken with.
        """
        transport, self._transport = self._transport, None
        if transport is not None:
            try:
                self._loop.run(self._end(transport, farewell), _END_S + 2 * _KILL_S)
            except TimeoutError:
                _log.warning("the program of the agent %s does not end", self._name)
        self._loop.close()

    # -- on the loop ---------------------------------------------------------
    def _run(
        self, work: Coroutine[Any, Any, _Result], seconds: float, cancel: threading.Event | None,
        allowed: float = 0.0,
    ) -> _Result:  # fmt: skip
        try:
            return self._loop.run(work, seconds, cancel)
        except TimeoutError:
            raise ProgramFault(
                _("it did not answer within {seconds} s", seconds=f"{allowed or seconds:g}")
                + self._pipes.hint()
            ) from None

    async def _start(self, command: Sequence[str], cwd: Path, env: Mapping[str, str]) -> None:
        transport = await start_connected(lambda: self._pipes, command, cwd, env)
        self._transport = transport
        self._forget = before_sudden_end(partial(_kill, transport))

    async def _ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        await self._write(message)
        return await self._receive()

    async def _send(self, message: Mapping[str, Any]) -> None:
        await self._write(message)
        await self._pipes.written()

    async def _write(self, message: Mapping[str, Any]) -> None:
        line = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        pipe = self._transport.get_pipe_transport(0) if self._transport is not None else None
        if pipe is None or pipe.is_closing():
            raise ProgramFault(await self._pipes.ending())
        cast(asyncio.WriteTransport, pipe).write(line)

    async def _receive(self) -> dict[str, Any]:
        for _number in range(_MAX_NOISE):
            line = await self._pipes.line()
            if line.lstrip()[:1] == b"{":
                return _message(line)
            if line.strip():
                self._pipes.noise = line[:80].decode("utf-8", "replace").strip()
                self._note(line)
        raise ProgramFault(_("it writes lines without an end that are no messages") + self._pipes.hint())

    async def _end(self, transport: asyncio.SubprocessTransport, farewell: Mapping[str, Any] | None) -> None:
        self._transport = transport
        try:
            if farewell is not None:
                with contextlib.suppress(ProgramFault):
                    await self._write(farewell)
            pipe = transport.get_pipe_transport(0)
            if pipe is not None:
                cast(asyncio.WriteTransport, pipe).close()
            if farewell is not None:
                await self._pipes.exited(_END_S)
        finally:
            self._transport = None
            _kill(transport)
            self._forget()
            await self._pipes.exited(_KILL_S)
            transport.close()

    def _note(self, line: bytes) -> None:
        """Write a line of the program to the log, no more than a few hundred a step."""
        self._logged += 1
        text = line[:_MASKED_CHARACTERS].decode("utf-8", "replace").rstrip()
        self._kept.add(text)
        if self._logged <= _LOGGED_LINES:
            _log.info("%s: %s", self._name, self._mask(text)[:_LOGGED_CHARACTERS])


def _message(line: bytes) -> dict[str, Any]:
    shown = line[:10_000].decode("utf-8", "replace").strip()
    try:
        message = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise BrokenLine(_("The line is no UTF-8"), shown) from None
    except (ValueError, RecursionError):
        raise BrokenLine(_("The line is no JSON"), shown) from None
    if not isinstance(message, dict):
        raise BrokenLine(_("The line is no JSON object"), shown)
    return message


def _is_whole(line: bytearray) -> bool:
    """Whether the last line, which has no end, is a message and not a part of it."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _kill(transport: asyncio.SubprocessTransport) -> None:
    """End the program at once, and on systems with process groups what it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform != "win32":
            os.killpg(transport.get_pid(), signal.SIGKILL)
        else:
            transport.kill()


class _Pipes(asyncio.SubprocessProtocol):
    """What comes from the program, cut into lines, and what became of it."""

    def __init__(self, note: Callable[[bytes], None], mask: Callable[[str], str]) -> None:
        self.noise = ""
        """The last line that was no message."""
        self._note, self._mask = note, mask
        self._lines: deque[bytes] = deque()
        self._part, self._error_part = bytearray(), bytearray()
        self._last_errors: deque[str] = deque(maxlen=_HINTED_LINES)
        self._fault = ""
        self._closed = self._errors_closed = False
        self.has_exited = False
        self._transport: asyncio.SubprocessTransport | None = None
        self._changed: asyncio.Event | None = None
        self._writable: asyncio.Event | None = None

    # -- called by the loop --------------------------------------------------
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._changed, self._writable = asyncio.Event(), asyncio.Event()
        self._writable.set()

    def pause_writing(self) -> None:
        if self._writable is not None:
            self._writable.clear()

    def resume_writing(self) -> None:
        if self._writable is not None:
            self._writable.set()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self._take_errors(data)
            return
        self._part += data
        if b"\n" in data:
            *lines, rest = self._part.split(b"\n")
            self._lines.extend(bytes(line) for line in lines)
            self._part = bytearray(rest)
        if any(len(line) > MAX_LINE for line in (self._part, *self._lines)):
            self._stop_reading(_("it wrote a line of more than {limit} MB", limit=MAX_LINE // 1_000_000))
        elif len(self._lines) > _MAX_WAITING:
            self._stop_reading(_("it writes without waiting for observations"))
        self._wake()

    def pipe_connection_lost(self, fd: int, _exc: Exception | None) -> None:
        if fd == 1:
            self._closed = True
            if _is_whole(self._part):
                self._lines.append(bytes(self._part))
            self._part.clear()
        elif fd == 2:
            self._errors_closed = True
            if self._error_part:  # a last line without its end
                self._take_errors(b"\n")
        self._wake()

    def process_exited(self) -> None:
        self.has_exited = True
        self._wake()

    def _take_errors(self, data: bytes) -> None:
        *lines, rest = (bytes(self._error_part) + data).split(b"\n")
        self._error_part = bytearray(rest[:MAX_LINE])
        for line in lines:
            if line.strip():
                self._last_errors.append(line[:_MASKED_CHARACTERS].decode("utf-8", "replace").strip())
            self._note(line)

    def _stop_reading(self, why: str) -> None:
        self._fault = why
        pipe = self._transport.get_pipe_transport(1) if self._transport is not None else None
        if pipe is not None and not pipe.is_closing():
            pipe.close()
        self._lines.clear()
        self._part.clear()

    def _wake(self) -> None:
        if self._changed is not None:
            self._changed.set()

    # -- awaited by the program ----------------------------------------------
    async def line(self) -> bytes:
        """The next line; raises ProgramFault when none can come any more."""
        while not self._lines:
            if self._fault:
                raise ProgramFault(self._fault)
            if self._closed or self.has_exited:
                # What it wrote last may still be on its way, and its last line has no end until the pipe has.
                await self._until(lambda: bool(self._lines) or self._closed, 0.2)
                if not self._lines:
                    raise ProgramFault(await self.ending())
                break
            await self._wait(None)
        return self._lines.popleft()

    async def written(self) -> None:
        """Wait until most of what was written has been read."""
        if self._writable is not None:
            await self._writable.wait()

    async def exited(self, seconds: float) -> None:
        """Wait until the program has ended, for ``seconds`` at most."""
        await self._until(lambda: self.has_exited, seconds)

    async def _until(self, condition: Callable[[], bool], seconds: float) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not condition() and (left := end - loop.time()) > 0:
            await self._wait(left)

    async def _wait(self, seconds: float | None) -> None:
        assert self._changed is not None
        self._changed.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)

    # -- in words ------------------------------------------------------------
    async def ending(self) -> str:
        """Why it cannot be spoken with, once it is known with which status it ended."""
        # What it wrote last of an error may still be on its way when it has ended.
        await self._until(lambda: self.has_exited and self._errors_closed, 0.5)
        if self._fault:  # its output was closed for it, and how a program ends then says nothing
            return self._fault
        status = self._transport.get_returncode() if self._transport is not None else None
        if status is None:
            return _("it closed its output")
        if status < 0:
            ended = _("it was ended by the signal {number}", number=-status)
        else:
            ended = _("it ended with the status {status}", status=status)
        return ended + self.hint()

    def hint(self) -> str:
        """The last lines it wrote that were no messages, for a person; empty without any."""
        last = " / ".join(self._mask(line)[:_HINTED_CHARACTERS] for line in self._last_errors) or self.noise
        return _("; it wrote: {lines}", lines=last) if last else ""
