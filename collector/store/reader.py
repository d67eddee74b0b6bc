"""Read a trajectory, even while it is written. Damaged steps are left out and reported in sentences.

Screenshots and trees are read only when asked for, so a long trajectory opens fast.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.model.i18n import _
from collector.model.trajectory import Step, Trajectory, TrajectoryHeader
from collector.store import codec, layout, trajectory_files
from collector.store import format_versions as versions
from collector.store.errors import Damaged, UnsafePath
from collector.store.interruptions import Interruption, anomalies_in
from collector.store.links import refuse_link
from collector.store.names import inside

MAX_BLOB_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class StoredTrajectory:
    """A trajectory and the folder its files are read from."""

    folder: Path
    trajectory: Trajectory
    problems: tuple[str, ...] = ()
    """One sentence for each thing that could not be read."""

    @property
    def header(self) -> TrajectoryHeader:
        return self.trajectory.header

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.trajectory.steps

    def screenshot(self, step: Step) -> bytes | None:
        """The bytes of the screenshot as received; None when the step has none."""
        return self.blob(step.state.screenshot)

    def screenshot_path(self, step: Step) -> Path | None:
        """The file of the screenshot; None when the step has none."""
        name = step.state.screenshot
        return inside(self.folder, name) if name else None

    def tree(self, step: Step) -> bytes | None:
        """The bytes of the hierarchy dump as received; None when the step has none."""
        return self.blob(step.state.tree)

    def blob(self, name: str) -> bytes | None:
        """The bytes of a file that a step names. Raises Damaged when it is missing or too large."""
        if not name:
            return None
        path = inside(self.folder, name)
        try:
            if path.stat().st_size > MAX_BLOB_BYTES:
                raise Damaged(_("{name} is too large to be read", name=name))
            return path.read_bytes()
        except OSError as error:
            raise Damaged(_("{name} cannot be read", name=name), error.strerror or str(error)) from None

    def events(self) -> tuple[codec.Line, ...]:
        """The lines of ``events.jsonl``."""
        return trajectory_files.read_lines(self.folder / layout.EVENTS).lines

    def interruptions(self) -> tuple[Interruption, ...]:
        """The anomalies that were injected, each with its answer and follow-ups."""
        return anomalies_in(self.events(), self.steps)

    def annotations(self) -> Mapping[str, Mapping[str, Any]]:
        """The annotations by person; files that cannot be read are left out."""
        return read_annotations(self.folder)


def read_annotations(folder: Path) -> dict[str, Mapping[str, Any]]:
    """The annotations in a trajectory's folder by person; files that cannot be read are left out."""
    annotations: dict[str, Mapping[str, Any]] = {}
    for path in sorted((folder / layout.ANNOTATIONS).glob("*.json")):
        try:
            refuse_link(path.parent)
            document = trajectory_files.read_document(path)
            annotations[path.stem] = versions.ANNOTATIONS.upgrade(document, path.name)
        except (Damaged, UnsafePath):
            continue
    return annotations


def read_header(folder: Path) -> TrajectoryHeader:
    """The header alone. Raises NotFound, Damaged, FromTheFuture or UnsafePath."""
    try:
        return codec.header_from_document(trajectory_files.read_header(folder))
    except ValueError as error:
        raise Damaged(_("{name} cannot be read", name=layout.HEADER), str(error)) from None


def read_trajectory(folder: Path) -> Trajectory:
    """Header and steps; steps that cannot be read are left out, see :func:`open_trajectory`."""
    return open_trajectory(folder).trajectory


def open_trajectory(folder: Path) -> StoredTrajectory:
    """Open a trajectory: its steps, its problems, and its files on request."""
    header = read_header(folder)
    problems: list[str] = []
    try:
        step_files = trajectory_files.read_steps(folder)
        lines, bad = step_files.lines, step_files.file.bad
    except (Damaged, ValueError) as error:
        problems.append(str(error))
        file = trajectory_files.read_lines(folder / layout.STEPS)
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
    return StoredTrajectory(folder, Trajectory(header, tuple(steps)), tuple(problems))
