"""The finished trajectories of an export one by one, each with its task and its verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.source.answers import SOURCE_ACTION
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import RECORDING, Step, TrajectoryHeader
from collector.model.verdicts.judgement import SUCCESS, TASK, VERDICTS, Judgement
from collector.store.trajectory.judgements import StoredJudgements
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory, read_header

OUTCOME = "outcome"
"""Name under which the outcome of a run stands beside the verdicts of judges."""


@dataclass(frozen=True, slots=True)
class ExportedTrajectory:
    """A trajectory, and what the project says of it."""

    stored: StoredTrajectory
    place: str
    """Folder of its task and its own, as in ``shop-14/20260412-093000-0001``."""
    task: Task | None
    judged: StoredJudgements

    @property
    def header(self) -> TrajectoryHeader:
        return self.stored.header

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.stored.steps

    @property
    def instruction(self) -> str:
        """What the person or agent was asked for, in the words of this trajectory."""
        return self.header.instruction or (self.task.instruction if self.task is not None else "")

    def given_action(self, step: Step, *format_ids: str) -> object:
        """A step's action in the words of its source; None where that was none of these formats."""
        is_own = self.header.extra.get("imported_from") in format_ids
        return step.extra.get(SOURCE_ACTION) if is_own else None

    @property
    def judgements(self) -> list[Judgement]:
        """The newest of each judge on each subject, then what was settled between people."""
        return [*self.judged.newest().values(), *self.judged.settled().values()]

    @property
    def task_verdicts(self) -> dict[str, str]:
        """Verdict on the task by judge; the outcome of a run comes first, under :data:`OUTCOME`."""
        outcome = self.header.outcome
        first = {OUTCOME: outcome.status} if outcome is not None and outcome.status in VERDICTS[TASK] else {}
        own = self.judged.newest().values()
        return first | {one.judge: one.verdict for one in own if one.subject.kind == TASK}


def exported_trajectories(part: ExportedPart, log: ExchangeLog) -> Iterator[ExportedTrajectory]:
    """The trajectories of ``part`` that can be read and are not being recorded, one in memory at a time.

    What is left out or damaged goes into ``log``, and later findings belong to the trajectory that was
    yielded last. A trajectory counts as written once the next one is asked for. All that was made for it is
    whole then, and an export that was interrupted goes on after it.
    """
    project, seen = part.project, set()
    for folder in part.folders():
        seen.add(folder.parent.name)
        log.where = project.paths.relative(folder)
        try:
            is_recorded = read_header(folder).status == RECORDING
        except UserError as error:
            log.add("trajectory-unreadable", _("A trajectory was left out: {why}", why=error))
            continue
        if is_recorded:
            log.add("not-finished", _("A trajectory that is still recorded was left out"))
            continue
        if not log.begin(log.where):  # raises for a password, which ends the export
            continue
        try:
            exported = _opened(part, folder)
        except UserError as error:
            log.add("trajectory-unreadable", _("A trajectory was left out: {why}", why=error))
            continue
        for problem in (*exported.stored.problems, *exported.judged.problems):
            log.add("trajectory-damaged", problem)
        yield exported
        if not log.is_left_out:
            log.written.trajectories.append(log.where)
        log.keep()
    log.where = ""
    alone = [task for task in part.tasks if project.paths.trajectories_of(task.id).name not in seen]
    if alone:
        text = _("Tasks without a trajectory were left out: {count}", count=len(alone))
        log.add("tasks-left-out", text)
    if not log.written.trajectories.total:
        log.add("no-trajectories", _("There is no finished trajectory"), severity=NOTE)


def report_people(exported: ExportedTrajectory, log: ExchangeLog) -> None:
    """Report that the format has no place for what people wrote beside their verdicts."""
    if people := sorted(exported.stored.annotations()):
        names = ", ".join(people)
        log.add("annotations-lost", _("Comments and labels are only in the project: {names}", names=names))


def is_success(verdict: str) -> bool | None:
    """Whether a verdict on a task is a success; None when the judge could not say."""
    return None if verdict not in VERDICTS[TASK][:3] else verdict == SUCCESS


def _opened(part: ExportedPart, folder: Path) -> ExportedTrajectory:
    stored = open_trajectory(folder)
    place = f"{folder.parent.name}/{folder.name}"
    return ExportedTrajectory(stored, place, part.project.task(stored.header.task_id), stored.judgements())
