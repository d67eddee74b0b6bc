"""``<package>/<scenario>/`` with ``metadata.json``, a screenshot and its elements.

Each task is a recording of one step; ``misleading_configs`` are kept.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import BOXES, OF_DATA_SETS, TASKS, TRAJECTORIES, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import unknown_action
from collector.exchange.source.checks import picture_size
from collector.exchange.source.element_tree import Sides, listed_attributes, rounded, tree_of_elements
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import (
    mapping,
    mappings,
    named_file,
    number_in,
    pick,
    read_mapping,
    text,
)
from collector.model.action import Action, Tap
from collector.model.geometry import Size
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.model.tree import Tree

METADATA, ELEMENTS, HIERARCHY = "metadata.json", "filtered_elements.json", "original_vh.json"
_SHOT = "screenshot.jpg"
_SIDES = ("x_min", "y_min", "x_max", "y_max")


def _scenarios(root: Path) -> Iterator[Path]:
    """Each ``metadata.json`` with tasks, beside ``filtered_elements.json``."""
    for path in marked_files(root, METADATA, b'"tasks"', b'"colors"'):
        if (path.parent / ELEMENTS).is_file():
            yield path


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One recording for each task of each scenario."""
    for metadata in _scenarios(path):
        folder = metadata.parent
        name = f"{folder.parent.name}-{folder.name}"
        log.where = name
        values = read_mapping(metadata, log)
        if (folder / HIERARCHY).is_file():
            log.use(folder / HIERARCHY)
            text_ = _("The whole hierarchy was left out; the elements that AgentHazard chose of it are kept")
            log.add("second-trees", text_, severity=NOTE)
        for number, task in enumerate(mappings(values.get("tasks"))):
            log.where = f"{name}-{number + 1}"
            yield _trajectory(log.where, folder, values, task, log)


def _trajectory(
    name: str, folder: Path, values: Mapping[str, Any], task: Mapping[str, Any], log: ExchangeLog
) -> SourceTrajectory:
    step = SourceStep("0", package=folder.parent.name)
    step.screenshot = named_file(_SHOT, (folder,))
    step.tree = folder / ELEMENTS
    step.convert = functools.partial(_tree, step.tree, picture_size(step.screenshot))
    step.extra["source_action"] = pick(task, "bbox")
    try:
        step.action = _action(_box(task.get("bbox")))
    except ValueError as error:
        unknown_action(step, error, log)
    instruction = text(task.get("description")) or name
    trajectory = SourceTrajectory(name, Task(name, instruction, package=folder.parent.name), [step])
    trajectory.extra = pick(task, "misleading_configs") | pick(values, "text", "colors")
    return trajectory


def _action(box: Sides | None) -> Action:
    if box is None:
        raise ValueError(_("a touch without a place"))
    return Tap((box[0] + box[2]) // 2, (box[1] + box[3]) // 2)


def _box(value: object) -> Sides | None:
    try:
        return rounded([number_in(mapping(value).get(side)) for side in _SIDES])
    except ValueError:
        return None


def _tree(path: Path, size: Size | None) -> Tree:
    elements = mappings(source_files.read_json(path))
    return tree_of_elements(
        ((_box(element.get("bbox_pixels")), listed_attributes(element)) for element in elements), size
    )


FORMAT = Format(
    id="agent-hazard",
    title=N_("AgentHazard scenarios"),
    use=OF_DATA_SETS,
    holds=(TRAJECTORIES, TASKS, BOXES),
    files=N_("A folder for each scenario: metadata.json, screenshot.jpg and filtered_elements.json"),
    detect=recognised_by(_scenarios),
    read=read,
)
