"""``<session>/<task>/<agent>/log.json`` beside ``0.png``, ``1.png`` ...; instructions from the ``.csv`` of
the session.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import OF_AGENTS, TASKS, TRAJECTORIES, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import make_run, unknown_action, usage_of
from collector.exchange.source.checks import picture_size
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import mapping, mappings, numbers, pick, read_record, text
from collector.model.action import Action, Complete, Impossible, Key, LongPress, Swipe, Tap, Type
from collector.model.episode import AgentTurn, Episode
from collector.model.geometry import Size
from collector.model.i18n import N_, _
from collector.model.task import Task

LOG = "log.json"
_TABLE_BYTES = 20_000_000
_DRAWN = ("tap_only", "tap_and_text")
_WORDS: tuple[tuple[str, Action], ...] = (
    ("home", Key("home")), ("back", Key("back")), ("enter", Key("enter")), ("complete", Complete()),
    ("impossible", Impossible()), ("stop", Complete()), ("finish", Complete()), ("exit", Complete()),
)  # fmt: skip
"""Words in the name of an action, in the order in which they are looked for."""
_FINGER = {"up": (0.5, 0.5, 0.5, 0.2), "down": (0.5, 0.2, 0.5, 0.5), "left": (0.8, 0.5, 0.2, 0.5),
           "right": (0.2, 0.5, 0.8, 0.5)}  # fmt: skip
"""Where the finger goes in a swipe with a direction alone, in shares of the screen."""
_NUMBER = r"\(?(-?\d+(?:\.\d+)?), ?(-?\d+(?:\.\d+)?)\)"
_FROM_TO = re.compile(rf"{_NUMBER}\D+{_NUMBER}")
_TYPED = re.compile(r'The text "(.*)" has been inputted\.?', re.DOTALL)
_COLUMNS = {"task_app": "app", "adb_app": "package", "task_language": "language", "task_difficulty": "level"}


def _logs(root: Path) -> Iterator[Path]:
    """Each ``log.json`` with the steps of an agent of SPA-Bench."""
    return marked_files(root, LOG, b'"detail_type"', b'"action"')


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One run for each log of an agent."""
    tables: dict[Path, dict[str, dict[str, str]]] = {}
    for record in _logs(path):
        folder = record.parent
        name = f"{folder.parent.name}-{folder.name}"
        log.where = name
        session = folder.parent.parent
        if session not in tables:
            tables = {session: _tasks(session, log)}
        row = tables[session].get(folder.parent.name, {})
        yield _trajectory(name, folder, mappings(read_record(record, log)), row, log)


def _tasks(session: Path, log: ExchangeLog) -> dict[str, dict[str, str]]:
    """Id of a task -> its row in the table of a session."""
    tasks: dict[str, dict[str, str]] = {}
    for path in sorted(session.glob("*.csv")):
        try:
            rows = csv.DictReader(io.StringIO(source_files.read_text(path, _TABLE_BYTES), newline=""))
            if "task_identifier" not in (rows.fieldnames or ()):
                continue
            log.use(path)
            for row in rows:
                tasks.setdefault(text(row.get("task_identifier")), {
                    str(key): value for key, value in row.items() if isinstance(value, str) and value
                })  # fmt: skip
        except csv.Error as error:
            log.add("record-unreadable", str(error))
    return tasks


def _trajectory(
    name: str, folder: Path, entries: list[dict[str, Any]], row: Mapping[str, str], log: ExchangeLog
) -> SourceTrajectory:
    task_id = folder.parent.name
    known = {field: row[column] for column, field in _COLUMNS.items() if row.get(column)}
    task = Task(task_id, row.get("task_description") or task_id, **known)  # type: ignore[arg-type]
    acted = dict(enumerate(_acted(entries)))
    pictures = source_files.numbered(folder, r"(\d+)" + source_files.PICTURE)
    numbers = sorted(acted.keys() | pictures.keys())
    steps = [_step(number, pictures.get(number), acted.get(number, {}), log) for number in numbers]
    trajectory = SourceTrajectory(name, task, steps)
    last = entries[-1] if entries else {}
    trajectory.extra = pick(row, "golden_steps", "key_component_final") | pick(
        last, "total_steps", "finish_signal", "elapsed_time_initial", "elapsed_time_exec"
    )
    used = usage_of(last, "total_prompt_tokens", "total_completion_tokens")
    make_run(trajectory, Episode(experiment=folder.parent.parent.name, agent=folder.name), usage=used)
    for drawn in _DRAWN:
        if (folder / drawn).is_dir():
            log.use(*source_files.files(folder / drawn))
            said = _("Screenshots with the action drawn on them are copies of the others and were left out")
            log.add("derived", said, severity=NOTE)
    return trajectory


def _acted(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [entry for entry in entries if "action" in entry or "step" in entry]


def _step(number: int, picture: Path | None, entry: Mapping[str, Any], log: ExchangeLog) -> SourceStep:
    step = SourceStep(str(number), picture)
    if not entry:
        return step
    given = entry.get("action")
    step.extra["source_action"] = given
    name, detail = (
        (given[0], mapping(given[1])) if isinstance(given, list) and len(given) > 1 else (given, {})
    )
    try:
        step.action = _action(text(name).casefold(), detail.get("detail"), picture_size(picture))
    except (TypeError, ValueError, OverflowError) as error:
        unknown_action(step, error, log)
    usage = usage_of(entry, "prompt_tokens", "completion_tokens")
    step.agent = AgentTurn(raw=text(entry.get("response")), predicted=step.action, usage=usage)
    return step


def _action(name: str, detail: Any, size: Size | None) -> Action:
    if isinstance(detail, list):
        x, y, *end = (round(number) for number in numbers(detail))
        if len(end) == len("xy") and ("swipe" in name or "scroll" in name):
            return Swipe(x, y, end[0], end[1])
        if end:
            raise ValueError(_("a touch without a place"))
        return LongPress(x, y) if "long" in name else Tap(x, y)
    said = text(detail)
    if ends := _FROM_TO.search(said):
        x1, y1, x2, y2 = (round(float(number)) for number in ends.groups())
        return Swipe(x1, y1, x2, y2)
    if "type" in name or "text" in name or "input" in name:
        typed = match[1] if (match := _TYPED.fullmatch(said)) else said
        return Type(typed, len(typed))
    direction = next((word for word in _FINGER if word in f"{name} {said}".casefold()), "")
    if direction and ("swipe" in name or "scroll" in name) and size is not None:
        shares = _FINGER[direction]
        sides = (size.width, size.height, size.width, size.height)
        x1, y1, x2, y2 = (round(share * side) for share, side in zip(shares, sides, strict=True))
        return Swipe(x1, y1, x2, y2)
    action = next((action for word, action in _WORDS if word in name), None)
    if action is None:
        raise ValueError(name)
    return action


FORMAT = Format(
    id="spa-bench",
    title=N_("SPA-Bench runs"),
    use=OF_AGENTS,
    holds=(TRAJECTORIES, TASKS),
    files=N_("A folder for each task and agent: log.json and numbered screenshots"),
    detect=recognised_by(_logs),
    read=read,
)
