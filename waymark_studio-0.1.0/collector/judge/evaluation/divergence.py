"""The difference between the screen of a phone and the recorded one."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.recorder.screen_moment import ScreenMoment
from collector.rules.evaluation.state_view import full_activity

_DOUBTFUL_SKEW = 0.01
"""Share of the screen that changed between the recorded tree and the touch; above it the tree may show
the screen before."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The expected screen, the actual one and the nearest match, each in a few words for a person."""

    reason: str
    """app, activity, screen, target, ambiguous, covered, focus or tree."""
    expected: str
    actual: str
    nearest: str = ""

    def __str__(self) -> str:
        expected = _("Expected: {what}", what=self.expected)
        return "; ".join(part for part in (expected, self.actual, self.nearest) if part)


def window_divergence(step: Step, live: ScreenMoment) -> Divergence | None:
    """Compare the app and activity in front with the recorded ones; None when they agree."""
    state = step.state
    if state.package and state.package != live.package:
        return Divergence("app", _("{name} in front", name=state.package), describe_foreground(live))
    wanted = full_activity(state.package, state.activity)
    doubtful = (state.skew or 0.0) > _DOUBTFUL_SKEW
    actual = foreground_activity(live)
    if wanted and actual and wanted != actual and not doubtful:
        return Divergence("activity", _("{name} in front", name=wanted), describe_foreground(live))
    return None


def foreground_activity(live: ScreenMoment) -> str:
    """The activity in front with its package, however the phone wrote it."""
    return full_activity(live.package, live.activity)


def describe_foreground(live: ScreenMoment) -> str:
    """The window in front and the first words on it, in a sentence."""
    name = foreground_activity(live) or live.package or _("nothing known")
    words = [node.label for node in live.tree or () if node.label][:3]
    if not words:
        return _("{name} is in front", name=name)
    return _("{name} is in front and says {words}", name=name, words=", ".join(map(repr, words)))
