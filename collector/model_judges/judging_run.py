"""Judge many trajectories by a model: several at once, with a limit for money, pause and cancellation.

Verdicts are stored as soon as a trajectory is judged, and answers as soon as they come: a program that is
killed goes on where it was, and pays for nothing twice.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from collector.device.errors import CallCancelled
from collector.endpoint.chat_endpoint import EndpointUnavailable
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.judging import JudgedResult, keep_judgements, no_attempt, require_own_name
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import RECORDING
from collector.model.verdicts.judgement import MODEL, TASK, UNDECIDED
from collector.model_judges.answer_store import AnswerStore
from collector.model_judges.asking import LimitReached, ModelAsker, Spending, judged_by
from collector.model_judges.model_judge import AsksModels
from collector.model_judges.prices import require_prices
from collector.project_rules.project_rules import ProjectRules
from collector.store.files.errors import StoreError
from collector.store.project.folder_list import FolderList
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import open_trajectory, read_header

MOST_FAILING = 3
"""So many trajectories in a row without an answer of the endpoint end a run: it has gone."""


@dataclass
class JudgingControl:
    """How a run of judging is steered from another thread, and what it has spent."""

    spending: Spending = field(default_factory=Spending)
    cancel: threading.Event = field(default_factory=threading.Event)
    going: threading.Event = field(default_factory=threading.Event)
    """Cleared while the run is paused: what is on its way is answered, and nothing more is asked."""

    def __post_init__(self) -> None:
        self.going.set()


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which trajectories of a project are judged."""

    task: str = ""
    agent: str = ""
    only_undecided: bool = False
    """Only those of whose task no other judge has said whether it is done."""

    def of(self, folders: Sequence[Path], judge: str) -> Sequence[Path]:
        """Those of ``folders`` that are chosen; one that cannot be read is, so that its problem is seen."""
        if not (self.task or self.agent or self.only_undecided):
            return folders
        return FolderList(folder for folder in folders if self._is_chosen(folder, judge))

    def _is_chosen(self, folder: Path, judge: str) -> bool:
        try:
            header = read_header(folder)
        except StoreError:
            return True
        agent = header.episode.agent if header.episode is not None else ""
        if (self.task and header.task_id != self.task) or (self.agent and agent != self.agent):
            return False
        return not self.only_undecided or not _is_decided(folder, judge)


def _is_decided(folder: Path, judge: str) -> bool:
    stored = read_judgements(folder)
    others = [item for (who, _subject), item in stored.newest().items() if who != judge]
    decided = [*others, *stored.settled().values()]
    return any(item.subject.kind == TASK and item.verdict != UNDECIDED for item in decided)


def judge_by_models(
    project: ProjectRules, folders: Sequence[Path], judge: AsksModels, control: JudgingControl, *,
    keep: bool = True,
) -> Iterator[JudgedResult]:  # fmt: skip
    """Judge trajectories, and yield each as soon as it is judged; with ``keep`` the verdicts are stored.

    Those of a trajectory that is still recorded are not. One at which the judge fails is reported in its
    result. Raises LimitReached, and EndpointUnavailable once the endpoint has gone.
    """
    with ModelJudging(project, judge, control, keep=keep) as judging:
        pool = ThreadPoolExecutor(judge.workers, "judged trajectory")
        try:
            yield from _in_turns(pool, folders, judging.result, judge.workers)
        except BaseException:
            control.cancel.set()  # what is on its way is waited for by nobody
            raise
        finally:
            control.going.set()
            pool.shutdown(wait=True, cancel_futures=True)


class ModelJudging:
    """A judge at work on trajectories of a project, from several threads. To be closed."""

    def __init__(
        self, project: ProjectRules, judge: AsksModels, control: JudgingControl, *, keep: bool = True
    ) -> None:
        """With ``keep`` the verdicts are stored.

        Raises UserError when the rules cannot be read, and for a limit without prices.
        """
        if control.spending.limit_usd is not None:
            require_prices(judge)
        self.judge, self._keep, self._control = judge, keep, control
        self._rules, self._tasks = project.rules(), project.project.tasks
        self._store = AnswerStore(project.project.paths.answer_cache)
        self._asker = ModelAsker(
            self._store, control.spending, workers=judge.workers, cancel=control.cancel, going=control.going
        )
        self._failing = 0
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Wait for the questions that are on their way, and close the connections."""
        self._asker.close()
        self._store.close()

    def result(self, folder: Path) -> JudgedResult | None:
        """What the judge says of one trajectory; None once the run is cancelled.

        Raises LimitReached, and EndpointUnavailable once the endpoint has gone.
        """
        try:
            stored = open_trajectory(folder)
        except UserError as error:
            return JudgedResult(folder, folder.name, folder.parent.name, problem=str(error))
        header = stored.header
        if header.is_offline:
            return no_attempt(folder, header)
        try:
            if self._keep:
                require_own_name(folder, self.judge.name, MODEL)
            asking = self.judge.asking(JudgedTrajectory.of(stored, self._tasks, self._rules))
            given = tuple(judged_by(asking, self._asker))
        except CallCancelled:
            return None
        except LimitReached:
            raise
        except EndpointUnavailable as error:
            self._note_failure(error)
            return JudgedResult(folder, header.id, header.task_id, problem=str(error))
        except UserError as error:
            return JudgedResult(folder, header.id, header.task_id, problem=str(error))
        with self._lock:
            self._failing = 0
        if self._keep and header.status != RECORDING:
            keep_judgements(folder, given)
        return JudgedResult(folder, header.id, header.task_id, given)

    def _note_failure(self, error: EndpointUnavailable) -> None:
        with self._lock:
            self._failing += 1
            failing = self._failing
        if failing >= MOST_FAILING:
            to_do = error.to_do or _("Judge again later: what was answered is not asked again")
            raise EndpointUnavailable(error.what, error.why, to_do) from error


def _in_turns(
    pool: ThreadPoolExecutor, folders: Sequence[Path], work: Callable[[Path], JudgedResult | None], most: int
) -> Iterator[JudgedResult]:
    """The results of ``work`` as they come; no more than ``most`` trajectories are open at once."""
    waiting, running = iter(folders), set[Future[JudgedResult | None]]()
    while True:
        while len(running) < most and (folder := next(waiting, None)) is not None:
            running.add(pool.submit(work, folder))
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            if (result := future.result()) is not None:
                yield result
