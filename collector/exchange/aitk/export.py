"""A project as a folder that AITK's own scripts read: tasks, annotations, runs, answers of the evaluator."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from collector.exchange.aitk import trajectories
from collector.exchange.aitk.history import AitkHistory
from collector.exchange.aitk.runs import RUNS
from collector.exchange.aitk.tasks import task_line
from collector.exchange.aitk.verdicts import JUDGE, RESULTS, SOURCE
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.fixed_tasks import fixed_tasks
from collector.exchange.format import FOR_BENCHMARKS, STATES, TASKS, TRAJECTORIES, VERDICTS, Format
from collector.exchange.source.model import in_sentences
from collector.model.episode import Episode
from collector.model.essential_state import EssentialState
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.model.trajectory import RECORDING, TrajectoryHeader
from collector.model.verdicts.judgement import WINDOW, Judgement
from collector.store.files.errors import StoreError
from collector.store.files.names import folder_name
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import open_trajectory, read_header

TASKS_FILE, ANNOTATIONS = "tasks.jsonl", "human_annotations"
_CELL = tuple(
    field.name
    for field in dataclasses.fields(Episode)
    if field.name not in ("experiment", "cell", "repeat", "attempt", "extra")
)


@dataclasses.dataclass(frozen=True, slots=True)
class _Placed:
    """A trajectory of the project, and the folder it is exported to."""

    source: Path
    header: TrajectoryHeader
    target: Path


def write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    """Write everything of ``part`` that AITK has a place for into the new folder ``path``."""
    path.mkdir(parents=True, exist_ok=True)
    project = part.project
    tasks = {task.id: task for task in fixed_tasks(part.tasks, log)}
    log.where = TASKS_FILE
    states = project.states
    lines = [json.dumps(task_line(task, states, log), ensure_ascii=False) for task in tasks.values()]
    (path / TASKS_FILE).write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    log.written.tasks += tasks
    for placed in _placed(part, path, log):
        if not log.begin(project.paths.relative(placed.source)):
            continue
        task = tasks.get(placed.header.task_id) or Task(placed.header.task_id, placed.header.instruction)
        try:
            stored = open_trajectory(placed.source)
            keys = task_line(task, states, ExchangeLog())
            log.makes(placed.target)
            AitkHistory(stored, in_sentences(task, states), keys, placed.target, states, log).write()
        except StoreError as error:
            log.add("trajectory-unreadable", _("A trajectory was left out: {why}", why=error))
            continue
        log.written.trajectories.append(log.where)
        for sentence in stored.problems:
            log.add("trajectory-damaged", sentence)
        if answers := _answers(placed, task, states, log):
            text = "".join(json.dumps(answer) + "\n" for answer in answers)
            log.append(placed.target.parent / RESULTS, text.encode("utf-8", "replace"))
        log.keep()
    log.where = ""
    text = _("AITK has no rules and no anomalies; they are only in the project")
    log.add("no-rules", text, severity=NOTE)


# -- where each trajectory goes ----------------------------------------------
def _placed(part: ExportedPart, path: Path, log: ExchangeLog) -> Iterator[_Placed]:
    """The finished trajectories with their places. Their headers are read twice, and never kept together."""
    cells = dict.fromkeys(
        _cell(header) for _folder, header in _finished(part, ExchangeLog()) if header.is_run
    )
    experiments = _experiments(list(cells))
    for folder, header in _finished(part, log):
        parent = path / ANNOTATIONS
        if header.is_run:
            experiment = experiments[_cell(header)]
            parent = path / RUNS / folder_name(experiment) if experiment else path / RUNS
        yield _Placed(folder, header, _free(parent, header))


def _finished(part: ExportedPart, log: ExchangeLog) -> Iterator[tuple[Path, TrajectoryHeader]]:
    for folder in part.folders():
        log.where = part.project.paths.relative(folder)
        try:
            header = read_header(folder)
        except StoreError as error:
            log.add("trajectory-unreadable", _("A trajectory was left out: {why}", why=error))
            continue
        if header.status == RECORDING:
            log.add("not-finished", _("A trajectory that is still recorded was left out"))
            continue
        if header.is_offline:
            log.add(
                "offline-steps", _("Steps that were asked offline were left out: they are no run of a task")
            )
            continue
        yield folder, header


def _cell(header: TrajectoryHeader) -> tuple[object, ...]:
    episode = header.episode or Episode()
    return (episode.experiment, *(getattr(episode, name) for name in _CELL))


def _experiments(cells: Sequence[tuple[object, ...]]) -> dict[tuple[object, ...], str]:
    """By cell the name of an experiment: AITK's have one agent and one run of each task."""
    varieties: dict[object, list[set[object]]] = {}
    for cell in cells:
        for seen, value in zip(varieties.setdefault(cell[0], [set() for _part in cell]), cell, strict=True):
            seen.add(value)
    names = {}
    for cell in cells:
        varying = [number for number in range(1, len(cell)) if len(varieties[cell[0]][number]) > 1]
        values = [str(cell[number]) for number in varying if cell[number] not in ("", None)]
        names[cell] = "-".join([str(cell[0]), *values] if cell[0] else values)
    return names


def _free(parent: Path, header: TrajectoryHeader) -> Path:
    """A folder that is not taken: named as it was imported, or after the task and its repeat.

    A further run of a task goes to another experiment, a further annotation gets the next number.
    """
    given = header.extra.get("source_name") if header.extra.get("imported_from") == "aitk" else None
    task, number = folder_name(header.task_id), 1
    if header.is_run:
        repeat = header.episode.repeat if header.episode is not None else None
        name = folder_name(given) if isinstance(given, str) else task
        if given is None and repeat is not None:
            name = f"{task}_{repeat + 1}"
        while (target := (parent if number == 1 else Path(f"{parent}-{number}")) / name).exists():
            number += 1
        return target
    if isinstance(given, str) and not (parent / folder_name(given)).exists():
        return parent / folder_name(given)
    while (target := parent / f"{task}_{number}").exists():
        number += 1
    return target


# -- answers of the evaluator ------------------------------------------------
def _answers(
    placed: _Placed, task: Task, states: Mapping[str, EssentialState], log: ExchangeLog
) -> list[dict[str, Any]]:
    stored = read_judgements(placed.source)
    for sentence in stored.problems:
        log.add("trajectory-damaged", sentence)
    windows = [
        judgement
        for judgement in stored.judgements
        if judgement.judge == JUDGE and judgement.subject.kind == WINDOW
    ]
    others = {judgement.judge for judgement in stored.judgements} - {JUDGE}
    if others:
        names = ", ".join(sorted(others))
        log.add("judgements-lost", _("AITK has no place for the judgements of {names}", names=names))
    return [_answer(window, placed, task, states) for window in windows]


def _answer(
    judgement: Judgement, placed: _Placed, task: Task, states: Mapping[str, EssentialState]
) -> dict[str, Any]:
    """A line of ``eval_results.jsonl``."""
    named = judgement.subject.state
    sentence = states[named].sentence if named in states else ""
    metadata = {
        "task_name": task.id,
        "category": task.category or "Uncategorized",
        "level": task.level or "Unspecified",
        "step_index": judgement.subject.first,
        "essential_state": sentence or named,
        "traj_dir": f"{placed.target.parent.name}/{placed.target.name}",
    }
    source = judgement.extra.get(SOURCE)
    more: Mapping[str, Any] = source if isinstance(source, Mapping) else {}
    images = [f"step_{step}.png" for step in (judgement.subject.first, judgement.subject.last)]
    line: dict[str, Any] = {"problem": "", "images": images, "metadata": metadata}
    return {**line, **({} if "error" in more else {"response": judgement.raw}), **more}


FORMAT = Format(
    id="aitk",
    title=N_("AITK tasks, human annotations and agent runs"),
    use=FOR_BENCHMARKS,
    holds=(TRAJECTORIES, TASKS, STATES, VERDICTS),
    files=N_("tasks.jsonl, human_annotations/ for recordings, saves/ for runs, and answers of the evaluator"),
    detect=trajectories.detect,
    read=trajectories.read,
    write=write,
    entries=(TASKS_FILE, ANNOTATIONS, RUNS),
    licence=N_("AITK is under Apache 2.0"),
)
