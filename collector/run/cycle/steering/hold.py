"""Hold an answer before it is executed: while people look, pause, step, or act in the agent's place."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from collector.asking.episode_user import PersonReply
from collector.device.errors import CallCancelled
from collector.model.action import Action
from collector.run.cycle.steering.control import (
    AnswerAgent,
    Pause,
    PersonAction,
    Resume,
    SingleStep,
    TakeOver,
)
from collector.run.cycle.steering.episode_control import EpisodeControl

RUNNING, PAUSED, TAKEN_OVER = "running", "paused", "taken_over"
_POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class PersonTurn:
    """What a person did who has taken over."""

    person: str
    action: Action | None = None
    """None when the person gave back."""


class Hold:
    """Follows the commands of people. Belongs to the thread of the cycle."""

    def __init__(
        self, control: EpisodeControl, changed: Callable[[str, str], None], hold_ms: int = 0
    ) -> None:
        """``changed`` is called with who moves: ``running``, ``paused`` or ``taken_over``, and the person."""
        self._control, self._changed = control, changed
        self.hold_ms = hold_ms
        self._is_paused = control.is_paused
        self._steps = 0
        """Single steps that are still to be done."""
        self._person = ""
        self._turns: list[PersonTurn] = []
        self._said = (RUNNING, "")
        self._answer: PersonReply | None = None
        """What a person answered to the question that waits."""

    @property
    def cancelled(self) -> threading.Event:
        return self._control.cancelled

    @property
    def shows_screens(self) -> bool:
        return self._control.shows_screens

    def is_taken_over(self) -> bool:
        """Whether a person acts in the agent's place, as of now."""
        self._read_commands()
        return bool(self._person or self._turns)

    def reply(self, ask: Callable[[], None], within_s: float) -> PersonReply | None:
        """Ask people a question, and wait so long for their answer; None when nobody answered.

        An answer that came before the question is none. Raises CallCancelled once the episode is cancelled.
        """
        self._read_commands()
        self._answer = None
        ask()
        self._read_commands()
        end = time.monotonic() + within_s
        while self._answer is None and (left := end - time.monotonic()) > 0:
            self._read_commands(min(_POLL_S, left))
        return self._answer

    def wait(self, *, has_answer: bool) -> PersonTurn | None:
        """Wait until the answer may be executed, or a person did something in its place.

        None lets the answer be executed; without an answer a person's turn is returned in any case. Raises
        CallCancelled once the episode is cancelled.
        """
        end = time.monotonic() + self.hold_ms / 1000
        while True:
            self._read_commands()
            if self._turns:
                return self._turns.pop(0)
            if not self._person:
                if not has_answer:
                    return PersonTurn("")
                if self._may_step(end):
                    return None
            self._say()
            self._read_commands(_POLL_S)

    def _may_step(self, end: float) -> bool:
        if self._is_paused and not self._steps:
            return False
        if not self._is_paused and time.monotonic() < end:
            return False
        self._steps = max(0, self._steps - 1)
        self._say()
        return True

    def _read_commands(self, wait_s: float = 0.0) -> None:
        if self._control.cancelled.is_set():
            raise CallCancelled("episode")
        command = self._control.next_command(wait_s)
        while command is not None:
            match command:
                case Pause():
                    self._is_paused, self._steps = True, 0
                case SingleStep():
                    self._is_paused, self._steps = True, self._steps + 1
                    self._give_back()
                case TakeOver():
                    self._person = command.person or "?"
                case PersonAction() if self._person:
                    self._turns.append(PersonTurn(self._person, command.action))
                case AnswerAgent():
                    self._answer = PersonReply(command.text, command.person)
                case Resume():
                    self._is_paused, self._steps = False, 0
                    self._give_back()
            command = self._control.next_command()
        self._say()

    def _give_back(self) -> None:
        if self._person:
            self._turns.append(PersonTurn(self._person))
            self._person = ""

    def _say(self) -> None:
        state = PAUSED if self._is_paused and not self._steps else RUNNING
        said = (TAKEN_OVER, self._person) if self._person else (state, "")
        if said != self._said:
            self._said = said
            self._changed(*said)
