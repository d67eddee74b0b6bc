"""``<task>_<time>/traces/trace.jsonl`` beside ``xml/`` and ``Screen/``; verdicts from ``results.jsonl``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import OF_AGENTS, TASKS, TRAJECTORIES, VERDICTS, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import make_run, unknown_action
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import mapping, named_file, pick, size_of, text
from collector.model.action import Action, Answer, Complete, Key, LongPress, OpenApp, Swipe, Tap, Type, Wait
from collector.model.episode import AgentTurn, Episode
from collector.model.geometry import Point, Size
from collector.model.i18n import N_, _
from collector.model.task import Task

TRACE, RESULTS = "trace.jsonl", "results.jsonl"
_DERIVED = ("_compressed_xml.txt", "_format_prompt.txt", "_scaling_map.txt", "_labeled.png", "_bbox.png")
_KEYS = {"Press Enter": "enter", "Press Back": "back", "Press Home": "home"}
_LENGTHS = {"long": 10, "medium": 2, "short": 1}
"""Length of a swipe in tenths of the width of the screen."""
_FINGER = {"up": (0.0, -2.0), "down": (0.0, 2.0), "left": (-2.5, 0.0), "right": (2.5, 0.0)}
_SWIPE_MS, _WAIT_MS = 400, 5000


def _traces(root: Path) -> Iterator[Path]:
    """Each ``trace.jsonl`` with the steps of a run of AndroidLab."""
    return marked_files(root, TRACE, b'"trace_id"', b'"parsed_action"')


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One run for each trace."""
    results = _results(path, log)
    for trace in _traces(path):
        folder = trace.parent.parent if trace.parent.name == "traces" else trace.parent
        log.where = folder.name
        log.use(trace)
        try:
            lines, bad = source_files.read_json_lines(trace)
        except ExchangeError as error:
            log.add("record-unreadable", str(error))
            continue
        for number in bad:
            log.add("line-unreadable", _("A line is no step and was passed over"), step=number)
        yield _trajectory(folder, lines, results, log)


def _results(root: Path, log: ExchangeLog) -> dict[str, Any]:
    """Id of a task -> whether it was completed, by AndroidLab's own evaluation."""
    results: dict[str, Any] = {}
    for path in marked_files(root, RESULTS, b'"task_id"', b'"complete"'):
        log.use(path)
        try:
            lines, _bad = source_files.read_json_lines(path)
        except ExchangeError as error:
            log.where = path.name
            log.add("record-unreadable", str(error))
            continue
        for line in lines:
            results[text(line.get("task_id"))] = mapping(line.get("result")).get("complete")
    return results


def _trajectory(
    folder: Path, lines: list[dict[str, Any]], results: Mapping[str, Any], log: ExchangeLog
) -> SourceTrajectory:
    task_id = "_".join(folder.name.split("_")[:2])
    instruction = next(filter(None, (text(line.get("target")) for line in lines)), task_id)
    steps = [_step(number, line, folder, log) for number, line in enumerate(lines)]
    trajectory = SourceTrajectory(folder.name, Task(task_id, instruction), steps)
    make_run(trajectory, Episode(experiment=folder.parent.name), results.get(task_id))
    derived = [path for path in source_files.files(folder) if path.name.endswith(_DERIVED)]
    if derived:
        log.use(*derived)
        said = _("Files that are generated from the others were left out ({count})", count=len(derived))
        log.add("derived", said, severity=NOTE)
    return trajectory


def _step(number: int, line: Mapping[str, Any], folder: Path, log: ExchangeLog) -> SourceStep:
    step = SourceStep(text(line.get("index")) or str(number))
    around = [folder, folder / "Screen", folder / "xml"]
    step.screenshot = named_file(line.get("image"), around)
    step.tree = named_file(line.get("xml"), around) or named_file(line.get("ac_xml"), around)
    step.package = text(line.get("current_activity"))
    parsed = mapping(line.get("parsed_action"))
    step.extra = {**pick(line, "command", "prompt"), "source_action": parsed}
    window = line.get("window")
    screen = size_of(*window) if isinstance(window, list) and len(window) == 2 else None
    try:
        step.action = _action(parsed, screen)
    except (TypeError, ValueError, OverflowError) as error:
        unknown_action(step, error, log)
    if said := text(line.get("current_response")) or text(line.get("response")):
        step.agent = AgentTurn(raw=said, predicted=step.action)
    return step


def _action(parsed: Mapping[str, Any], screen: Size | None) -> Action:
    kind, values = text(parsed.get("action")), mapping(parsed.get("kwargs"))
    if kind == "finish" or parsed.get("operation") == "finish":
        message = text(values.get("message"))
        return Answer(message) if message else Complete()
    if kind in _KEYS:
        return Key(_KEYS[kind])
    if kind in ("Tap", "Long Press"):
        place = _place(values)
        return (Tap if kind == "Tap" else LongPress)(place.x, place.y)
    if kind == "Swipe":
        return _swipe(values, screen)
    if kind == "Type":
        typed = text(values.get("text"))
        return Type(typed, len(typed))
    if kind == "Launch":
        return OpenApp(package=text(values.get("package")), name=text(values.get("app")))
    if kind == "Wait":
        return Wait(_WAIT_MS)
    raise ValueError(kind)


def _place(values: Mapping[str, Any]) -> Point:
    """The place of an element in pixels: a point, or the middle of a box."""
    numbers = [float(number) for number in values.get("relative_element") or values.get("element") or ()]
    if len(numbers) == 4:
        numbers = [(numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2]
    if len(numbers) != 2:
        raise ValueError(_("a touch without a place"))
    return Point(round(numbers[0]), round(numbers[1]))


def _swipe(values: Mapping[str, Any], screen: Size | None) -> Action:
    across, down = _FINGER[direction] if (direction := values.get("direction")) in _FINGER else (0.0, 0.0)
    if screen is None or not (across or down):
        raise ValueError(_("a swipe without its direction, or on a screen of unknown size"))
    has_place = values.get("relative_element") or values.get("element")
    start = _place(values) if has_place else Point(screen.width // 2, screen.height // 2)
    length = screen.width // 10 * _LENGTHS.get(text(values.get("dist")), 2)
    end = start.x + round(across * length), start.y + round(down * length)
    x, y = min(max(end[0], 0), screen.width - 1), min(max(end[1], 0), screen.height - 1)
    return Swipe(start.x, start.y, x, y, _SWIPE_MS)


FORMAT = Format(
    id="android-lab",
    title=N_("AndroidLab runs"),
    use=OF_AGENTS,
    holds=(TRAJECTORIES, TASKS, VERDICTS),
    files=N_("A folder for each task: traces/trace.jsonl, xml/ and Screen/; results.jsonl beside them"),
    detect=recognised_by(_traces),
    read=read,
)
