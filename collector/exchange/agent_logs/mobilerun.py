"""``macro.json`` beside ``screenshots/`` and ``ui_states/``, paired in order. Portal's trees become dumps."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import OF_AGENTS, TASKS, TRAJECTORIES, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import make_run, unknown_action
from collector.exchange.source.element_tree import rounded
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import (
    mapping,
    mappings,
    number_in,
    read_mapping,
    read_record,
    text,
    whole,
)
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.tree_builder import TreeBuilder
from collector.model.action import Action, Drag, Key, LongPress, OpenApp, Swipe, Tap, Type, Wait
from collector.model.episode import Episode
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.model.tree import Tree

MACRO = "macro.json"
_KEYS = {3: "home", 4: "back", 66: "enter", 67: "delete"}
_BUTTONS = ("home", "back", "enter", "recents")
_DERIVED = ("trajectory.gif", "screenshots.gif", "trajectory.mp4")
_TEXTS = {"text": "text", "className": "class", "resourceId": "resource-id", "packageName": "package",
          "contentDescription": "content-desc"}  # fmt: skip
_MOST_DEEP = 500


def _macros(root: Path) -> Iterator[Path]:
    """Each ``macro.json`` with a sequence of mobilerun."""
    return marked_files(root, MACRO, b'"total_actions"', b'"actions"')


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One run for each macro."""
    for macro in _macros(path):
        log.where = macro.parent.name
        yield _trajectory(macro.parent, read_mapping(macro, log), log)


def _trajectory(folder: Path, macro: Mapping[str, Any], log: ExchangeLog) -> SourceTrajectory:
    actions = mappings(macro.get("actions"))
    shots = list(source_files.numbered(folder / "screenshots", r"(\d+)" + source_files.PICTURE).values())
    trees = list(source_files.numbered(folder / "ui_states", r"(\d+)\.json").values())
    steps = []
    for number in range(max(len(actions), len(shots), len(trees))):
        step = SourceStep(str(number), shots[number] if number < len(shots) else None)
        if number < len(trees):
            step.tree, step.convert = trees[number], functools.partial(_tree, trees[number])
            state = mapping(mapping(read_record(trees[number], log)).get("phone_state"))
            step.package = text(state.get("packageName"))
        if number < len(actions):
            step.extra["source_action"] = actions[number]
            try:
                step.action = _action(actions[number])
            except (KeyError, TypeError, ValueError, OverflowError) as error:
                unknown_action(step, error, log)
        steps.append(step)
    if shots and len(shots) not in (len(actions), len(actions) + 1):
        said = _(
            "There are {shots} screenshots for {actions} actions: which belong together is not known",
            shots=len(shots),
            actions=len(actions),
        )
        log.add("paired-in-order", said)
    goal = text(macro.get("description")) or folder.name
    trajectory = SourceTrajectory(folder.name, Task(folder.name, goal), steps)
    _add_events(trajectory, folder, log)
    make_run(trajectory, Episode(agent="mobilerun"))
    return trajectory


def _add_events(trajectory: SourceTrajectory, folder: Path, log: ExchangeLog) -> None:
    """Keep what the agents of a run said, as ``trajectory.json`` has it; it names no step."""
    file = folder / "trajectory.json"
    if file.is_file():
        trajectory.extra["events"] = mappings(read_record(file, log))
        said = _("What the agents said in trajectory.json names no step and was kept with the trajectory")
        log.add("events-unplaced", said, severity=NOTE)
    derived = [folder / name for name in _DERIVED if (folder / name).is_file()]
    derived += [path for path in (folder / "screenshots").glob("*") if path.name in _DERIVED]
    for path in derived:
        log.use(path)
        text_ = _("{name} is generated from the other files and was left out", name=path.name)
        log.add("derived", text_, severity=NOTE)


def _action(values: Mapping[str, Any]) -> Action:
    kind = text(values.get("action_type") or values.get("type"))
    if kind in ("tap", "TapActionEvent"):
        return Tap(round(number_in(values["x"])), round(number_in(values["y"])))
    if kind == "long_press":
        return LongPress(round(number_in(values["x"])), round(number_in(values["y"])))
    if kind in ("swipe", "SwipeActionEvent", "drag", "DragActionEvent"):
        sides = [round(number_in(values[name])) for name in ("start_x", "start_y", "end_x", "end_y")]
        x1, y1, x2, y2 = sides
        made = Drag if kind.casefold().startswith("drag") else Swipe
        seconds = number_in(values.get("duration", 0.3))
        return made(x1, y1, x2, y2, round(number_in(values.get("duration_ms", 1000 * seconds))))
    if kind in ("input_text", "InputTextActionEvent"):
        typed = text(values.get("text"))
        return Type(typed, len(typed))
    return _without_place(kind, values)


def _without_place(kind: str, values: Mapping[str, Any]) -> Action:
    if kind == "type_secret":
        return Type(redacted=True)
    if kind in ("key_press", "KeyPressActionEvent"):
        code = whole(values["keycode"])
        if code is None or code < 0:
            raise ValueError(kind)
        return Key(_KEYS.get(code, f"code:{code}"))
    if kind in ("button_press", "back"):
        button = text(values.get("button")) or kind
        if button not in _BUTTONS:
            raise ValueError(button)
        return Key(button)
    if kind in ("start_app", "StartAppEvent"):
        return OpenApp(package=text(values.get("package")))
    if kind == "wait":
        return Wait(round(1000 * number_in(values.get("duration", 1))))
    raise ValueError(kind)


def _tree(path: Path) -> Tree:
    value = source_files.read_json(path)
    elements = mapping(value).get("a11y_tree") if isinstance(value, dict) else value
    builder = TreeBuilder()
    builder.start("hierarchy", {"rotation": "0"})
    waiting: list[dict[str, Any] | None] = mappings(elements)[::-1]  # type: ignore[assignment]
    depth = 0
    while waiting:
        element = waiting.pop()
        if element is None:
            builder.end("node")
            depth -= 1
            continue
        builder.start("node", _attributes(element))
        depth += 1
        waiting.append(None)
        if depth < _MOST_DEEP:
            waiting += mappings(element.get("children"))[::-1]
    if not builder.nodes:
        raise HierarchyError(_("The tree has no elements"))
    return builder.finish("portal", [])


def _attributes(element: Mapping[str, Any]) -> dict[str, str]:
    attributes = {"index": text(element.get("index"))}
    attributes |= {ours: text(element.get(theirs)) for theirs, ours in _TEXTS.items() if theirs in element}
    try:
        box = rounded([float(side) for side in text(element.get("bounds")).split(",")])
    except ValueError:
        box = None
    if box is not None:
        left, top, right, bottom = box
        attributes["bounds"] = f"[{left},{top}][{right},{bottom}]"
    return attributes


FORMAT = Format(
    id="mobilerun",
    title=N_("mobilerun (droidrun) trajectories and macros"),
    use=OF_AGENTS,
    holds=(TRAJECTORIES, TASKS),
    files=N_("macro.json beside screenshots/ and ui_states/"),
    detect=recognised_by(_macros, 0.9),
    read=read,
)
