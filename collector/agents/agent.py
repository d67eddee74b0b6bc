"""An agent: what it is given at each step, and what it answers.

Agents are found by their kind, see :mod:`collector.agents.kinds`.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from collector.model.action import Action
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.task import Task
from collector.model.trajectory import TOOL
from collector.model.tree import Tree
from collector.model.user_reply import UserReply

if TYPE_CHECKING:
    from collector.recorder.screen_moment import ScreenMoment  # loads cv2

SCREENSHOT, SCREENSHOT_AND_TREE, TREE = "screenshot", "screenshot+tree", "tree"
MODALITIES = (SCREENSHOT, SCREENSHOT_AND_TREE, TREE)
"""What an agent is shown."""


ERASED = "erased"
"""Key of ``AgentTurn.extra``: how many characters are deleted in the field before the text is typed."""


class AgentUnavailable(UserError):  # noqa: N818 - a state, as DeviceOffline
    """The model or the program behind an agent cannot be reached, or ended.

    The episode ends as a fault of the infrastructure: it is tried again, and never counts as a failure of
    the agent. An answer that cannot be read is no such fault, but an Invalid action.
    """


@dataclass(frozen=True, slots=True)
class AgentEpisode:
    """What an agent knows of the episode that begins. It is not told which anomaly it will meet."""

    task: Task
    modality: str = SCREENSHOT_AND_TREE
    """One of MODALITIES."""
    seed: int = 0
    budget: int = 0
    """The most steps of the episode; 0 for no limit."""
    language: str = ""
    variation: str = ""
    """Name of the variation of the phone; empty for the plain one."""
    apps: tuple[tuple[str, str], ...] = ()
    """Package and name of each installed app; empty when it was not read."""
    offline: str = ""
    """Id of the golden trajectory whose steps are asked without a phone, for agents that follow golden ones
    themselves: it is told to no model and to no program."""


@dataclass(frozen=True, slots=True)
class PastStep:
    """A step of the episode that was done before."""

    action: Action
    """As it was executed; an Invalid when the answer was none."""
    turn: AgentTurn | None = None
    """What the agent answered; None for a step of a person who had taken over."""
    reply: UserReply | None = None
    """What the user answered to the question of an AskUser; None for another action."""


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """What an agent is shown before it answers."""

    step: int
    """From 1."""
    screen: ScreenMoment
    """The picture and the tree that belong together; what the modality hides is None in it."""
    history: tuple[PastStep, ...] = ()
    """All steps before this one, the oldest first."""

    @property
    def size(self) -> Size:
        """The screen, in the pixels that actions are given in."""
        return self.screen.screen

    @property
    def tree(self) -> Tree | None:
        """The accessibility tree; None when the modality hides it, or it could not be read."""
        return self.screen.tree


class Agent(Protocol):
    """Answers observations with actions. One episode at a time, all calls on one thread.

    It may have an attribute ``secrets``, see :func:`secrets_of`, and the methods ``hide_text``, see
    :func:`hide_from_log`, ``take_log``, see :func:`taken_log`, and ``start``, see :func:`start_agent`.
    """

    def begin(self, episode: AgentEpisode) -> None:
        """Begin an episode. Raises UserError when it cannot be tried, as without a golden trajectory."""

    def act(self, observation: Observation, cancel: threading.Event) -> AgentTurn:
        """Answer: ``predicted`` is the action, an Invalid when the model asked for none.

        Tokens, cost and time go into ``usage``; ``extra`` may have ERASED, see :func:`erased_by`, and
        ``TOOL``, see :func:`tool_of`. It may take long, and returns soon once ``cancel`` is set, with
        CallCancelled. Raises AgentUnavailable when the model or the program cannot be reached.
        """

    def close(self) -> None:
        """End what the agent started, such as a process."""


def erased_by(turn: AgentTurn) -> int:
    """How many characters ``turn`` deletes before it types: ``erase`` of ``ActionExecutor.do``."""
    count = turn.extra.get(ERASED, 0)
    return count if isinstance(count, int) and count > 0 else 0


def tool_of(turn: AgentTurn) -> str:
    """What ``turn`` draws with, as a pen: ``tool`` of ``ActionExecutor.do``; empty for a finger."""
    tool = turn.extra.get(TOOL, "")
    return tool if isinstance(tool, str) else ""


def seen_by(screen: ScreenMoment, modality: str) -> ScreenMoment:
    """The screen without what a modality hides."""
    if modality == SCREENSHOT:
        return replace(screen, snapshot=None)
    return replace(screen, frame=None) if modality == TREE else screen


def answers_done(history: Sequence[PastStep]) -> int:
    """How many answers of the agent were carried out: not one that a person who took over left behind."""
    return sum(step.turn is not None for step in history)


def hide_from_log(agent: Agent, text: str) -> None:
    """Tell an agent that a text it typed is a password: from now on it writes it to no log."""
    hide_text = getattr(agent, "hide_text", None)
    if callable(hide_text):
        hide_text(text)


def secrets_of(agent: Agent) -> tuple[str, ...]:
    """Texts that the run of an episode must not keep, such as passwords; known once the episode began."""
    return tuple(str(text) for text in getattr(agent, "secrets", ()))


def taken_log(agent: Agent) -> tuple[str, ...]:
    """What an agent wrote beside its answers since this was called last, a line each; on any thread.

    Secrets that the agent knows are masked. An agent that keeps no log has none.
    """
    take_log = getattr(agent, "take_log", None)
    return tuple(map(str, take_log())) if callable(take_log) else ()


def start_agent(agent: Agent) -> None:
    """Start what an agent needs before its first episode, such as a program, to see that it works.

    Raises AgentUnavailable. An agent that needs nothing has nothing to start.
    """
    start = getattr(agent, "start", None)
    if callable(start):
        start()
