"""How far the task of an episode is, and the reward for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from collector.environment.observation import StepObservation
from collector.environment.stepped_phone import SteppedPhone
from collector.model.action import Action


@dataclass(frozen=True, slots=True)
class Progress:
    """What is known of a task after a step."""

    done: bool | None = None
    """Whether it is done; None when nothing can say so, as for a task without rules."""
    reached: tuple[str, ...] = ()
    """Ids of the essential states reached so far, in their order."""
    share: float | None = None
    """The share of the parts of the target that hold, 0 to 1; None for a task without one."""
    side_effects: tuple[str, ...] = ()
    """What is other than before and than the target says, a sentence each."""

    @property
    def reward(self) -> float:
        """1.0 for a task that is done, else 0.0."""
        return float(self.done is True)


class TaskProgress(Protocol):
    """Follows one episode of a task, screen by screen."""

    @property
    def needs_tree(self) -> bool:
        """Whether it looks at trees."""

    def see(
        self, screen: StepObservation, action: Action | None, phone: SteppedPhone, *, claimed: bool = False
    ) -> Progress:
        """Note a screen, and the action that led to it; ``claimed`` when the task was said to be over.

        ``phone`` shows it, and gives what is not observed: its picture and the data of its apps.
        """


class UnknownProgress:
    """Of an episode whose task nothing judges, or that has none."""

    needs_tree = False

    def see(
        self, _screen: StepObservation, _action: Action | None, _phone: SteppedPhone, *,
        claimed: bool = False,  # noqa: ARG002 - as the protocol has it
    ) -> Progress:  # fmt: skip
        return Progress()
