"""Where an agent begins that does not begin with its task: at a step of another trajectory."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from collector.agents.agent_start import AgentStart, start_of
from collector.device.identity import read_identity
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.model.episode import BEFORE_START
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.replay.phone import ReplayPhone
from collector.replay.replay_to_step import Arrival
from collector.reset.reset_record import ResetRecord
from collector.rules.evaluation.state_view import StateView
from collector.store.project.project import Project
from collector.store.trajectory.reader import read_first_app_data
from collector.store.trajectory.writer import TrajectoryWriter


@dataclass(frozen=True, slots=True)
class RunStart:
    """The start of one episode. The steps before it become the first ones of the run, marked as copies."""

    begin: AgentStart

    @classmethod
    def of(cls, project: Project, text: str, task_id: str) -> RunStart | None:
        """The start that a cell names; None at the beginning of the task.

        Raises UserError for a step that is not there, or is of another task.
        """
        if not text:
            return None
        begin = start_of(text, project)
        if begin.stored.header.task_id != task_id:
            raise UserError(
                _("{start} is a step of another task", start=text), begin.stored.header.task_id,
                _("Choose a trajectory of {task}", task=task_id),
            )  # fmt: skip
        return cls(begin)

    def copy_steps(self, writer: TrajectoryWriter) -> None:
        """Write the steps before the start. Raises UserError for files that cannot be read or written.

        Judges see the whole way to the end then, also when the other trajectory is gone.
        """
        stored = self.begin.stored
        if (first := read_first_app_data(stored.files)) is not None:
            writer.write_first_app_data(first)
        if stored.header.installed:
            writer.update_header(installed=stored.header.installed)
        for step in stored.steps[: self.begin.index]:
            writer.append(self._copied(step), stored.screenshot(step), stored.tree(step))

    def bring(self, phone: ReplayPhone, cancelled: threading.Event, reset: ResetRecord | None) -> Arrival:
        """Bring the phone there. Raises PhoneElsewhere, another UserError, and CallCancelled.

        A virtual phone that was reset in the same way before goes back to its snapshot of that step.
        """
        snapshot = None
        if reset is not None and read_identity(phone.device, cancelled).is_virtual:
            snapshot = self.begin.snapshot(repr(reset.plan))
        return self.begin.bring(phone, cancelled, lambda _done, _all: None, snapshot)

    def _copied(self, step: Step) -> Step:
        """A step as no agent's of this run: what was thought stays as its intention."""
        origin = f"{self.begin.stored.header.id}@{step.index + 1}"
        said = step.agent.thought if step.agent is not None else ""
        return replace(
            step, t_ms=0, agent=None, intention=step.intention or said,
            extra={**step.extra, BEFORE_START: origin},
        )  # fmt: skip


def start_digest(project: Project, text: str) -> str:
    """A digest of what is done before a start, which an edit of a golden trajectory changes.

    Empty when the trajectory is not there any more.
    """
    try:
        return start_of(text, project).digest
    except UserError:
        return ""


def views_before(trajectory: JudgedTrajectory) -> list[StateView]:
    """The states before the start of a run's agent, as rules see them; none where it began with its task."""
    return [trajectory.view(index).copy() for index in range(steps_before(trajectory.steps))]


def steps_before(steps: Sequence[Step]) -> int:
    """How many steps of a run lie before the start of its agent."""
    return sum(BEFORE_START in step.extra for step in steps)
