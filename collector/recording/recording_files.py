"""Begin and close the files of a recording: its trajectory, the rules it is judged by, its verdicts."""

from __future__ import annotations

import contextlib
import logging
import shutil
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from collector.device.device_info import read_app_versions
from collector.device.session import DeviceSession
from collector.device.transport.adb_device import AdbDevice
from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.judging import judge_finished
from collector.judge.live_judge import LiveJudge
from collector.model.errors import UserError
from collector.model.seeds import DEFAULT_SEED
from collector.model.trajectory import FINISHED, TrajectoryHeader
from collector.recorder.recorder import Recorder
from collector.recorder.video.video_recording import VideoRecording
from collector.redaction_rules.rule_file import redaction_of
from collector.redaction_rules.trajectory_redaction import TrajectoryRedaction
from collector.reset.reset_record import ResetRecord
from collector.store.files.layout import ANNOTATIONS, JUDGEMENTS, LINE_FILES
from collector.store.project.project import Project
from collector.store.tasks.task_values import bound, kept_values, values_of
from collector.store.trajectory.editable_steps import require_unreviewed
from collector.store.trajectory.undone_steps import undone_step
from collector.store.trajectory.writer import TrajectoryWriter

_log = logging.getLogger(__name__)


def new_recording(
    project: Project, task_id: str, who: str, session: DeviceSession, reset: ResetRecord | None = None
) -> TrajectoryWriter:
    """Add a golden trajectory of a task, with the phone that it is recorded on. Raises UserError.

    ``reset`` is what was reset on the phone before; the header keeps it.
    """
    redaction_of(project.folder)  # what cannot be read hides nothing: no recording begins
    screen = {"size": str(session.screen_size), "density": session.density}
    extra: dict[str, Any] = {"reset": reset.as_dict()} if reset is not None else {}
    device = {**session.info.as_dict(), **screen}
    task = project.task(task_id)
    header = TrajectoryHeader("", task_id, who=who, device=device, extra=extra)
    if task is not None and task.parameters:
        values = values_of(task, DEFAULT_SEED)
        said = bound(task, values).instruction
        header = replace(header, instruction=said, extra={**extra, **kept_values(values)})
    return project.new_trajectory(header)


def open_recording(folder: Path, who: str) -> TrajectoryWriter:
    """Open a trajectory to go on with it; a finished one only while nobody but ``who`` reviewed its steps.

    Raises UserError.
    """
    TrajectoryRedaction.of(folder, "")  # what cannot be read hides nothing: no recording goes on
    writer = TrajectoryWriter.open(folder, take_over=True, reserve=True, who=who)
    try:
        if writer.header.status == FINISHED:
            require_unreviewed(folder, writer.header, who)
    except UserError:
        writer.close()
        raise
    return writer


def rules_of(folder: Path, task_id: str) -> tuple[TaskRules, str]:
    """The rules of a task; without any, and with a sentence why, when its files cannot be read."""
    try:
        return TaskRules.of_trajectory(folder, task_id), ""
    except UserError as error:
        return TaskRules(), str(error)


def was_undone(folder: Path) -> bool:
    """Whether a step behind the last one was undone or deleted: the phone may be ahead."""
    try:
        return undone_step(folder) is not None
    except (UserError, ValueError):
        return False  # of a damaged journal nothing is known


def close_recording(
    recorder: Recorder, judge: LiveJudge, writer: TrajectoryWriter, device: AdbDevice | None,
    video: VideoRecording | None = None, hurry: threading.Event | None = None,
) -> Path:  # fmt: skip
    """Write what is left, with the versions of the apps on ``device``, and store what the rules say.

    ``device`` is None when the phone is gone. Waits for the disk and the phone, and for the disk alone once
    ``hurry`` is set. Returns the folder, which is gone when nothing was recorded in it.
    """
    recorder.close()
    judge.close()
    try:
        if video is not None:
            video.close()
        packages = sorted({step.state.package for step in writer.steps if step.state.package})
        known = dict(writer.header.apps)
        missing = [package for package in packages if package not in known]
        versions = read_app_versions(device, missing, hurry) if device is not None else {}
        if versions:
            writer.update_header(apps={**known, **versions})
    finally:
        writer.close()
    if _is_empty(writer):
        remove_recording(writer.folder)
        return writer.folder
    try:
        judge_finished(writer.folder)
    except UserError:  # the recording is safe, whatever becomes of this
        _log.warning("%s was not judged by its rules", writer.folder.name, exc_info=True)
    return writer.folder


def remove_recording(folder: Path) -> None:
    """Remove a recording that holds nothing, and the folder of its task when it was the only one there."""
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):  # it has other recordings of the task
        folder.parent.rmdir()


def _is_empty(writer: TrajectoryWriter) -> bool:
    """Whether nothing was recorded, undone, marked or injected: no step, no edit, no event, no label."""
    folder = writer.folder
    if writer.steps or writer.header.status == FINISHED:
        return False
    lines = (folder / name for name in LINE_FILES)
    said = (folder / name for name in (ANNOTATIONS, JUDGEMENTS))
    return not any(path.exists() and path.stat().st_size for path in lines) and not any(
        path.is_dir() and any(path.iterdir()) for path in said
    )
