"""Run one episode of an experiment on one phone: from the reset to the verdict of the judge."""

from __future__ import annotations

import contextlib
import logging
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from collector.agents.agent import SCREENSHOT_AND_TREE, Agent, AgentEpisode, AgentUnavailable, secrets_of
from collector.asking.episode_user import EpisodeUser, PersonReply
from collector.device.device_info import read_app_versions, read_device_info, read_display
from collector.device.errors import CallCancelled
from collector.device.health.phone_health import check_phone, is_black_in_the_middle
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.judging import judged_by_rules
from collector.model.cancellation import Cancelled, cancellable
from collector.model.episode import Episode, Outcome
from collector.model.errors import UserError
from collector.model.task import Task, reworded
from collector.model.trajectory import TrajectoryHeader
from collector.model.verdicts.judgement import SUCCESS, TASK, Judgement
from collector.recorder.events import PHONE_LOST
from collector.recorder.observer import Observer
from collector.recorder.passwords.text_destination import TextDestination
from collector.recorder.run_recorder import RunRecorder
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.device_executor import device_executor
from collector.replay.phone import ReplayPhone
from collector.reset.reset_record import ResetRecord
from collector.run.cycle.action_runner import ActionRunner
from collector.run.cycle.agent_files import AgentFiles
from collector.run.cycle.agent_thread import AgentFailed, AgentThread, logged_thread
from collector.run.cycle.conditions import require_injectable, with_buttons
from collector.run.cycle.ending import BY_REPEATS
from collector.run.cycle.episode_agent import EpisodeAgent
from collector.run.cycle.episode_anomalies import EpisodeAnomalies, undo_leftovers
from collector.run.cycle.episode_cycle import CycleState, EpisodeCycle
from collector.run.cycle.episode_job import EpisodeJob, EpisodeResult
from collector.run.cycle.episode_phone import prepare_for_episode
from collector.run.cycle.episode_plan import EpisodePlan
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.cycle.episode_record import EpisodeRecord
from collector.run.cycle.episode_screens import EpisodeScreens
from collector.run.cycle.faults import Fault, fault_of
from collector.run.cycle.outcomes import outcome_by
from collector.run.cycle.phases import CyclePhase
from collector.run.cycle.run_start import RunStart, views_before
from collector.run.cycle.steering.episode_control import EpisodeControl
from collector.run.cycle.steering.hold import Hold
from collector.run.events import EpisodeBegan, RunEvent
from collector.store.project.runs import begin_run
from collector.store.tasks.task_values import bound, kept_values, recorded_values, values_of
from collector.store.trajectory.fingerprint import FINGERPRINT
from collector.store.trajectory.judgements import add_judgements

_log = logging.getLogger(__name__)


def run_episode(
    job: EpisodeJob,
    phone: ReplayPhone,
    agent: Agent,
    emit: Callable[[RunEvent], None],
    control: EpisodeControl | None = None,
    *,
    worker: str = "",
) -> EpisodeResult:
    """Run an episode: reset the phone, begin the run, let ``agent`` act, judge, and write the outcome.

    Blocks until it ends. Emits :class:`EpisodeBegan` and all up to the last StepDone; EpisodeEnded is the
    caller's, who knows whether the episode is tried again. Nothing is raised for a fault: it is in
    ``outcome.infrastructure``. The agent and the phone stay open: they belong to the caller.
    """
    return _EpisodeRun(job, phone, agent, emit, control or EpisodeControl(), worker).run()


@dataclass(slots=True)
class _EpisodeRun:
    """One call of :func:`run_episode`."""

    job: EpisodeJob
    phone: ReplayPhone
    agent: Agent
    emit: Callable[[RunEvent], None]
    control: EpisodeControl
    worker: str
    trajectory: str = ""
    steps: int = 0
    fault: Fault | None = None
    agent_refused: bool = False
    """The agent said that the episode cannot be tried."""
    has_leftovers: bool = False
    """Something injected could not be taken back: the phone is restarted before the next episode."""
    outcome: Outcome = field(default_factory=Outcome)

    def run(self) -> EpisodeResult:
        began = time.monotonic()
        try:
            self._run()
        except UserError as error:
            self._fail(error)
        except Exception as error:  # noqa: BLE001 - one episode must not end a run of thousands
            _log.exception("an episode failed")
            self._fail(error)
        fault = self.fault
        return EpisodeResult(
            self.job.cell, self.trajectory, self.outcome, self.steps, round(time.monotonic() - began, 3),
            not self.has_leftovers and (fault is None or fault.phone_is_usable),
            fault is None or fault.phone_is_suspect,
            fault is None or fault.may_help_to_retry,
        )  # fmt: skip

    def _fail(self, error: Exception) -> None:
        fault = fault_of(error, self.phone.device, self.control)
        if self.agent_refused:
            fault = replace(fault, phone_is_suspect=False, may_help_to_retry=False)
        self.fault = fault
        self.outcome = replace(
            self.outcome, status="", infrastructure=self.fault.sentence, stopped=self.control.is_stopped
        )

    def _run(self) -> None:
        job, cancelled = self.job, self.control.cancelled
        project = EpisodeProject.load(job.project)
        task = project.task(job.cell.task)
        start = RunStart.of(project.project, job.cell.start, task.id)
        begun = start.begin.stored.header if start is not None else None
        values = recorded_values(begun, task) if begun is not None else values_of(task, job.cell.seed)
        worded = reworded(bound(task, values), job.cell.goal_style, job.cell.seed)
        files = AgentFiles(project.project).digests(job.experiment.agent(job.cell.agent), task.id)
        plan = EpisodePlan.of(job.experiment, job.cell, task, files)
        require_injectable(plan.condition, project.anomalies)
        undo_leftovers(self.phone.device, project.anomalies)
        reset = prepare_for_episode(self.phone.device, project.project, task, job.cell, plan.reset, cancelled)
        header = self._header(plan, task, worded, project)
        header = replace(header, extra={**header.extra, **kept_values(values)})
        if reset is not None:
            header = replace(header, extra={**header.extra, "reset": reset.as_dict()})
        with self._recorder(project, header, start) as recorder:
            self.trajectory = recorder.header.id
            record = EpisodeRecord(recorder, self.emit, self.worker, job.cell.id)
            record.emit(self._began(plan, worded, record.steps))
            record.enter(CyclePhase.PREPARE)
            settings = {"settings": plan.as_dict(), "rules_version": project.version(plan, task)}
            record.line(CyclePhase.PREPARE, settings)
            self._recorded(project, plan, worded, record, start, reset)

    # -- the run -------------------------------------------------------------
    def _recorder(
        self, project: EpisodeProject, header: TrajectoryHeader, start: RunStart | None
    ) -> RunRecorder:
        writer = begin_run(project.project, header)
        self.trajectory = writer.header.id
        if start is not None:
            try:
                start.copy_steps(writer)
            except BaseException:
                writer.close()
                raise
        return RunRecorder(writer)

    def _recorded(
        self, project: EpisodeProject, plan: EpisodePlan, task: Task, record: EpisodeRecord,
        start: RunStart | None, reset: ResetRecord | None,
    ) -> None:  # fmt: skip
        """Run the cycle, and write whatever became of it."""
        state = CycleState()
        try:
            with (
                logged_thread(self.agent, self.control.cancelled, record.agent_log) as thread,
                self._anomalies(project, plan, task, record) as anomalies,
            ):
                if start is not None:
                    arrival = start.bring(self.phone, self.control.cancelled, reset)
                    record.line(CyclePhase.PREPARE, {"start": plan.cell.start, "arrival": arrival.value})
                self._begin_agent(thread, plan, task)
                record.add_secrets(secrets_of(self.agent))
                hold = Hold(self.control, record.control, self.job.hold_ms)
                with contextlib.closing(self._user(plan, task, record, hold)) as user:
                    cycle = self._cycle(project, plan, task, record, thread, anomalies, hold, user)
                    state = cycle.state
                    if start is not None:
                        whole = record.recorder.as_finished(Outcome())
                        judged = JudgedTrajectory.of(whole, project.project.tasks, project.rules)
                        cycle.begin_after(views_before(judged), start.begin.history)
                    with cancellable(self.control.cancelled.is_set):
                        cycle.run()
        except Exception as error:  # noqa: BLE001 - the run is ended in any case, with the fault in it
            if not isinstance(error, UserError | Cancelled):
                _log.error("an episode failed\n%s", record.masked_text(traceback.format_exc()))
            self._fail(error)
        self.steps = record.steps
        extra = {
            "ended_by": state.ended_by, "agent_steps": state.agent_steps,
            "person_steps": state.person_steps, "invalid": state.invalid,
        }  # fmt: skip
        self.outcome = replace(
            self.outcome,
            claimed=state.signal.kind if state.signal is not None else "",
            early_stop=state.ended_by == BY_REPEATS,
            usage=state.usage,
            extra={name: value for name, value in extra.items() if value},
        )
        self._end(project, plan, state, record)

    def _begin_agent(self, thread: AgentThread, plan: EpisodePlan, task: Task) -> None:
        cell = plan.cell
        modality, language = cell.modality or SCREENSHOT_AND_TREE, cell.language or task.language
        try:
            thread.begin(AgentEpisode(task, modality, cell.seed, plan.budget, language, cell.variation))
        except UserError as error:
            self.agent_refused = not isinstance(error, (AgentUnavailable, AgentFailed, CallCancelled))
            raise

    def _end(
        self, project: EpisodeProject, plan: EpisodePlan, state: CycleState, record: EpisodeRecord
    ) -> None:
        record.enter(CyclePhase.END)
        recorder, fault = record.recorder, self.fault
        if fault is not None:
            if fault.phone_is_gone:
                with contextlib.suppress(UserError):
                    recorder.note_event(PHONE_LOST, time.monotonic_ns(), {"reason": fault.sentence})
            self._finish(record, self._unrecorded_screen(state, record))
            return
        if state.screen is not None and state.signal is None:
            recorder.add_final_state(state.screen)
        try:
            with cancellable(self.control.cancelled.is_set):
                judgements = self._judged(project, plan, recorder)
        except Cancelled as error:
            self._fail(error)
            recorder.finish(self.outcome)
            return
        on_task = next(item for item in judgements if item.subject.kind == TASK)
        self.outcome = outcome_by(on_task, self.outcome, plan.semantics)
        if self.outcome.status != SUCCESS and (problem := self._black_screen(state)):
            self.fault = Fault(problem, phone_is_usable=False)
            self.outcome = replace(self.outcome, status="", infrastructure=problem)
            self._finish(record)
            return
        record.line(
            CyclePhase.END,
            {"end": state.ended_by, "status": self.outcome.status, "verdict": on_task.verdict},
        )
        add_judgements(recorder.folder, map(record.masked_judgement, judgements))
        self._finish(record, apps=self._app_versions(record))

    def _finish(
        self, record: EpisodeRecord, final: ScreenMoment | None = None,
        apps: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        self.outcome = record.masked_outcome(self.outcome)
        record.recorder.finish(self.outcome, final, apps=apps)

    def _black_screen(self, state: CycleState) -> str:
        """Why an agent could see nothing at the end; empty unless the phone's picture failed."""
        screen = state.screen
        if (
            screen is None
            or screen.frame is None
            or screen.secure
            or not is_black_in_the_middle(screen.frame)
        ):
            return ""
        return check_phone(self.phone.device).problem

    def _app_versions(self, record: EpisodeRecord) -> dict[str, str]:
        """The versions of the apps that were in front; none when the phone goes away at the very end."""
        try:
            return read_app_versions(self.phone.device, sorted(record.packages))
        except (UserError, OSError) as error:
            _log.info("the versions of the apps were not read: %s", error)
            return {}

    @staticmethod
    def _unrecorded_screen(state: CycleState, record: EpisodeRecord) -> ScreenMoment | None:
        """The screen on which a fault ended the episode, which no step has."""
        is_next = state.view is not None and state.view.step == record.steps + 1
        return state.screen if is_next and state.signal is None else None

    def _judged(
        self, project: EpisodeProject, plan: EpisodePlan, recorder: RunRecorder
    ) -> tuple[Judgement, ...]:
        stored = recorder.as_finished(self.outcome)
        return judged_by_rules(project.project, project.rules, stored, plan.semantics)

    # -- parts ---------------------------------------------------------------
    def _cycle(
        self, project: EpisodeProject, plan: EpisodePlan, task: Task, record: EpisodeRecord,
        thread: AgentThread, anomalies: EpisodeAnomalies, hold: Hold, user: EpisodeUser,
    ) -> EpisodeCycle:  # fmt: skip
        phone, cancelled = self.phone, self.control.cancelled
        observer = Observer(phone.device, phone.trees, cancelled, phone.pictures)
        executor = device_executor(phone.device, phone.sink, cancelled)

        def hide(text: str, destination: TextDestination) -> None:
            record.hide(text, destination)
            thread.hide_text(text)

        return EpisodeCycle(
            plan,
            EpisodeScreens(observer, phone.pictures is not None),
            ActionRunner(executor, observer, cancelled, hide),
            EpisodeAgent(thread, plan.cell.modality or SCREENSHOT_AND_TREE),
            project.episode_rules(plan, task, record.steps),
            anomalies,
            record,
            hold,
            user,
        )

    def _user(self, plan: EpisodePlan, task: Task, record: EpisodeRecord, hold: Hold) -> EpisodeUser:
        """Who answers the agent; people are shown its questions. Raises UserError for a wrong model."""

        def ask_person(question: str, within_s: float) -> PersonReply | None:
            try:
                return hold.reply(partial(record.asked, question, within_s, is_open=True), within_s)
            finally:
                record.asked(question, within_s, is_open=False)

        return EpisodeUser(task, plan.user, ask_person, self.control.cancelled)

    @contextlib.contextmanager
    def _anomalies(
        self, project: EpisodeProject, plan: EpisodePlan, task: Task, record: EpisodeRecord
    ) -> Iterator[EpisodeAnomalies]:
        anomalies = EpisodeAnomalies(
            self.phone.device, project.anomalies, task.package, plan.condition.buttons,
            record.note_anomaly, lambda: record.steps, self.control.cancelled,
        )  # fmt: skip
        try:
            yield anomalies
        finally:
            try:
                for problem in anomalies.undo():
                    self.has_leftovers = True
                    _log.warning("an anomaly could not be taken back: %s", problem)
            finally:
                anomalies.close()

    def _header(
        self, plan: EpisodePlan, task: Task, worded: Task, project: EpisodeProject
    ) -> TrajectoryHeader:
        info, display = read_device_info(self.phone.device), read_display(self.phone.device)
        device = {**info.as_dict(), "size": str(display.size), "density": display.density}
        cell, options = plan.cell, plan.agent.options
        episode = Episode(
            self.job.experiment.name, cell.key, cell.agent, str(options.get("model") or ""),
            str(options.get("prompt") or ""), "" if plan.condition.is_baseline else plan.condition.id,
            cell.modality, with_buttons(plan.condition, project.anomalies), cell.variation, cell.language,
            cell.seed, cell.repeat, self.job.attempt, cell.goal_style, cell.start,
            extra={FINGERPRINT: project.fingerprint(plan, task), **project.planted(cell.variation)},
        )  # fmt: skip
        return TrajectoryHeader("", task.id, device=device, episode=episode, instruction=worded.instruction)

    def _began(self, plan: EpisodePlan, task: Task, before: int) -> EpisodeBegan:
        """The event; ``before`` steps lie before the agent's first one, and count in the budget it shows."""
        cell = plan.cell
        return EpisodeBegan(
            worker=self.worker, cell=cell.id, task=cell.task, agent=cell.agent, condition=cell.condition,
            trajectory=self.trajectory, budget=plan.budget + before, attempt=self.job.attempt,
            instruction=task.instruction,
        )  # fmt: skip
