"""``<episode>.json`` beside its screenshots. Elements recognised in pixels become a flat tree."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import BOXES, OF_DATA_SETS, TASKS, TRAJECTORIES, Format
from collector.exchange.formats.aitw_actions import action_from
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import why_unread
from collector.exchange.source.checks import picture_size
from collector.exchange.source.element_tree import tree_of_recognised
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.model.geometry import Size
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.model.tree import Tree

_MARKS = (b'"result_action_type"', b'"episode_id"')
_MARKED_WITHIN, _LIST_WITHIN = 256 * 1024, 1024
_ELEMENTS = ("ui_positions", "ui_text", "ui_types")
_ACTION = ("result_action_type", "result_action_text", "result_touch_yx", "result_lift_yx")
_DESCRIPTIONS = ("coat_screen_desc", "coat_action_desc", "coat_action_result")


def _episodes(root: Path) -> Iterator[Path]:
    """JSON files with steps as AITZ writes them."""
    for path in marked_files(root, "*.json", *_MARKS, within=_MARKED_WITHIN):
        start = source_files.read_start(path, _LIST_WITHIN)
        if start.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"["):
            yield path


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One trajectory for each episode."""
    for episode in _episodes(path):
        log.where = episode.stem
        log.use(episode)
        try:
            entries = source_files.read_json(episode)
        except ExchangeError as error:
            log.add("record-unreadable", str(error))
            continue
        steps = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
        if steps:
            yield _trajectory(episode, sorted(steps, key=_number), log)


def _number(entry: Mapping[str, Any]) -> int:
    number = entry.get("step_id")
    return number if type(number) is int else 0


def _trajectory(episode: Path, entries: list[dict[str, Any]], log: ExchangeLog) -> SourceTrajectory:
    steps = [_step(episode, entry, log) for entry in entries]
    _report_gaps([_number(entry) for entry in entries], log)
    if any(step.convert for step in steps):
        log.add(
            "recognised",
            _(
                "The trees hold only what was recognised in the pixels: "
                "no layout, no resource ids, not what can be touched"
            ),
        )
    instruction = str(entries[0].get("instruction") or episode.stem)
    category = str(entries[0].get("image_path") or "").replace("\\", "/").rpartition("/")[0].partition("/")[0]
    return SourceTrajectory(episode.stem, Task(episode.stem, instruction, category=category), steps)


def _report_gaps(numbers: list[int], log: ExchangeLog) -> None:
    for missing in source_files.missing(numbers, 0):
        log.add("gap", _("A number is missing in the source"), step=missing, severity=NOTE)


def _step(episode: Path, entry: Mapping[str, Any], log: ExchangeLog) -> SourceStep:
    name = str(_number(entry))
    shot = _screenshot(episode, entry)
    size = picture_size(shot)
    step = SourceStep(name, shot)
    if entry.get(_ELEMENTS[0]) is not None:
        step.tree = episode
        step.convert = functools.partial(_tree, [entry.get(key) for key in _ELEMENTS], size)
    step.intention = str(entry.get("coat_action_think") or "")
    step.extra = {key: entry[key] for key in _DESCRIPTIONS if entry.get(key)}
    step.extra["source_action"] = {key: entry.get(key) for key in _ACTION}
    try:
        step.action = action_from(*(_value(entry.get(key)) for key in _ACTION), screen=size)
    except ValueError as error:
        log.add("action-unknown", _("An action is not understood: {why}", why=why_unread(error)), step=name)
    return step


def _screenshot(episode: Path, entry: Mapping[str, Any]) -> Path | None:
    named = str(entry.get("image_path") or "").replace("\\", "/").rpartition("/")[2]
    for name in (named, f"{episode.stem}_{_number(entry)}.png"):
        path = episode.parent / name
        if name not in ("", ".", "..") and source_files.is_file(path):
            return path
    return None


def _value(value: object) -> Any:
    """A value that AITZ may have written into a text, as it does with lists."""
    if not isinstance(value, str) or not value.startswith("["):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _tree(elements: list[object], screen: Size | None) -> Tree:
    """The tree of the elements of one state: positions, texts and types."""
    positions, texts, types = (
        value if isinstance(value := _value(given), list) else [] for given in elements
    )
    return tree_of_recognised(positions, texts, types, screen)


FORMAT = Format(
    id="aitz",
    title=N_("AITZ (CoAT) episodes"),
    use=OF_DATA_SETS,
    holds=(TRAJECTORIES, TASKS, BOXES),
    files=N_("A JSON list of steps for each episode, beside its screenshots"),
    detect=recognised_by(_episodes),
    read=read,
)
