"""The experiments of a project for the window: read behind it, one of them followed with its matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from collector.located_yaml.diagnostics import Diagnostic
from collector.run.experiment.model import Cell, Experiment
from collector.run.progress import CellProgress
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.newest_answers import NewestAnswers


@dataclass(frozen=True, slots=True)
class LoadedExperiment:
    """An experiment of the project as its file says it now."""

    name: str
    path: Path
    text: str = ""
    experiment: Experiment | None = None
    """None while the file has errors."""
    cells: tuple[Cell, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    earlier: tuple[CellProgress, ...] = ()
    """What the project's trajectories say of the cells."""


class Experiments(QObject):
    """Lists and reads experiments. GUI thread only; files are read in the store's queue."""

    listed = Signal(object)
    """Paths of the experiment files of the project, by name of the experiment."""
    loaded = Signal(object)
    """The :class:`LoadedExperiment` that was asked for."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self.failed)

    def list_files(self, folder: Path) -> None:
        """List the experiments of the project in a folder; ``listed`` follows."""

        def work(_job: Job) -> Mapping[str, Path]:
            from collector.store.layout import ProjectPaths

            return {path.stem: path for path in ProjectPaths(folder).experiments()}

        self._answers.ask("list", work, self.listed.emit, queue=JobQueue.STORE)

    def forget(self) -> None:
        """Drop what is being read."""
        self._answers.forget()
