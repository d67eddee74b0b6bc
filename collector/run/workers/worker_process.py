"""A worker in a process of its own: a crash or a leak of an agent's code takes nothing else with it."""

from __future__ import annotations

import contextlib
import logging
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any
from weakref import WeakSet

from collector.host.malloc import limit_malloc
from collector.host.python_processes import python_processes
from collector.host.quick_end import end_without_collecting
from collector.host.quit_deadline import before_sudden_end, end_process
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.cycle.episode_job import EpisodeJob, EpisodeResult
from collector.run.cycle.steering.control import ControlCommand
from collector.run.events import RunEvent
from collector.run.phones.phone_facts import PhoneFacts
from collector.run.phones.provider import PhoneProvider
from collector.run.workers.local_worker import LocalWorker, worker_name
from collector.run.workers.worker import WorkerLost

_CLOSE_S = 15.0
_KILL_S = 5.0
_SUDDEN_S = 0.2
"""For workers to end what they started, when the runner is ended suddenly."""
_OPEN, _RUN, _RESTART, _CLOSE, _CONTROL = "open", "run", "restart", "close", "control"
"""What the runner asks of the process, with one value each."""
_EVENT, _DONE, _REFUSED = "event", "done", "refused"
"""What the process answers."""
_log = logging.getLogger(__name__)


class WorkerProcess:
    """A :class:`~collector.run.workers.worker.Worker` in a process that ends with this one, however it ends.

    The process opens a phone of the provider; a virtual one is a process that ends with it.
    """

    def __init__(self, name: str, number: int, phones: PhoneProvider) -> None:
        self.name = name
        context = python_processes()
        self._pipe, its_end = context.Pipe()
        self._sending, self._closing = threading.Lock(), threading.Lock()
        self._answers: queue.SimpleQueue[tuple[str, Any] | None] = queue.SimpleQueue()
        self._emit: Callable[[RunEvent], None] = lambda _event: None
        self._process = context.Process(
            target=_serve, args=(its_end, name, number, phones), name=name, daemon=True
        )
        self._process.start()
        its_end.close()
        self._reader = threading.Thread(target=self._read, name=f"{name} reader", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int | None:
        """The id of the process."""
        return self._process.pid

    def open(self, emit: Callable[[RunEvent], None]) -> None:
        """Open the phone in the process. Raises UserError, as WorkerLost when the process ended."""
        self._emit = emit
        self._ask(_OPEN)

    def run(self, job: EpisodeJob) -> EpisodeResult:
        """Run an episode. Raises WorkerLost."""
        result = self._ask(_RUN, job)
        assert isinstance(result, EpisodeResult)
        return result

    def control(self, command: ControlCommand) -> None:
        with contextlib.suppress(WorkerLost):
            self._send(_CONTROL, command)

    def restart(self) -> None:
        """Restart the phone. Raises UserError, as WorkerLost."""
        self._ask(_RESTART)

    def close(self) -> None:
        """End the process; kill it when it does not end within seconds. May be called from any thread."""
        with contextlib.suppress(WorkerLost):
            self._send(_CLOSE, None)
        self._process.join(_CLOSE_S)
        for end in (self._process.terminate, self._process.kill):
            if self._process.is_alive():
                _log.info("%s does not end and is ended", self.name)
                end()
                self._process.join(_KILL_S)
        if self._reader is not threading.current_thread():
            self._reader.join(_KILL_S)
            with self._closing:  # its slot and the runner may both give it up
                self._pipe.close()

    def end_suddenly(self) -> None:
        """Ask the process to end at once, with what it started, and do not wait for it."""
        with contextlib.suppress(ValueError):  # it is closed
            self._process.terminate()

    def kill(self) -> None:
        """End the process by force, and do not wait for it."""
        with contextlib.suppress(ValueError):
            self._process.kill()

    def _ask(self, what: str, value: object = None) -> object:
        """Ask the process for something and wait for the answer."""
        self._send(what, value)
        answer = self._answers.get()
        if answer is None:
            self._answers.put(None)  # for the next who asks
            raise self._lost()
        kind, content = answer
        if kind == _REFUSED:
            raise UserError(*content)
        return content

    def _send(self, what: str, value: object) -> None:
        try:
            with self._sending:
                self._pipe.send((what, value))
        except (OSError, ValueError):
            raise self._lost() from None

    def _read(self) -> None:
        try:
            while True:
                kind, content = self._pipe.recv()
                if kind == _EVENT:
                    self._emit(content)
                else:
                    self._answers.put((kind, content))
        except (EOFError, OSError):
            pass
        except Exception:  # noqa: BLE001 - what cannot be unpickled: the process is of no use any more
            _log.exception("the answer of %s was not understood", self.name)
            self._process.kill()
        self._answers.put(None)

    def _lost(self) -> WorkerLost:
        self._process.join(_KILL_S)
        code = self._process.exitcode
        why = _("it ended with status {code}", code=code) if code is not None else _("it does not answer")
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                why = _("the system ended it with {signal}", signal=signal.Signals(-code).name)
        return WorkerLost(_("The worker process {name} was lost", name=self.name), why)


@dataclass(slots=True)
class ProcessExecutor:
    """An :class:`~collector.run.workers.worker.Executor` whose workers are processes of this computer."""

    phones: PhoneProvider
    count: int
    is_here: bool = True
    _workers: WeakSet[WorkerProcess] = field(default_factory=WeakSet)
    _forget: Callable[[], None] = lambda: None
    """Do not kill workers any more when this process ends suddenly."""

    def __post_init__(self) -> None:
        self._forget = before_sudden_end(self._kill)

    def phones_known(self) -> tuple[PhoneFacts, ...]:
        return self.phones.known()

    def worker(self, number: int) -> WorkerProcess:
        worker = WorkerProcess(worker_name(number), number, self.phones)
        self._workers.add(worker)
        return worker

    def close(self) -> None:
        """Nothing to end: the workers ended their processes."""
        self._forget()

    def _kill(self) -> None:
        """End the processes of all workers at once, those that do not react by force."""
        workers = list(self._workers)
        for worker in workers:
            worker.end_suddenly()
        time.sleep(_SUDDEN_S)
        for worker in workers:
            worker.kill()


def _serve(pipe: Connection, name: str, number: int, phones: PhoneProvider) -> None:
    """The life of the process: run what the runner asks for, on this thread, until it closes or dies."""
    # Ctrl+C in the terminal is for the runner, which ends this process when it is done with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_arguments: end_process(1))
    limit_malloc()
    end_without_collecting()
    worker = LocalWorker(name, number, phones)
    sending = threading.Lock()
    wishes: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

    def send(kind: str, content: object) -> None:
        with sending:
            pipe.send((kind, content))

    def listen() -> None:
        try:
            while True:
                what, value = pipe.recv()
                if what == _CONTROL:
                    worker.control(value)
                    continue
                wishes.put((what, value))
                if what == _CLOSE:
                    worker.close()
                    return
        except (EOFError, OSError):
            # The runner is dead. Nothing may be written any more: another one may go on already.
            end_process(1)

    threading.Thread(target=listen, name="runner pipe", daemon=True).start()
    while True:
        what, value = wishes.get()
        if what == _CLOSE:
            break
        try:
            send(_DONE, _carry_out(worker, what, value, lambda event: send(_EVENT, event)))
        except UserError as error:
            send(_REFUSED, (error.what, error.why, error.to_do))
    worker.close()
    sys.stdout.flush()


def _carry_out(
    worker: LocalWorker, what: str, value: Any, emit: Callable[[RunEvent], None]
) -> EpisodeResult | None:
    match what:
        case "open":
            worker.open(emit)
        case "restart":
            worker.restart()
        case _:
            assert isinstance(value, EpisodeJob)
            return worker.run(value)
    return None
