"""An environment for training: reset, step, state, close, on a phone in this process.

The same task, variation, seed and actions give the same observations and rewards, byte for byte, on every
machine: the phone lives in a simulated time, which passes only in :meth:`PhoneEnvironment.step`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from collector.agents.agent import MODALITIES, SCREENSHOT, SCREENSHOT_AND_TREE, TREE, erased_by
from collector.asking.task_replies import reply_of_task
from collector.device.errors import DeviceError
from collector.environment.observation import StepObservation
from collector.environment.progress import Progress, TaskProgress, UnknownProgress
from collector.environment.read_actions import GivenAction, dialect_named, read_turn
from collector.environment.screen_copy import RgbImage, ScreenCopy
from collector.environment.stepped_phone import SteppedPhone
from collector.environment.task_source import TaskSource
from collector.model.action import COMPLETION_SIGNALS, Action, AskUser, Invalid, Tap, Type, action_to_dict
from collector.model.app_data.collections import AppData
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.phone.phone_setup import PhoneSetup, wanted_locale
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import Task
from collector.model.variation.phone_variation import PhoneVariation
from collector.run.cycle.operations import executable
from collector.store.tasks.task_values import bound_by_seed
from collector.virtual.apps import make_apps
from collector.virtual.system.phone import Phone, PhoneProfile

SIZE = Size(480, 1064)
"""The screen, in pixels, of a phone for which no other is asked."""
STEP_S = 1.0
"""Simulated seconds that a step takes at least, as an agent that thinks takes real ones."""
_FOCUS_S = 0.3
"""Between the tap on a field and the text that is typed into it."""


class StepResult(NamedTuple):
    """What a step came to, in the order that Gymnasium gives it."""

    observation: StepObservation
    reward: float
    """1.0 when the step did the task, else 0.0."""
    terminated: bool
    """The task is done, or was said to be done or impossible."""
    truncated: bool
    """The most steps were done."""
    info: dict[str, Any]
    """``action`` as it was done; ``invalid`` with the reason when it was none or the phone refused it;
    ``reply``, what the user answers to a question;
    ``done``, ``reached``, ``share`` and ``side_effects``, as :class:`Progress` has them;
    ``seconds``, simulated ones since the phone's start."""


class PhoneEnvironment:
    """One phone and its episodes. Not thread-safe; use one environment a thread or a process.

    Raises UserError, for instance for a dialect that there is not.
    """

    def __init__(
        self, project: Path | str | None = None, *, size: Size | tuple[int, int] = SIZE, density: int = 213,
        locale: str = "en-US", apps: Sequence[str] = (), observes: str = SCREENSHOT_AND_TREE,
        dialect: str = "", max_steps: int = 0, asks_permissions: bool = False, copies: bool = True,
        screen: ScreenCopy | None = None,
    ) -> None:  # fmt: skip
        """``project`` has the tasks; ``density`` in dpi; ``observes`` is one of ``MODALITIES``.

        ``apps`` are the names of those that are installed beside the system's, all when none is named.
        ``dialect`` is the one in which texts are read as actions. ``max_steps`` ends episodes of tasks that
        name no number themselves; 0 for never. With ``asks_permissions`` apps ask for what they may do, as on
        a new phone. Without ``copies`` an observed picture is written over by
        the next step. ``screen`` is the memory of the pictures.
        """
        if observes not in MODALITIES:
            raise UserError(
                _("{value} cannot be observed", value=observes), "",
                _("Use one of: {known}", known=", ".join(MODALITIES)),
            )  # fmt: skip
        self.source = TaskSource(Path(project) if project is not None else None)
        self.size = checked_screen(size, density, locale)
        self._density, self._locale, self._asks_permissions = density, locale, asks_permissions
        self._apps = self._known(apps)
        self._observes, self._dialect = observes, dialect_named(dialect)
        self._max_steps, self._copies = max_steps, copies
        self._screen = screen or ScreenCopy()
        self._phone: SteppedPhone | None = None
        self.task: Task | None = None
        """The task of the episode; None without one."""
        self._follower: TaskProgress = UnknownProgress()
        self._steps, self._budget, self._is_over = 0, 0, False
        self.observation: StepObservation | None = None
        """The last one; None before the first reset."""
        self.progress = Progress()
        """What is known of the task after the last step."""

    def reset(
        self, task: Task | str | None = None, variation: PhoneVariation | str = "", seed: int = DEFAULT_SEED
    ) -> StepObservation:
        """Begin an episode on a new phone, which shows its home screen.

        ``task`` is one of the project by its id, any other value of a task, or None to look around;
        ``variation`` as ``waymark variations list`` names them. Raises UserError for what there is not.
        """
        task = self.source.task_of(task)
        task = bound_by_seed(task, _whole_number(seed)) if task is not None else None
        variation = self.source.variation_of(variation)
        seed = _whole_number(seed)
        spoken = wanted_locale(task.language, self._locale) if task is not None else ""
        profile = PhoneProfile(
            seed=seed, locale=spoken or self._locale, size=self.size, density=self._density,
            variation=variation, apps=make_apps(self._apps), caret_blinks=False,
            asks_permissions=self._asks_permissions,
        )  # fmt: skip
        self.close()
        self._phone = SteppedPhone(profile, self._screen)
        self.task, self._follower = task, self.source.progress(task, self._packages)
        self._budget = (task.max_steps if task is not None else 0) or self._max_steps
        self._steps, self._is_over = 0, False
        self._phone.settle(STEP_S)
        return self._look(None)

    def step(self, action: GivenAction, dialect: str | None = None) -> StepResult:
        """Do an action, let the phone settle, and look.

        What is no action, or none that this phone can do, changes nothing; ``info`` says why. ``dialect``
        is the one of this action, without it that of the environment. Raises UserError before the first
        reset, after the end of an episode, and for a dialect that there is not.
        """
        read_as = self._dialect if dialect is None else dialect_named(dialect)
        phone, seen = self._phone, self.observation
        if phone is None or seen is None or self._is_over:
            why = _("the episode is over, or none began")
            raise UserError(_("No step can be done"), why, _("Call reset"))
        began = phone.now
        turn = read_turn(action, read_as, seen)
        done = self._do(turn, phone, seen)
        phone.settle(began + STEP_S)
        self._steps += 1
        signalled = isinstance(done, COMPLETION_SIGNALS)
        observation = self._look(done)
        terminated = signalled or self.progress.done is True
        truncated = not terminated and 0 < self._budget <= self._steps
        self._is_over = terminated or truncated
        return StepResult(observation, self.progress.reward, terminated, truncated, self._info(done))

    def state(self) -> dict[str, Any]:
        """The state of each app as plain data, by its name. Raises UserError before the first reset."""
        phone = self._running.phone
        return {name: phone.app_state(name) for name in phone.app_names}

    def app_data(self) -> AppData:
        """What the apps keep for the person, by collection. Raises UserError before the first reset."""
        return self._running.app_data()

    @property
    def phone(self) -> Phone:
        """The phone itself, for who looks behind its screen. Raises UserError before the first reset."""
        return self._running.phone

    def picture(self) -> RgbImage:
        """The screen as it is now, also when pictures are not observed; the array is used again.

        Raises UserError before the first reset.
        """
        return self._running.picture()

    def close(self) -> None:
        """Switch the phone off; a reset starts another one."""
        if self._phone is not None:
            self._phone.close()
            self._phone = None
        self.observation = None

    @property
    def _running(self) -> SteppedPhone:
        if self._phone is None:
            raise UserError(_("There is no phone yet"), _("no episode began"), _("Call reset"))
        return self._phone

    # What is done

    def _do(self, turn: AgentTurn, phone: SteppedPhone, seen: StepObservation) -> Action:
        """Execute an action as an episode does; an Invalid says why nothing was done."""
        action = executable(turn.predicted, seen.size)
        if isinstance(action, Invalid):
            return action
        try:
            if isinstance(action, Type) and (focus := _focus_of(turn, seen.size)) is not None:
                phone.do(focus)
                phone.wait(_FOCUS_S)
            return phone.do(action, erase=erased_by(turn))
        except DeviceError as error:
            return Invalid(turn.raw or repr(action), reason=str(error))

    def _info(self, done: Action) -> dict[str, Any]:
        info: dict[str, Any] = {
            "action": action_to_dict(done), "done": self.progress.done,
            "reached": list(self.progress.reached), "share": self.progress.share,
            "side_effects": list(self.progress.side_effects), "seconds": round(self._running.now, 3),
        }  # fmt: skip
        if isinstance(done, Invalid):
            info["invalid"] = done.reason
        if isinstance(done, AskUser):
            replies = self.task.replies if self.task is not None else ()
            info["reply"] = reply_of_task(replies, done.question).told
        return info

    @staticmethod
    def _known(apps: Sequence[str]) -> tuple[str, ...]:
        """The names of apps, once it is known that there are such. Raises UserError."""
        try:
            make_apps(apps)
        except ValueError as error:
            raise UserError(_("The phone cannot be made"), str(error)) from None
        return tuple(apps)

    # What is seen

    @property
    def _packages(self) -> frozenset[str]:
        return frozenset(app.package for app in self._running.phone.packages)

    def _look(self, done: Action | None) -> StepObservation:
        """Look at the screen after an action, judge it, and show of it what is observed."""
        phone = self._running.phone
        front = phone.focused
        hides_tree = self._observes == SCREENSHOT
        whole = StepObservation(
            self._steps, phone.size, phone.rotation,
            front.package if front is not None else "", front.activity if front is not None else "",
            None if self._observes == TREE else self._shown_picture(),
            b"" if hides_tree and not self._follower.needs_tree else phone.hierarchy_xml(),
        )  # fmt: skip
        claimed = isinstance(done, COMPLETION_SIGNALS)
        self.progress = self._follower.see(whole, done, self._running, claimed=claimed)
        self.observation = replace(whole, xml=b"") if hides_tree else whole
        return self.observation

    def _shown_picture(self) -> RgbImage:
        picture = self.picture()
        picture = picture.copy() if self._copies else picture.view()
        picture.flags.writeable = False
        return picture


def checked_screen(size: Size | tuple[int, int], density: int = 213, locale: str = "en-US") -> Size:
    """The size of a screen in pixels, once it is known that a phone can be so. Raises UserError."""
    try:
        screen = size if isinstance(size, Size) else Size(*(operator.index(side) for side in size))
        PhoneSetup.parse(PhoneSetup(size=screen, density=density, locale=locale).words())
    except (TypeError, ValueError) as error:
        raise UserError(_("The phone cannot be made"), str(error)) from None
    return screen


def _whole_number(seed: object) -> int:
    """A seed, also one of numpy. Raises UserError."""
    try:
        return operator.index(seed)  # type: ignore[arg-type] # what is none is told
    except TypeError:
        raise UserError(_("The seed {value} is no whole number", value=repr(seed))) from None


def _focus_of(turn: AgentTurn, size: Size) -> Tap | None:
    """The tap that goes before a text; None when the answer names no place, or one off the screen."""
    place = turn.focus
    tap = executable(Tap(place.x, place.y), size) if place is not None else None
    return tap if isinstance(tap, Tap) else None
