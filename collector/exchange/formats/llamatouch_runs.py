"""Runs as LlamaTouch's AgentEnv captures them: ``captured_data`` with a folder for each kind of file.

The list of installed apps is read once the run has ended, so it is known of the last state alone.
"""

from __future__ import annotations

import json
from pathlib import Path

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.formats.aitw_actions import action_from
from collector.exchange.source import files as source_files
from collector.exchange.source.checks import picture_size
from collector.exchange.source.model import SourceStep, SourceTrajectory
from collector.model.action import Action
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.phone.android_names import is_package
from collector.model.task import Task
from collector.model.trajectory import RUN

_CAPTURED = "captured_data"
_KINDS = {
    "TYPE": 3, "CLICK": 4, "SWIPE": 4, "PRESS_BACK": 5, "PRESS_HOME": 6, "PRESS_ENTER": 7,
    "STATUS_TASK_COMPLETE": 10, "STATUS_TASK_IMPOSSIBLE": 11,
}  # fmt: skip
"""Word of an action -> its number in AITW, whose actions these are."""
_NOT_TAKEN = "None|None|None"


def is_run(folder: Path) -> bool:
    """Whether a folder holds the captured data of a run."""
    captured = folder / _CAPTURED
    return (captured / "action").is_dir() and (captured / "screenshot").is_dir()


def read_run(folder: Path, log: ExchangeLog) -> SourceTrajectory:
    """The run in a folder, which is named by the episode of its task. Raises ExchangeError."""
    captured = folder / _CAPTURED
    shots = source_files.numbered(captured / "screenshot", r"(\d+)" + source_files.PICTURE)
    trees = source_files.numbered(captured / "xml", r"(\d+)\.xml")
    activities = source_files.numbered(captured / "activity", r"(\d+)\.activity")
    actions = source_files.numbered(captured / "action", r"(\d+)\.action")
    log.use(*source_files.numbered(captured / "action", r"-(\d+)\.action").values())  # before the first state
    steps = []
    for number in sorted(shots.keys() | trees.keys() | actions.keys()):
        step = SourceStep(str(number), shots.get(number), trees.get(number))
        if number in activities:
            log.use(activities[number])
            step.package, step.activity = in_front(activities[number])
        if number in actions:
            log.use(actions[number])
            step.extra["source_action"] = line = _line(actions[number])
            step.action = _action(line, shots.get(number), number, log)
        steps.append(step)
    run = SourceTrajectory(folder.name, Task(folder.name, folder.name), steps, kind=RUN)
    _read_apps(captured / "installed_apps" / "installed_apps.txt", run, log)
    _leave_out_trees(captured, log)
    return run


def in_front(path: Path) -> tuple[str, str]:
    """Package and activity of a file such as ``0.activity``; ``null`` in it is none."""
    line = _line(path)
    if "/" not in line:  # a window without an activity, such as com.android.systemui.ImageWallpaper
        return "", ""
    package, _slash, activity = line.partition("/")
    return package, activity


def _line(path: Path) -> str:
    return source_files.read_text(path).strip()


def _action(line: str, screenshot: Path | None, number: int, log: ExchangeLog) -> Action | None:
    """The action of a line such as ``CLICK|[0.0879, 0.9069]|NULL|1080|2400``."""
    if line in ("", _NOT_TAKEN):
        return None
    word, *parts = line.split("|")
    try:
        *given, second, width, height = parts
        screen = picture_size(screenshot) or Size(int(width), int(height))
        text = "|".join(given)
        touch, lift = (_place(text), _place(second)) if word in ("CLICK", "SWIPE") else (None, None)
        return action_from(_KINDS.get(word), text, touch, lift or touch, screen=screen)
    except (ValueError, OverflowError):
        log.add("action-unknown", _("An action is not understood: {why}", why=word), step=number)
        return None


def _place(text: str) -> list[float] | None:
    """The share of the height, then that of the width; None for ``NULL``. Raises ValueError."""
    if text == "NULL":
        return None
    place = json.loads(text)
    if not isinstance(place, list) or len(place) != 2:
        raise ValueError("a touch without a place")
    return [place[1], place[0]]


def _read_apps(path: Path, run: SourceTrajectory, log: ExchangeLog) -> None:
    """Take the list of apps for the last state; an empty one says that it could not be read."""
    if not source_files.is_file(path) or not run.steps:
        return
    log.use(path)
    names = [line.strip() for line in source_files.read_text(path).splitlines() if line.strip()]
    run.installed = tuple(sorted({name for name in names if is_package(name)}))
    run.steps[-1].has_apps = bool(run.installed)
    if len(set(names)) > len(run.installed):
        log.add("app-unknown", _("Names in the list of installed apps that are no packages were left out"))


def _leave_out_trees(captured: Path, log: ExchangeLog) -> None:
    seconds = [
        path for name in ("view_hierarchy", "vh") for path in source_files.files(captured / name)
        if (captured / name).is_dir()
    ]  # fmt: skip
    log.use(*seconds)
    if seconds:
        log.add(
            "second-trees",
            _("The accessibility trees (.vh) and node lists (.json) beside the XML were left out"),
            severity=NOTE,
        )
