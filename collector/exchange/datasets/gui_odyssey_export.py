"""Trajectories as episodes of GUI-Odyssey: ``annotations/EPISODE.json``, and ``screenshots/``.

The keys are those of its ``introduction.md``, the words for actions those that its ``format_converter.py``
reads: CLICK with a place or a key, LONG_PRESS, SCROLL from one place to another, TEXT, COMPLETE, INCOMPLETE.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from collector.agents.translators.coordinates import THOUSAND, AgentScreen
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.exported_picture import ENDINGS, exported_picture
from collector.exchange.exports.exported_trajectories import (
    ExportedTrajectory,
    exported_trajectories,
    report_people,
)
from collector.exchange.picture_places import in_picture, on_picture
from collector.exchange.scripts.gestures import scroll_ends
from collector.exchange.touched_apps import touched_where_shown
from collector.hierarchy.captions import caption
from collector.model.action import (
    Action,
    Answer,
    Complete,
    Drag,
    Impossible,
    Key,
    LongPress,
    Scroll,
    Swipe,
    Tap,
    Type,
)
from collector.model.geometry import Point, Size
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.pictures.formats import read_picture_file
from collector.store.files.names import folder_name
from collector.store.trajectory import codec

ANNOTATIONS, SCREENSHOTS = "annotations", "screenshots"
FORMAT_ID = "gui-odyssey"
_KEYS = {"home": "KEY_HOME", "back": "KEY_BACK", "recents": "KEY_APPSELECT"}
_KEPT = ("ps", "description", "intention", "context", "sam2_bbox")
_DEVICE = {"product": "product", "release_version": "android", "sdk_version": "sdk", "device_name": "model"}
_FORMATS = ("PNG", "JPEG")
_NO_SIZE = Size(0, 0)


def write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    """Write an episode for each trajectory."""
    for name in (ANNOTATIONS, SCREENSHOTS):
        (path / name).mkdir(parents=True, exist_ok=True)
    for exported in exported_trajectories(part, log):
        _Episode(exported, path, log).write()
        report_people(exported, log)


class _Episode:
    """A trajectory as an episode."""

    def __init__(self, exported: ExportedTrajectory, path: Path, log: ExchangeLog) -> None:
        self._exported, self._path, self._log = exported, path, log
        self._name = self._free_name()
        self._size = _NO_SIZE
        """Of the last picture."""

    def write(self) -> None:
        target = self._path / ANNOTATIONS / f"{self._name}.json"
        self._log.makes(target)
        steps = [self._step(index, step) for index, step in enumerate(self._exported.steps)]
        if any(step.state.tree for step in self._exported.steps):
            self._log.add("trees-lost", _("GUI-Odyssey has no place for dumps of the screens"))
        text = _("GUI-Odyssey has no place for times, verdicts, agents and other values of a task")
        self._log.add("values-lost", text)
        target.write_bytes(codec.dump_document({
            "episode_id": target.name, "device_info": self._device(), "task_info": self._task(),
            "step_length": len(steps), "steps": steps,
        }))  # fmt: skip

    def _free_name(self) -> str:
        extra = self._exported.header.extra
        given = extra.get("source_name") if extra.get("imported_from") == FORMAT_ID else None
        name = folder_name(given if isinstance(given, str) else self._exported.place.replace("/", "_"))
        number, free = 1, name
        while (self._path / ANNOTATIONS / f"{free}.json").exists():
            number += 1
            free = f"{name}_{number}"
        return free

    def _device(self) -> dict[str, Any]:
        device = self._exported.header.device
        known = {theirs: str(device.get(ours) or "") for theirs, ours in _DEVICE.items()}
        return {**known, "h": self._size.height, "w": self._size.width}

    def _task(self) -> dict[str, Any]:
        task, said = self._exported.task, self._exported.instruction
        extra = task.extra if task is not None else {}
        app = task.app if task is not None else ""
        return {
            "category": task.category if task is not None else "",
            "app": [name.strip() for name in app.split(",") if name.strip()],
            "meta_task": extra.get("meta_task", said),
            "task": extra.get("task", said),
            "instruction": said,
        }

    def _step(self, index: int, step: Step) -> dict[str, Any]:
        picture = exported_picture(self._exported.stored, step, self._log, index, _FORMATS)
        name = ""
        if picture is not None:
            self._size = read_picture_file(picture.data).size
            name = f"{self._name}_{index}{ENDINGS[picture.format][0]}"
            self._log.makes(self._path / SCREENSHOTS / name)
            picture.write(self._path / SCREENSHOTS / name)
        action, info, ps = self._words(index, step)
        done = step.action or (Complete() if action == "COMPLETE" else None)
        words = step.intention or str(step.description) or (caption(done) if done is not None else "")
        kept = {key: step.extra[key] for key in _KEPT if key in step.extra}
        return {
            "step": index, "screenshot": name, "action": action, "info": info, "ps": ps,
            "low_level_instruction": words,
            **kept,
        }  # fmt: skip

    def _words(self, index: int, step: Step) -> tuple[str, Any, str]:
        """Action, info and further details of a step."""
        given = self._exported.given_action(step, FORMAT_ID)
        if step.action is None and isinstance(given, dict) and given.get("action"):
            return str(given["action"]), given.get("info", ""), str(step.extra.get("ps") or "")
        is_last = index == len(self._exported.steps) - 1
        is_own = self._exported.header.extra.get("imported_from") == FORMAT_ID
        if step.action is None and is_last and self._exported.header.is_golden and not is_own:
            text = _("The last screen of a golden trajectory got the action COMPLETE")
            self._log.add("completed", text, step=index, severity=NOTE)
            return "COMPLETE", "", ""
        if step.action is None:
            text = _("GUI-Odyssey has no step without an action; its scripts stop there")
            self._log.add("action-lost", text, step=index)
            return "", "", ""
        action = touched_where_shown(self._exported, step, step.action, self._log, index)
        return self._action(index, in_picture(action, step.state.size, self._size))

    def _action(self, index: int, action: Action) -> tuple[str, Any, str]:
        match action:
            case Key(key=key) if key in _KEYS:
                return "CLICK", _KEYS[key], ""
            case Complete():
                return "COMPLETE", "", ""
            case Answer(text=said):
                self._log.add(
                    "answer-kept", _("An answer became COMPLETE, with its text under ps"), step=index
                )
                return "COMPLETE", "", said
            case Impossible(reason=why):
                return "INCOMPLETE", "", why
            case Type(redacted=False, text=typed):
                return "TEXT", typed, ""
        if self._size.is_empty:
            return self._unknown(index, action)
        shown = on_picture(action, self._size)
        if shown != action:
            text = _("A place outside the picture was moved to its edge")
            self._log.add("place-moved", text, step=index)
        return self._touch(index, shown)

    def _touch(self, index: int, action: Action) -> tuple[str, Any, str]:
        match action:
            case Tap():
                return "CLICK", [self._place(index, action.point)], ""
            case LongPress():
                return "LONG_PRESS", [self._place(index, action.point)], ""
            case Scroll():
                return self._touch(index, scroll_ends(action, self._size))
            case Swipe() | Drag():
                if isinstance(action, Drag):
                    self._log.add("drag-as-scroll", _("A drag became a scroll"), step=index)
                return "SCROLL", [self._place(index, action.point), self._place(index, action.end)], ""
        return self._unknown(index, action)

    def _place(self, index: int, point: Point) -> list[int]:
        screen = AgentScreen(self._size)
        place = THOUSAND.from_device(point.x, point.y, screen)
        if THOUSAND.to_device(place, screen) != point:
            text = _("Places were rounded to a thousandth of the screen")
            self._log.add("place-rounded", text, step=index)
        return place

    def _unknown(self, index: int, action: Action) -> tuple[str, Any, str]:
        text = _("GUI-Odyssey has no word for an action, at which its scripts stop: {kind}", kind=action.kind)
        self._log.add("action-unknown-there", text, step=index)
        return action.kind.upper(), "", ""
