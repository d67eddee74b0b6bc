"""``<task>_<instance>.pkl.gz``: episodes with screenshots and elements, which become flat trees.

The pickle is taken apart as data and never run; unknown classes are named.
"""

from __future__ import annotations

import functools
import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from collector.agents.translators.android_world import DIALECT
from collector.agents.translators.coordinates import AgentScreen
from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import OF_AGENTS, TASKS, TRAJECTORIES, VERDICTS, Format
from collector.exchange.pickles.reader import read_pickle
from collector.exchange.pickles.values import Array, Instance, plain
from collector.exchange.source.answers import answer, make_run, unknown_action
from collector.exchange.source.element_tree import Sides, listed_attributes, rounded, tree_of_elements
from collector.exchange.source.extracted import extraction_folder, png_of_pixels, write_bytes, write_json
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import mapping, text
from collector.model.episode import AgentTurn, Episode
from collector.model.geometry import Rect, Size
from collector.model.i18n import N_, _
from collector.model.task import Task

_ENDING = ".pkl.gz"
_MARKS = (b"task_template", b"goal")
_MARKED_WITHIN = 256 * 1024
_ELEMENT, _BOX, _ACTION = (
    "android_world.env.representation_utils.UIElement",
    "android_world.env.representation_utils.BoundingBox",
    "android_world.env.json_action.JSONAction",
)
_BEFORE = ("raw_screenshot", "before_screenshot", "screenshot", "before_screenshot_with_som")
_AFTER = ("after_screenshot",)
_ELEMENTS = ("before_ui_elements", "before_element_list", "ui_elements")
_ELEMENTS_AFTER = ("after_ui_elements", "after_element_list")
_SAID = ("summary", "action_prompt", "summary_prompt", "action_reason")
_KEPT = ("task_template", "instance_id", "seed", "run_time", "screen_config", "aux_data", "exception_info")
_NOWHERE = Rect(0, 0, 0, 0)
_NO_SIZE = Size(0, 0)


def _checkpoints(root: Path) -> Iterator[Path]:
    """Compressed pickles that begin with a task of AndroidWorld."""
    return marked_files(root, f"*{_ENDING}", *_MARKS, within=_MARKED_WITHIN, packed=True)


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One run for each episode."""
    for checkpoint in _checkpoints(path):
        name = checkpoint.name.removesuffix(_ENDING)
        log.where = name
        log.use(checkpoint)
        with extraction_folder() as folder:
            episodes = _episodes(checkpoint, folder, log)
            for number, episode in enumerate(episodes):
                log.where = name if len(episodes) == 1 else f"{name}-{number + 1}"
                pictures = folder / str(number)
                pictures.mkdir()
                yield _trajectory(log.where, episode, pictures, log)


def _episodes(checkpoint: Path, folder: Path, log: ExchangeLog) -> list[dict[str, Any]]:
    known = (_ELEMENT, _BOX, _ACTION)
    try:
        with gzip.open(checkpoint) as file:
            value, refused = read_pickle(cast("Any", file), known, folder, checkpoint.name)
    except zlib.error as error:
        log.add("record-unreadable", _("{name} cannot be unpacked: {why}", name=checkpoint.name, why=error))
        return []
    except ExchangeError as error:
        log.add("record-unreadable", str(error))
        return []
    for name in refused:
        log.add("class-refused", _("Objects of {name} were left out: a pickle is never run", name=name))
    if isinstance(value, tuple):  # an older checkpoint, with the names of finished tasks beside the episodes
        value = value[0] if value else []
    episodes = [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
    if not episodes:
        log.add("record-unreadable", _("{name} holds no episodes", name=checkpoint.name))
    return episodes


def _trajectory(name: str, episode: Mapping[str, Any], folder: Path, log: ExchangeLog) -> SourceTrajectory:
    template = text(episode.get("task_template")) or name
    goal = text(episode.get("goal")) or template
    lists = {
        key: values
        for key, values in mapping(episode.get("episode_data")).items()
        if isinstance(key, str) and isinstance(values, list)
    }
    count = max(map(len, lists.values()), default=0)
    steps = []
    values: dict[str, Any] = {}
    for number in range(count):
        values = {key: listed[number] for key, listed in lists.items() if number < len(listed)}
        steps.append(_step(number, values, folder, log))
    final = _state(str(count), values, _AFTER, _ELEMENTS_AFTER, folder, log)[0]
    if final.screenshot or final.tree:
        steps.append(final)
    _report(lists, log)
    trajectory = SourceTrajectory(name, Task(template, goal), steps)
    trajectory.extra = {key: kept for key in _KEPT if (kept := plain(episode.get(key))) is not None}
    if isinstance(finished := episode.get("finish_dtime"), datetime):
        trajectory.extra["finish_dtime"] = finished.isoformat()
    seed = episode.get("seed")
    instance = episode.get("instance_id")
    agent = Episode(
        agent=text(episode.get("agent_name")),
        seed=seed if type(seed) is int else None,
        repeat=instance if type(instance) is int else None,
    )
    make_run(trajectory, agent, episode.get("is_successful"))
    if trajectory.outcome and isinstance(fault := episode.get("exception_info"), str) and fault:
        lines = fault.strip().splitlines()
        trajectory.outcome = replace(
            trajectory.outcome, status="", infrastructure=lines[-1] if lines else fault
        )
    return trajectory


def _report(lists: Mapping[str, Any], log: ExchangeLog) -> None:
    log.add("picture-converted", _("Screenshots were converted to PNG, pixel by pixel"), severity=NOTE)
    if any("with_som" in key for key in lists):
        text = _("Screenshots that the agent drew on are copies of the others and were left out")
        log.add("derived", text, severity=NOTE)


def _step(number: int, values: Mapping[str, Any], folder: Path, log: ExchangeLog) -> SourceStep:
    step, screen = _state(str(number), values, _BEFORE, _ELEMENTS, folder, log)
    step.extra = {key: kept for key in _SAID if (kept := plain(values.get(key))) is not None}
    structured = values.get("action_output_json")
    written = json.dumps(plain(structured)) if isinstance(structured, Instance) else ""
    written = text(values.get("action_output")) or written
    if not written:
        return step
    turn = DIALECT.read(written, screen)
    if '"index"' in written and not screen.elements:
        why = _("It names an element by its number, and the list of elements was not kept")
        unknown_action(step, why, log)
        step.agent = AgentTurn(thought=turn.thought, raw=written)
    else:
        answer(step, turn)
    return step


def _state(
    name: str, values: Mapping[str, Any], pictures: tuple[str, ...], lists: tuple[str, ...], folder: Path,
    log: ExchangeLog,
) -> tuple[SourceStep, AgentScreen]:  # fmt: skip
    """The state of a step, and the screen that its agent answered about."""
    step = SourceStep(name)
    array = next((value for key in pictures if isinstance(value := values.get(key), Array)), None)
    size = None
    if array is not None:
        try:
            height, width, channels = array.shape
            data = png_of_pixels(array.bytes, width, height, channels)
            size = Size(width, height)
            step.screenshot = write_bytes(folder, f"{int(name):04}.png", data)
        except (ValueError, OSError) as error:
            log.add("picture-not-one", _("A screenshot cannot be read: {why}", why=error), step=name)
    listed = next((value for key in lists if isinstance(value := values.get(key), list)), [])
    elements = [element.fields for element in listed if isinstance(element, Instance)]
    if elements:
        step.tree = write_json(folder, f"{int(name):04}-elements.json", [plain(each) for each in elements])
        step.convert = functools.partial(_tree, elements, size)
        packages = (text(element.get("package_name")) for element in elements)
        step.package = next(filter(None, packages), "")
    boxes = tuple(Rect(*box) if (box := _box(element)) else _NOWHERE for element in elements)
    return step, AgentScreen(size or _NO_SIZE, elements=boxes)


def _tree(elements: list[dict[str, Any]], size: Size | None) -> Any:
    return tree_of_elements(((_box(element), listed_attributes(element)) for element in elements), size)


def _box(element: Mapping[str, Any]) -> Sides | None:
    box = element.get("bbox_pixels")
    sides = (
        [box.fields.get(side) for side in ("x_min", "y_min", "x_max", "y_max")]
        if isinstance(box, Instance)
        else []
    )
    numbers = [side for side in sides if isinstance(side, (int, float))]
    return rounded(numbers)


FORMAT = Format(
    id="android-world",
    title=N_("AndroidWorld checkpoints"),
    use=OF_AGENTS,
    holds=(TRAJECTORIES, TASKS, VERDICTS),
    files=N_("A .pkl.gz file for each task; pickles are read as data and never run"),
    detect=recognised_by(_checkpoints),
    read=read,
)
