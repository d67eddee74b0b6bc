"""Let an agent begin at a step of a recorded trajectory: the steps before it are its history."""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import dataclass

from collector.agents.agent import PastStep
from collector.model.action import Action, action_to_dict
from collector.model.episode import ACTING_PERSON, AgentTurn
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.text.step_place import step_place
from collector.model.trajectory import Step
from collector.model.user_reply import REPLY, UserReply
from collector.replay.next_screen import next_screen
from collector.replay.phone import ReplayPhone
from collector.replay.replay_to_step import Arrival, Progress, ReplayToStep
from collector.replay.step_snapshot import StepSnapshot
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory


@dataclass(frozen=True, slots=True)
class AgentStart:
    """Where an agent begins."""

    stored: StoredTrajectory
    index: int
    """Of the first step that the agent takes, from 0."""

    def __post_init__(self) -> None:
        """Raise UserError for a step that is not there."""
        count = len(self.stored.steps)
        if not 0 <= self.index < count:
            raise UserError(
                _("{id} has no step {number}", id=self.stored.header.id, number=self.index + 1),
                _("it has {count}", count=count),
            )

    @property
    def history(self) -> tuple[PastStep, ...]:
        """What was done before, as if the agent had done it; what a person did in its place is a person's."""
        steps = self.stored.steps[: self.index]
        return tuple(_past(step, step.action) for step in steps if step.action is not None)

    @property
    def digest(self) -> str:
        """16 hexadecimal digits that other actions before the start, or another trajectory, change."""
        actions = [action_to_dict(step.action) for step in self.stored.steps[: self.index] if step.action]
        done = json.dumps([self.stored.header.id, actions], sort_keys=True)
        return hashlib.sha256(done.encode()).hexdigest()[:16]

    def snapshot(self, beginning: str = "") -> StepSnapshot:
        """The snapshot of where the step begins, on phones of this ``beginning``, such as a reset."""
        return StepSnapshot.after(self.digest, beginning)

    def bring(
        self, phone: ReplayPhone, cancelled: threading.Event, progress: Progress,
        snapshot: StepSnapshot | None = None,
    ) -> Arrival:  # fmt: skip
        """Bring the phone to where the step begins; nothing is reset but by the ``snapshot``.

        Raises PhoneElsewhere when nothing brings it there, another UserError, and CallCancelled.
        """
        expected = next_screen(self.stored, self.index)
        target = ReplayToStep(self.stored, self.index, expected=expected, snapshot=snapshot)
        return target.run(phone, cancelled, progress)


def start_of(start: str, project: Project) -> AgentStart:
    """The start that ``ID@STEP`` names in a project. Raises UserError."""
    place = step_place(start)
    if place is None:
        raise UserError(
            _("{start} is no step of a trajectory", start=start), "",
            _("Write it as TRAJECTORY@STEP, as in {example}", example="golden-1@3"),
        )  # fmt: skip
    reference, index = place
    return AgentStart(open_trajectory(project.find(reference)), index)


def _past(step: Step, action: Action) -> PastStep:
    if step.extra.get(ACTING_PERSON):
        return PastStep(action)
    turn = step.agent or AgentTurn(step.intention, predicted=action)
    return PastStep(action, turn, UserReply.read(step.extra.get(REPLY)))
