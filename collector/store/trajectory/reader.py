"""Read a trajectory, even while it is written. Damaged steps are left out and reported in sentences.

Screenshots and trees are read only when asked for, so a long trajectory opens fast.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from collector.model.app_data.collections import AppData
from collector.model.app_data.document import app_data_of, with_changes
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import UNFINISHED, State, Step, Trajectory, TrajectoryHeader
from collector.pictures.limits import MAX_BYTES
from collector.store.files import format_versions as versions
from collector.store.files import layout
from collector.store.files.errors import Damaged, UnsafePath
from collector.store.files.links import refuse_link
from collector.store.files.readable_path import ReadablePath
from collector.store.files.whole_file import read_whole
from collector.store.files.zip_path import ZipPath, file_inside, is_zip, zipped_trajectory
from collector.store.trajectory import codec, trajectory_files
from collector.store.trajectory.interruptions import Interruption, anomalies_in
from collector.store.trajectory.judgements import StoredJudgements, read_judgements

MAX_BLOB_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class StoredTrajectory:
    """A trajectory and where its files are read from: a folder, or a zip file with such a folder in it."""

    folder: Path
    """The folder; of a zipped trajectory the zip file, which only :attr:`files` reads."""
    trajectory: Trajectory
    problems: tuple[str, ...] = ()
    """One sentence for each thing that could not be read."""
    archive: ZipPath | None = None
    """The trajectory's folder inside a zip file; None when its files lie on the disk."""

    @property
    def files(self) -> Path | ZipPath:
        """The trajectory's folder, wherever it lies, for reading."""
        return self.folder if self.archive is None else self.archive

    @property
    def header(self) -> TrajectoryHeader:
        return self.trajectory.header

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.trajectory.steps

    def screenshot(self, step: Step) -> bytes | None:
        """The bytes of the screenshot as received; None when the step has none."""
        return self.blob(step.state.screenshot, MAX_BYTES)

    def tree(self, step: Step) -> bytes | None:
        """The bytes of the hierarchy dump as received; None when the step has none."""
        return self.blob(step.state.tree)

    def blob(self, name: str, most: int = MAX_BLOB_BYTES) -> bytes | None:
        """The bytes of a file that a step names. Raises Damaged when it is missing or has over ``most``."""
        if not name:
            return None
        path = file_inside(self.files, name)
        try:
            return read_whole(path, most)
        except OSError as error:
            raise Damaged(_("{name} cannot be read", name=name), error.strerror or str(error)) from None

    def events(self) -> tuple[codec.Line, ...]:
        """The lines of ``events.jsonl``."""
        return trajectory_files.read_lines(self.files / layout.EVENTS).lines

    def app_data(self, state: State) -> AppData | None:
        """What apps kept for the person at a state; None when it was not recorded. Raises Damaged."""
        first = read_first_app_data(self.files) if state.app_data is not None else None
        return None if first is None or state.app_data is None else with_changes(first, state.app_data)

    def interruptions(self) -> tuple[Interruption, ...]:
        """The anomalies that were injected, each with its answer and follow-ups."""
        return anomalies_in(self.events(), self.steps)

    def annotations(self) -> Mapping[str, Mapping[str, Any]]:
        """The annotations by person; files that cannot be read are left out."""
        return read_annotations(self.files)

    def judgements(self) -> StoredJudgements:
        """The judgements of all judges; what cannot be read is left out and reported."""
        return read_judgements(self.files)


def read_first_app_data(files: ReadablePath) -> AppData | None:
    """What apps kept for the person when they were read first; None when they never were.

    Raises Damaged when the file cannot be read.
    """
    path = files / layout.APP_DATA
    if not path.exists():
        return None
    data: AppData = trajectory_files.read_document(path, _app_data)
    return data


@lru_cache(maxsize=16)  # every state of a trajectory asks for the same file, and most of a task are equal
def _app_data(text: bytes) -> AppData:
    return app_data_of(codec.load_json(text))


def read_annotations(folder: ReadablePath) -> dict[str, Mapping[str, Any]]:
    """The annotations in a trajectory's folder by person; files that cannot be read are left out."""
    annotations: dict[str, Mapping[str, Any]] = {}
    for path in sorted((folder / layout.ANNOTATIONS).glob("*.json"), key=lambda path: path.name):
        try:
            refuse_link(path.parent)
            document = trajectory_files.read_document(path)
            annotations[path.stem] = versions.ANNOTATIONS.upgrade(document, path.name)
        except (Damaged, UnsafePath):
            continue
    return annotations


def require_finished(header: TrajectoryHeader) -> None:
    """Raise UserError for a recording of a person that was not finished: it is no golden trajectory."""
    if header.shown_kind == UNFINISHED:
        raise UserError(_("{id} is not finished", id=header.id), "", _("Finish its recording first"))


def read_header(folder: Path) -> TrajectoryHeader:
    """The header alone, of a folder or a zip file. Raises NotFound, Damaged, FromTheFuture or UnsafePath."""
    return _header(zipped_trajectory(folder) if is_zip(folder) else folder)


def _header(files: ReadablePath) -> TrajectoryHeader:
    try:
        return codec.header_from_document(trajectory_files.read_header(files))
    except ValueError as error:
        raise Damaged(_("{name} cannot be read", name=layout.HEADER), str(error)) from None


def open_trajectory(folder: Path, header: TrajectoryHeader | None = None) -> StoredTrajectory:
    """Open a trajectory in a folder or a zip file: its steps, its problems, and its files on request.

    Its ``header`` is given by whoever has read it already.
    """
    archive = zipped_trajectory(folder) if is_zip(folder) else None
    files = folder if archive is None else archive
    trajectory, problems = _read(files, header if header is not None else _header(files))
    return StoredTrajectory(folder, trajectory, problems, archive)


def read_trajectory(files: ReadablePath) -> Trajectory:
    """Header and steps; steps that cannot be read are left out, see :func:`open_trajectory`."""
    return _read(files, _header(files))[0]


def _read(files: ReadablePath, header: TrajectoryHeader) -> tuple[Trajectory, tuple[str, ...]]:
    """Header and steps, and a sentence for each thing that could not be read."""
    problems: list[str] = []
    try:
        step_files = trajectory_files.read_steps(files)
        lines, bad = step_files.lines, step_files.file.bad
    except (Damaged, ValueError) as error:
        problems.append(str(error))
        file = trajectory_files.read_lines(files / layout.STEPS)
        lines, bad = file.lines, file.bad
    problems += [
        _("Line {number} of {name} cannot be read and was passed over", number=number, name=layout.STEPS)
        for number in bad
    ]
    steps = []
    for number, line in enumerate(lines, start=1):
        try:
            steps.append(codec.step_from_line(line))
        except ValueError as error:
            problems.append(
                _("Step {number} cannot be read and was passed over: {why}", number=number, why=error)
            )
    return Trajectory(header, tuple(steps)), tuple(problems)
