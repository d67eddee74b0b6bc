"""The state of an app whose screens were recorded: plain data, which a person can read and set as YAML."""

from __future__ import annotations

from dataclasses import dataclass, replace

from collector.model.transition_graph import RecordedMoment, Transition

MOST_KEPT = 2000
"""So many transitions are kept of what was done, the newest ones."""


@dataclass(frozen=True, slots=True)
class RecordedAppState:
    """Where in the graph an app is, and how it came there."""

    screen: int = -1
    """Number of the screen that it shows; -1 until it is started."""
    trail: tuple[tuple[int, int], ...] = ()
    """Recording and step of the recorded states that the last action led to."""
    text: str = ""
    """What was typed since the screen is shown."""
    field: int = -1
    """The number of the field among those of the screen that it was typed into; -1 for none."""
    typed_on: int = -1
    """The screen on which the text was typed that led here, when it led here; else -1."""
    typed: str = ""
    """That text: it may be the beginning of another one that was recorded there."""
    zoom: float = 1.0
    """How far two fingers spread since the screen is shown."""
    visits: int = 0
    """How often a screen was shown, to tell a timer of an earlier one."""
    visited: tuple[int, ...] = ()
    """Numbers of the screens that were shown."""
    taken: tuple[int, ...] = ()
    """Numbers of the transitions, in the order in which they were taken."""
    on_path: int = 0
    """Actions that were recorded on their screen."""
    off_path: int = 0
    """Actions that were not."""
    locale: str = "en-US"
    """Language of the phone's own words."""

    def shows(self, screen: int, trail: tuple[tuple[int, int], ...] = ()) -> RecordedAppState:
        """The state once another screen is shown, or the same one again."""
        visited = self.visited if screen in self.visited else (*self.visited, screen)
        return replace(
            self, screen=screen, trail=trail, text="", field=-1, typed_on=-1, typed="", zoom=1.0,
            visits=self.visits + 1, visited=visited,
        )  # fmt: skip

    def takes(self, *transitions: Transition) -> RecordedAppState:
        """The state after one recorded action, before the next screen is shown."""
        taken = (*self.taken, *(transition.number for transition in transitions))[-MOST_KEPT:]
        return replace(self, taken=taken, on_path=self.on_path + 1)


def trail_after(transition: Transition, before: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """The recorded states after a transition: those that follow what was done before, where any do."""
    moments = [RecordedMoment(moment.recording, moment.step + 1) for moment in transition.moments]
    followed = [moment for moment in moments if (moment.recording, moment.step - 1) in before]
    return tuple((moment.recording, moment.step) for moment in followed or moments)
