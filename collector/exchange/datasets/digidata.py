"""JSON lines with a step each, beside images and XML files. Places are pixels, or shares up to 1.

``cot_digidata_train.jsonl`` gives intentions.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import OF_DATA_SETS, TASKS, TRAJECTORIES, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import SOURCE_ACTION, unknown_action
from collector.exchange.source.checks import picture_size
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import mappings, named_file, pick, text
from collector.model.action import Action, Complete, Impossible, Key, Swipe, Tap, Type
from collector.model.geometry import Size
from collector.model.i18n import N_, _
from collector.model.task import Task

_MARKS = (b'"episode_id"', b'"step_id"', b'"action_history"', b'"goal"')
_CALL = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)
_PLACES = {"tap": 2, "swipe": 4}
_PLAIN: dict[tuple[str, str], Action] = {
    ("navigate", "back"): Key("back"), ("navigate", "home"): Key("home"), ("navigate", "enter"): Key("enter"),
    ("status", "complete"): Complete(), ("status", "impossible"): Impossible(),
}  # fmt: skip
_MOST_DIGITS = 9
_KEPT = ("eval_category", "episode_len", "complete")


def _line_files(root: Path) -> Iterator[Path]:
    """Files of JSON lines that start with a step of an episode."""
    return marked_files(root, "*.jsonl", *_MARKS)


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One recording for each episode of each file: a file with reasoning has its episodes once more."""
    for lines in _line_files(path):
        log.where = lines.name
        episodes = _places_of_episodes(lines, log)
        said = _("The unit of its places is not published: they were read as pixels, or as shares up to 1")
        log.add("unit-not-known", said, severity=NOTE)
        for number, (episode, places) in enumerate(episodes.items(), start=1):
            log.read_to(lines, number, len(episodes))
            entries = sorted(_entries_at(lines, places), key=_number)
            log.where = f"{lines.stem}-{episode}"
            yield _trajectory(log.where, episode, entries, (lines.parent, path), log)


def _places_of_episodes(lines: Path, log: ExchangeLog) -> dict[str, array[int]]:
    """Id of an episode -> where its lines begin in the file, in bytes."""
    places: dict[str, array[int]] = {}
    start = 0
    for number, line, end in source_files.json_lines(lines):
        if line is None:
            log.add("line-unreadable", _("A line is no step and was passed over"), step=number)
        else:
            places.setdefault(text(line.get("episode_id")) or "?", array("Q")).append(start)
        start = end
    return places


def _entries_at(lines: Path, places: Sequence[int]) -> list[dict[str, Any]]:
    found = (next(source_files.json_lines(lines, place), None) for place in places)
    return [line for _number_, line, _end in filter(None, found) if line is not None]


def _number(entry: Mapping[str, Any]) -> int:
    given = text(entry.get("step_id"))
    return int(given) if given.isdecimal() and len(given) < _MOST_DIGITS else 0


def _trajectory(
    name: str, episode: str, entries: list[dict[str, Any]], folders: Sequence[Path], log: ExchangeLog
) -> SourceTrajectory:
    for missing in source_files.missing([_number(entry) for entry in entries], 0):
        log.add("gap", _("A number is missing in the source"), step=missing, severity=NOTE)
    steps = [_step(entry, folders, log) for entry in entries]
    first = entries[0]
    task = Task(episode, text(first.get("goal")) or episode, app=text(first.get("app")))
    return SourceTrajectory(name, task, steps, extra=pick(first, *_KEPT))


def _step(entry: Mapping[str, Any], folders: Sequence[Path], log: ExchangeLog) -> SourceStep:
    shot, tree = (named_file(entry.get(name), folders) for name in ("image", "xml"))
    written = text(entry.get("action"))
    step = SourceStep(str(_number(entry)), shot, tree, intention=_reasoning(entry, written))
    step.extra[SOURCE_ACTION] = written
    try:
        step.action = _action(written, picture_size(shot))
    except (TypeError, ValueError, OverflowError) as error:
        unknown_action(step, error, log)
    return step


def _reasoning(entry: Mapping[str, Any], action: str) -> str:
    """What the expected answer of the model says besides the action."""
    said = mappings(entry.get("conversations"))
    answer = (text(said[-1].get("value")) or text(said[-1].get("content"))) if said else ""
    return answer.replace(action, "").strip() if action else ""


def _action(written: str, screen: Size | None) -> Action:
    call = _CALL.fullmatch(written)
    if call is None:
        raise ValueError(written or "?")
    kind, given = call[1].casefold(), call[2]
    if kind == "type":
        return Type(given, len(given))
    if kind in _PLACES:
        numbers = [float(number) for number in given.split(",")]
        if len(numbers) == _PLACES[kind]:
            x, y, *end = _pixels(numbers, screen)
            return Swipe(x, y, end[0], end[1]) if end else Tap(x, y)
    plain = _PLAIN.get((kind, given.strip(" '\"{}").casefold()))
    if plain is None:
        raise ValueError(written)
    return plain


def _pixels(numbers: Sequence[float], screen: Size | None) -> list[int]:
    are_shares = all(0 <= number <= 1 for number in numbers)
    if screen is None and not are_shares:
        return [round(number) for number in numbers]
    if screen is None:
        raise ValueError(_("the size of the screen is not known"))
    sides = (screen.width, screen.height) * (len(numbers) // 2)
    places = [number * side if are_shares else number for number, side in zip(numbers, sides, strict=True)]
    if not all(0 <= place <= side for place, side in zip(places, sides, strict=True)):
        raise ValueError(_("a place outside the screen"))
    return [min(round(place), side - 1) for place, side in zip(places, sides, strict=True)]


FORMAT = Format(
    id="digidata",
    title=N_("DigiData episodes"),
    use=OF_DATA_SETS,
    holds=(TRAJECTORIES, TASKS),
    files=N_("digidata_*.jsonl with a step in each line, images and XML files"),
    detect=recognised_by(_line_files),
    read=read,
    licence=N_("DigiData's data is CC-BY-4.0, its reasoning is under Llama 4's licence"),
)
