"""What people ask of a running episode: pause, a single step, take over, give back, stop."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.action import Action


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait before the next action of the agent."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on; a person who had taken over gives back."""


@dataclass(frozen=True, slots=True)
class SingleStep:
    """Do one step, then pause again."""


@dataclass(frozen=True, slots=True)
class TakeOver:
    """A person acts in the agent's place, until Resume."""

    person: str


@dataclass(frozen=True, slots=True)
class PersonAction:
    """An action of the person who has taken over, in pixels of the screen observed last."""

    action: Action


@dataclass(frozen=True, slots=True)
class AnswerAgent:
    """What a person answers to the question of the agent; empty for no answer."""

    text: str
    person: str = ""


@dataclass(frozen=True, slots=True)
class StopEpisode:
    """End the episode without an outcome; it is run again when the run is resumed."""

    with_run: bool = False
    """Whether the whole run ends; else a person stops this episode alone."""


@dataclass(frozen=True, slots=True)
class ShowScreens:
    """Put pictures into :class:`collector.run.events.ScreenObserved`, or leave them out as at first.

    Sent when the first person attaches and when the last one left; it holds for later episodes too.
    """

    wanted: bool


ControlCommand = (
    Pause | Resume | SingleStep | TakeOver | PersonAction | AnswerAgent | StopEpisode | ShowScreens
)
