"""Run one offline episode: ask an agent every step of a golden trajectory, record and compare its answers.

Every question is asked on the recorded screen and with the golden steps as its history, whatever was
answered before (teacher forcing). No phone is used, and the episode is no attempt at the task: nobody judges
whether it was done.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from collector.agents.agent import (
    SCREENSHOT_AND_TREE,
    Agent,
    AgentEpisode,
    AgentUnavailable,
    secrets_of,
)
from collector.agents.agent_trust import UntrustedAgent
from collector.device.errors import CallCancelled
from collector.model.action import Action, Invalid, Type
from collector.model.cancellation import Cancelled
from collector.model.episode import OFFLINE, AgentTurn, Episode, Outcome
from collector.model.errors import UserError
from collector.model.i18n import N_, _
from collector.model.task import Task, reworded
from collector.model.trajectory import TrajectoryHeader
from collector.model.usage import Usage
from collector.model.verdicts.answer_match import ANSWERS_JUDGE, FIRST_WRONG, AnswerMatch, first_wrong_of
from collector.model.verdicts.judgement import RIGHT, RULE, STEP, UNDECIDED, Judgement, Subject
from collector.recorder.passwords.text_destination import TextDestination, predicted_destination
from collector.recorder.run_recorder import RunRecorder
from collector.recorder.screen_moment import ScreenMoment
from collector.run.cycle.agent_files import AgentFiles
from collector.run.cycle.agent_thread import AgentFailed, AgentThread, logged_thread
from collector.run.cycle.episode_agent import EpisodeAgent
from collector.run.cycle.episode_cycle import added
from collector.run.cycle.episode_job import EpisodeJob, EpisodeResult
from collector.run.cycle.episode_plan import EpisodePlan
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.cycle.episode_record import EpisodeRecord
from collector.run.cycle.operations import executable
from collector.run.cycle.phases import CyclePhase
from collector.run.cycle.steering.episode_control import EpisodeControl
from collector.run.cycle.steering.hold import Hold
from collector.run.events import EpisodeBegan, RunEvent
from collector.run.offline.answer_matching import match_answer
from collector.run.offline.answers_before import answers_before
from collector.run.offline.golden_questions import GoldenQuestion, GoldenQuestions
from collector.store.project.project import Project
from collector.store.project.runs import begin_run
from collector.store.tasks.task_values import kept_values, recorded_values
from collector.store.trajectory.fingerprint import FINGERPRINT
from collector.store.trajectory.header_file import now
from collector.store.trajectory.judgements import add_judgements

_log = logging.getLogger(__name__)
COMPARISON_VERSION = "1"
"""Of the way answers are compared; raise it when another answer becomes right."""
QuestionsOf = Callable[[Project, Task, str], GoldenQuestions]
_REASONS = {
    "same": N_("It does what the golden step does"),
    "equivalent": N_("It does what is as good as the golden step"),
    "other golden": N_("Another golden trajectory does it there"),
    "alternative": N_("The task or a reviewer allows it there"),
    "other element": N_("It hits another element than the golden step"),
    "other text": N_("It has another text than the golden step"),
    "other direction": N_("It goes in another direction than the golden step"),
    "other value": N_("It names another key or app than the golden step"),
    "other action": N_("It is another action than the golden step"),
    "no action": N_("The answer is no action"),
    "hidden": N_("The text that the golden step types is hidden"),
}


def run_offline_episode(
    job: EpisodeJob, agent: Agent, emit: Callable[[RunEvent], None], control: EpisodeControl | None = None,
    questions_of: QuestionsOf = GoldenQuestions.of, *, worker: str = "",
) -> EpisodeResult:  # fmt: skip
    """Ask every step of the golden trajectory that the cell names. Blocks; as :func:`run_episode` otherwise.

    What an earlier attempt at the cell answered before it was ended is not asked again. ``questions_of`` may
    keep the questions for the next agent.
    """
    run = _OfflineRun(job, agent, emit, control or EpisodeControl(), questions_of, worker)
    return run.run()


def judgement_of(match: AnswerMatch, index: int, time_: str = "") -> Judgement:
    """The verdict on the step of that index, from 0, that a match is."""
    better = match.action if match.verdict not in (RIGHT, UNDECIDED) else {}
    return Judgement(
        ANSWERS_JUDGE, RULE, COMPARISON_VERSION, Subject(STEP, first=index, last=index), match.verdict,
        reason=_(_REASONS[match.how]), proof=match.as_proof(), time=time_, better=better,
    )  # fmt: skip


@dataclass(slots=True)
class _OfflineRun:
    """One call of :func:`run_offline_episode`."""

    job: EpisodeJob
    agent: Agent
    emit: Callable[[RunEvent], None]
    control: EpisodeControl
    questions_of: QuestionsOf
    worker: str
    trajectory: str = ""
    steps: int = 0
    agent_refused: bool = False
    """The agent said that the steps cannot be asked: so it says of another attempt."""
    may_help_to_retry: bool = True
    matches: list[AnswerMatch] = field(default_factory=list)
    outcome: Outcome = field(default_factory=Outcome)

    def run(self) -> EpisodeResult:
        began = time.monotonic()
        try:
            self._run()
        except Exception as error:  # noqa: BLE001 - one episode must not end a run of thousands
            self._fail(error)
        return EpisodeResult(
            self.job.cell, self.trajectory, self.outcome, self.steps, round(time.monotonic() - began, 3),
            phone_is_suspect=False, may_help_to_retry=self.may_help_to_retry,
        )  # fmt: skip

    def _fail(self, error: Exception) -> None:
        """Note the fault that ended the episode."""
        if self.control.cancelled.is_set():
            why = self.control.reason or _("The episode was cancelled")
        elif isinstance(error, UserError | Cancelled):
            why = str(error)
            self.may_help_to_retry = not (self.agent_refused or isinstance(error, UntrustedAgent))
        else:
            _log.error("an offline episode failed", exc_info=error)
            why = _("The episode failed: {kind}: {text}", kind=type(error).__name__, text=str(error)[:300])
        self.outcome = replace(self.outcome, infrastructure=why, stopped=self.control.is_stopped)

    def _run(self) -> None:
        job, cell = self.job, self.job.cell
        project = EpisodeProject.load(job.project)
        task = project.task(cell.task)
        questions = self.questions_of(project.project, task, cell.offline)
        worded = reworded(questions.task, cell.goal_style, cell.seed)
        files = AgentFiles(project.project).digests(job.experiment.agent(cell.agent), task.id)
        plan = replace(EpisodePlan.of(job.experiment, cell, task, files), budget=len(questions))
        header = self._header(plan, task, worded, project, questions)
        writer = begin_run(project.project, header)
        self.trajectory = writer.header.id
        try:
            known = answers_before(project.project, writer.header, questions) if job.attempt else ()
            for answer in known:
                writer.append(answer.step, answer.screenshot, answer.tree)
                self._count(
                    questions, questions.questions[answer.step.index], answer.step.action, answer.turn
                )
        except BaseException:
            writer.close()
            raise
        with RunRecorder(writer) as recorder:
            record = EpisodeRecord(recorder, self.emit, self.worker, cell.id)
            record.emit(self._began(plan, worded))
            record.line(CyclePhase.PREPARE, {"settings": plan.as_dict()})
            self._recorded(plan, worded, questions, record)

    def _recorded(
        self, plan: EpisodePlan, task: Task, questions: GoldenQuestions, record: EpisodeRecord
    ) -> None:
        """Ask what is left, and write whatever became of it."""
        try:
            with logged_thread(self.agent, self.control.cancelled, record.agent_log) as thread:
                self._begin_agent(thread, plan, task)
                record.add_secrets(secrets_of(self.agent))
                hold = Hold(self.control, record.control, self.job.hold_ms)
                agent = EpisodeAgent(thread, plan.cell.modality or SCREENSHOT_AND_TREE)
                for question in questions.questions[record.steps :]:
                    self._ask(questions, question, record, agent, hold, thread)
        except Exception as error:  # noqa: BLE001 - the run is ended in any case, with the fault in it
            self._fail(error)
        self.steps = record.steps
        self.outcome = replace(self.outcome, extra={"agent_steps": self.steps} if self.steps else {})
        if not self.outcome.infrastructure:
            record.recorder.flush()
            given = [judgement_of(match, match.number - 1, now()) for match in self.matches]
            add_judgements(record.recorder.folder, map(record.masked_judgement, given))
            self.outcome = compared_outcome(self.outcome, self.matches)
        self.outcome = record.masked_outcome(self.outcome)
        record.recorder.finish(self.outcome)

    def _begin_agent(self, thread: AgentThread, plan: EpisodePlan, task: Task) -> None:
        cell = plan.cell
        modality = cell.modality or SCREENSHOT_AND_TREE
        language = cell.language or task.language
        try:
            thread.begin(AgentEpisode(task, modality, cell.seed, plan.budget, language, offline=cell.offline))
        except UserError as error:
            passes = isinstance(error, AgentUnavailable | AgentFailed | CallCancelled)
            self.agent_refused = not passes
            raise

    def _ask(
        self, questions: GoldenQuestions, question: GoldenQuestion, record: EpisodeRecord,
        agent: EpisodeAgent, hold: Hold, thread: AgentThread,
    ) -> None:  # fmt: skip
        """Ask one question, and record its answer."""
        record.number, began_ns = question.number, time.monotonic_ns()
        moment = questions.moment(question)
        record.observed(moment, None, with_picture=hold.shows_screens)
        turn = agent.think(question.number, moment, questions.history(question), lambda: False)
        assert turn is not None
        action = executable(turn.predicted, moment.screen)
        hides_text = self._hide_text(question, action, turn, moment, record, thread)
        record.predicted(moment, turn, action, hold.hold_ms)
        record.agent_log(agent.taken_log())
        while hold.wait(has_answer=True) is not None:
            pass  # nobody can act on a recorded screen
        think_ms = (time.monotonic_ns() - began_ns) // 1_000_000
        turn = replace(turn, timings_ms={**turn.timings_ms, "think": think_ms})
        self._count(questions, question, action, turn)
        asked = {OFFLINE: f"{questions.stored.header.id}@{question.step.index + 1}"}
        record.step(moment, action, turn, began_ns, asked, hides_text=hides_text)
        record.done(question.number, {"think": think_ms})

    def _hide_text(
        self, question: GoldenQuestion, action: Action, turn: AgentTurn, moment: ScreenMoment,
        record: EpisodeRecord, thread: AgentThread,
    ) -> bool:  # fmt: skip
        """Whether the text of an answer is a password; then neither files nor watchers get it."""
        if not isinstance(action, Type) or not action.text:
            return False
        own = question.own.action
        destination = predicted_destination(action.text, moment, turn.focus)
        if destination is not TextDestination.PASSWORD and not (isinstance(own, Type) and own.redacted):
            return False
        record.hide(action.text, TextDestination.PASSWORD)
        thread.hide_text(action.text)
        return True

    def _count(
        self, questions: GoldenQuestions, question: GoldenQuestion, action: Action | None,
        turn: AgentTurn | None,
    ) -> None:  # fmt: skip
        """Compare an answer, and add what it took."""
        focus = turn.focus if turn is not None else None
        self.matches.append(match_answer(questions, question, action or Invalid(), focus))
        self.outcome = replace(
            self.outcome, usage=added(self.outcome.usage, turn.usage if turn is not None else Usage())
        )

    def _header(
        self, plan: EpisodePlan, task: Task, worded: Task, project: EpisodeProject, questions: GoldenQuestions
    ) -> TrajectoryHeader:
        golden, cell, options = questions.stored.header, plan.cell, plan.agent.options
        episode = Episode(
            self.job.experiment.name, cell.key, cell.agent, str(options.get("model") or ""),
            str(options.get("prompt") or ""), modality=cell.modality, language=cell.language, seed=cell.seed,
            repeat=cell.repeat, attempt=self.job.attempt, goal_style=cell.goal_style, offline=cell.offline,
            extra={FINGERPRINT: project.fingerprint(plan, task)},
        )  # fmt: skip
        return TrajectoryHeader(
            "", task.id, device=golden.device, apps=golden.apps, episode=episode,
            instruction=worded.instruction, extra=kept_values(recorded_values(golden, task)),
        )  # fmt: skip

    def _began(self, plan: EpisodePlan, task: Task) -> EpisodeBegan:
        cell = plan.cell
        return EpisodeBegan(
            worker=self.worker, cell=cell.id, task=cell.task, agent=cell.agent, condition=cell.condition,
            trajectory=self.trajectory, budget=plan.budget, attempt=self.job.attempt,
            instruction=task.instruction,
        )  # fmt: skip


def compared_outcome(outcome: Outcome, matches: list[AnswerMatch]) -> Outcome:
    """The outcome with how many answers are right, and which is the first that is not."""
    extra = {name: value for name, value in outcome.extra.items() if name != FIRST_WRONG}
    if first := first_wrong_of(matches):
        extra[FIRST_WRONG] = first
    return replace(outcome, reason=_summary(matches), extra=extra)


def _summary(matches: list[AnswerMatch]) -> str:
    """How many answers are right, in a sentence."""
    known = [match for match in matches if match.verdict != UNDECIDED]
    right = sum(match.verdict == RIGHT for match in known)
    first = first_wrong_of(known)
    if not first:
        return _("All {count} golden steps were answered right", count=len(known))
    return _(
        "{right} of {count} golden steps were answered right; the first wrong one is step {first}",
        right=right, count=len(known), first=first,
    )  # fmt: skip
