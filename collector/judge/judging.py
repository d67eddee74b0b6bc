"""Judge trajectories of a project and keep the verdicts beside them; a recording once it is finished."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from collector.host.parallel import map_in_order, pays_off
from collector.judge.evaluation.task_rules import TaskRules, rules_by_task
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.kinds import Judge
from collector.judge.registry import RULES_JUDGE, create_judge
from collector.judge.rule_judge import RuleJudge
from collector.judge.verdict_origins import VerdictOrigins
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import FINISHED, RECORDING, TrajectoryHeader
from collector.model.verdicts.judgement import TASK, Judgement
from collector.project_rules.project_rules import ProjectRules
from collector.rules.columns.known_screens import KnownScreens
from collector.rules.grammar.model import Rule
from collector.store.files.disk import Disk, UnflushedDisk
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements, newest_of_judge, read_judgements
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory, read_header


@dataclass(frozen=True, slots=True)
class JudgedResult:
    """What a judge said of one trajectory."""

    folder: Path
    trajectory: str
    task: str
    judgements: tuple[Judgement, ...] = ()
    problem: str = ""
    """Why it could not be judged, in a sentence; empty when it was."""
    is_attempt: bool = True
    """False for steps that were asked offline, which are left out where many are judged."""

    @property
    def own(self) -> tuple[Judgement, ...]:
        """Those of the judge itself: one that asks others gives theirs first."""
        judge = self.judgements[-1].judge if self.judgements else ""
        return tuple(item for item in self.judgements if item.judge == judge)

    @property
    def on_task(self) -> Judgement | None:
        """The verdict on the task itself."""
        return next((item for item in self.own if item.subject.kind == TASK), None)


def judge_trajectories(
    project: ProjectRules, folders: Iterable[Path], judge: Judge, *, keep: bool = True, anew: bool = False,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[JudgedResult]:  # fmt: skip
    """Judge the trajectories in ``folders``; with ``keep`` their verdicts are stored.

    Those of a trajectory that is still recorded are not: they would be about a part of it. Verdicts of rules
    that are stored stand where nothing changed that they were made of, unless all are made ``anew``; many
    trajectories are judged by rules in several processes. The results are in order. A trajectory that cannot
    be read, or at which the judge fails, is reported in its result. Raises UserError when the rules cannot be
    read, or the verdicts not be written.
    """
    judging, chosen = _Judging(project, judge, keep, anew), list(folders)
    results = (judging(folder) for folder in chosen)
    with contextlib.ExitStack() as ending:
        if isinstance(judge, RuleJudge) and pays_off(len(chosen)):
            given = project.project.folder, judge.semantics, keep, anew
            results = map_in_order(_judging_by_rules, given, chosen, judging)
            if keep:
                ending.callback(UnflushedDisk().flush_all)  # what the other processes wrote
        ending.enter_context(contextlib.closing(results))
        while not is_cancelled() and (result := next(results, None)) is not None:
            yield result


def _judging_by_rules(folder: Path, semantics: str, keep: bool, anew: bool) -> _Judging:
    """What judges by the rules of the project in ``folder``, in a process of its own."""
    project = ProjectRules.open(folder)
    judge = create_judge(RULES_JUDGE, project.project, {"semantics": semantics})
    return _Judging(project, judge, keep, anew, UnflushedDisk())


class _Judging:
    """Judges trajectories of a project one by one. Raises UserError when its rules cannot be read."""

    def __init__(
        self, project: ProjectRules, judge: Judge, keep: bool, anew: bool, disk: Disk | None = None
    ) -> None:
        self._judge, self._keep, self._anew, self._disk = judge, keep, anew, disk or Disk()
        self._screens = KnownScreens()
        self._tasks = {task.id: task for task in project.project.tasks}
        self._rules_of = cache(rules_by_task(project.project, project.rules()))
        self._origins: VerdictOrigins | None = None
        if isinstance(judge, RuleJudge):
            self._origins = VerdictOrigins(self._rules_of, self._tasks.get, judge.semantics)

    def __call__(self, folder: Path) -> JudgedResult:
        try:
            header, origin, known = read_header(folder), "", None
            if header.is_offline:
                return no_attempt(folder, header)
            if self._origins is not None:
                origin = self._origins.of(header, folder)
                known = newest_of_judge(folder, self._judge.name)
                if not self._anew and (kept := self._origins.kept(header, origin, known)):
                    return JudgedResult(folder, header.id, header.task_id, kept)
            stored = open_trajectory(folder, header)
        except UserError as error:
            return JudgedResult(folder, folder.name, folder.parent.name, problem=str(error))
        task_id = header.task_id
        rules, task = self._rules_of(task_id), self._tasks.get(task_id)
        trajectory = JudgedTrajectory.by_rules(stored, task, rules, self._screens)
        try:
            given = tuple(self._judge.judge(trajectory))
        except UserError as error:
            return JudgedResult(folder, header.id, task_id, problem=str(error))
        if origin:
            given = tuple(replace(item, made_of=origin) for item in given)
        if self._keep and header.status != RECORDING:
            keep_judgements(folder, given, known, self._disk)
        return JudgedResult(folder, header.id, task_id, given)


def judged_by_rules(
    project: Project, rules: Sequence[Rule], stored: StoredTrajectory, semantics: str
) -> tuple[Judgement, ...]:
    """The verdicts of ``rules`` of a project on a trajectory of it; nothing is stored. Raises UserError."""
    tasks, rules_of = {task.id: task for task in project.tasks}, rules_by_task(project, rules)
    judge, task_id = create_judge(RULES_JUDGE, project, {"semantics": semantics}), stored.header.task_id
    origin = VerdictOrigins(rules_of, tasks.get, semantics).of(stored.header, stored.folder)
    trajectory = JudgedTrajectory.by_rules(stored, tasks.get(task_id), rules_of(task_id))
    return tuple(replace(item, made_of=origin) for item in judge.judge(trajectory))


def judge_finished(folder: Path) -> tuple[Judgement, ...]:
    """Judge the recording in ``folder`` by the rules of its project and store the verdicts beside it.

    Nothing is stored of a recording that is not finished, or whose task has neither a success rule nor an
    essential state with conditions. Raises UserError when rules or recording cannot be read, or the
    verdicts not be written.
    """
    project = ProjectRules.around(folder)
    header = open_trajectory(folder).header
    if project is None or header.is_run or header.status != FINISHED:
        return ()
    if not TaskRules.of(project, header.task_id).can_judge:
        return ()
    judge = create_judge(RULES_JUDGE, project.project)
    return next(judge_trajectories(project, [folder], judge)).judgements


def no_attempt(folder: Path, header: TrajectoryHeader) -> JudgedResult:
    """The result of steps that were asked offline: nobody judges whether they did the task."""
    why = _(
        "It is no attempt at its task: an agent was asked the steps of {golden}, and its screens are of that",
        golden=header.episode.offline if header.episode is not None else "",
    )
    return JudgedResult(folder, header.id, header.task_id, problem=why, is_attempt=False)


def keep_judgements(
    folder: Path, judgements: Iterable[Judgement], known: Iterable[Judgement] | None = None,
    disk: Disk | None = None,
) -> None:  # fmt: skip
    """Store the verdicts that are not stored already: the same judge, version, subject and verdict.

    ``known`` are those of the same judges that count, when they were read already.
    """
    given = list(judgements)
    if known is None:
        judges = {each.judge for each in given}
        known = [item for judge in judges for item in newest_of_judge(folder, judge)]
    same = [replace(judgement, time="") for judgement in known]
    add_judgements(folder, [item for item in given if replace(item, time="") not in same], disk)


def require_own_name(folder: Path, judge: str, kind: str) -> None:
    """Raise UserError when a person, or a judge of another kind, has verdicts of that name there."""
    if any(item.judge == judge and item.kind != kind for item in read_judgements(folder).judgements):
        raise UserError(
            _("The judge {name} cannot store its verdicts", name=judge),
            _("a person or a judge of another kind has that name"),
            _("Give the file of the judge another name"),
        )
