"""Trajectories as AndroidControl publishes its episodes: a TFRecord file with a record for each.

As its README says: a PNG and an accessibility forest for each screen, and an action and an instruction
between two of them. The last screen has no action, so one that says that the task is done is left out.
"""

from __future__ import annotations

import gzip
import itertools
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from collector.agents.translators.android_world import DIALECT
from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.errors import NotExpressible
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.copied_screens import CopiedScreens
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.exported_trajectories import (
    ExportedTrajectory,
    exported_trajectories,
    report_people,
)
from collector.exchange.picture_places import in_picture, on_picture
from collector.exchange.tfrecord.accessibility_forest import HELD, forest_of
from collector.exchange.tfrecord.examples import example_of
from collector.exchange.tfrecord.frames import MAX_RECORD, record_parts
from collector.hierarchy.captions import caption, swipe_direction
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.action import COMPLETION_SIGNALS, Action, Swipe, Type, Wait, action_to_dict
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.pictures.formats import read_picture_file

RECORDS = "android_control-00000-of-00001"
FORMAT_ID = "androidcontrol-records"
_OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}


def write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    """Write every trajectory whose screens all have a picture."""
    path.mkdir(exist_ok=True)
    records, numbers = log.beside(path, "records"), _Numbers(log.beside(path, "numbers"), log)
    for exported in exported_trajectories(part, log):
        _Episode(exported, log).write(records, numbers)
        report_people(exported, log)
    # The same bytes each time: no name and no time in the head of the file.
    with (path / RECORDS).open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
        if records.exists():
            with records.open("rb") as plain:
                shutil.copyfileobj(plain, packed)


class _Numbers:
    """Numbers of episodes: those that were imported keep theirs. They are kept in a file that grows."""

    def __init__(self, file: Path, log: ExchangeLog) -> None:
        self._file, self._log = file, log
        self._taken = set(map(int, file.read_text("ascii").split())) if file.exists() else set()
        self._free = itertools.count(1)

    def next(self, exported: ExportedTrajectory) -> int:
        extra = exported.header.extra
        given = extra.get("source_name") if extra.get("imported_from") == FORMAT_ID else None
        number = int(given) if isinstance(given, str) and given.isdecimal() and len(given) < 19 else 0
        while number in self._taken or not number:
            number = next(self._free)
        self._taken.add(number)
        self._log.append(self._file, f"{number}\n".encode())
        return number


class _Episode:
    """A trajectory as a record."""

    def __init__(self, exported: ExportedTrajectory, log: ExchangeLog) -> None:
        self._exported, self._log = exported, log
        self._screens = CopiedScreens(exported.stored, Path(), log, ("PNG",))

    def write(self, records: Path, numbers: _Numbers) -> None:
        pictures = list(self._pictures())
        if not pictures or len(pictures) < len(self._exported.steps):
            self._log.leave_out(
                "no-screenshot", _("A trajectory was left out: a screen of it has no picture")
            )
            return
        sizes = [read_picture_file(picture).size for picture in pictures]
        done = list(self._actions(sizes))
        record = example_of({
            "episode_id": [numbers.next(self._exported)],
            "goal": [_bytes(self._exported.instruction)],
            "screenshots": pictures,
            "accessibility_trees": list(itertools.starmap(self._forest, enumerate(self._exported.steps))),
            "screenshot_widths": [size.width for size in sizes],
            "screenshot_heights": [size.height for size in sizes],
            "actions": [_bytes(json.dumps(action, ensure_ascii=False)) for action in done],
            "step_instructions": [_bytes(text) for text in self._instructions()],
        })  # fmt: skip
        if len(record) > MAX_RECORD:
            self._log.leave_out("too-large", _("A trajectory was left out: it is too large for a record"))
            return
        for data in record_parts(record):
            self._log.append(records, data)
        text = _("AndroidControl has no place for times, apps, verdicts, agents and other values of a task")
        self._log.add("values-lost", text)

    def _pictures(self) -> Iterator[bytes]:
        for index in range(len(self._exported.steps)):
            if (picture := self._screens.shown(index)) is None:
                return
            yield picture.data

    def _instructions(self) -> Iterator[str]:
        for step in self._exported.steps[:-1]:
            yield step.intention or str(step.description) or caption(step.action or Wait())

    def _actions(self, sizes: list[Size]) -> Iterator[dict[str, Any]]:
        """The actions between two screens, in pixels of the first one's picture."""
        *between, last = self._exported.steps
        if isinstance(last.action, COMPLETION_SIGNALS):
            text = _("AndroidControl has no place for the end of a task, nor for an answer")
            self._log.add("end-lost", text, step=last.index)
        elif last.action is not None:
            text = _("AndroidControl has no place for an action without a screen after it")
            self._log.add("action-lost", text, step=last.index)
        for step, size in zip(between, sizes, strict=False):
            yield self._action(step, size)

    def _action(self, step: Step, size: Size) -> dict[str, Any]:
        action = step.action
        given = self._exported.given_action(step, FORMAT_ID, "androidcontrol")
        if action is None and isinstance(given, dict) and given.get("action_type"):
            return given  # an import did not understand it
        if action is None:
            self._log.add("action-lost", _("A step without an action became a wait"), step=step.index)
            return {"action_type": "wait"}
        shown = in_picture(action, step.state.size, size)
        values = _values(on_picture(shown, size), AgentScreen(size))
        read = DIALECT.read(json.dumps(values), AgentScreen(size)).predicted
        if read != shown:
            text = _("AndroidControl has no word for all of an action: {kind}", kind=action.kind)
            self._log.add("action-changed", text, step=step.index)
        return values

    def _forest(self, index: int, step: Step) -> bytes:
        """Empty for a screen without a tree."""
        try:
            data = self._exported.stored.tree(step)
            tree = parse_tree(data) if data is not None else None
        except (HierarchyError, UserError) as error:
            self._log.add("tree-left-out", _("A tree was left out: {why}", why=error), step=index)
            return b""
        if tree is None:
            return b""
        lost = sorted({name for node in tree for name, value in node.attributes.items() if value} - HELD)
        if lost:
            text = _("Accessibility forests have no field for {names}", names=", ".join(lost))
            self._log.add("attributes-lost", text, step=index)
        return forest_of(tree)


def _values(action: Action, screen: AgentScreen) -> dict[str, Any]:
    """An action in AndroidControl's words; one that it has none for by its own name and fields."""
    if isinstance(action, Swipe):
        return {"action_type": "scroll", "direction": _OPPOSITE[swipe_direction(action)]}
    if isinstance(action, Type):
        return {"action_type": "input_text", "text": action.text}
    try:
        values: dict[str, Any] = json.loads(DIALECT.write(action, screen).removeprefix("Action: "))
    except NotExpressible:
        own = action_to_dict(action)
        return {"action_type": own.pop("kind"), **own}
    return values


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
