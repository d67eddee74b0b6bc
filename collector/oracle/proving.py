"""Prove that tasks can be done: let the oracle do each on a phone of this process, and look at the reward."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from collector.environment.phone_environment import PhoneEnvironment
from collector.model.action import Action, Answer
from collector.model.errors import UserError
from collector.model.expected_answer import CONTAINS, REGEX
from collector.model.i18n import _, ngettext
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import Task
from collector.oracle.oracle import Oracle
from collector.oracle.plan import Plan
from collector.oracle.proof import TaskProof
from collector.oracle.search import SearchLimit
from collector.targets.expected_data import InapplicableTargetError
from collector.targets.outcome import part_text

_MOST_ACTIONS = 400


@dataclass(slots=True)
class TaskProver:
    """Proves tasks of an environment, one after the other on new phones."""

    environment: PhoneEnvironment
    limit: SearchLimit = field(default_factory=SearchLimit)

    def prove(self, task: Task, variation: str = "", seed: int = DEFAULT_SEED) -> TaskProof:
        """Search for a way to do a task, and play it. Raises UserError for a task without a target."""
        if task.target is None:
            raise UserError(
                _("The task {id} has no target", id=task.id), "",
                _("Only the target of a task says what has to be different when it is done"),
            )  # fmt: skip
        began = time.monotonic()
        environment = self.environment
        environment.reset(task, variation, seed)
        oracle = Oracle(environment.phone, task.target, environment.app_data(), self.limit)
        actions, problem = self._play(task, oracle)
        least, seconds = self._at_least(task, oracle), time.monotonic() - began
        if not problem and least > len(actions):
            least = 0  # what was played disproves it
        return TaskProof(task.id, variation, seed, tuple(actions), least, oracle.states, seconds, problem)

    @staticmethod
    def _at_least(task: Task, oracle: Oracle) -> int:
        """Actions that are needed at least; an answer that the task expects is one more."""
        return oracle.at_least + (task.expected_answer is not None)

    def _play(self, task: Task, oracle: Oracle) -> tuple[list[Action], str]:
        """The actions that were done, and why they did not do the task."""
        actions: list[Action] = []
        reward = 0.0
        try:
            while len(actions) < _MOST_ACTIONS:
                action = oracle.next()
                if action is None:
                    break
                result = self.environment.step(action)
                actions.append(action)
                reward = result.reward
                if "invalid" in result.info:
                    return actions, result.info["invalid"]
                if result.truncated and not result.terminated and not reward:
                    return actions, _out_of_steps(len(actions))
                if result.terminated or result.truncated:
                    break
            else:
                return actions, _("Nothing came of {count} actions", count=_MOST_ACTIONS)
        except InapplicableTargetError as error:
            return actions, str(error)
        expected = task.expected_answer
        if not reward and expected is not None and expected.rule != REGEX:
            answer = Answer(" ".join(expected.texts) if expected.rule == CONTAINS else expected.texts[0])
            reward = self.environment.step(answer).reward
            actions.append(answer)
        return actions, "" if reward else self._problem(task, oracle.plan)

    def _problem(self, task: Task, plan: Plan | None) -> str:
        """Why a played task has no reward."""
        target = task.target
        assert target is not None
        if plan is not None and plan.lacking is not None:
            part = part_text(target, plan.lacking)
            if plan.exhausted:
                return _("No way leads to this part: {part}", part=part)
            return _("No proof within {count} states for this part: {part}", count=plan.states, part=part)
        progress = self.environment.progress
        if progress.side_effects:
            return _("Something else was changed: {what}", what=progress.side_effects[0])
        if progress.share == 1.0:
            return _("The target is reached, and the rules of the task do not call it done")
        return _("The moves that were found did not lead there on the phone")


def _out_of_steps(count: int) -> str:
    return ngettext(
        "It takes more than the {count} step of the task",
        "It takes more than the {count} steps of the task",
        count,
    )
