"""Bring the phone to where a step of a recording begins, and compare its screen with the recorded one."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial

from collector.comparison.state_difference.state_difference import RecordedScreen
from collector.device.errors import ABSENT, CallCancelled, CommandFailed, DumpFailed
from collector.hierarchy.errors import HierarchyError
from collector.model.action import OpenApp
from collector.model.errors import UserError, problem_text
from collector.model.geometry import Size
from collector.model.i18n import _, join_sentences
from collector.model.trajectory import State, Step, TrajectoryHeader
from collector.recorder.observer import Observer
from collector.replay.action_executor import ActionRefused
from collector.replay.device_executor import device_executor
from collector.replay.next_screen import differences, screen_of
from collector.replay.outcomes import ReplayStatus, StepOutcome
from collector.replay.phone import ReplayPhone
from collector.replay.recovery import LOOK_S, MOST_BACKS
from collector.replay.redacted_text import is_redacted
from collector.replay.replay import RecordedTrajectory, Replay
from collector.replay.replay_options import ReplayOptions
from collector.replay.setup import app_of_recording, prepare_phone
from collector.replay.step_snapshot import StepSnapshot
from collector.reset.phone_reset import reset_phone
from collector.reset.reset_record import ResetPlan

Progress = Callable[[int, int], None]
"""Called with the number of steps done, and of all."""
_log = logging.getLogger(__name__)
_LOOK_AGAIN_S = 0.2
_END_S = 3.0
"""So long the screen behind the last step may take to be as recorded, once it is at rest."""


class Arrival(StrEnum):
    """How the phone got to where a step begins, in the order in which it is tried."""

    SNAPSHOT = "snapshot"
    """By the snapshot that was saved when the step was reached before."""
    THERE = "there"
    """It was there already."""
    BACK = "back"
    REOPENED = "reopened"
    REPLAYED = "replayed"
    RESET = "reset"
    UNCHECKED = "unchecked"
    """The steps were done again; nothing recorded shows the screen where the step begins."""


class PhoneElsewhere(UserError):  # noqa: N818 - named like the other refusals
    """Nothing brought the phone to where the step begins; ``why`` says what differs there."""


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
    """What may be reset when nothing else helps."""
    expected: RecordedScreen | None = None
    """The screen where the step begins; None where nothing recorded shows it."""
    is_reset_asked: bool = False
    """Whether a person asked for the reset: nothing else is tried before it."""
    snapshot: StepSnapshot | None = None
    """Loaded before anything else is tried, and saved when another way led there; None to do neither."""
    before_reset: Callable[[ResetPlan], None] = lambda _plan: None
    """Called before the reset; raises UserError when it must not run."""

    def run(self, phone: ReplayPhone, cancelled: threading.Event, progress: Progress) -> Arrival:
        """Bring the phone there; blocks until the screen where the step begins is at rest.

        Without a screen to compare with, the phone is reset, if it may be, and the steps are replayed.
        Raises PhoneElsewhere, another UserError when a step or the reset cannot be done, and CallCancelled.
        """
        if self.expected is None:
            _Way(self, phone, cancelled, progress).do_again(reset=self.reset)
            return Arrival.UNCHECKED
        return _Way(self, phone, cancelled, progress).find(self.expected)


class _Way:
    """One attempt to get there."""

    def __init__(
        self, target: ReplayToStep, phone: ReplayPhone, cancelled: threading.Event, progress: Progress
    ) -> None:
        self._target, self._phone, self._cancelled, self._progress = target, phone, cancelled, progress
        self._steps = target.recording.steps[: target.index]
        package = target.expected.package if target.expected is not None else ""
        app = target.options.app or package or app_of_recording(self._steps)
        self._options = replace(target.options, app=app)
        self._observer = Observer(phone.device, phone.trees, cancelled, phone.pictures)
        self._executor = device_executor(phone.device, phone.sink, cancelled)

    def find(self, expected: RecordedScreen) -> Arrival:
        """Load the snapshot, or try each way and save it; the screen is compared after each."""
        snapshot, device = self._target.snapshot, self._phone.device
        if snapshot is None:
            return self._find(expected)
        if snapshot.load(device, self._cancelled) and not self._differing(expected, LOOK_S):
            return Arrival.SNAPSHOT
        arrival = self._find(expected)
        try:
            snapshot.save(device)
        except CommandFailed as error:  # the phone is there all the same
            _log.warning("the phone kept no snapshot: %s", error)
        return arrival

    def _find(self, expected: RecordedScreen) -> Arrival:
        """Try each way, and compare the screen after it."""
        stopped: UserError | None = None
        for arrival, go, patience_s in self._ways(expected):
            try:
                go()
            except (CallCancelled, *ABSENT):
                raise
            except UserError as error:
                if arrival is Arrival.RESET and not isinstance(error, StepNotDone):
                    raise
                stopped = error
                continue
            stopped = None
            if not self._differing(expected, patience_s):
                return arrival
        differing = self._differing(expected)
        if not differing:
            return Arrival.REPLAYED
        why = "; ".join(differing)
        if stopped is not None:
            why = join_sentences(why, problem_text(stopped.what, stopped.why))
        raise PhoneElsewhere(
            _("The phone is not where step {number} begins", number=self._target.index + 1),
            why,
            _("Reset it and try again, or bring it there by hand and resume"),
        )

    def do_again(self, reset: ResetPlan | None = None) -> None:
        """Reset what ``reset`` says, and do the steps again from the start of the app."""
        if reset is not None:
            self._target.before_reset(reset)
            reset_phone(self._phone.device, reset, self._cancelled)
        replay = Replay(
            _StepRange(self._target.recording, self._steps), self._phone, self._options,
            cancelled=self._cancelled,
        )  # fmt: skip
        count = len(replay.steps)
        if not count:
            self._begin()
            return
        _require_done(replay.prepare())
        for number in range(count):
            self._progress(number, count)
            _require_done(_advance(replay))
        self._progress(count, count)
        replay.observer.look()

    def _ways(self, expected: RecordedScreen) -> Sequence[tuple[Arrival, Callable[[], None], float]]:
        """The ways in their order, each with the seconds that the screen after it has to come."""
        plan, patience_s = self._target.reset, min(_END_S, self._options.patience_s)
        resets = [(Arrival.RESET, partial(self.do_again, plan), patience_s)] if plan is not None else []
        if resets and self._target.is_reset_asked:
            return resets
        return [
            (Arrival.THERE, lambda: None, 0.0),
            (Arrival.BACK, partial(self._go_back, expected), 0.0),
            (Arrival.REOPENED, partial(self._reopen, expected), LOOK_S),
            (Arrival.REPLAYED, self.do_again, patience_s),
            *resets,
        ]

    def _go_back(self, expected: RecordedScreen) -> None:
        """Press BACK until the screen is the expected one, BACK changes nothing, or the app was left."""
        before = self._observer.look()
        for _press in range(MOST_BACKS):
            self._executor.key("back")
            after = self._observer.look()
            has_left = before.package == expected.package != after.package
            if after.is_same(before) or has_left or not self._differing(expected):
                return
            before = after

    def _reopen(self, expected: RecordedScreen) -> None:
        """Open the app of the expected screen; the home screen where it is no app that can be opened."""
        try:
            self._executor.do(OpenApp(expected.package or self._options.app), expected.size or Size(0, 0))
        except ActionRefused:
            self._executor.key("home")

    def _begin(self) -> None:
        """Show the phone as it is before the first step."""
        expected = self._target.expected
        if expected is None and self._target.reset is None:
            raise UserError(
                _("The phone cannot be brought to where the steps end"),
                _("no step is left, and the task resets nothing before a recording"),
                _("Bring it to the beginning by hand, then resume"),
            )
        package = expected.package if expected is not None else ""
        first = Step(0, 0, "", State(package=package))
        app = self._options.app
        prepare_phone(self._phone.device, app, [first], cancel=self._cancelled)

    def _differing(self, expected: RecordedScreen, patience_s: float = 0.0) -> tuple[str, ...]:
        """What differs once ``patience_s`` have passed; empty as soon as nothing does."""
        end = time.monotonic() + patience_s
        while True:
            try:
                found = differences(expected, screen_of(self._observer.look()))
            except (DumpFailed, HierarchyError):
                found = (_("the screen cannot be read"),)
            if not found or time.monotonic() >= end:
                return found
            self._observer.pause(_LOOK_AGAIN_S)


class StepNotDone(UserError):  # noqa: N818 - named like the other refusals
    """A step could not be done again; ``why`` says why."""


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
    """Raise CallCancelled or StepNotDone for a step that was not done."""
    if outcome is None or outcome.status is ReplayStatus.DONE:
        return
    if outcome.status is ReplayStatus.CANCELLED:
        raise CallCancelled("replay")
    raise StepNotDone(
        _("The phone stopped before step {number}", number=outcome.index + 1),
        outcome.problem,
        _("Bring it to where the steps end by hand, then resume"),
    )
