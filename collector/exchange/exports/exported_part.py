"""What of a project is exported: the whole of it, what a selection chose, or one side of a split."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.exchange.exports.screens_elsewhere import ScreensElsewhere
from collector.exchange.exports.selection import Selection
from collector.model.dataset.split import TRAIN
from collector.model.i18n import _
from collector.model.task import Task
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project


class ExportedPart:
    """The tasks and trajectories of ``project`` that are written, and the options of the format."""

    def __init__(
        self,
        project: Project,
        folders: Sequence[str] | None = None,
        tasks: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """``folders`` are those of the trajectories, relative to the project; None is all of it.

        ``tasks`` are ids of tasks that are written without a trajectory, too.
        """
        self.project = project
        self.options = options or {}
        self._folders, self._tasks = folders, tasks
        self._sides: Mapping[str, ExportedPart] = {}
        self._most: int | None = None
        self.elsewhere = ScreensElsewhere()
        """The screens that an earlier side of the split writes."""

    @classmethod
    def chosen(
        cls,
        project: Project,
        selection: Selection,
        options: Mapping[str, Any] | None = None,
        kind: str = "",
    ) -> ExportedPart:
        """The part that a selection chooses, of one ``kind`` of trajectories unless it is empty.

        Raises ExchangeError when it chooses nothing, and QueryError.
        """
        if selection.is_empty and not kind:
            return cls(project, options=options)
        unknown = [task for task in selection.tasks if project.task(task) is None]
        if unknown:
            raise ExchangeError(
                _("There is no task {task}", task=unknown[0]), "", _("`waymark task list` lists the tasks")
            )
        with Catalogue(project) as catalogue:
            catalogue.refresh()
            folders = selection.of_kind(kind).folders(catalogue)
        tasks = selection.tasks if selection.names_only_tasks else ()
        if not folders and not tasks:
            raise ExchangeError(
                _("No trajectory fits"),
                _("nothing would be written"),
                _("`waymark trajectory list --where QUERY` shows what a search finds"),
            )
        return cls(project, folders, tasks, options)

    @property
    def is_whole(self) -> bool:
        """Whether it is all of the project."""
        return self._folders is None

    def folders(self) -> Iterator[Path]:
        """Folders of the trajectories, by task and name."""
        whole = (
            self.project.trajectory_folders() if self._folders is None else map(self._place, self._folders)
        )
        return islice(whole, self._most)

    def _place(self, name: str) -> Path:
        return self.project.folder / name

    def first(self, most: int) -> ExportedPart:
        """A part with all tasks of this one and its first ``most`` trajectories alone."""
        part = copy(self)
        part._most = most
        return part

    def count(self) -> int:
        """How many trajectories there are."""
        if self._folders is not None:
            return len(self._folders)
        return sum(1 for _folder in self.project.trajectory_folders())

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks that are written, in the order of the project."""
        if self._folders is None:
            return self.project.tasks
        own = {name.split("/")[-2] for name in self._folders}
        folders = {task.id: self.project.paths.trajectories_of(task.id).name for task in self.project.tasks}
        return tuple(task for task in self.project.tasks if task.id in self._tasks or folders[task.id] in own)

    @property
    def sides(self) -> Mapping[str, ExportedPart]:
        """The part of each side, for a format that divides; without a split all is to train with."""
        return self._sides or {TRAIN: self}

    def divided_into(self, sides: Mapping[str, ExportedPart]) -> ExportedPart:
        """This part with its sides."""
        whole = ExportedPart(self.project, self._folders, self._tasks, self.options)
        whole._sides = sides
        return whole

    def side(
        self, folders: Sequence[str], tasks: Sequence[str], elsewhere: ScreensElsewhere | None = None
    ) -> ExportedPart:
        """A part of this one, with the same options, that leaves out the screens ``elsewhere``."""
        part = ExportedPart(self.project, folders, tasks, self.options)
        part.elsewhere = elsewhere or part.elsewhere
        return part
