"""A virtual phone in a process of its own, which never slows the program that started it."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import tempfile
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from collector.host.own_program import waymark_command
from collector.host.programs import Signals, start_program
from collector.host.quit_deadline import before_sudden_end
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _
from collector.model.phone.phone_setup import PhoneSetup
from collector.virtual.fleet.parent_pipe import READY, RESET, RESET_DONE, RESET_REFUSED
from collector.virtual.fleet.phone_options import PhoneOptions

READY_SECONDS = 60.0
RESET_SECONDS = 10.0
STOP_SECONDS = 3.0
_LONGEST_REPORT = 64 * 1024


class PhoneProcess:
    """Starts and stops the process of one virtual phone.

    The process ends when the program that started it ends, however that happens: it reads a pipe that
    only this program holds open.
    """

    def __init__(self, options: PhoneOptions | None = None) -> None:
        self.options = options or PhoneOptions()
        self.ready: EventEmitter[str] = EventEmitter()
        """Emits the address once the phone answers, on a thread of its own."""
        self.ended: EventEmitter[str] = EventEmitter()
        """Emits why the process failed, empty after a clean end, on a thread of its own."""
        self.address = ""
        """``127.0.0.1:PORT`` from the moment the phone answers; of an emulator ``emulator-PORT``."""
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._answered = threading.Event()
        self._replies: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._resetting = threading.Lock()
        self._forget: Callable[[], None] = lambda: None
        """Do not kill it any more when this process ends suddenly."""
        self._report = ""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int | None:
        """The process id; None before the start."""
        return self._process.pid if self._process else None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the process and return at once. Raises OSError when the system refuses to."""
        errors = tempfile.TemporaryFile()  # noqa: SIM115 - the reading thread closes it
        try:
            self._process = start_program(
                [*waymark_command(), "device", "virtual", "--end-with-stdin", *self.options.arguments()],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                variables={"PYTHONUNBUFFERED": "1"}, signals=Signals.OWN_GROUP,
            )  # fmt: skip
        except OSError:
            errors.close()
            raise
        self._forget = before_sudden_end(self._process.kill)
        self._reader = threading.Thread(
            target=self._read, args=(self._process, errors), name="virtual phone", daemon=True
        )
        self._reader.start()

    def wait_ready(self, seconds: float = READY_SECONDS) -> str:
        """Return the address once the phone answers; UserError when it ends before, or takes longer."""
        if not self._answered.wait(seconds):
            raise UserError(
                _("The virtual phone did not start"),
                _("it did not answer within {seconds} s", seconds=round(seconds)),
                _("Try again when the computer is less busy"),
            )
        if not self.address:
            raise UserError(_("The virtual phone did not start"), self._report)
        return self.address

    def reset(self, setup: PhoneSetup | None = None, seconds: float = RESET_SECONDS) -> None:
        """Make the whole phone as new, with the values that ``setup`` changes; its connections stay.

        Returns when it shows its home screen. Raises UserError when the phone refuses or does not answer.
        """
        what = _("The virtual phone was not reset")
        chosen = setup or PhoneSetup()
        with self._resetting:
            process = self._process
            if process is None or process.stdin is None or not self.address or not self.is_running:
                raise UserError(what, _("it does not run"))
            try:
                process.stdin.write(f"{RESET}{json.dumps(chosen.words())}\n".encode())
                process.stdin.flush()
                reply = self._replies.get(timeout=seconds)
            except (OSError, ValueError, queue.Empty):
                raise UserError(
                    what, _("it did not answer within {seconds} s", seconds=round(seconds)),
                    _("Stop it and start another one"),
                ) from None  # fmt: skip
        if reply != RESET_DONE:
            raise UserError(what, reply.removeprefix(RESET_REFUSED))
        self.options = self.options.with_setup(chosen)

    def terminate(self) -> None:
        """Ask the process to end, without waiting for it."""
        if self._process is not None and self.is_running:
            self._process.terminate()

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """End the process; kill it when it does not end within ``seconds``. May be called twice."""
        process = self._process
        if process is None:
            return
        if self.is_running:
            process.terminate()
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._forget()
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        if self._reader is not None and self._reader is not threading.current_thread():
            self._reader.join()

    def _read(self, process: subprocess.Popen[bytes], errors: tempfile._TemporaryFileWrapper[bytes]) -> None:
        """Read what the process prints, until it ends."""
        assert process.stdout is not None
        with process.stdout as output, errors:
            for line in output:
                text = line.decode(errors="replace").strip()
                if text.startswith(READY) and not self.address:
                    self.address = text.removeprefix(READY)
                    self._answered.set()
                    self.ready.emit(self.address)
                elif text == RESET_DONE or text.startswith(RESET_REFUSED):
                    self._replies.put(text)
            self._replies.put(RESET_REFUSED + _("it ended"))
            code = process.wait()
            errors.seek(0)
            lines = errors.read(_LONGEST_REPORT).decode(errors="replace").strip().splitlines()
        if code or not self.address:
            self._report = lines[-1] if lines else _("it ended with code {code}", code=code)
        self._answered.set()
        self.ended.emit(self._report)
