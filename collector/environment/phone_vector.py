"""Many phones at once, each in a process of its own; their pictures are in memory that is shared."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from collector.agents.agent import SCREENSHOT_AND_TREE, TREE
from collector.environment.observation import StepObservation
from collector.environment.phone_environment import SIZE, StepResult, checked_screen
from collector.environment.phone_processes import PhoneProcess, PhoneProcesses, last_line, phone_processes
from collector.environment.phone_worker import ACTION, ERROR, GIVEN, NUMBER, RESET, STATE, STEP
from collector.environment.picture_memory import (
    new_picture_memory,
    open_picture_memory,
    remove_picture_memory,
)
from collector.environment.plain_values import plain_action
from collector.environment.read_actions import GivenAction
from collector.model.action import Action, action_to_dict
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED

_log = logging.getLogger(__name__)
_END_S = 5.0
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class EpisodeStart:
    """What one phone is reset to: the id of a task of the project, a variation by its name, and a seed."""

    task: str | None = None
    variation: str = ""
    seed: int = DEFAULT_SEED


@dataclass(frozen=True, slots=True)
class PhoneRestart:
    """A phone whose process had ended, and was started again."""

    number: int
    why: str
    """How the process ended, in a few words."""


class PhoneVector:
    """``count`` phones that are stepped together. Close it, or use it in a ``with``.

    The options are those of :class:`~collector.environment.phone_environment.PhoneEnvironment`. Observed
    pictures are views of shared memory: the next step writes over them. Raises UserError.
    """

    def __init__(
        self, count: int, project: Path | str | None = None, *, size: Size | tuple[int, int] = SIZE,
        observes: str = SCREENSHOT_AND_TREE, **options: Any,
    ) -> None:  # fmt: skip
        size = checked_screen(size)
        values = {
            "project": str(Path(project).absolute()) if project is not None else None,
            "size": [size.width, size.height], "observes": observes, **options,
        }  # fmt: skip
        self._phones: list[_PhoneOfVector] = []
        self._processes = phone_processes()
        self.restarts: list[PhoneRestart] = []
        """The phones that were started again since the vector began."""
        if count < 1:
            raise UserError(_("A vector has at least one phone"))
        with contextlib.ExitStack() as undo:
            undo.callback(self.close)
            for number in range(count):
                phone = _PhoneOfVector(
                    number, size, values, self._processes, has_picture=observes != TREE
                )  # fmt: skip
                self._phones.append(phone)
                phone.start()
            for phone in self._phones:
                phone.receive()
            undo.pop_all()

    def __len__(self) -> int:
        return len(self._phones)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pids(self) -> tuple[int, ...]:
        """The ids of the processes."""
        return tuple(phone.pid for phone in self._phones)

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that hold the pictures; they go when the vector is closed."""
        return tuple(phone.file for phone in self._phones)

    def reset(
        self, episodes: Mapping[int, EpisodeStart] | Sequence[EpisodeStart]
    ) -> dict[int, StepObservation]:
        """Begin episodes: one on each phone, or only on those whose numbers are keys; all at once.

        A phone whose process ended is started again; ``restarts`` and the log say so.
        """
        chosen = self._by_number(episodes)
        requests = {
            number: {RESET: {"task": episode.task, "variation": episode.variation, "seed": episode.seed}}
            for number, episode in chosen.items()
        }
        self._restart(number for number in chosen if self._phones[number].has_ended)
        self._send(requests)
        answers, failed = self._received(chosen)
        if dead := [number for number, error in failed.items() if isinstance(error, _PhoneEnded)]:
            self._restart(dead)
            self._send({number: requests[number] for number in dead})
            again, still = self._received(dict.fromkeys(dead))
            answers, failed = answers | again, {**failed, **dict.fromkeys(again)} | still
        _raise_first(failed)
        return {number: self._phones[number].observation(answers[number]) for number in chosen}

    def step(self, actions: Mapping[int, GivenAction] | Sequence[GivenAction]) -> dict[int, StepResult]:
        """Do an action on each phone, or only on those whose numbers are keys; all at once."""
        chosen = self._by_number(actions)
        self._send({number: {STEP: _asked(plain_action(action))} for number, action in chosen.items()})
        return {
            number: StepResult(
                self._phones[number].observation(answer), answer["reward"], answer["terminated"],
                answer["truncated"], answer["info"],
            )
            for number, answer in self._answers(chosen)
        }  # fmt: skip

    def state(self) -> list[dict[str, Any]]:
        """The state of each phone's apps as plain data."""
        self._send({number: {STATE: None} for number in range(len(self._phones))})
        return [answer["state"] for _number, answer in self._answers(range(len(self._phones)))]

    def close(self) -> None:
        """End all processes; may be called twice."""
        for phone in self._phones:
            phone.end()
        for phone in self._phones:
            phone.close()
        self._phones = []
        self._processes.close()

    def _by_number(self, values: Mapping[int, _Value] | Sequence[_Value]) -> Mapping[int, _Value]:
        """The values by the numbers of their phones. Raises UserError for a phone that there is not."""
        chosen = values if isinstance(values, Mapping) else dict(enumerate(values))
        for number in chosen:
            if number not in range(len(self._phones)):
                raise UserError(
                    _("There is no phone {number} in the vector", number=number),
                    _("it has {count}", count=len(self._phones)),
                )
        return chosen

    def _send(self, requests: Mapping[int, Mapping[str, Any]]) -> None:
        """Ask phones for something, once all that is asked for is written: all are asked, or none."""
        lines = {number: self._phones[number].line_of(request) for number, request in requests.items()}
        for number, line in lines.items():
            self._phones[number].send(line)

    def _answers(self, numbers: Mapping[int, Any] | range) -> list[tuple[int, dict[str, Any]]]:
        """The answer of each phone. All are read before one raises, so that none is taken for a later one."""
        answers, failed = self._received(numbers)
        _raise_first(failed)
        return list(answers.items())

    def _received(
        self, numbers: Iterable[int]
    ) -> tuple[dict[int, dict[str, Any]], dict[int, UserError | None]]:
        """The answers of phones, and the errors of those that gave none."""
        answers, failed = dict[int, dict[str, Any]](), dict[int, UserError | None]()
        for number in numbers:
            try:
                answers[number] = self._phones[number].receive()
            except UserError as error:
                failed[number] = error
        return answers, failed

    def _restart(self, numbers: Iterable[int]) -> None:
        """Start the processes of phones again that have ended."""
        chosen = list(numbers)
        for number in chosen:
            why = self._phones[number].report()
            self._phones[number].start()
            self.restarts.append(PhoneRestart(number, why))
            _log.warning("phone %d was started again: %s", number, why)
        for number in chosen:
            self._phones[number].receive()


def _raise_first(failed: Mapping[int, UserError | None]) -> None:
    """Raise the first error, if there is one."""
    for error in failed.values():
        if error is not None:
            raise error


def _asked(action: GivenAction) -> dict[str, Any]:
    """How an action is asked for."""
    return {ACTION: action_to_dict(action)} if isinstance(action, Action) else {GIVEN: action}


class _PhoneEnded(UserError):  # noqa: N818 - a state
    """The process of a phone has ended."""


class _PhoneOfVector:
    """One phone of a vector, and its process, which can be started again."""

    def __init__(
        self, number: int, size: Size, options: Mapping[str, Any], processes: PhoneProcesses, *,
        has_picture: bool,
    ) -> None:  # fmt: skip
        self._number, self._has_picture = number, has_picture
        self._options, self._processes = options, processes
        self.file = new_picture_memory(size)
        self._process: PhoneProcess | None = None
        self._asked = 0
        self.has_ended = False
        self._memory: NDArray[np.uint8] = open_picture_memory(self.file, writes=False)

    @property
    def pid(self) -> int:
        return self._running.pid

    def start(self) -> None:
        """Start the process; :meth:`receive` gives what became of it. Raises OSError and UserError."""
        self.wait()
        self._process, self.has_ended = self._processes.start(), False
        self.send(self.line_of({**self._options, "memory": str(self.file)}))

    def line_of(self, request: Mapping[str, Any]) -> bytes:
        """The next request as a line; what cannot be written is what Python shows of it."""
        return json.dumps({**request, NUMBER: self._asked + 1}, default=repr).encode() + b"\n"

    def send(self, line: bytes) -> None:
        """Ask for something; what cannot be sent, :meth:`receive` tells."""
        self._asked += 1
        with contextlib.suppress(OSError, ValueError):
            self._running.requests.write(line)
            self._running.requests.flush()

    def receive(self) -> dict[str, Any]:
        """The answer to what was asked last. Raises UserError, also when the process ended."""
        answer: dict[str, Any] = {}
        # An earlier answer may be unread: whoever waited for it was interrupted.
        while answer.get(NUMBER) != self._asked:
            line = self._running.answers.readline()
            if not line.endswith(b"\n"):
                self.has_ended = True
                raise _PhoneEnded(
                    _("Phone {number} of the vector ended", number=self._number), self.report(),
                    _("Reset it: it is started again"),
                )  # fmt: skip
            answer = json.loads(line)
        if ERROR in answer:
            raise UserError(*answer[ERROR])
        return answer

    def observation(self, answer: Mapping[str, Any]) -> StepObservation:
        """The observation of an answer, its picture in the shared memory."""
        seen = answer["observation"]
        size = Size(*seen["size"])
        shown = self._memory[: size.width * size.height * 3].reshape((size.height, size.width, 3))
        return StepObservation(
            seen["step"], size, seen["rotation"], seen["package"], seen["activity"],
            shown if self._has_picture else None, seen["xml"].encode(),
        )  # fmt: skip

    def end(self) -> None:
        """Let the process end: there are no more requests."""
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.requests.close()

    def wait(self) -> None:
        """Wait for its end, and kill it when it does not end in seconds."""
        self.end()
        if self._process is not None:
            self._process.wait(_END_S)
            self._process.close()
            self._process = None

    def close(self) -> None:
        """Wait for the end, and remove the file of the pictures."""
        self.wait()
        remove_picture_memory(self.file)

    @property
    def _running(self) -> PhoneProcess:
        assert self._process is not None
        return self._process

    def report(self) -> str:
        """The last line that the process wrote as it ended; of one that was killed, by which signal."""
        code = self._running.wait(_END_S)
        if code is not None and code < 0:
            return _("it was killed by signal {number}", number=-code)
        if written := last_line(self._running.errors):
            return written
        return _("nobody knows how") if code is None else _("it ended with code {code}", code=code)
