"""TFRecord files as published: screenshots, accessibility forests and actions.

Forests become dumps, and are kept as they are, too.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from collector.agents.translators.android_world import DIALECT
from collector.agents.translators.coordinates import AgentScreen
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.format import FOR_BENCHMARKS, TASKS, TRAJECTORIES, Format
from collector.exchange.formats.androidcontrol_export import RECORDS, write
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import said_by_person
from collector.exchange.source.checks import picture_size
from collector.exchange.source.extracted import extraction_folder, write_bytes, write_picture
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import recognised_by
from collector.exchange.source.records import mapping, size_of, text
from collector.exchange.tfrecord.accessibility_forest import read_forest
from collector.exchange.tfrecord.examples import Example, has_features, read_example
from collector.exchange.tfrecord.frames import first_record, is_record_file, read_records
from collector.model.action import Action, Type
from collector.model.geometry import Size
from collector.model.i18n import N_, _
from collector.model.task import Task

_PICTURES, _FORESTS = "screenshots", "accessibility_trees"
_OWN = (_PICTURES, _FORESTS, "screenshot_widths", "screenshot_heights", "step_instructions")
_NO_SIZE = Size(0, 0)


def _record_files(root: Path) -> Iterator[Path]:
    """Files whose first record is an episode of AndroidControl."""
    for path in source_files.files(root):
        if is_record_file(path) and has_features(first_record(path), ("goal", _PICTURES, "actions"), _OWN):
            yield path


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One trajectory for each record."""
    for records in _record_files(path):
        log.use(records)
        log.where = records.name
        for number, record in enumerate(read_records(records, log), start=1):
            try:
                example = read_example(record)
            except ValueError as error:
                log.add("record-unreadable", _("A record cannot be read: {why}", why=error), step=number)
                continue
            with extraction_folder() as folder:
                yield _trajectory(f"{records.name}-{number}", example, folder, log)
            log.where = records.name


def _trajectory(place: str, example: Example, folder: Path, log: ExchangeLog) -> SourceTrajectory:
    name = example.text("episode_id") or place
    log.where = name
    pictures, forests = example.blobs(_PICTURES), example.blobs(_FORESTS)
    actions, said = example.texts("actions"), example.texts("step_instructions")
    widths, heights = example.numbers("screenshot_widths"), example.numbers("screenshot_heights")
    steps = []
    for number in range(max(len(pictures), len(forests), len(actions))):
        step = SourceStep(str(number))
        if number < len(pictures):
            step.screenshot = write_picture(folder, f"{number:04}", bytes(pictures[number]))
        if number < len(forests) and forests[number]:
            forest = bytes(forests[number])
            step.tree = write_bytes(folder, f"{number:04}.pb", forest)
            step.convert = functools.partial(read_forest, forest)
        if number < len(said):
            step.intention = said[number]
        if number < len(actions):
            sides = (widths[number : number + 1], heights[number : number + 1])
            size = size_of(*(side[0] if side else None for side in sides)) or picture_size(step.screenshot)
            step.action = _action(step, actions[number], size or _NO_SIZE, log)
        steps.append(step)
    return SourceTrajectory(name, Task(name, example.text("goal") or name), steps)


def _action(step: SourceStep, written: str, size: Size, log: ExchangeLog) -> Action | None:
    values = _values(written)
    step.extra["source_action"] = values or written
    if values.get("action_type") == "type":
        log.add(
            "action-changed",
            _("An action that taps a field, types and presses enter became the typing alone"),
            step=step.name,
        )
        typed = text(values.get("text"))
        return Type(typed, len(typed))
    return said_by_person(step, DIALECT, values, AgentScreen(size), log)


def _values(written: str) -> dict[str, Any]:
    try:
        return mapping(json.loads(written))
    except (ValueError, RecursionError):
        return {}


FORMAT = Format(
    id="androidcontrol-records",
    title=N_("AndroidControl records"),
    use=FOR_BENCHMARKS,
    holds=(TRAJECTORIES, TASKS),
    files=N_("TFRecord files with a record for each episode"),
    detect=recognised_by(_record_files),
    read=read,
    write=write,
    entries=(RECORDS,),
)
