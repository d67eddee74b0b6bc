"""Golden trajectories as D-GARA's ``Collected_trajs``: numbered screenshots and trees, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

from collector.exchange.dgara.layout import collected_folder
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.exported_picture import write_picture
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import Step, TrajectoryHeader
from collector.store.files.errors import StoreError
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory, read_header

COLLECTED_FORMAT = "dgara-collected"
_RECORDING = "recording"


def goldens(part: ExportedPart, log: ExchangeLog) -> Iterator[tuple[str, Path]]:
    """The newest golden trajectory of each task, and its folder; the format has room for one."""
    done: set[str] = set()
    for _task, folders in groupby(part.folders(), key=lambda folder: folder.parent.name):
        newest = _newest(part, folders, done, log)
        done.update(newest)
        for task, (_started, folder) in newest.items():
            yield task, folder


def _newest(
    part: ExportedPart, folders: Iterable[Path], done: Collection[str], log: ExchangeLog
) -> dict[str, tuple[str, Path]]:
    """By task the start and the folder of its newest golden trajectory; those left out go into the log."""
    newest: dict[str, tuple[str, Path]] = {}
    project = part.project
    for folder in folders:
        log.where = project.paths.relative(folder)
        try:
            header = read_header(folder)
        except StoreError as error:
            log.add("trajectory-unreadable", _("A trajectory was left out: {why}", why=error))
            continue
        if header.is_run:
            continue
        if header.status == _RECORDING:
            log.add("unfinished", _("A recording that was not finished was left out"))
            continue
        known = newest.get(header.task_id)
        is_newest = header.task_id not in done and (known is None or header.started >= known[0])
        if known is not None or not is_newest:
            older = known[1] if known is not None and is_newest else folder
            log.where = project.paths.relative(older)
            log.add(
                "another-recording", _("D-GARA has one recording for each task; this older one was left out")
            )
        if is_newest:
            newest[header.task_id] = (header.started, folder)
    return newest


def export_collected(
    part: ExportedPart, tasks: Mapping[str, Task], numbers: Mapping[str, int], target: Path, log: ExchangeLog
) -> None:
    """Write a folder for each golden trajectory that is newest of its task, below ``target``.

    ``tasks`` are those of the task list, by their ids.
    """
    project = part.project
    for task_id, folder in goldens(part, log):
        if not log.begin(project.paths.relative(folder)):
            continue
        stored = open_trajectory(folder)
        for problem in stored.problems:
            log.add("step-unreadable", problem)
        description = tasks[task_id].instruction if task_id in tasks else stored.header.instruction
        place = target / collected_folder(numbers[task_id], description)
        log.makes(place)
        _write(stored, place, log)
        _report_left_out(stored, log)
        log.written.trajectories.append(project.paths.relative(folder))
        log.keep()


def _write(stored: StoredTrajectory, target: Path, log: ExchangeLog) -> None:
    target.mkdir(parents=True)
    for number, step in _numbered(stored.header, stored.steps):
        picture = target / f"step_{number}_screenshot.png"
        has_picture = write_picture(stored, step, picture, log, number, as_png=True)
        tree = _tree(stored, step, log)
        if tree is not None:
            (target / f"step_{number}_ui.xml").write_bytes(tree)
        if not has_picture and tree is None:
            log.add("no-state", _("A step has neither screenshot nor tree"), step=number)


def _numbered(header: TrajectoryHeader, steps: tuple[Step, ...]) -> list[tuple[int, Step]]:
    """The steps with their numbers: those of D-GARA, which has gaps, or counted from 1."""
    names = [str(step.extra.get("source_step", "")) for step in steps]
    if header.extra.get("imported_from") == COLLECTED_FORMAT and all(map(str.isdecimal, names)):
        numbers = [int(name) for name in names]
        if numbers == sorted(set(numbers)) and [str(number) for number in numbers] == names:
            return list(zip(numbers, steps, strict=True))
    return list(enumerate(steps, start=1))


def _tree(stored: StoredTrajectory, step: Step, log: ExchangeLog) -> bytes | None:
    try:
        return stored.tree(step)
    except StoreError as error:
        log.add("file-missing", _("A file was left out: {why}", why=error))
        return None


def _report_left_out(stored: StoredTrajectory, log: ExchangeLog) -> None:
    """Name everything a recording has that states alone cannot say."""
    steps = stored.steps
    for code, what, count in (
        ("actions-lost", _("D-GARA's recordings have no actions"), _count(step.action for step in steps)),
        ("texts-lost", _("D-GARA's recordings have no descriptions, notes and intentions"),
         _count(step.description or step.note or step.intention for step in steps)),
        ("times-lost", _("D-GARA's recordings have no times"), _count(step.t_ms for step in steps)),
        ("activity-lost", _("D-GARA's recordings do not say which activity is in front"),
         _count(step.state.activity for step in steps)),
        ("events-lost", _("D-GARA's recordings have no events, such as anomalies and pauses"),
         len(stored.events())),
        ("annotations-lost", _("D-GARA's recordings have no annotations"), len(stored.annotations())),
        ("judgements-lost", _("D-GARA's recordings have no verdicts"),
         len(read_judgements(stored.folder).judgements)),
        ("header-lost", _("D-GARA's recordings do not say who recorded them, and on which phone"),
         int(bool(stored.header.device or stored.header.apps or stored.header.note))),
    ):  # fmt: skip
        if count:
            log.add(code, what)


def _count(values: Iterable[object]) -> int:
    return sum(map(bool, values))
