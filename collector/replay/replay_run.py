"""The run that a replay leaves in its project: its steps as they were done, its events and its outcome."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from collector.anomalies.events import AnomalyEvent
from collector.device.device_info import (
    DeviceInfo,
    Display,
    read_app_versions,
    read_device_info,
    read_display,
)
from collector.device.protocols import Device
from collector.model.action import COMPLETION_SIGNALS, Action, Complete
from collector.model.episode import REPLAY_AGENT, AgentTurn, Episode, Outcome
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import TOOL, TrajectoryHeader
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.recorder.events import PHONE_LOST
from collector.recorder.run_recorder import RunRecorder
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.outcomes import ReplayResult, ReplayStatus, why_of
from collector.replay.recorded_anomalies import note_anomaly
from collector.store.project.project import Project
from collector.store.project.runs import begin_run
from collector.store.tasks.task_values import kept_values

SOLVABILITY_EXPERIMENT = "solvability"
"""The experiment of the runs that solvability checks leave."""
_log = logging.getLogger(__name__)


class ReplayRun:
    """Records one replay. A disk that refuses the run does not stop the replay: ``problem`` says why."""

    def __init__(self, recorder: RunRecorder) -> None:
        self._recorder = recorder
        self._packages: set[str] = set()
        self.problem = ""
        """Why the run is not recorded to its end, in a sentence; empty when it is."""
        self.claimed = ""
        """Kind of the action of the recording that says the task is done."""

    @property
    def id(self) -> str:
        return self._recorder.header.id

    def step(
        self,
        screen: ScreenMoment,
        action: Action,
        acted_ns: int,
        *,
        predicted: Action | None = None,
        erased: int = 0,
        tool: str = "",
        step: int | None = None,
    ) -> None:
        """Record an action that was done; ``step`` is the index of the recorded step it repeats.

        ``predicted`` is the action before it was executed, when that is another: an app without its package.
        """
        if isinstance(action, COMPLETION_SIGNALS):
            self.claimed = action.kind
        extra: dict[str, object] = {"replayed_step": step} if step is not None else {}
        extra |= {key: value for key, value in (("erased", erased), (TOOL, tool)) if value}
        done_ns = time.monotonic_ns()
        timings = {"act": (done_ns - acted_ns) // 1_000_000}
        if screen.package:
            self._packages.add(screen.package)
        turn = AgentTurn(predicted=predicted or action, timings_ms=timings)
        self._guarded(lambda: self._recorder.step(screen, action, extra, agent=turn, acted_ns=acted_ns))

    def note(self, event: AnomalyEvent) -> None:
        """Record what becomes of an injected anomaly."""
        self._guarded(lambda: note_anomaly(self._recorder, event))

    def lost_phone(self, why: str) -> None:
        """Record that the phone went away."""
        self._guarded(lambda: self._recorder.note_event(PHONE_LOST, time.monotonic_ns(), {"reason": why}))

    def finish(self, outcome: Outcome, final: ScreenMoment | None, device: Device) -> None:
        """Write the outcome and the final state; of a phone that is gone without the versions of its apps."""
        versions = {} if outcome.infrastructure else read_app_versions(device, sorted(self._packages))
        self._guarded(lambda: self._recorder.finish(outcome, final, apps=versions))
        self._recorder.close()

    def _guarded(self, work: Callable[[], object]) -> None:
        if self.problem:
            return
        try:
            work()
        except UserError as error:
            _log.info("the run %s is not recorded to its end: %s", self.id, error)
            self.problem = _("The run could not be recorded: {why}", why=error)


def outcome_of(result: ReplayResult, claimed: str = "") -> Outcome:
    """The outcome of a replay. One that stopped before its last step never said that it was done.

    ``claimed`` is the recording's own signal; a recording without one is done when its steps are.
    """
    why = why_of(result)
    match result.status:
        case ReplayStatus.DONE:
            return Outcome(SUCCESS, why, claimed or Complete.kind)
        case ReplayStatus.FAILED:
            return Outcome(FAILURE, why, claimed or Complete.kind)
        case ReplayStatus.DIVERGED | ReplayStatus.REFUSED:
            return Outcome(UNCOMPLETED, why)
        case ReplayStatus.CANCELLED:
            return Outcome(infrastructure=_("The replay was cancelled"), stopped=True)
        case _:
            return Outcome(infrastructure=why)


@dataclass(slots=True)
class ReplayRuns:
    """Begins the runs that replays on one phone leave in a project."""

    project: Project
    device: Device
    experiment: str
    """Name of the experiment that the runs belong to, as in ``solvability``."""
    _phone: tuple[DeviceInfo, Display] | None = None

    def begin(
        self, task_id: str, cell: str, condition: str = "", *, buttons: int | None = None,
        secrets: Iterable[str] = (), values: Mapping[str, str] | None = None,
    ) -> ReplayRun:  # fmt: skip
        """Begin a run in a cell of the experiment; ``secrets`` are texts it must not keep.

        ``values`` are those of the parameters of the task, by which the run is judged.

        Raises DeviceError, and StoreError when the project takes no run.
        """
        if self._phone is None:
            self._phone = read_device_info(self.device), read_display(self.device)
        info, display = self._phone
        device = {**info.as_dict(), "size": str(display.size), "density": display.density}
        seed = int(info.seed) if info.seed.isdecimal() else None
        episode = Episode(
            self.experiment,
            cell,
            REPLAY_AGENT,
            condition=condition,
            modality="tree",
            buttons=buttons,
            seed=seed,
        )
        header = TrajectoryHeader(
            "", task_id, device=device, episode=episode, extra=kept_values(values or {})
        )
        return ReplayRun(RunRecorder(begin_run(self.project, header), secrets=secrets))
