"""Repair what a crash left: set a torn last line and files of no step aside, finish a cut edit.

Safe to run at any time by the holder of the lock, and safe to be killed in: every step of
it leaves a folder that opens.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from collector.model.episode import Outcome
from collector.model.i18n import _, ngettext
from collector.model.trajectory import RECOVERED, TrajectoryHeader
from collector.store.files import format_versions as versions
from collector.store.files import layout, lock
from collector.store.files.disk import Disk
from collector.store.files.disk_reserve import RESERVE_NAME
from collector.store.files.errors import Damaged, Locked, StoreError
from collector.store.files.part_files import TEMPORARY_PREFIX, is_left
from collector.store.files.project_version import raise_version_around
from collector.store.trajectory import codec, trajectory_files
from collector.store.trajectory.edit_journal import apply
from collector.store.trajectory.header_file import write_header
from collector.store.video.recorded_video import close_parts, video_parts, with_parts


@dataclass(frozen=True, slots=True)
class RecoveryResult:
    """What was repaired in one trajectory."""

    folder: Path
    steps: int
    """Committed steps it holds."""
    torn: tuple[str, ...] = ()
    """Files whose unfinished last line was set aside."""
    strays: tuple[str, ...] = ()
    """Files of no step, now in ``lost+found``."""
    finished_edit: str = ""
    """Title of the edit that the crash cut short and that is finished now."""
    problem: str = ""
    """Why nothing could be repaired, in a sentence."""

    @property
    def mended(self) -> bool:
        return bool(self.torn or self.strays or self.finished_edit)

    @property
    def sentences(self) -> tuple[str, ...]:
        sentences = [_("The unfinished last line of {name} was set aside", name=name) for name in self.torn]
        if self.strays:
            sentences.append(
                ngettext(
                    "{count} file that belongs to no step was moved to lost+found",
                    "{count} files that belong to no step were moved to lost+found",
                    len(self.strays),
                )
            )
        if self.finished_edit:
            sentences.append(
                _("An edit that was cut short was carried out: {title}", title=self.finished_edit)
            )
        return tuple(sentences)


def needs_recovery(folder: Path) -> bool:
    """Whether the last writer of this trajectory ended without closing it."""
    return lock.holder_of(folder) is not None and not lock.is_live(folder)


def recover(folder: Path, disk: Disk | None = None) -> RecoveryResult:
    """Repair a trajectory whose writer died, and mark it ``recovered``.

    Raises :class:`Locked` when its writer lives. When the repair fails, as on a full disk, the trajectory
    still needs recovery.
    """
    disk = disk or Disk()
    trajectory_files.refuse_links(folder)
    trajectory_files.read_header(folder)
    held = lock.acquire(folder, take_over=True)
    try:
        result, files = repair(folder, disk)
        header = codec.header_from_document(trajectory_files.read_header(folder))
        header = _with_closed_video(folder, header, files, disk)
        if header.status == "recording":
            _mark_recovered(folder, header, disk)
    except BaseException:
        held.restore()
        raise
    held.release()
    return result


def _with_closed_video(
    folder: Path, header: TrajectoryHeader, files: trajectory_files.StepFiles, disk: Disk
) -> TrajectoryHeader:
    """The header with the length and the digest of each part of a video that the writer left open."""
    parts = video_parts(header)
    if all(part.sha256 for part in parts if part.file):
        return header
    steps = [codec.step_from_line(line) for line in files.lines if codec.is_plain_step(line)]
    closed = close_parts(folder, parts, steps, disk)
    header = dataclasses.replace(header, extra=with_parts(header.extra, closed))
    write_header(disk, folder, header)
    return header


def recover_all(folders: Iterable[Path]) -> list[RecoveryResult]:
    """Recover every trajectory whose writer died; those being written are left alone.

    One that cannot be mended says so in ``problem`` and does not keep the others waiting.
    """
    results = []
    for folder in folders:
        if needs_recovery(folder):
            try:
                results.append(recover(folder))
            except Locked:
                continue
            except (StoreError, ValueError) as error:
                results.append(RecoveryResult(folder, 0, problem=str(error)))
    return results


def clear_unbegun(task_folders: Iterable[Path]) -> list[Path]:
    """Remove the folders of recordings that were killed before they had a header; returns them.

    Nothing was recorded in one: a folder that holds anything but empty files is left alone.
    """
    cleared = []
    for task_folder in task_folders:
        for folder in sorted(path for path in task_folder.iterdir() if path.is_dir()):
            if folder.is_symlink():
                continue
            if _is_unbegun(folder) and not lock.is_live(folder):
                shutil.rmtree(folder)
                cleared.append(folder)
    return cleared


def _is_unbegun(folder: Path) -> bool:
    states = folder / layout.STATES
    if states.is_dir() and any(states.iterdir()):
        return False
    return all(_holds_nothing(path) for path in folder.iterdir())


def _holds_nothing(path: Path) -> bool:
    if path.name.startswith(TEMPORARY_PREFIX) or path.name in (lock.LOCK_NAME, layout.STATES, RESERVE_NAME):
        return True
    return path.name in layout.LINE_FILES and path.is_file() and not path.stat().st_size


def repair(folder: Path, disk: Disk) -> tuple[RecoveryResult, trajectory_files.StepFiles]:
    """Repair the files of ``folder``; returns them as they are then, too.

    The caller holds the lock. Raises Damaged for any other damage.
    """
    # First, because it frees room that the repair may need.
    disk.remove(folder / RESERVE_NAME)
    torn = tuple(name for name in layout.LINE_FILES if _cut_torn_line(folder / name, disk))
    steps = trajectory_files.read_steps(folder)
    if steps.file.bad:
        numbers = ", ".join(map(str, steps.file.bad))
        raise Damaged(
            _("{name} is damaged in line {numbers}", name=layout.STEPS, numbers=numbers),
            _("that is not what an interrupted recording leaves behind, so it is not mended by guessing"),
            _("Open the trajectory for reading, or restore the file from a copy"),
        )
    title = ""
    if steps.unfinished:
        lines = apply(steps.file.lines, steps.unfinished.splices)
        text = steps.unfinished.text.encode() or b"".join(map(codec.dump_line, lines))
        disk.write(folder / layout.STEPS, text)
        title = steps.unfinished.title
        steps = trajectory_files.read_steps(folder)
    strays = _set_strays_aside(folder, steps, disk)
    return RecoveryResult(folder, len(steps.lines), torn, strays, title), steps


def _cut_torn_line(path: Path, disk: Disk) -> bool:
    if not path.exists():
        disk.write(path, b"")
        return False
    if not trajectory_files.ends_torn(path):
        return False
    line_file = trajectory_files.read_lines(path)
    lost = path.parent / layout.LOST
    disk.make_folder(lost)
    disk.write(_free(lost / f"{path.name}.torn"), line_file.torn)
    disk.truncate(path, line_file.committed)
    return True


def _set_strays_aside(folder: Path, steps: trajectory_files.StepFiles, disk: Disk) -> tuple[str, ...]:
    referenced = steps.blob_names() | trajectory_files.event_blob_names(folder)
    stray = [name for name in _file_names(folder, layout.STATES) if name not in referenced]
    parts = [name for name in _file_names(folder, "") if name.startswith(TEMPORARY_PREFIX)]
    stray += [name for name in parts if is_left(folder / name)]
    for name in sorted(stray):
        path = folder / name
        disk.make_folder(folder / layout.LOST)
        disk.move(path, _free(folder / layout.LOST / path.name))
    return tuple(sorted(stray))


def _file_names(folder: Path, place: str) -> list[str]:
    """The files in a folder of the trajectory, named as in ``steps.jsonl``."""
    try:
        with os.scandir(folder / place) as entries:
            return [f"{place}/{entry.name}" if place else entry.name for entry in entries if entry.is_file()]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _free(path: Path) -> Path:
    candidate, number = path, 1
    while candidate.exists():
        number += 1
        candidate = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return candidate


def _mark_recovered(folder: Path, header: TrajectoryHeader, disk: Disk) -> None:
    header = dataclasses.replace(header, status=RECOVERED)
    if header.is_run and header.outcome is None:
        ended = _("The program that recorded the run ended before it")
        header = dataclasses.replace(header, outcome=Outcome(infrastructure=ended))
    document = versions.TRAJECTORY.stamp(codec.header_to_document(header))
    raise_version_around(folder, disk)
    disk.write(folder / layout.HEADER, codec.dump_document(document))
