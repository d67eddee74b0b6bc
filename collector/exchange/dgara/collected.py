"""``Collected_trajs/<id>_<description>/step_<i>_{screenshot.png,ui.xml}``: states without actions.

Gaps between numbers are normal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from collector.exchange.dgara.layout import is_collected_folder
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import FOR_BENCHMARKS, TRAJECTORIES, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.model.i18n import N_, _
from collector.model.task import Task

_SHOT = r"step_(\d+)_screenshot" + source_files.PICTURE
_TREE = r"step_(\d+)_ui\.xml"


def detect(path: Path) -> float:
    """Sure when a folder holds ``step_<i>_screenshot.png`` files."""
    for folder in source_files.folders(path):
        if source_files.numbered(folder, _SHOT):
            return 0.95
        if source_files.numbered(folder, _TREE) and folder.name != "ui_trees":
            return 0.7
    return 0.0


def read(path: Path, log: ExchangeLog, tasks: Sequence[Task] = ()) -> Iterator[SourceItem]:
    """One trajectory for each folder with numbered states; ``tasks`` are those of the source's own list."""
    by_id = {task.id: task for task in tasks}
    for folder in source_files.folders(path):
        shots, trees = source_files.numbered(folder, _SHOT), source_files.numbered(folder, _TREE)
        numbers = sorted(shots.keys() | trees.keys())
        if not numbers:
            continue
        log.where = folder.name
        log.add("no-actions", _("The format records no actions: the steps have states alone"))
        for missing in source_files.missing(numbers, min(1, numbers[0])):
            log.add("gap", _("A number is missing in the source"), step=missing, severity=NOTE)
        steps = [SourceStep(str(number), shots.get(number), trees.get(number)) for number in numbers]
        yield SourceTrajectory(folder.name, _task(folder, by_id), steps)


def _task(folder: Path, by_id: Mapping[str, Task]) -> Task:
    """The task of the list that the folder is named after, as far as a folder can be; else by its name."""
    match = re.fullmatch(r"(\d+)_(.+)", folder.name, re.DOTALL)
    known = by_id.get(match[1]) if match else None
    if known is not None and is_collected_folder(folder.name, known.id, known.instruction):
        return known
    return Task(match[1], match[2].strip()) if match else Task(folder.name, folder.name)


FORMAT = Format(
    id="dgara-collected",
    title=N_("D-GARA collected trajectories"),
    use=FOR_BENCHMARKS,
    holds=(TRAJECTORIES,),
    files=N_("Collected_trajs: a folder for each recording, with numbered screenshots and dumps"),
    detect=detect,
    read=read,
    licence=N_("D-GARA names no licence"),
)
