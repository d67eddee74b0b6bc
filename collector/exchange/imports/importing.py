"""Import a folder, file or zip of any known format into a project, and report what was lost."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import LOSS, NOTE, ExchangeLog, FirstOnes, refuse_losses
from collector.exchange.format import Format
from collector.exchange.imports.rules_import import import_rules
from collector.exchange.imports.trajectory_import import TaskImport, write_trajectory
from collector.exchange.imports.variations_import import import_variation
from collector.exchange.registry import formats, no_format, read_formats
from collector.exchange.source import archive
from collector.exchange.source import files as source_files
from collector.exchange.source.links import without_links_outside
from collector.exchange.source.model import SourceItem, SourceRules, SourceTasks, SourceVariation
from collector.model.errors import UserError
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.store.files import layout
from collector.store.files.layout import PROJECT_FILE
from collector.store.project.project import Project

AUTO = "auto"
_ZIP = ".zip"
_KNOWN = (
    "imported-before",
    "task-known",
    "task-there",
    "rules-known",
    "variation-there",
)  # codes for what the project has already
_MARK = "waymark-"  # in the format line of each file of this program
_MEASURED_AFTER_S = 2.0
_WHOLE = 0.999
"""A share from which on the time left is not told: what is read last may hold many trajectories."""
"""After this time the source is measured, to say how long the rest takes."""
Progress = Callable[[str, int, float], None]
"""Called with the name of each trajectory, how many were read so far, and how much of the source that is.

That is from 0, when it is not known, to 1. While the format is not known none was read. It may raise to stop
the import.
"""


@dataclass(slots=True)
class ImportResult:
    """The outcome of an import."""

    format: Format
    folders: FirstOnes[Path] = field(default_factory=FirstOnes)
    """Folders of the trajectories that are new in the project."""
    tasks: list[str] = field(default_factory=list)
    """Ids of the tasks that are new in the project."""
    rules: list[str] = field(default_factory=list)
    """Rule files and libraries that are new in the project."""
    variations: list[str] = field(default_factory=list)
    """Files of variations that are new in the project."""
    findings: list[Finding] = field(default_factory=list)

    @property
    def losses(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity == LOSS]

    @property
    def is_empty(self) -> bool:
        """Whether it brought nothing new."""
        return not (self.folders or self.tasks or self.rules or self.variations)

    @property
    def is_vain(self) -> bool:
        """Whether nothing of the source is in the project, from this import or an earlier one."""
        before = any(finding.code in _KNOWN for finding in self.findings)
        return self.is_empty and not before


def detect(path: Path, progress: Progress | None = None) -> list[tuple[Format, float]]:
    """The formats a path may have with how sure each is, the surest first; a zip must be unpacked before.

    ``progress`` is called before each format is asked, with nothing read.
    """
    certainties: list[tuple[Format, float]] = []
    with source_files.walked_once(path):
        for entry in formats().kinds.values():
            if entry.is_read:
                if progress is not None:
                    progress(path.name, 0, 0.0)
                certainties.append((entry, entry.detect(path)))
    return sorted((pair for pair in certainties if pair[1] > 0), key=lambda pair: -pair[1])


def import_into(
    project: Project,
    path: Path,
    format_id: str = AUTO,
    *,
    strict: bool = False,
    progress: Progress | None = None,
) -> ImportResult:
    """Import ``path`` (a folder, a file or a zip of them) into ``project``.

    What was imported before is left alone, so a source can be imported again after something was added to
    it. With ``strict`` the source is read into a project for a moment first, and nothing is imported when
    anything of it would be lost. Raises ExchangeError then, and when nothing there can be imported.
    """
    project.require_writable()
    if not source_files.exists(path):
        raise ExchangeError(_("There is no {path}", path=path), "", _("Check the name"))
    _refuse_own(project, path)
    if strict:
        _refuse_lossy(project, path, format_id, progress)
    log = ExchangeLog()
    log.project = project
    try:
        with opened_source(path, log) as (root, name):
            recognised = detect(root, progress) if format_id == AUTO else None
            chosen = choose(root, format_id, recognised)
            chosen.require_package()
            result = ImportResult(chosen)
            read_into(project, result, root, name, log, progress)
            refuse_nothing(result, path, log)
            log.add_unused(root if root.is_dir() else root.parent, source_files.files(root))
    except OSError as error:
        raise source_files.unreadable(Path(str(error.filename or path)), error) from error
    except UserError as error:
        if path.suffix.lower() != _ZIP or path.name in str(error):
            raise
        what = _("{archive}: {what}", archive=path.name, what=error.what)
        raise ExchangeError(what, error.why, error.to_do) from error
    log.add_problems(formats().problems)
    result.findings = log.findings
    return result


def refuse_nothing(result: ImportResult, path: Path, log: ExchangeLog) -> None:
    """Raise ExchangeError when nothing of the source at ``path`` was read."""
    if result.is_empty and not log.findings:
        raise ExchangeError(
            _("{name} holds nothing that can be imported", name=path.name),
            _("read as {title} it has no states and no tasks", title=_(result.format.title)),
            _("Name the folder that holds the trajectories, or another format"),
        )


@contextlib.contextmanager
def opened_source(path: Path, log: ExchangeLog) -> Iterator[tuple[Path, str]]:
    """What is read of a source, without links out of it, and the name of the source.

    A zip is unpacked while the context is open. Raises ExchangeError for what Waymark wrote itself.
    """
    with _unpacked(path) as (unpacked, name), without_links_outside(unpacked, log) as root:
        _refuse_waymark(root, name)
        yield root, name


def _refuse_lossy(project: Project, path: Path, format_id: str, progress: Progress | None) -> None:
    """Raise ExchangeError when something would be lost, as found by an import into a project for a moment."""
    with trial_project(project) as trial:
        refuse_losses(import_into(trial, path, format_id, progress=progress).findings)


@contextlib.contextmanager
def trial_project(project: Project) -> Iterator[Project]:
    """An empty project to import into for a moment, which reads rules as ``project`` does."""
    cache = project.paths.import_folder.parent
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="strict-", dir=cache) as folder:
        trial = Project.create(Path(folder) / "trial", semantics=project.semantics)
        _copy_into(project.paths.library, trial.paths.library)  # a source may name anomalies of it
        # Not even for a moment is stored what its rules hide.
        _copy_into(project.paths.redaction, trial.paths.redaction)
        yield trial


def _copy_into(file: Path, copied: Path) -> None:
    """Copy a file of a project that has it, into a project that may not have its folder."""
    if file.is_file():
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copied)


def read_into(
    project: Project,
    result: ImportResult,
    root: Path,
    name: str,
    log: ExchangeLog,
    progress: Progress | None,
    *,
    most: int | None = None,
) -> bool:
    """Read what is at ``root`` into ``result`` and the project; ``name`` is that of the source.

    With ``most`` only so many items are read; returns whether these were all.
    """
    tasks, measure = TaskImport(project), _SourceMeasure(root, log)
    result.tasks = tasks.new
    try:
        for count, item in enumerate(result.format.read(root, log), start=1):
            if most is not None and count > most:
                return False
            item.name = name if root.is_dir() and item.name == root.name else item.name
            if progress:
                progress(item.name, count, measure.share())
            _add(project, tasks, result, item, log)
    finally:
        tasks.save(log)
    return True


def _add(
    project: Project, tasks: TaskImport, result: ImportResult, item: SourceItem, log: ExchangeLog
) -> None:
    if isinstance(item, SourceTasks):
        _add_tasks(tasks, item, log)
    elif isinstance(item, SourceVariation):
        if new := import_variation(project, item, log):
            result.variations.append(new)
    elif isinstance(item, SourceRules):
        if new := import_rules(project, item, log):
            result.rules.append(new)
    elif folder := write_trajectory(project, tasks, item, result.format.id, log):
        result.folders.append(folder)


class _SourceMeasure:
    """How much of a source was read, by the size of its files."""

    def __init__(self, root: Path, log: ExchangeLog) -> None:
        self._root, self._log = root, log
        self._began, self._total = time.monotonic(), 0

    def share(self) -> float:
        """From 0 to 1; 0 where it cannot be told, as within a file whose reader says no place in it."""
        if time.monotonic() < self._began + _MEASURED_AFTER_S:
            return 0.0
        if not self._total:
            self._total = 1 + sum(path.stat().st_size for path in source_files.files(self._root))
        share = self._log.read_bytes / self._total
        return share if share < _WHOLE else 0.0


def _refuse_own(project: Project, path: Path) -> None:
    """Refuse to import a project into itself."""
    place = path.resolve()
    around = project.folder.resolve().is_relative_to(place)
    if around or place.is_relative_to(project.paths.trajectories.resolve()):
        raise ExchangeError(
            _("{name} belongs to the project it would be imported into", name=place.name),
            _("everything in it would be there twice"),
            _("Name a folder outside the project"),
        )


def _refuse_waymark(root: Path, name: str) -> None:
    """Refuse what Waymark itself wrote: imported as screenshots and dumps it would lose its actions."""
    for file in (PROJECT_FILE, layout.HEADER):
        path = root / file
        if path.is_file() and _MARK in source_files.read_text(path, 4096):
            raise ExchangeError(
                _("{name} is Waymark's own", name=name),
                _("an import is for other formats and would lose its actions"),
                _("Open it as it is, or copy its folders under trajectories/ into the project"),
            )


def choose(
    root: Path, format_id: str = AUTO, recognised: Sequence[tuple[Format, float]] | None = None
) -> Format:
    """The format with this id, or the surest one for a path. Raises ExchangeError when there is none.

    ``recognised`` is what :func:`detect` found, if it was asked before.
    """
    known, problems = read_formats(), formats().problems
    if format_id != AUTO:
        if format_id not in known:
            raise no_format(format_id, [AUTO, *known])
        return known[format_id]
    candidates = detect(root) if recognised is None else recognised
    if not candidates:
        raise ExchangeError(
            _("The format of {name} is not known", name=root.name),
            "; ".join([_("it holds no files that any importer understands"), *problems]),
            _("`waymark project formats` lists those that are"),
        )
    return candidates[0][0]


@contextlib.contextmanager
def _unpacked(path: Path) -> Iterator[tuple[Path, str]]:
    """The folder or file to read, and its name; a zip is unpacked while the context is open."""
    if path.is_dir() or path.suffix.lower() != _ZIP:
        yield path, path.resolve().name
        return
    with tempfile.TemporaryDirectory(prefix="waymark-import-") as folder:
        target = Path(folder) / "unpacked"
        target.mkdir()
        archive.unpack(path, target)
        yield target, path.stem


def _add_tasks(tasks: TaskImport, source: SourceTasks, log: ExchangeLog) -> None:
    log.where = source.name
    for task in source.tasks:
        project_task = tasks.add(task, Path(source.name).stem, log)
        if project_task.id in tasks.new:
            continue
        if tasks.in_sentences(project_task) == task:
            log.add("task-there", _("The project has this task already"), step=task.id, severity=NOTE)
        else:
            log.add(
                "task-known",
                _("The project has this task already and keeps its own version of it"),
                step=task.id,
                severity=NOTE,
            )
