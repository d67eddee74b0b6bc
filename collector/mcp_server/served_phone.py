"""The phone of one session: what it begins with, and what was begun on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.environment.observation import StepObservation
from collector.environment.phone_environment import SIZE, PhoneEnvironment, StepResult
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import Task
from collector.recorder.png import encode_png


@dataclass(frozen=True, slots=True)
class ServedSetup:
    """The phone that each session gets, and the episode that it begins with."""

    project: Path | None = None
    """Has the tasks and variations; None for those of the studio."""
    task: str = ""
    """By its id; empty for none."""
    variation: str = ""
    seed: int = DEFAULT_SEED
    size: Size = SIZE
    density: int = 213
    locale: str = "en-US"
    apps: tuple[str, ...] = ()
    """Those that are installed beside the system's; all when none is named."""
    max_steps: int = 0
    asks_permissions: bool = False
    """Whether apps ask for their permissions; else they have them."""

    def environment(self) -> PhoneEnvironment:
        """The phone's environment. Raises UserError, also for a task or variation that there is not."""
        made = PhoneEnvironment(
            self.project, size=self.size, density=self.density, locale=self.locale, apps=self.apps,
            max_steps=self.max_steps, asks_permissions=self.asks_permissions, copies=False,
        )  # fmt: skip
        made.source.variation(self.variation)
        if self.task:
            made.source.task(self.task)
        return made


class ServedPhone:
    """A phone on which an episode has begun. Not thread-safe; raises UserError as the environment does."""

    def __init__(self, setup: ServedSetup) -> None:
        self.environment = setup.environment()
        self.variation, self.seed = setup.variation, setup.seed
        self.last: StepResult | None = None
        """What the last action came to; None before the first one of an episode."""
        self._task_id = setup.task
        self.reset()

    @property
    def task(self) -> Task | None:
        """The task of the episode."""
        return self.environment.task

    @property
    def screen(self) -> StepObservation:
        """What the phone showed after the last action."""
        seen = self.environment.observation
        assert seen is not None  # from the first episode to the end
        return seen

    def load_task(self, task_id: str, variation: str | None = None, seed: int | None = None) -> None:
        """Begin an episode of a task; an empty id is no task."""
        before, self._task_id = self._task_id, task_id
        try:
            self.reset(variation, seed)
        except BaseException:
            self._task_id = before
            raise

    def reset(self, variation: str | None = None, seed: int | None = None) -> None:
        """Begin the episode again, under the same variation and seed where no other is given."""
        named = self.variation if variation is None else variation
        number = self.seed if seed is None else seed
        self.environment.reset(self._task_id or None, named, number)
        self.variation, self.seed, self.last = named, number, None

    def act(self, action: Mapping[str, Any] | str, dialect: str = "") -> StepResult:
        """Do an action."""
        self.last = self.environment.step(action, dialect)
        return self.last

    def screenshot(self) -> bytes:
        """The screen as a PNG file."""
        return encode_png(self.environment.picture())

    def state(self, app: str = "") -> dict[str, Any]:
        """The state of every app by its name, or of one. Raises UserError for an app that there is not."""
        states = self.environment.state()
        if not app:
            return states
        if app not in states:
            raise UserError(
                _("The phone has no app {name}", name=app), "",
                _("Use one of: {known}", known=", ".join(sorted(states))),
            )  # fmt: skip
        return {app: states[app]}

    def close(self) -> None:
        """Switch the phone off."""
        self.environment.close()
