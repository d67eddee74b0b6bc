"""A project: a folder with its settings, tasks, rules and trajectories. Its files are the truth."""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from collector.model.essential_state import EssentialState
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.model.verdicts.failure_reason import FailureReason
from collector.store.files import access, lock, yaml_files
from collector.store.files import format_versions as versions
from collector.store.files.disk import Disk
from collector.store.files.errors import NotFound, StoreError
from collector.store.files.findings import damaged_file
from collector.store.files.layout import PROJECT_FILE, TASKS_FILE, ProjectPaths, is_project, is_trajectory
from collector.store.files.links import folders_in, leads_outside, refuse_links_outside
from collector.store.files.names import new_id
from collector.store.files.project_settings import (
    HEALTH,
    REASONS,
    RESET,
    SEMANTICS,
    read_settings,
    read_settings_in_spite_of_damage,
)
from collector.store.files.project_version import raise_version
from collector.store.project.health_settings import HealthSettings, read_health_settings
from collector.store.project.new_project_folder import require_new
from collector.store.project.project_reasons import changed_reasons, check_reasons, read_project_reasons
from collector.store.project.project_reset import ProjectReset, read_project_reset
from collector.store.project.version_control import write_git_files
from collector.store.tasks import task_file
from collector.store.tasks.project_tasks import ProjectTasks
from collector.store.tasks.state_file import StateChange
from collector.store.tasks.task_merge import TaskMerge
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from collector.store.trajectory.trajectory_lookup import find_trajectory
from collector.store.trajectory.writer import TrajectoryWriter

_log = logging.getLogger(__name__)


class Project:
    """An opened project. ``paths`` says where its files lie.

    Reading needs no lock; a program that stays open and edits takes :meth:`lock`. ``tasks`` holds what
    :meth:`reload` read last; :meth:`save_tasks` writes them. Any thread may call these three.
    """

    def __init__(
        self,
        folder: Path,
        settings: versions.Document,
        disk: Disk | None = None,
        *,
        allow_damage: bool = False,
    ) -> None:
        self.folder = folder
        self.is_read_only = access.is_read_only(folder)
        """Whether this account may only read the project; methods that write raise ReadOnly then."""
        self.paths = ProjectPaths(folder, access.cache_outside(folder) if self.is_read_only else None)
        self._settings = settings
        self._disk = disk or Disk()
        self._project_tasks = ProjectTasks(self.paths, self._disk, _version_raiser(self))
        self._tolerates_damage = allow_damage
        self._damage: dict[str, StoreError] = {}
        if allow_damage:
            self.reload_settings()
        self.reload()

    @classmethod
    def create(cls, folder: Path, name: str = "", *, semantics: str = "waymark") -> Project:
        """Make a project in ``folder``, which must be new or empty. Raises StoreError."""
        paths = ProjectPaths(folder)
        if semantics not in SEMANTICS:
            raise StoreError(
                _("{semantics} is no rule semantics", semantics=semantics),
                "",
                _("Use one of: {known}", known=", ".join(SEMANTICS)),
            )
        require_new(folder)
        disk = Disk()
        disk.make_folder(paths.trajectories)
        disk.write(paths.tasks, task_file.new_file(()))
        # The name of a folder may not be valid UTF-8; YAML files always are.
        title = (name or folder.resolve().name).encode(errors="replace").decode()
        settings = {"name": title, "semantics": semantics, "trusted": False}
        write_git_files(folder, disk)
        # The project file comes last: a folder that has one is a complete project.
        yaml_files.write(paths.settings, versions.PROJECT.stamp(settings), disk)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path, *, disk: Disk | None = None, allow_damage: bool = False) -> Project:
        """Open the project in ``folder``. Raises NotFound, Damaged, FromTheFuture or UnsafePath.

        With ``allow_damage`` a project whose ``project.yaml`` or ``tasks.yaml`` is damaged opens, without
        tasks or with what single lines of its settings say, so that the rest can be seen; :attr:`damage`
        says why. Saving the damaged file is refused until it is whole.
        """
        if not is_project(folder):
            raise NotFound(
                _("There is no project in {folder}", folder=folder.absolute()),
                _("it has no {name}", name=PROJECT_FILE),
                _("Make one with `waymark project new`, or name another folder"),
            )
        refuse_links_outside(folder, ProjectPaths(folder).entries())
        path = ProjectPaths(folder).settings
        settings = read_settings_in_spite_of_damage(path) if allow_damage else read_settings(path)
        return cls(folder, settings, disk, allow_damage=allow_damage)

    @property
    def name(self) -> str:
        return str(self._settings.get("name") or self.folder.resolve().name)

    @property
    def semantics(self) -> str:
        """How rules are read: ``waymark`` or ``dgara``."""
        return str(self._settings.get("semantics", "waymark"))

    @property
    def trusted(self) -> bool:
        """Whether somebody allowed the shell commands of this project to run on a phone."""
        return self._settings.get("trusted") is True

    def _raise_version(self) -> None:
        """Say in ``project.yaml`` that files of this version are inside, before the first is written."""
        if raise_version(self.paths.settings, self._disk):
            self._settings = read_settings(self.paths.settings)

    @property
    def reset(self) -> ProjectReset:
        """The reset the project declares. Raises Damaged when it is written wrongly."""
        return read_project_reset(self._settings.get(RESET))

    @property
    def health(self) -> HealthSettings:
        """The thresholds of the project's health. Raises Damaged when they are written wrongly."""
        return read_health_settings(self._settings.get(HEALTH))

    @property
    def reasons(self) -> tuple[FailureReason, ...]:
        """The reasons of failures that verdicts can name. Raises Damaged when they are written wrongly."""
        return read_project_reasons(self._settings.get(REASONS))

    def set_reasons(self, reasons: Sequence[FailureReason]) -> None:
        """Replace the reasons in ``project.yaml``, comments kept. ValueError for an id or a name twice."""
        self.require_writable()
        check_reasons(reasons)
        settings = read_settings(self.paths.settings)  # refuses a file that was damaged since
        read_project_reasons(settings.get(REASONS))
        self._write_settings({REASONS: changed_reasons(settings.get(REASONS), reasons)})
        self._settings = read_settings(self.paths.settings)

    def _write_settings(self, changes: Mapping[str, Any]) -> None:
        """Change keys of ``project.yaml``, comments kept."""
        path = self.paths.settings
        yaml_files.write(path, {**yaml_files.load(path), **changes}, self._disk, ("id",))

    def reload_settings(self) -> None:
        """Read ``project.yaml`` again. Raises StoreError."""
        with self._tolerated(PROJECT_FILE):
            self._settings = read_settings(self.paths.settings)

    @property
    def damage(self) -> tuple[Finding, ...]:
        """A finding for each of ``project.yaml`` and ``tasks.yaml`` that is damaged, if that was allowed."""
        return tuple(damaged_file(name, error) for name, error in self._damage.items())

    @property
    def tasks_error(self) -> StoreError | None:
        """Why ``tasks.yaml`` cannot be read, of a project opened in spite of it."""
        return self._damage.get(TASKS_FILE)

    @contextlib.contextmanager
    def _tolerated(self, name: str) -> Iterator[None]:
        """Note the error of a file that cannot be read, if the project was opened in spite of damage."""
        try:
            yield
        except StoreError as error:
            if not self._tolerates_damage:
                raise
            self._damage[name] = error
        else:
            self._damage.pop(name, None)

    def set(self, **changes: Any) -> None:
        """Change ``name``, ``semantics`` or ``trusted`` in ``project.yaml``, comments kept."""
        self.require_writable()
        read_settings(self.paths.settings)  # refuses a file that was damaged since
        self._write_settings(changes)
        self._settings = {**self._settings, **changes}

    def require_writable(self) -> None:
        """Raise ReadOnly when this account may only read the project."""
        if self.is_read_only:
            raise access.read_only_error(self.name)

    # Tasks

    @property
    def tasks(self) -> tuple[Task, ...]:
        return self._project_tasks.tasks

    @property
    def states(self) -> Mapping[str, EssentialState]:
        """The essential states by id, as ``rules/states.yaml`` has them now."""
        return self._project_tasks.states

    @property
    def new_states(self) -> tuple[EssentialState, ...]:
        """States that an upgrade made of sentences in the tasks; saved with the next change of the tasks."""
        return self._project_tasks.new_states

    def task(self, task_id: str) -> Task | None:
        """The task with this id, or None."""
        return next((task for task in self.tasks if task.id == task_id), None)

    def reload(self) -> tuple[Task, ...]:
        """Read ``tasks.yaml`` again, if its content is not known already. Raises StoreError."""
        with self._tolerated(TASKS_FILE):
            self._project_tasks.reload()
        return self.tasks

    def save_tasks(
        self, tasks: Sequence[Task], base: Sequence[Task] | None = None, states: Sequence[StateChange] = ()
    ) -> TaskMerge:
        """Write ``tasks``, which were made from ``base``; comments and unknown keys of the file are kept.

        What other programs wrote since is merged with them: the result says what the project has now, and
        what both changed. ``base`` are the tasks read last, unless said otherwise. ``states`` are changed in
        ``rules/states.yaml`` with them; a state is deleted only when no task names it. Raises StoreError.
        """
        self.require_writable()
        return self._project_tasks.save(tasks, base, states)

    def save_upgrade(self) -> None:
        """Write the tasks of version 1 as they were upgraded, with their states. Raises StoreError.

        Call it before another file names a state by its id.
        """
        self.require_writable()
        self._project_tasks.save_upgrade()

    def write_task_headings(self) -> None:
        """Keep a place in ``rules/states.yaml`` for the states of each task, so that branches merge.

        Raises StoreError.
        """
        self.require_writable()
        self._project_tasks.write_task_headings()

    # Trajectories

    def task_folders(self) -> list[Path]:
        """Folders that hold the trajectories of a task, in order of name."""
        return sorted(self._folders(self.paths.trajectories))

    def trajectory_folders(self, task_id: str | None = None) -> Iterator[Path]:
        """Folders of all trajectories, or of one task's, in order of name."""
        for task_folder in self.task_folders() if task_id is None else [self.paths.trajectories_of(task_id)]:
            for folder in sorted(self._folders(task_folder)):
                if is_trajectory(folder):
                    yield folder

    def open_trajectories(
        self, *, task_id: str | None = None, folders: Iterable[Path] | None = None,
        on_error: Callable[[Path, StoreError], None] | None = None,
    ) -> Iterator[StoredTrajectory]:  # fmt: skip
        """Open every trajectory that has steps, or those of one task, in order of task and name.

        With ``folders`` only the trajectories in them are opened, in their order. A trajectory that cannot
        be opened is logged, reported to ``on_error`` and left out. Dumps and screenshots are read only when
        asked for.
        """
        for folder in self.trajectory_folders(task_id) if folders is None else folders:
            try:
                stored = open_trajectory(folder)
            except StoreError as error:
                _log.info("%s was left out: %s", self.paths.relative(folder), error)
                if on_error is not None:
                    on_error(folder, error)
                continue
            if stored.steps:
                yield stored

    def find(self, reference: str) -> Path:
        """The folder of a trajectory named by id, by ``task/id`` or by path. Raises NotFound."""
        return find_trajectory(self.folder, reference)

    def new_trajectory(self, header: TrajectoryHeader, *, stores_once: bool = False) -> TrajectoryWriter:
        """Begin a trajectory of a task; an empty ``header.id`` gets a new id.

        With ``stores_once`` identical pictures and trees of its steps are one file.
        """
        self.require_writable()
        self._raise_version()
        task = self.task(header.task_id)
        header = dataclasses.replace(
            header,
            id=header.id or new_id(),
            instruction=header.instruction or (task.instruction if task else ""),
        )
        folder = self.paths.trajectories_of(header.task_id)
        refuse_links_outside(self.folder, [folder])
        return TrajectoryWriter.create(folder, header, disk=self._disk, reserve=True, stores_once=stores_once)

    def links_outside(self) -> list[Path]:
        """Links among the trajectories that lead out of the project; they are left out everywhere."""
        root = self.paths.trajectories
        folders = [root, *(path for path in root.glob("*") if path.is_dir() and not path.is_symlink())]
        return sorted(
            path for folder in folders for path in folder.glob("*") if leads_outside(path, self.folder)
        )

    def _folders(self, parent: Path) -> Iterator[Path]:
        return map(Path, folders_in(parent, self.folder))

    def lock(self, *, take_over: bool = False) -> lock.Lock:
        """Become the one program that edits this project. Raises Locked while another one does."""
        self.require_writable()
        return lock.acquire(self.folder, take_over=take_over)


def _version_raiser(project: Project) -> Callable[[], None]:
    """What :class:`ProjectTasks` calls before it writes. It does not keep the project.

    A window reads its project again and again, and held 47 of them until a collection of cycles.
    """
    raised, settings, disk = weakref.WeakMethod(project._raise_version), project.paths.settings, project._disk

    def raise_it() -> None:
        raises = raised()
        if raises is not None:
            raises()
        else:
            raise_version(settings, disk)

    return raise_it
