"""``checkpoint_<app>.json`` beside screenshots and dumps. The clean trace and each disturbed one
(``noise``) is a recording of the task. A touch is at the middle of its box.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import OF_DATA_SETS, TASKS, TRAJECTORIES, Format
from collector.exchange.source.answers import SOURCE_ACTION, unknown_action
from collector.exchange.source.checks import picture_size
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import mapping, mappings, named_file, numbers, pick, read_mapping, text
from collector.model.action import DIRECTIONS, Action, Complete, Scroll, Tap, Type, Wait
from collector.model.geometry import Point, Size
from collector.model.i18n import N_, _
from collector.model.task import Task

_CLEAN = "clean"
_ACTION = ("action", "bbox", "input_value")


def _checkpoints(root: Path) -> Iterator[Path]:
    """JSON files with the test cases of an app."""
    return marked_files(root, "*.json", b'"testcases"', b'"testcase_id"', b'"trace"')


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One recording for each trace of each test case, the clean one first."""
    for checkpoints in _checkpoints(path):
        log.where = checkpoints.stem
        values = read_mapping(checkpoints, log)
        app = text(values.get("app")) or checkpoints.stem.removeprefix("checkpoint_")
        for number, case in enumerate(mappings(values.get("testcases")), start=1):
            task_id = f"{app}-{text(case.get('testcase_id')) or number}"
            task = Task(task_id, text(case.get("testcase_desc")) or task_id, app=app)
            for kind, trace in _traces(case):
                log.where = f"{task_id}-{kind}"
                yield _trajectory(task, kind, mappings(trace.get("trace")), checkpoints.parent, log)


def _traces(case: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The traces of a test case, each with its kind, which names it."""
    if clean := mapping(case.get(_CLEAN)):
        yield _CLEAN, clean
    seen = Counter[str]()
    for trace in mappings(case.get("noise")):
        kind = text(trace.get("type")) or "noise"
        seen[kind] += 1
        yield kind if seen[kind] == 1 else f"{kind}-{seen[kind]}", trace


def _trajectory(
    task: Task, kind: str, trace: list[dict[str, Any]], folder: Path, log: ExchangeLog
) -> SourceTrajectory:
    steps = [_step(number, entry, folder, log) for number, entry in enumerate(trace, start=1)]
    extra = {} if kind == _CLEAN else {"disturbance": kind}
    return SourceTrajectory(log.where, task, steps, extra=extra)


def _step(number: int, entry: Mapping[str, Any], folder: Path, log: ExchangeLog) -> SourceStep:
    shot, tree = (named_file(entry.get(name), (folder,)) for name in ("screenshot_path", "xml_path"))
    step = SourceStep(text(entry.get("checkpoint_id")) or str(number), shot, tree)
    step.extra[SOURCE_ACTION] = pick(entry, *_ACTION)
    try:
        step.action = _action(entry, picture_size(shot))
    except (TypeError, ValueError, OverflowError) as error:
        unknown_action(step, error, log)
        return step
    if isinstance(step.action, Scroll):
        said = _("The direction of a scroll was taken for where the view of the content moves")
        log.add("scroll-direction", said, step=step.name, severity=NOTE)
    return step


def _action(entry: Mapping[str, Any], screen: Size | None) -> Action:
    kind, given = text(entry.get("action")).casefold(), text(entry.get("input_value"))
    if kind == "click":
        place = _middle(entry.get("bbox"), screen)
        return Tap(place.x, place.y)
    if kind == "input":
        return Type(given, len(given))
    if kind == "scroll" and given.casefold() in DIRECTIONS:
        box = entry.get("bbox") or (screen and [0, 0, screen.width, screen.height])
        place = _middle(box, screen)
        return Scroll(place.x, place.y, given.casefold())
    if kind == "wait":
        return Wait()
    if kind == "finish":
        return Complete()
    raise ValueError(f"{kind} {given}".strip() or "?")


def _middle(box: Any, screen: Size | None) -> Point:
    left, top, right, bottom = numbers(box)
    x, y = round((left + right) / 2), round((top + bottom) / 2)
    if screen is not None and not (0 <= x < screen.width and 0 <= y < screen.height):
        raise ValueError(_("a place outside the screen"))
    return Point(x, y)


FORMAT = Format(
    id="mobile-robust-bench",
    title=N_("Mobile-RobustBench test cases"),
    use=OF_DATA_SETS,
    holds=(TRAJECTORIES, TASKS),
    files=N_("A folder for each app: checkpoint_<app>.json, screenshots and dumps"),
    detect=recognised_by(_checkpoints),
    read=read,
)
