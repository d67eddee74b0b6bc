"""``annotations/<episode>.json`` (or ``all_anno.json``) and ``screenshots/``; places are 0 to 1000."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from collector.agents.translators.coordinates import THOUSAND, AgentScreen
from collector.exchange.datasets.gui_odyssey_export import ANNOTATIONS, SCREENSHOTS, write
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import FOR_BENCHMARKS, TASKS, TRAJECTORIES, Format
from collector.exchange.source.answers import unknown_action
from collector.exchange.source.checks import picture_size
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import (
    mapping,
    mappings,
    named_file,
    numbers,
    pick,
    read_record,
    size_of,
    text,
)
from collector.model.action import Action, Complete, Impossible, Key, LongPress, Swipe, Tap, Type
from collector.model.geometry import Point, Size
from collector.model.i18n import N_, _
from collector.model.task import Task

_ALL = "all_anno.json"
_KEYS = {"KEY_HOME": "home", "KEY_BACK": "back", "KEY_APPSELECT": "recents"}
_PLAIN: dict[str, Action] = {
    "COMPLETE": Complete(), "INCOMPLETE": Impossible(), "IMPOSSIBLE": Impossible(), "HOME": Key("home"),
    "BACK": Key("back"), "RECENT": Key("recents"),
}  # fmt: skip
_TOUCHES = {"CLICK": Tap, "LONG_PRESS": LongPress}
_KEPT = ("ps", "description", "intention", "context", "sam2_bbox")
_DEVICE = {"device_name": "model", "sdk_version": "sdk", "release_version": "android", "product": "product"}


def _annotations(root: Path) -> Iterator[Path]:
    """JSON files with an episode as GUI-Odyssey writes them."""
    return marked_files(root, "*.json", b'"device_info"', b'"task_info"', b'"steps"')


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One trajectory for each episode."""
    for annotation in _annotations(path):
        log.where = annotation.stem
        if annotation.name == _ALL and (annotation.parent / "annotations").is_dir():
            log.use(annotation)
            text_ = _("{name} is generated from the other files and was left out", name=_ALL)
            log.add("derived", text_, severity=NOTE)
            continue
        folders = _picture_folders(annotation.parent)
        value = read_record(annotation, log)
        for number, episode in enumerate(mappings(value if isinstance(value, list) else [value])):
            name = text(episode.get("episode_id")) or f"{annotation.stem}-{number}"
            log.where = name
            yield _trajectory(name.removesuffix(".json"), episode, folders, log)


def _picture_folders(folder: Path) -> list[Path]:
    """Where the screenshots of the annotations in ``folder`` may lie."""
    found = []
    for pictures in (folder / "screenshots", folder.parent / "screenshots"):
        if pictures.is_dir():
            found += [pictures, *sorted(below for below in pictures.iterdir() if below.is_dir())]
    return [*found, folder]


def _trajectory(
    name: str, episode: Mapping[str, Any], folders: Sequence[Path], log: ExchangeLog
) -> SourceTrajectory:
    about, device = mapping(episode.get("task_info")), mapping(episode.get("device_info"))
    screen = size_of(device.get("w"), device.get("h"))
    steps = [_step(entry, folders, screen, log) for entry in mappings(episode.get("steps"))]
    apps = about.get("app")
    task = Task(
        name,
        text(about.get("instruction")) or text(about.get("task")) or name,
        app=", ".join(map(text, apps)) if isinstance(apps, list) else text(apps),
        category=text(about.get("category")),
        extra=pick(about, "meta_task", "task"),
    )
    known = {ours: text(device[theirs]) for theirs, ours in _DEVICE.items() if device.get(theirs)}
    return SourceTrajectory(name, task, steps, device=known)


def _step(
    entry: Mapping[str, Any], folders: Sequence[Path], screen: Size | None, log: ExchangeLog
) -> SourceStep:
    step = SourceStep(text(entry.get("step")) or "?")
    step.screenshot = named_file(entry.get("screenshot"), folders)
    step.intention = text(entry.get("low_level_instruction"))
    step.extra = {**pick(entry, *_KEPT), "source_action": pick(entry, "action", "info")}
    size = picture_size(step.screenshot) or screen
    try:
        step.action = _action(text(entry.get("action")), entry.get("info"), size)
    except (TypeError, ValueError, IndexError) as error:
        unknown_action(step, error, log)
    return step


def _action(kind: str, info: Any, size: Size | None) -> Action:
    if isinstance(info, str) and info in _KEYS:
        return Key(_KEYS[info])
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind in ("TEXT", "TYPE"):
        return Type(text(info), len(text(info)))
    if kind in _TOUCHES:
        place = _place(info[0], size)
        return _TOUCHES[kind](place.x, place.y)
    if kind == "SCROLL":
        start, end = _place(info[0], size), _place(info[1], size)
        return Swipe(start.x, start.y, end.x, end.y)
    raise ValueError(kind)


def _place(place: Any, size: Size | None) -> Point:
    if size is None:
        raise ValueError(_("the size of the screen is not known"))
    return THOUSAND.to_device(numbers(place), AgentScreen(size))


FORMAT = Format(
    id="gui-odyssey",
    title=N_("GUI-Odyssey episodes"),
    use=FOR_BENCHMARKS,
    holds=(TRAJECTORIES, TASKS),
    files=N_("annotations/ with a JSON file for each episode, and screenshots/"),
    detect=recognised_by(_annotations),
    read=read,
    write=write,
    entries=(ANNOTATIONS, SCREENSHOTS),
    licence=N_("GUI-Odyssey's data is CC-BY-4.0"),
)
