"""What the tools answer, as models from which their schemas are made."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from collector.agents.screen_elements import ScreenElement
from collector.environment.observation import StepObservation
from collector.environment.phone_environment import StepResult
from collector.mcp_server.served_phone import ServedPhone
from collector.model.task import Task

_FLAGS = (
    "clickable", "long-clickable", "checkable", "checked", "scrollable", "focused", "selected", "password",
)  # fmt: skip


class _Answer(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True)


class ElementAnswer(_Answer):
    """An element of the screen that can be touched or says something."""

    index: int
    """The number by which dialects name it."""
    label: str
    """What a person reads on it; empty for a password."""
    class_name: str
    resource_id: str
    bounds: tuple[int, int, int, int]
    """Left, top, right and bottom, in pixels."""
    flags: list[str]
    """clickable, long-clickable, checkable, checked, scrollable, focused, selected, password, disabled."""

    @classmethod
    def of(cls, element: ScreenElement) -> ElementAnswer:
        """The answer about an element."""
        node, bounds = element.node, element.bounds
        flags = [name for name in _FLAGS if node.flag(name)]
        if node.get("enabled", "true") == "false":
            flags.append("disabled")
        return cls(
            index=element.index, label=element.label, class_name=node.class_name,
            resource_id=node.resource_id, flags=flags,
            bounds=(bounds.left, bounds.top, bounds.right, bounds.bottom),
        )  # fmt: skip


class ScreenAnswer(_Answer):
    """The screen after the last action."""

    step: int
    """Actions done so far in this episode."""
    width: int
    height: int
    """In pixels, as the phone is held now: actions are given in these."""
    rotation: int
    """Quarter turns, 0 to 3."""
    package: str
    activity: str
    elements: list[ElementAnswer]

    @classmethod
    def of(cls, seen: StepObservation) -> ScreenAnswer:
        """The answer about a screen."""
        return cls(
            step=seen.step, width=seen.size.width, height=seen.size.height, rotation=seen.rotation,
            package=seen.package, activity=seen.activity, elements=list(map(ElementAnswer.of, seen.elements)),
        )  # fmt: skip


class TaskAnswer(_Answer):
    """A task, without what would tell how it is judged."""

    id: str
    instruction: str
    app: str
    package: str
    language: str
    level: str
    max_steps: int
    """0 for any number of steps."""

    @classmethod
    def of(cls, task: Task) -> TaskAnswer:
        """The answer about a task."""
        return cls(
            id=task.id, instruction=task.instruction, app=task.app, package=task.package,
            language=task.language, level=task.level, max_steps=task.max_steps,
        )  # fmt: skip


class EpisodeAnswer(_Answer):
    """An episode that has begun."""

    task: TaskAnswer | None
    variation: str
    seed: int
    screen: ScreenAnswer

    @classmethod
    def of(cls, phone: ServedPhone) -> EpisodeAnswer:
        """The answer about the episode of a phone."""
        task = TaskAnswer.of(phone.task) if phone.task is not None else None
        return cls(
            task=task, variation=phone.variation, seed=phone.seed, screen=ScreenAnswer.of(phone.screen)
        )


class StepAnswer(_Answer):
    """What became of an action."""

    action: dict[str, Any]
    """The action as it was done, in the action space."""
    invalid: str
    """Why it was none that could be done, so that nothing changed; empty when it was done."""
    terminated: bool
    """The task is done, or was said to be done or impossible: the episode is over."""
    truncated: bool
    """The most steps were done: the episode is over."""
    seconds: float
    """Simulated seconds since the phone was switched on."""
    screen: ScreenAnswer

    @classmethod
    def of(cls, step: StepResult) -> StepAnswer:
        """The answer about a step."""
        info = step.info
        return cls(
            action=info["action"], invalid=info.get("invalid", ""), terminated=step.terminated,
            truncated=step.truncated, seconds=info["seconds"], screen=ScreenAnswer.of(step.observation),
        )  # fmt: skip


class RewardAnswer(_Answer):
    """How far the task is."""

    reward: float
    """1.0 for a task that is done, else 0.0."""
    done: bool | None
    """Null when nothing can say so, as without a task."""
    share: float | None
    """The share of the parts of the target that hold, 0 to 1; null for a task without one."""
    reached: list[str]
    """Ids of the essential states reached so far."""
    side_effects: list[str]
    """What was changed that the target does not ask for."""
    steps: int
    terminated: bool
    truncated: bool

    @classmethod
    def of(cls, phone: ServedPhone) -> RewardAnswer:
        """The answer about the episode of a phone."""
        progress, last = phone.environment.progress, phone.last
        return cls(
            reward=progress.reward, done=progress.done, share=progress.share,
            reached=list(progress.reached), side_effects=list(progress.side_effects),
            steps=phone.screen.step, terminated=last is not None and last.terminated,
            truncated=last is not None and last.truncated,
        )  # fmt: skip


class TasksAnswer(_Answer):
    """Some of the tasks, in their order."""

    tasks: list[TaskAnswer]
    total: int
    """How many there are that fit."""


class VariationAnswer(_Answer):
    """A variation of the phone."""

    name: str
    description: str
    factors: list[str]
    """What it changes: appearance, content, pop_ups, noise."""
    apps: list[str]
    """The apps that it changes; `all` for every app."""


class VariationsAnswer(_Answer):
    """The variations there are; they combine, as in dark_theme+german@calendar."""

    variations: list[VariationAnswer]


class AppStatesAnswer(_Answer):
    """The state of apps by their names."""

    apps: dict[str, Any]


class ActionAnswer(_Answer):
    """A kind of action."""

    kind: str
    meaning: str
    example: str
    """As JSON, or as the dialect that was asked for writes it; empty where that has no word for it."""


class DialectAnswer(_Answer):
    """A dialect in which actions can be given as a text."""

    id: str
    title: str


class ActionsAnswer(_Answer):
    """The actions that `act` takes."""

    actions: list[ActionAnswer]
    keys: list[str]
    """The keys by name."""
    dialects: list[DialectAnswer]
