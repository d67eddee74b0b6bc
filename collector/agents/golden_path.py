"""A golden trajectory as an agent follows it: its steps, and where the next one is on a screen."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from collector.hierarchy.captions import focused_field
from collector.hierarchy.parse import parse_tree
from collector.judge.evaluation.divergence import Divergence, window_divergence
from collector.judge.screen_similarity import shared_text, texts_on
from collector.model.action import Action, Type
from collector.model.errors import UserError
from collector.model.phone.android_names import is_home_screen
from collector.model.task import Task
from collector.model.trajectory import Step
from collector.model.tree import Tree
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.guard import ReadyStep, guard_step
from collector.replay.other_values import OtherValues
from collector.replay.redacted_text import is_redacted
from collector.replay.setup import app_of_recording
from collector.replay.task_steps import task_steps
from collector.store.trajectory.reader import StoredTrajectory

_log = logging.getLogger(__name__)


class GoldenPath:
    """The steps of one golden trajectory that act for its task, with the texts it lacks."""

    def __init__(self, stored: StoredTrajectory, task: Task, texts: Mapping[int, str]) -> None:
        self.id = stored.header.id
        self._values = OtherValues.of(stored.header, task)
        recorded = [self._values.in_step(step) for step in stored.steps]
        self.app = app_of_recording(recorded, task.package)
        self.steps = task_steps(recorded, self.app)
        self._final = recorded[-1] if recorded and recorded[-1].action is None else None
        self._stored = stored
        self._texts = dict(texts)
        self._trees: dict[int, Tree | None] = {}

    def __len__(self) -> int:
        return len(self.steps)

    def is_home(self, package: str) -> bool:
        """Whether a package is the home screen the recording began on."""
        start = self.steps[0].state.package
        return package not in ("", self.app) and (package == start or is_home_screen(package))

    def check(self, number: int, live: ScreenMoment) -> ReadyStep | Divergence:
        """Whether a screen is that of step ``number``, its action moved to where its target is now."""
        step = self.steps[number]
        return guard_step(step, self._tree(step), live)

    def as_recorded(self, number: int, live: ScreenMoment) -> ReadyStep:
        """Step ``number`` without a guard: for an action that needs no place on the screen."""
        step = self.steps[number]
        return ReadyStep(step, live, step.action)

    def similarity(self, number: int, live: ScreenMoment) -> float | None:
        """Share of the texts recorded with step ``number`` that a screen has, 0 to 1; None without any.

        The number after the last step stands for the screen on which the recording ended.
        """
        step = self.steps[number] if number < len(self) else self._final
        return shared_text(self._tree(step), live.tree) if step is not None else None

    def words_led_to(self, number: int) -> str:
        """The title of what step ``number`` opens, as a chat's name: on its target, and on the next screen.

        Empty when the next recorded screen has no words of the target.
        """
        step = self.steps[number]
        tree, after = self._tree(step), self._recorded_after(number)
        node = tree.at_path(step.target.path) if tree is not None and step.target is not None else None
        if node is None or after is None:
            return ""
        there = texts_on(self._tree(after))
        labels = (" ".join(below.label.split()) for below in (node, *node.descendants()))
        return next((label for label in labels if label in there and len(label) > 1), "")

    def field_text(self, number: int) -> str:
        """The text that the field with the focus had before step ``number``."""
        return field_text(self._tree(self.steps[number]))

    def check_end(self, live: ScreenMoment) -> Divergence | None:
        """Whether the window in front is the one the recording ended in; None when it is, or unknown."""
        return window_divergence(self._final, live) if self._final is not None else None

    def action_of(self, ready: ReadyStep) -> Action:
        """The action of a step, with its text when that was redacted. A step always has an action."""
        action = ready.action
        assert action is not None
        if is_redacted(action):
            text = self._texts[ready.step.index]
            return Type(text, len(text))
        return action

    def _recorded_after(self, number: int) -> Step | None:
        return self.steps[number + 1] if number + 1 < len(self) else self._final

    def _tree(self, step: Step) -> Tree | None:
        if step.index not in self._trees:
            self._trees[step.index] = self._read_tree(step)
        return self._trees[step.index]

    def _read_tree(self, step: Step) -> Tree | None:
        try:
            xml = self._stored.tree(step)
            return parse_tree(self._values.in_xml(xml)) if xml else None
        except UserError as error:
            _log.info("step %d of %s has no tree: %s", step.index, self.id, error)
            return None


def field_text(tree: Tree | None) -> str:
    """The text of the field with the focus, which a dump fills with the hint while it is empty."""
    field = focused_field(tree) if tree is not None else None
    return field.text if field is not None else ""
