"""Replay a recorded trajectory on a phone, each step only on the screen it was recorded on."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from collector.device.apps.practice import read_practice
from collector.device.errors import ABSENT, CallCancelled, DeviceError, DumpFailed
from collector.device.screen_rotation import turn_screen
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.judge.evaluation.divergence import Divergence, foreground_activity
from collector.judge.evaluation.task_evaluation import TaskEvaluation
from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.replay_verdict import SuccessVerdict, replay_verdict
from collector.model.action import Action, Tap, Type
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.trajectory import TOOL, Step, Target, TrajectoryHeader
from collector.model.tree import Tree
from collector.recorder.observer import Observer
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.action_executor import ActionNeedsSetup, ActionRefused
from collector.replay.device_executor import device_executor
from collector.replay.guard import ReadyStep, guard_step
from collector.replay.outcomes import ReplayEvent, ReplayResult, ReplayStage, ReplayStatus, StepOutcome
from collector.replay.phone import ReplayPhone
from collector.replay.redacted_text import is_redacted
from collector.replay.replay_options import ReplayOptions
from collector.replay.replay_run import ReplayRun
from collector.replay.setup import app_of_recording, prepare_phone
from collector.replay.system_dialogs import leaving_button
from collector.replay.task_steps import task_steps
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import Rule

if TYPE_CHECKING:
    from collector.rules.evaluation.state_view import RgbImage

_LOOK_AGAIN_S = 0.2
_PING_S = 2.0
TURNS_BY_ITSELF_S = 4.0
"""So long after an action a phone may turn by itself, as an app or a virtual phone lets it do."""
_MOST_DIALOGS = 3
_log = logging.getLogger(__name__)


class RecordedTrajectory(Protocol):
    """The trajectory to replay, as :class:`collector.store.trajectory.reader.StoredTrajectory`."""

    @property
    def header(self) -> TrajectoryHeader: ...

    @property
    def steps(self) -> Sequence[Step]: ...

    def tree(self, step: Step) -> bytes | None: ...


class Replay:
    """One replay, driven from one thread: by :meth:`run`, or step by step.

    ``READY -> PREPARING -> LOOKING -> FOUND -> ACTING -> LOOKING ... -> JUDGING -> ENDED``; each
    change is told. :meth:`cancel` may be called from any thread and ends it within a tenth of a second.
    """

    def __init__(
        self, recording: RecordedTrajectory, phone: ReplayPhone, options: ReplayOptions | None = None,
        rules: TaskRules | None = None, cancelled: threading.Event | None = None,
        run: ReplayRun | None = None,
    ) -> None:  # fmt: skip
        """Setting ``cancelled`` cancels, as :meth:`cancel` does; what is done is recorded in ``run``."""
        self.events: EventEmitter[ReplayEvent] = EventEmitter()
        self.options = options or ReplayOptions()
        self.phone = phone
        self.cancelled = cancelled or threading.Event()
        pictures = phone.pictures if run is not None else None
        self.observer = Observer(phone.device, phone.trees, self.cancelled, pictures)
        self.executor = device_executor(phone.device, phone.sink, self.cancelled)
        self.app = app_of_recording(recording.steps, self.options.app)
        self.steps = self.options.part.of(task_steps(recording.steps, self.app))
        """The steps that act for the task, of the part that is replayed.

        On a phone that plays the recording those under an interruption are among them.
        """
        self.next = 0
        """Position in ``steps`` of the next one; set it to go back or on."""
        self.view: StateView | None = None
        """The screen of the next step, as rules see it."""
        self.run_recorded = run
        self.last_screen: ScreenMoment | None = None
        """The screen that was read last."""
        self._recording = recording
        self._rules = rules or TaskRules()
        self._evaluation = TaskEvaluation(self._rules)
        self._stage = ReplayStage.READY
        self._done: list[StepOutcome] = []
        self._acted: Action | None = None
        """The action of the last step, as it was done here."""
        self._acted_at = 0.0
        """When that was, on the monotonic clock."""
        self._trees: dict[int, Tree | None] = {}
        self._turned_for: int | None = None
        """Index of the step for which the phone was turned last."""

    # -- state ---------------------------------------------------------------
    @property
    def stage(self) -> ReplayStage:
        return self._stage

    @property
    def is_at_end(self) -> bool:
        """Whether every step was done."""
        return self.next >= len(self.steps)

    @property
    def step(self) -> Step:
        """The step that comes next, the last one at the end; a replay that does nothing has none."""
        return self.steps[min(self.next, len(self.steps) - 1)]

    def recorded_tree(self, step: Step) -> Tree | None:
        """The tree recorded with a step; None when there is none."""
        if step.index not in self._trees:
            self._trees[step.index] = self._read_tree(step)
        return self._trees[step.index]

    def holds(self, rule: Rule) -> bool:
        """Whether a rule holds on the screen of the next step."""
        return self.view is not None and self._evaluation.prove(rule, self.view).holds

    @property
    def left_out(self) -> tuple[int, ...]:
        """Indexes of steps with an action that belong to an interruption; known once it is prepared."""
        kept = {step.index for step in self.steps}
        return tuple(step.index for step in self._acting if step.index not in kept)

    @property
    def _acting(self) -> list[Step]:
        """The steps of the part that do something."""
        return [step for step in self.options.part.of(self._recording.steps) if step.action is not None]

    # -- actions -------------------------------------------------------------
    def cancel(self) -> None:
        """Cancel; the current step ends as ``cancelled``."""
        self.cancelled.set()

    def run(self) -> ReplayResult:
        """Replay all steps, up to the first that cannot be done. Never raises DeviceError."""
        failed = self.prepare()
        while failed is None and not self.is_at_end:
            outcome = self.advance()
            failed = outcome if outcome.status is not ReplayStatus.DONE else None
        if failed is not None:
            return self.stopped(failed)
        return self.judged() if self.options.part.ends_the_task else self._ended()

    def prepare(self) -> StepOutcome | None:
        """Set the phone up as the recording began; the outcome when that fails, otherwise None."""
        self._to(ReplayStage.PREPARING)
        self._evaluation, self.view = TaskEvaluation(self._rules), None
        self.next = 0
        self._done.clear()
        self._acted = None
        fresh = self.options.fresh
        try:
            if self.left_out and self._is_played():
                self.steps = self._acting
            if not self.steps:
                return self._failed(StepOutcome(0, ReplayStatus.REFUSED, why=_("The recording does nothing")))
            if not self.options.part.is_whole:
                return None
            prepare_phone(self.phone.device, self.app, self.steps, fresh=fresh, cancel=self.cancelled)
            self.leave_dialogs()
        except DeviceError as error:
            return self._failed(self._outcome_of(error))
        return None

    def _is_played(self) -> bool:
        """Whether the phone plays this recording. Raises DeviceError."""
        practice = read_practice(self.phone.device, self.cancelled)
        return practice is not None and self._recording.header.id in practice.followed

    def leave_dialogs(self) -> int:
        """Tap away dialogs of the phone, such as a crash, and count them. Raises DeviceError."""
        for count in range(_MOST_DIALOGS):
            try:
                screen = self.observer.look()
            except (DumpFailed, HierarchyError):
                return count
            button = leaving_button(screen.tree) if screen.tree is not None else None
            if button is None or button.bounds is None:
                return count
            place = button.bounds.center
            self.do(Tap(place.x, place.y), screen)
        return _MOST_DIALOGS

    def advance(self) -> StepOutcome:
        """Look for the screen of the next step once it is due, and do the step."""
        before = self.steps[self.next - 1] if self.next else None
        due = self._acted_at + self.options.timing.gap_s(before, self.step)
        try:
            self.observer.pause(max(0.0, due - time.monotonic()))
        except DeviceError as error:
            return self._failed(self._outcome_of(error))
        sight = self.look()
        return sight if isinstance(sight, StepOutcome) else self.act(sight)

    def look(self, patience_s: float | None = None) -> ReadyStep | StepOutcome:
        """Wait until the screen is the one the next step was recorded on; ``patience_s`` for this once."""
        self._to(ReplayStage.LOOKING)
        began = time.monotonic()
        patience = self.options.patience_s if patience_s is None else patience_s
        try:
            while True:
                sight = self.sight_of(self.next)
                if isinstance(sight, ReadyStep):
                    self._see(sight.screen, self.next + 1)
                    self._to(ReplayStage.FOUND)
                    return sight
                waited = time.monotonic() - began
                if waited > patience:
                    ms = round(waited * 1000)
                    index = self.step.index
                    return self._failed(
                        StepOutcome(index, ReplayStatus.DIVERGED, divergence=sight, waited_ms=ms)
                    )
                self.observer.pause(_LOOK_AGAIN_S)
        except DeviceError as error:
            return self._failed(self._outcome_of(error))

    def sight_of(self, number: int) -> ReadyStep | Divergence:
        """Whether the screen now is that of ``steps[number]``. Raises DeviceError."""
        step = self.steps[number]
        try:
            screen = self._look()
            if self._is_turned(step, screen):
                if self._turns_by_itself(step):
                    return Divergence("turn", _("the phone turns by itself"), _("it did not yet"))
                if self._turn(step):
                    screen = self._look()
        except (DumpFailed, HierarchyError) as error:
            return Divergence("tree", _("a screen that can be read"), str(error))
        return guard_step(step, self.recorded_tree(step), screen)

    def _is_turned(self, step: Step, screen: ScreenMoment) -> bool:
        """Whether the phone lies another way than when the step was recorded, and may be turned."""
        return self.options.turns_phone and _lie_otherwise(step.state.size, screen.screen)

    def _turns_by_itself(self, step: Step) -> bool:
        """Whether the phone turned without an action in the recording, and has time to do so again."""
        before = self._recording.steps[step.index - 1] if step.index else None
        if (
            before is None
            or before.action is not None
            or time.monotonic() > self._acted_at + TURNS_BY_ITSELF_S
        ):
            return False
        return _lie_otherwise(before.state.size, step.state.size)

    def _turn(self, step: Step) -> bool:
        """Turn the phone as it lay when the step was recorded, once; whether it was turned now."""
        if self._turned_for == step.index:
            return False
        self._turned_for = step.index
        turn_screen(self.phone.device, step.state.rotation)
        return True

    def act(self, ready: ReadyStep) -> StepOutcome:
        """Do a step that is ready, and go on to the next."""
        self._to(ReplayStage.ACTING)
        step, match = ready.step, ready.match
        try:
            action = self._with_text(ready.action, step)
            if action is not None:
                self.do(action, ready.screen, repeats=step)
        except DeviceError as error:
            return self._failed(self._outcome_of(error))
        outcome = StepOutcome(
            step.index,
            ReplayStatus.DONE,
            match.selector if match is not None else "",
            match is not None and (match.moved or match.reworded),
            action.point if action is not None else None,
        )
        self._done.append(outcome)
        self._acted, self._acted_at = action, time.monotonic()
        self.next += 1
        self.events.emit(ReplayEvent(self._stage, step.index, outcome))
        return outcome

    def do(self, action: Action, screen: ScreenMoment, *, repeats: Step | None = None) -> None:
        """Do an action on the screen that was just read, and record it, with the step that it ``repeats``.

        What sets the phone up is not recorded. Raises DeviceError.
        """
        acted_ns = time.monotonic_ns()
        extra = repeats.extra if repeats is not None else {}
        erase, tool = int(extra.get("erased") or 0), str(extra.get(TOOL) or "")
        done = self.executor.do(action, screen.screen, erase=erase, tool=tool)
        if self.run_recorded is not None and self._stage is not ReplayStage.PREPARING:
            self.run_recorded.step(
                screen, done, acted_ns, predicted=action, erased=erase, tool=tool,
                step=repeats.index if repeats is not None else None,
            )  # fmt: skip

    def judged(self) -> ReplayResult:
        """Judge the task once every step was done."""
        self._to(ReplayStage.JUDGING)
        end = time.monotonic() + self.options.patience_s
        try:
            while True:
                verdict = self._verdict(self._look())
                if verdict.holds or time.monotonic() > end:
                    break
                self.observer.pause(_LOOK_AGAIN_S)
        except (DeviceError, HierarchyError) as error:
            return self.stopped(self._failed(self._outcome_of(error)))
        self._to(ReplayStage.ENDED)
        return ReplayResult(
            ReplayStatus.DONE if verdict.holds else ReplayStatus.FAILED, tuple(self._done), verdict
        )

    def stopped(self, failed: StepOutcome) -> ReplayResult:
        """The result of a replay that stops here."""
        self._to(ReplayStage.ENDED)
        return ReplayResult(failed.status, (*self._done, failed))

    def _ended(self) -> ReplayResult:
        """The result of a part that does not end the task: nothing judges it."""
        self._to(ReplayStage.ENDED)
        return ReplayResult(ReplayStatus.DONE, tuple(self._done))

    # -- helpers -------------------------------------------------------------
    def _look(self) -> ScreenMoment:
        """The screen at rest, remembered as the last one read."""
        self.last_screen = None
        self.last_screen = screen = self.observer.look()
        return screen

    def _verdict(self, screen: ScreenMoment) -> SuccessVerdict:
        self._see(screen, len(self.steps) + 1, claimed=True)
        last = self._recording.steps[-1] if self._recording.steps else None
        final = last if last is not None and last.action is None else None
        tree = self.recorded_tree(final) if final is not None else None
        return replay_verdict(self._evaluation, screen, final, tree)

    def _see(self, screen: ScreenMoment, step: int, *, claimed: bool = False) -> None:
        """Show a screen to the rules; ``step`` counts from 1."""
        last, frame = self.view, screen.frame
        self.view = StateView(
            screen.tree, screen.xml, screen.package, foreground_activity(screen), step, *self._led_here(),
            apps=screen.apps, picture=self._screenshot if frame is None else frame.rgb,
            app_data=lambda: screen.app_data,
        )  # fmt: skip
        self.view.follow(last)
        self._evaluation.see(self.view, claimed=claimed)

    def _screenshot(self) -> RgbImage | None:
        # Here and not above: pictures bring libraries that take their time to load.
        from collector.device.video.screencap_source import take_screenshot

        try:
            return take_screenshot(self.phone.device, self.cancelled).rgb()
        except DeviceError:
            return None

    def _led_here(self) -> tuple[Action | None, Target | None]:
        """The action that led to the screen, as it was done: rules look for its node on the live screen."""
        before = self.steps[self.next - 1] if self.next else None
        if before is None:
            return None, None
        if self._acted is None or is_redacted(before.action):  # a secret must not get into a reason
            return before.action, before.target
        return self._acted, None

    def _with_text(self, action: Action | None, step: Step) -> Action | None:
        """Replace a redacted text by that of the options. Raises ActionNeedsSetup when there is none."""
        if not is_redacted(action):
            return action
        text = self.options.texts.get(step.index)
        if text is None:
            raise ActionNeedsSetup(
                _("The text of this step was hidden when it was recorded"),
                "",
                _(
                    "Give it with --text {step}=TEXT, or in the form of the solvability check",
                    step=step.index + 1,
                ),
            )
        return Type(text, len(text))

    def _read_tree(self, step: Step) -> Tree | None:
        try:
            xml = self._recording.tree(step)
            return parse_tree(xml) if xml else None
        except UserError as error:
            _log.info("step %d has no tree: %s", step.index, error)
            return None

    def _outcome_of(self, error: UserError) -> StepOutcome:
        """The outcome of the current step after an error of the phone."""
        status = ReplayStatus.FAULT
        if isinstance(error, CallCancelled):
            status = ReplayStatus.CANCELLED
        elif isinstance(error, ActionRefused) and not isinstance(error, ActionNeedsSetup):
            status = ReplayStatus.REFUSED
        elif isinstance(error, ABSENT) or self._is_gone():
            status = ReplayStatus.LOST
        return StepOutcome(self.step.index, status, why=str(error))

    def _is_gone(self) -> bool:
        try:
            self.phone.device.shell("true", timeout=_PING_S)
        except DeviceError:
            return True
        return False

    def _failed(self, outcome: StepOutcome) -> StepOutcome:
        self.events.emit(ReplayEvent(self._stage, outcome.index, outcome))
        return outcome

    def _to(self, stage: ReplayStage) -> None:
        self._stage = stage
        self.events.emit(ReplayEvent(stage, self.step.index if self.steps else 0))


def _lie_otherwise(size: Size, other: Size) -> bool:
    """Whether one screen is wide and the other high; an unknown size is neither."""
    is_known = not size.is_empty and not other.is_empty
    return is_known and (size.width > size.height) != (other.width > other.height)
