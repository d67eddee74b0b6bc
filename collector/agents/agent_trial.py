"""Try an agent on a phone, step by step, without an experiment and without recording anything."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from collector.agents.agent import (
    Agent,
    AgentEpisode,
    AgentUnavailable,
    Observation,
    PastStep,
    erased_by,
    seen_by,
    taken_log,
    tool_of,
)
from collector.asking.task_replies import reply_of_task
from collector.device.errors import DumpFailed
from collector.hierarchy.errors import HierarchyError
from collector.model.action import COMPLETION_SIGNALS, NOT_ON_PHONE, AskUser, Invalid
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.user_reply import UserReply
from collector.recorder.observer import Observer
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.action_executor import ActionRefused
from collector.replay.device_executor import device_executor
from collector.replay.phone import ReplayPhone

Result = TypeVar("Result")
_LOOK_AGAIN_S = 0.3
_LOOKS = 5
"""How often a tree that cannot be read, as of a moving screen, is asked for."""


@dataclass(frozen=True, slots=True)
class TriedStep:
    """One step of a trial: what the agent saw, what it answered, and what became of it."""

    number: int
    screen: ScreenMoment
    turn: AgentTurn
    problem: str = ""
    """Why the action could not be executed, in a sentence."""
    log: tuple[str, ...] = ()
    """What the agent wrote beside its answer, a line each."""
    reply: UserReply | None = None
    """What the task's replies answer, where the agent asked its user."""


class AgentTrial:
    """Lets an agent act on one phone. Blocking; setting ``cancelled`` ends it with CallCancelled."""

    def __init__(
        self, agent: Agent, phone: ReplayPhone, episode: AgentEpisode,
        cancelled: threading.Event | None = None, *, executes: bool = True, history: Sequence[PastStep] = (),
    ) -> None:  # fmt: skip
        """Without ``executes`` actions are shown, not done: the trial ends after its first step.

        ``history`` was done before: steps are counted on from there.
        """
        self.cancelled = cancelled or threading.Event()
        self.is_over = False
        self._agent, self._episode, self._executes = agent, episode, executes
        self._observer = Observer(phone.device, phone.trees, self.cancelled, phone.pictures)
        self._executor = device_executor(phone.device, phone.sink, self.cancelled)
        self._history = list(history)

    def run(self, steps: int, watch: Callable[[TriedStep], None]) -> None:
        """Let the agent do up to ``steps`` steps; ``watch`` is called with each. Raises UserError."""
        with_clear_errors(lambda: self._agent.begin(self._episode))
        try:
            for _number in range(steps):
                watch(self.step())
                if self.is_over:
                    return
        finally:
            self._agent.close()

    def log(self) -> tuple[str, ...]:
        """What the agent wrote since its last step, as before a fault."""
        return taken_log(self._agent)

    def step(self) -> TriedStep:
        """Observe, ask the agent, and do what it answers. Raises UserError."""
        number = len(self._history) + 1
        screen = self._look()
        observation = Observation(number, seen_by(screen, self._episode.modality), tuple(self._history))
        turn = with_clear_errors(lambda: self._agent.act(observation, self.cancelled))
        action = turn.predicted or Invalid(turn.raw, reason=_("The agent answered no action"))
        problem = action.reason if isinstance(action, Invalid) else ""
        self.is_over = not self._executes or isinstance(action, COMPLETION_SIGNALS)
        if self._executes and not isinstance(action, NOT_ON_PHONE):
            try:
                erase, tool = erased_by(turn), tool_of(turn)
                action = self._executor.do(action, screen.screen, erase=erase, tool=tool)
            except ActionRefused as error:
                problem = str(error)
        reply = None
        if isinstance(action, AskUser):
            reply = reply_of_task(self._episode.task.replies, action.question)
        self._history.append(PastStep(action, turn, reply))
        return TriedStep(number, screen, turn, problem, taken_log(self._agent), reply)

    def _look(self) -> ScreenMoment:
        for _look in range(_LOOKS - 1):
            try:
                return self._observer.look()
            except (DumpFailed, HierarchyError):
                self._observer.pause(_LOOK_AGAIN_S)
        return self._observer.look()


def with_clear_errors(function: Callable[[], Result]) -> Result:
    """Call an agent. Whatever else its code raises becomes an AgentUnavailable."""
    try:
        return function()
    except UserError:
        raise
    except Exception as error:
        raise AgentUnavailable(
            _("The agent failed"), f"{type(error).__name__}: {error}", _("Tell the author of its kind")
        ) from error
