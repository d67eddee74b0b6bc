"""``instruction_anno/<episode>.json`` and ``screenshot/``; elements of ``element_anno/`` become a flat
tree.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from collector.agents.translators.coordinates import IMAGE, AgentScreen
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.format import BOXES, OF_DATA_SETS, TASKS, TRAJECTORIES, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import unknown_action
from collector.exchange.source.checks import picture_size
from collector.exchange.source.element_tree import Sides, rounded, tree_of_elements
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import (
    mapping,
    mappings,
    named_file,
    numbers,
    pick,
    read_mapping,
    size_of,
    text,
)
from collector.model.action import Action, Complete, Impossible, Key, LongPress, Swipe, Tap, Type
from collector.model.geometry import Size
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.model.tree import Tree

_PLAIN: dict[str, Action] = {
    "PRESS_BACK": Key("back"), "PRESS_HOME": Key("home"), "PRESS_ENTER": Key("enter"),
    "TASK_COMPLETE": Complete(), "TASK_IMPOSSIBLE": Impossible(),
}  # fmt: skip
_TOUCHES = {"TAP": Tap, "CLICK": Tap, "LONG_PRESS": LongPress}
_ACTION = ("action", "touch_coord", "lift_coord", "type_text", "device_dim")
_SCREENSHOTS = ("screenshot", "screenshots", "screenshot/screenshot")
_ELEMENTS = ("element_anno", "element_anno/element_anno")
"""Where its files lie; an archive that was unpacked into a folder of its own name lies one deeper."""
_FLAT = 64 * 1024 * 1024


def _episodes(root: Path) -> Iterator[Path]:
    """JSON files with an episode as AMEX writes them."""
    return marked_files(root, "*.json", b'"touch_coord"', b'"image_path"', b'"steps"')


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One trajectory for each episode."""
    for episode in _episodes(path):
        log.where = episode.stem
        yield _trajectory(episode, read_mapping(episode, log), log)


def _trajectory(episode: Path, values: Mapping[str, Any], log: ExchangeLog) -> SourceTrajectory:
    name = text(values.get("episode_id")) or episode.stem
    around = (episode.parent, episode.parent.parent, episode.parent.parent.parent)
    steps = [_step(number, entry, around, log) for number, entry in enumerate(mappings(values.get("steps")))]
    if any(step.convert for step in steps):
        log.add("recognised", _("The trees hold only the elements that people marked"))
    task = Task(name, text(values.get("instruction")) or name, package=steps[0].package if steps else "")
    return SourceTrajectory(name, task, steps)


def _step(number: int, entry: Mapping[str, Any], around: Sequence[Path], log: ExchangeLog) -> SourceStep:
    step = SourceStep(text(entry.get("step_id")) or str(number), package=text(entry.get("package_name")))
    shot = text(entry.get("image_path"))
    names = (shot, f"{shot}.png")
    folders = [folder / name for folder in around for name in _SCREENSHOTS]
    step.screenshot = next(filter(None, (named_file(name, folders) for name in names)), None)
    step.extra["source_action"] = pick(entry, *_ACTION)
    size = picture_size(step.screenshot)
    elements = named_file(
        f"{Path(shot).stem}.json", [folder / name for folder in around for name in _ELEMENTS]
    )
    if elements is not None and elements.stat().st_size < _FLAT:
        log.use(elements)
        step.tree, step.convert = elements, functools.partial(_tree, elements, size)
    try:
        step.action = _action(entry, size)
    except (TypeError, ValueError) as error:
        unknown_action(step, error, log)
    return step


def _action(entry: Mapping[str, Any], size: Size | None) -> Action:
    kind = text(entry.get("action"))
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind == "TYPE":
        typed = text(entry.get("type_text"))
        return Type(typed, len(typed))
    dimension = entry.get("device_dim")
    device = size_of(*dimension) if isinstance(dimension, list) and len(dimension) == 2 else None
    shown = size or device
    if shown is None:
        raise ValueError(_("the size of the screen is not known"))
    screen = AgentScreen(shown, device or shown)
    start = IMAGE.to_device(numbers(entry["touch_coord"]), screen) if "touch_coord" in entry else None
    if start is not None and kind in _TOUCHES:
        return _TOUCHES[kind](start.x, start.y)
    if start is not None and kind in ("SWIPE", "SCROLL"):
        end = IMAGE.to_device(numbers(entry.get("lift_coord")), screen)
        return Swipe(start.x, start.y, end.x, end.y)
    raise ValueError(kind)


def _tree(path: Path, size: Size | None) -> Tree:
    elements = mappings(mapping(source_files.read_json(path)).get("clickable_elements"))
    return tree_of_elements(((_box(element), _attributes(element)) for element in elements), size)


def _box(element: Mapping[str, Any]) -> Sides | None:
    try:
        return rounded(numbers(element.get("bbox")))
    except ValueError:
        return None


def _attributes(element: Mapping[str, Any]) -> dict[str, str]:
    words = element.get("xml_desc")
    said = " ".join(map(text, words)) if isinstance(words, list) else text(words)
    return {"text": said, "content-desc": text(element.get("functionality")), "clickable": "true"}


FORMAT = Format(
    id="amex",
    title=N_("AMEX episodes"),
    use=OF_DATA_SETS,
    holds=(TRAJECTORIES, TASKS, BOXES),
    files=N_("instruction_anno/ with a JSON file for each episode, screenshot/ and element_anno/"),
    detect=recognised_by(_episodes),
    read=read,
    licence=N_("AMEX's data is CC-BY-4.0"),
)
