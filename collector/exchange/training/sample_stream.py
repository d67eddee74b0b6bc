"""All samples of a part of a project, a trajectory at a time; what is left out goes into the log."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from collector.comparison.alignment.reading import ScreenCache
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.training.action_samples import step_samples, whole_sample
from collector.exchange.training.drawn_pictures import DrawnPictures
from collector.exchange.training.grounding_samples import grounding_samples
from collector.exchange.training.preference_samples import (
    corrected_samples,
    correction_samples,
    is_called_wrong,
    is_failed,
    preference_samples,
)
from collector.exchange.training.sample_options import (
    CORRECTIONS,
    GROUNDING,
    PREFERENCES,
    STEPS,
    WHOLE,
    SampleOptions,
)
from collector.exchange.training.taught_steps import TaughtTrajectory
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import RECORDING
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from collector.trainer_files.conversation import TrainingConversation

_MAKERS = {
    STEPS: step_samples, WHOLE: whole_sample, GROUNDING: grounding_samples, CORRECTIONS: correction_samples,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SampleStream:
    """The samples of one content. Memory does not grow with the trajectories."""

    part: ExportedPart
    content: str
    options: SampleOptions
    log: ExchangeLog
    done: Callable[[Sequence[StoredTrajectory]], None]
    """Called with trajectories once their samples are written."""
    is_first: bool = True
    """Whether these trajectories are read for the first time; they are written then, and named."""

    def samples(self) -> Iterator[TrainingConversation]:
        """All samples, a trajectory at a time; of preferences a task at a time."""
        with DrawnPictures(self.options) as drawn:
            if self.content == PREFERENCES:
                cache = ScreenCache()
                for _task, folders in itertools.groupby(self.part.folders(), lambda folder: folder.parent):
                    yield from self._of_task(list(folders), drawn, cache)
            else:
                for folder in self.part.folders():
                    if (stored := self._opened(folder)) is not None:
                        yield from _MAKERS[self.content](self._taught(stored, drawn))
                        self.done([stored])
        self.log.where = ""

    def _taught(self, stored: StoredTrajectory, drawn: DrawnPictures) -> TaughtTrajectory:
        task = self.part.project.task(stored.header.task_id)
        return TaughtTrajectory(stored, task, self.options, self.log, drawn, self.part.elsewhere)

    def _of_task(
        self, folders: Sequence[Path], drawn: DrawnPictures, cache: ScreenCache
    ) -> Iterator[TrainingConversation]:
        """Steps of runs that people corrected, and the newest golden trajectory beside other wrong runs."""
        read = list(filter(None, map(self._opened, folders)))
        goldens = [stored for stored in read if stored.header.is_golden]
        golden = max(goldens, key=lambda stored: stored.header.started, default=None)
        runs = [stored for stored in read if stored.header.is_run]
        for run in runs:
            self.log.where = self.part.project.paths.relative(run.folder)
            yield from corrected_samples(self._taught(run, drawn))
        wrong = [run for run in runs if is_failed(run) or is_called_wrong(run)]
        if wrong and golden is None:
            self.log.where = ""
            text = _("Runs give no preference when no golden trajectory of their task is exported")
            self.log.add("no-golden", text, step=wrong[0].folder.parent.name, severity=NOTE)
        elif golden is not None:
            for run in wrong:
                self.log.where = self.part.project.paths.relative(run.folder)
                yield from preference_samples(golden, self._taught(run, drawn), cache)
        if read:
            self.done(read)

    def _opened(self, folder: Path) -> StoredTrajectory | None:
        """A trajectory; None for one that is written, or cannot be, which is reported."""
        log = self.log
        log.where = name = self.part.project.paths.relative(folder)
        try:
            stored = open_trajectory(folder)
        except UserError as error:
            log.add("trajectory-unreadable", _("A trajectory was left out: {why}", why=error))
            return None
        if stored.header.status == RECORDING:
            log.add("not-finished", _("A trajectory that is still recorded was left out"))
            return None
        if stored.header.is_offline:
            log.add(
                "offline-steps", _("Steps that were asked offline were left out: they are no run of a task")
            )
            return None
        if not log.begin(name, "" if self.is_first else self.content):
            return None
        if self.is_first:
            log.written.trajectories.append(name)
        for problem in stored.problems:
            log.add("step-unreadable", problem)
        return stored
