"""The difference between the screen of a phone and the recorded one."""

from __future__ import annotations

from dataclasses import dataclass

from collector.judge.observed_screen import ObservedScreen
from collector.model.i18n import _
from collector.model.trajectory import Step
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


def window_divergence(step: Step, live: ObservedScreen) -> Divergence | None:
    """Compare the app and activity in front with the recorded ones; None when they agree."""
    state = step.state
    if state.package and state.package != live.package:
        return Divergence("app", _("{name} in front", name=state.package), describe_foreground(live))
    wanted = full_activity(state.package, state.activity)
    doubtful = (state.skew or 0.0) > _DOUBTFUL_SKEW
    if wanted and live.activity and wanted != live.activity and not doubtful:
        return Divergence("activity", _("{name} in front", name=wanted), describe_foreground(live))
    return None


def describe_foreground(live: ObservedScreen) -> str:
    """The window in front and the first words on it, in a sentence."""
    name = live.activity or live.package or _("nothing known")
    words = [node.label for node in live.tree or () if node.label][:3]
    if not words:
        return _("{name} is in front", name=name)
    return _("{name} is in front and says {words}", name=name, words=", ".join(map(repr, words)))
