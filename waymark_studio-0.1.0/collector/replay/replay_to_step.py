"""Bring the phone to where a step of a recording begins: replay the steps before it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from collector.device.errors import CallCancelled
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step, TrajectoryHeader
from collector.replay.outcomes import ReplayStatus, StepOutcome
from collector.replay.phone import ReplayPhone
from collector.replay.redacted_text import is_redacted
from collector.replay.replay import RecordedTrajectory, Replay
from collector.replay.replay_options import ReplayOptions
from collector.reset.phone_reset import reset_phone
from collector.reset.reset_record import ResetPlan

Progress = Callable[[int, int], None]
"""Called with the number of steps done, and of all."""


@dataclass(frozen=True, slots=True)
class _StepRange:
    """Some steps of a recording; a RecordedTrajectory."""

    recording: RecordedTrajectory
    steps: Sequence[Step]

    @property
    def header(self) -> TrajectoryHeader:
        return self.recording.header

    def tree(self, step: Step) -> bytes | None:
        return self.recording.tree(step)


@dataclass(frozen=True, slots=True)
class ReplayToStep:
    """Where to bring the phone, and from which beginning."""

    recording: RecordedTrajectory
    index: int
    """Of the step that comes next; the steps before it are replayed."""
    options: ReplayOptions = field(default_factory=ReplayOptions)
    reset: ResetPlan | None = None
    """What is reset before; its commands are trusted."""

    def run(self, phone: ReplayPhone, cancelled: threading.Event, progress: Progress) -> None:
        """Reset the phone and replay; blocks until the screen where the step begins is at rest.

        Raises UserError with the reason when a step cannot be done, and CallCancelled.
        """
        replay = self._replay(phone, cancelled, slice(0, self.index))
        if not replay.steps and self.reset is None:
            raise UserError(
                _("The phone cannot be brought to where the steps end"),
                _("no step is left, and the task resets nothing before a recording"),
                _("Bring it to the beginning by hand, then resume"),
            )
        if self.reset is not None:
            reset_phone(phone.device, self.reset, cancelled)
        count = len(replay.steps)
        if count:
            _require_done(replay.prepare())
        for number in range(count):
            progress(number, count)
            _require_done(_advance(replay))
        progress(count, count)
        self._await_screen(phone, cancelled)

    def _await_screen(self, phone: ReplayPhone, cancelled: threading.Event) -> None:
        """Wait for the recorded screen of the step; of a step not recorded yet, for any screen at rest."""
        replay = self._replay(phone, cancelled, slice(self.index, self.index + 1))
        if replay.steps:
            sight = replay.look()
            _require_done(sight if isinstance(sight, StepOutcome) else None)
        else:
            replay.observer.look()

    def _replay(self, phone: ReplayPhone, cancelled: threading.Event, steps: slice) -> Replay:
        selected = _StepRange(self.recording, self.recording.steps[steps])
        return Replay(selected, phone, self.options, cancelled=cancelled)


def _advance(replay: Replay) -> StepOutcome:
    """Do the next step once its screen is there; a hidden text can only be typed by a person."""
    ready = replay.look()
    if isinstance(ready, StepOutcome):
        return ready
    if is_redacted(ready.action):
        why = _("its text was hidden when it was recorded")
        return StepOutcome(ready.step.index, ReplayStatus.FAULT, why=why)
    return replay.act(ready)


def _require_done(outcome: StepOutcome | None) -> None:
    """Raise CallCancelled or UserError for a step that was not done."""
    if outcome is None or outcome.status is ReplayStatus.DONE:
        return
    if outcome.status is ReplayStatus.CANCELLED:
        raise CallCancelled("replay")
    raise UserError(
        _("The phone stopped before step {number}", number=outcome.index + 1),
        outcome.problem,
        _("Bring it to where the steps end by hand, then resume"),
    )
