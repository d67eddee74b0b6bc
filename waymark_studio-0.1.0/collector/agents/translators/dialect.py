"""A dialect: how the answers of an agent are read, and how actions are written as it writes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from collector.agents.translators.coordinates import AgentScreen, CoordinateSpace
from collector.agents.translators.errors import Hallucinated, Malformed, NotExpressible
from collector.model.action import HALLUCINATED, MALFORMED, Action, Invalid
from collector.model.episode import FOCUS, AgentTurn
from collector.model.geometry import Point, Size
from collector.model.i18n import _

MAX_ANSWER = 100_000
"""Characters of the longest answer that is read."""
_MAX_REASON = 400
"""Characters of a reason, which may name what the answer says."""


@dataclass(frozen=True, slots=True)
class ReadAction:
    """An action of an answer."""

    action: Action
    focus: Point | None = None
    """Where to tap before the text is typed."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """One dialect, both ways."""

    id: str
    title: str
    space: CoordinateSpace
    """What its places are numbers of."""
    thought: Callable[[str], str]
    """The part of an answer in which the agent thinks; empty when there is none."""
    parse: Callable[[str, AgentScreen], ReadAction]
    """The action of an answer. Raises Malformed or Hallucinated."""
    compose: Callable[[Action, AgentScreen, str], str]
    """An answer with an action and a thought. Raises NotExpressible."""
    image_size: Callable[[Size], Size] = lambda size: size
    """The size that the model's own processor gives an image of the screen."""
    y_first: bool = False
    """Whether its places are written with the height first."""

    def place_of(self, point: Point, screen: AgentScreen) -> list[int]:
        """A pixel of the device as the dialect writes places."""
        numbers = self.space.from_device(point.x, point.y, screen)
        return numbers[::-1] if self.y_first else numbers

    def read(self, answer: str, screen: AgentScreen) -> AgentTurn:
        """What an answer says. One that asks for no action has an Invalid, with the reason; never raises."""
        thought, extra = "", {}
        try:
            if len(answer) > MAX_ANSWER:
                raise Malformed(_("The answer is longer than {limit} characters", limit=MAX_ANSWER))
            thought = self.thought(answer)
            ready = self.parse(answer, screen)
            predicted = ready.action
            if ready.focus is not None:
                extra = {FOCUS: [ready.focus.x, ready.focus.y]}
        except Hallucinated as error:
            predicted = Invalid(answer, HALLUCINATED, str(error)[:_MAX_REASON])
        except (Malformed, RecursionError, MemoryError) as error:
            predicted = Invalid(answer, MALFORMED, str(error)[:_MAX_REASON])
        return AgentTurn(thought=thought, raw=answer, predicted=predicted, extra=extra)

    def write(self, action: Action, screen: AgentScreen, thought: str = "") -> str:
        """An answer that asks for ``action``. Times that the dialect has no word for are lost.

        Raises NotExpressible when it has no word for the action.
        """
        return self.compose(action, screen, thought)


def not_expressible(action: Action, dialect: str) -> NotExpressible:
    """The error for an action that ``dialect`` has no word for."""
    return NotExpressible(f"{dialect} has no word for {action.kind}")


def unknown_action(name: object) -> Hallucinated:
    """The error for an action that the dialect, or a phone, does not have."""
    return Hallucinated(_("There is no action {name}", name=repr(name)))
