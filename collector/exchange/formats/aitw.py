"""TFRecord files as published: one example per step, raw pixels, recognised elements as a flat tree."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from pathlib import Path

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import BOXES, OF_DATA_SETS, TASKS, TRAJECTORIES, Format
from collector.exchange.formats.aitw_actions import action_from
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import unknown_action
from collector.exchange.source.element_tree import tree_of_recognised
from collector.exchange.source.extracted import extraction_folder, png_of_pixels, write_bytes, write_json
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import recognised_by
from collector.exchange.source.records import size_of
from collector.exchange.tfrecord.examples import Example, has_features, read_example
from collector.exchange.tfrecord.frames import first_record, is_record_file, read_records
from collector.model.geometry import Size
from collector.model.i18n import N_, _
from collector.model.task import Task

_EPISODE, _STEP, _GOAL, _PICTURE = "episode_id", "step_id", "goal_info", "image/encoded"
_ELEMENTS = "image/ui_annotations_positions", "image/ui_annotations_text", "image/ui_annotations_ui_types"
_TOUCH, _LIFT = "results/yx_touch", "results/yx_lift"
_KIND = "results/action_type"
_OWN = (_GOAL, *_ELEMENTS, _TOUCH, _LIFT, _KIND, "results/type_action")
_DEVICE = {"android_api_level": "sdk", "device_type": "model"}


def _record_files(root: Path) -> Iterator[Path]:
    """Files whose first record is a step of AITW."""
    for path in source_files.files(root):
        if is_record_file(path) and has_features(first_record(path), (_EPISODE, _PICTURE, _KIND), _OWN):
            yield path


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One trajectory for each episode."""
    for records in _record_files(path):
        log.where = records.name
        log.use(records)
        for episode, steps in itertools.groupby(_examples(records, log), lambda step: step.text(_EPISODE)):
            with extraction_folder() as folder:
                yield _trajectory(episode or records.name, steps, records, folder, log)


def _examples(records: Path, log: ExchangeLog) -> Iterator[Example]:
    for number, record in enumerate(read_records(records, log), start=1):
        try:
            yield read_example(record)
        except ValueError as error:
            log.where = records.name
            log.add("record-unreadable", _("A record cannot be read: {why}", why=error), step=number)


def _trajectory(
    name: str, examples: Iterator[Example], records: Path, folder: Path, log: ExchangeLog
) -> SourceTrajectory:
    log.where = name
    steps: list[SourceStep] = []
    goal, device = "", dict[str, str]()
    for place, example in enumerate(examples):
        goal = goal or example.text(_GOAL)
        device = device or {ours: example.text(key) for key, ours in _DEVICE.items() if key in example}
        steps.append(_step(place, example, folder, log))
    steps.sort(key=lambda step: int(step.name))
    numbers = [int(step.name) for step in steps]
    for missing in source_files.missing(numbers, 0):
        log.add("gap", _("A number is missing in the source"), step=missing, severity=NOTE)
    converted = _("Screenshots were converted to PNG, pixel by pixel")
    log.add("picture-converted", converted, severity=NOTE)
    log.add(
        "recognised",
        _(
            "The trees hold only what was recognised in the pixels: "
            "no layout, no resource ids, not what can be touched"
        ),
    )
    category = records.name.partition("-")[0] if "-of-" in records.name else ""
    return SourceTrajectory(name, Task(name, goal or name, category=category), steps, device=device)


def _step(place: int, example: Example, folder: Path, log: ExchangeLog) -> SourceStep:
    number = example.whole(_STEP)
    step = SourceStep(str(place if number is None else abs(number)))
    size = size_of(example.whole("image/width"), example.whole("image/height"))
    step.screenshot = _screenshot(step.name, place, example, size, folder, log)
    positions = example.numbers(_ELEMENTS[0])
    boxes = [positions[start : start + 4] for start in range(0, len(positions) - 3, 4)]
    texts, types = (example.texts(name) for name in _ELEMENTS[1:])
    elements = {"positions": boxes, "texts": texts, "types": types}
    step.tree = write_json(folder, f"{place:04}-elements.json", elements)
    step.convert = functools.partial(tree_of_recognised, boxes, texts, types, size)
    step.package, _slash, step.activity = example.text("current_activity").rpartition("/")
    step.extra["source_action"] = {
        name: example.numbers(f"results/{name}") for name in ("action_type", "yx_touch", "yx_lift")
    }
    try:
        kind, typed = example.whole(_KIND), example.text("results/type_action")
        step.action = action_from(kind, typed, example.numbers(_TOUCH), example.numbers(_LIFT), screen=size)
    except ValueError as error:
        unknown_action(step, error, log)
    return step


def _screenshot(
    name: str, place: int, example: Example, size: Size | None, folder: Path, log: ExchangeLog
) -> Path | None:
    encoded = next(iter(example.blobs(_PICTURE)), None)
    if encoded is None or size is None:
        return None
    try:
        data = png_of_pixels(bytes(encoded), size.width, size.height, example.whole("image/channels") or 3)
    except ValueError as error:
        log.add("picture-not-one", _("A screenshot cannot be read: {why}", why=error), step=name)
        return None
    return write_bytes(folder, f"{place:04}.png", data)


FORMAT = Format(
    id="aitw",
    title=N_("AITW (Android in the Wild) records"),
    use=OF_DATA_SETS,
    holds=(TRAJECTORIES, TASKS, BOXES),
    files=N_("TFRecord files with a record for each step"),
    detect=recognised_by(_record_files),
    read=read,
)
