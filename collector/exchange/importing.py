"""The one way in: a path in any known format into a project, with a report of what was lost."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from collector.exchange import (
    aitk,
    aitk_tasks,
    aitz,
    androidcontrol,
    archive,
    dgara_collected,
    dgara_runs,
    dgara_tasks,
    droidbot,
    interdroid,
    llamatouch,
    plain_folder,
    source_files,
)
from collector.exchange.errors import ExchangeError
from collector.exchange.import_log import LOSS, NOTE, ImportLog
from collector.exchange.source_model import Importer, SourceTasks
from collector.exchange.trajectory_import import TaskImport, write_trajectory
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.store import layout
from collector.store.layout import PROJECT_FILE
from collector.store.project import Project

IMPORTERS: dict[str, Importer] = {
    one.id: one
    for one in (
        dgara_collected.IMPORTER,
        dgara_runs.IMPORTER,
        dgara_tasks.IMPORTER,
        aitk.IMPORTER,
        aitk_tasks.IMPORTER,
        droidbot.IMPORTER,
        aitz.IMPORTER,
        androidcontrol.IMPORTER,
        interdroid.IMPORTER,
        llamatouch.IMPORTER,
        plain_folder.IMPORTER,
    )
}
AUTO = "auto"
_KNOWN = ("imported-before", "task-known")  # codes of what the project had already
_MARK = "waymark-"  # how each file of ours begins to say its format
Progress = Callable[[str, int], None]
"""Told the name of each trajectory and how many were read so far; may raise to stop the import."""


@dataclass(slots=True)
class ImportResult:
    """The outcome of an import."""

    importer: Importer
    folders: list[Path] = field(default_factory=list)
    """Of the trajectories that are new in the project."""
    tasks: list[str] = field(default_factory=list)
    """Ids of the tasks that are new in the project."""
    findings: list[Finding] = field(default_factory=list)

    @property
    def losses(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity == LOSS]

    @property
    def is_vain(self) -> bool:
        """Whether nothing of the source is in the project, neither from now nor from before."""
        before = any(finding.code in _KNOWN for finding in self.findings)
        return not (self.folders or self.tasks or before)


def detect(path: Path) -> list[tuple[Importer, float]]:
    """The formats a path may be in, surest first; a zip file must be unpacked before."""
    sure = [(importer, importer.detect(path)) for importer in IMPORTERS.values()]
    return sorted((one for one in sure if one[1] > 0), key=lambda one: -one[1])


def import_into(
    project: Project, path: Path, format_id: str = AUTO, *, progress: Progress | None = None
) -> ImportResult:
    """Import ``path`` (a folder, a file or a zip of them) into ``project``.

    Raises :class:`ExchangeError` when nothing there can be imported. What was imported
    before is left alone, so the same source can be imported again after more was added to it.
    """
    if not path.exists():
        raise ExchangeError(_("There is no {path}", path=path), "", _("Check the name"))
    _refuse_own(project, path)
    with _unpacked(path) as (root, name):
        _refuse_waymark(root, name)
        importer = choose(root, format_id)
        report = ImportLog()
        result = ImportResult(importer)
        book = TaskImport(project)
        result.tasks = book.new
        try:
            for count, found in enumerate(importer.read(root, report), start=1):
                found.name = name if root.is_dir() and found.name == root.name else found.name
                if progress:
                    progress(found.name, count)
                if isinstance(found, SourceTasks):
                    _enter_tasks(book, found, report)
                elif folder := write_trajectory(project, book, found, importer.id, report):
                    result.folders.append(folder)
        finally:
            book.save()
        if not result.folders and not result.tasks and not report.findings:
            raise ExchangeError(
                _("{name} holds nothing that can be imported", name=path.name),
                _("read as {title} it has no states and no tasks", title=importer.title),
                _("Name the folder that holds the trajectories, or another format"),
            )
        report.add_unused(root if root.is_dir() else root.parent, source_files.files(root))
        result.findings = report.findings
    return result


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
    """Refuse what Waymark itself wrote: read as pictures and dumps it would lose its actions."""
    for file in (PROJECT_FILE, layout.HEADER):
        path = root / file
        if path.is_file() and _MARK in source_files.read_text(path, 4096):
            raise ExchangeError(
                _("{name} is Waymark's own", name=name),
                _("an import is for other formats and would lose its actions"),
                _("Open it as it is, or copy its folders under trajectories/ into the project"),
            )


def choose(root: Path, format_id: str = AUTO) -> Importer:
    """The importer for a path: the named one, or the surest. Raises ExchangeError when there is none."""
    if format_id != AUTO:
        if format_id not in IMPORTERS:
            raise ExchangeError(
                _("There is no format {name}", name=format_id),
                "",
                _("Use one of: {known}", known=", ".join([AUTO, *IMPORTERS])),
            )
        return IMPORTERS[format_id]
    found = detect(root)
    if not found:
        raise ExchangeError(
            _("The format of {name} is not known", name=root.name),
            _("it holds no files that any importer understands"),
            _("Known are: {known}", known=", ".join(one.title for one in IMPORTERS.values())),
        )
    return found[0][0]


@contextlib.contextmanager
def _unpacked(path: Path) -> Iterator[tuple[Path, str]]:
    """The folder or file to read, and its name; a zip is unpacked for as long as that lasts."""
    if path.is_dir() or path.suffix.lower() != ".zip":
        yield path, path.resolve().name
        return
    with tempfile.TemporaryDirectory(prefix="waymark-import-") as folder:
        target = Path(folder) / "unpacked"
        target.mkdir()
        archive.unpack(path, target)
        yield target, path.stem


def _enter_tasks(book: TaskImport, found: SourceTasks, report: ImportLog) -> None:
    report.where = found.name
    for task in found.tasks:
        kept = book.enter(task, report)
        if kept.id not in book.new and kept != task:
            report.add(
                "task-known",
                _("The project has this task already and keeps its own version of it"),
                step=task.id,
                severity=NOTE,
            )
