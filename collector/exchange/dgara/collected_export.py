"""Golden trajectories as D-GARA's ``Collected_trajs``: numbered screenshots and trees, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from collector.exchange.dgara.layout import collected_folder
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exported_part import ExportedPart
from collector.exchange.exported_picture import exported_png
from collector.model.i18n import _
from collector.model.trajectory import Step, TrajectoryHeader
from collector.store.files.errors import StoreError
from collector.store.project.project import Project
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory, read_header

COLLECTED_FORMAT = "dgara-collected"
_RECORDING = "recording"


def golden_by_task(part: ExportedPart, log: ExchangeLog) -> dict[str, Path]:
    """The newest golden trajectory of each task; the format has room for one."""
    newest: dict[str, tuple[str, Path]] = {}
    project = part.project
    for folder in part.folders():
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
        if known is not None:
            older = folder if header.started < known[0] else known[1]
            log.where = project.paths.relative(older)
            log.add(
                "another-recording", _("D-GARA has one recording for each task; this older one was left out")
            )
        if known is None or header.started >= known[0]:
            newest[header.task_id] = (header.started, folder)
    return {task: folder for task, (_started, folder) in newest.items()}


def export_collected(
    project: Project, goldens: Mapping[str, Path], numbers: Mapping[str, int], target: Path, log: ExchangeLog
) -> None:
    """Write a folder for each of ``goldens``, which are by task, below ``target``."""
    instructions = {task.id: task.instruction for task in project.tasks}
    for task_id, folder in goldens.items():
        log.begin(project.paths.relative(folder))
        stored = open_trajectory(folder)
        for problem in stored.problems:
            log.add("step-unreadable", problem)
        description = instructions.get(task_id, stored.header.instruction)
        _write(stored, target / collected_folder(numbers[task_id], description), log)
        _report_left_out(stored, log)
        log.written.trajectories.append(project.paths.relative(folder))


def _write(stored: StoredTrajectory, target: Path, log: ExchangeLog) -> None:
    target.mkdir(parents=True)
    for number, step in _numbered(stored.header, stored.steps):
        picture, tree = exported_png(stored, step, log, number), _tree(stored, step, log)
        if picture is not None:
            (target / f"step_{number}_screenshot.png").write_bytes(picture)
        if tree is not None:
            (target / f"step_{number}_ui.xml").write_bytes(tree)
        if picture is None and tree is None:
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
