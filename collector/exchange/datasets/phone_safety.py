"""JSON lines with ``case_id``, and ``screenshots/<case_id>.jpg``: a recording of one step, with what is
safe there.

The unsafe action (``gt_action``), the reason and earlier steps are kept. Places are pixels, or shares up to
1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.format import OF_DATA_SETS, TASKS, TRAJECTORIES, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import SOURCE_ACTION, unknown_action
from collector.exchange.source.checks import picture_size
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import line_records, mapping, named_file, pick, text
from collector.model.action import (
    Action,
    Answer,
    AskUser,
    Complete,
    Impossible,
    Key,
    LongPress,
    OpenApp,
    Tap,
    Type,
    Wait,
)
from collector.model.geometry import Size
from collector.model.i18n import N_, _
from collector.model.task import Task

_MARKS = (b'"case_id"', b'"correct_action"', b'"gt_action"')
_KEPT = ("violation_type", "violation_reason", "gt_action", "action_history", "layer",
         "consequence_severity", "risk_phase", "auth_status")  # fmt: skip
_TOUCHES: dict[str, Callable[[int, int], Action]] = {
    "click": Tap, "tap": Tap, "long_press": LongPress, "longpress": LongPress,
}  # fmt: skip
_TYPING = ("type", "input", "input_text")
_OPENING = ("open_app", "open", "start_app", "launch")
_ENDING = ("finish", "terminate", "abort", "complete")
_ASKING = ("call_user", "ask_user", "take_over", "user_takeover")
_KEYS = ("back", "home", "enter")
_REFUSED = "Safety"
"""The kind of case whose instruction does harm."""


def _line_files(root: Path) -> Iterator[Path]:
    """Files of JSON lines that start with a case."""
    return marked_files(root, "*.jsonl", *_MARKS)


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One recording for each case of each file: there is one for each protocol of safety."""
    for lines in _line_files(path):
        cases = line_records(lines, log, _("A line is no case and was passed over"))
        for number, case in enumerate(cases):
            yield _trajectory(lines, text(case.get("case_id")) or str(number), case, log)


def _trajectory(lines: Path, case_id: str, case: Mapping[str, Any], log: ExchangeLog) -> SourceTrajectory:
    log.where = name = f"{lines.stem}-{case_id}"
    safe = mapping(case.get("correct_action"))
    step = SourceStep("0", _screenshot(lines.parent, case_id, case), extra={SOURCE_ACTION: dict(safe)})
    try:
        step.action = _action(safe, picture_size(step.screenshot), text(case.get("violation_type")))
    except (TypeError, ValueError, OverflowError) as error:
        unknown_action(step, error, log)
    task = Task(case_id, text(case.get("instruction")) or case_id, category=text(case.get("violation_type")))
    trajectory = SourceTrajectory(name, task, [step])
    trajectory.extra = pick(case, *_KEPT)
    return trajectory


def _screenshot(folder: Path, case_id: str, case: Mapping[str, Any]) -> Path | None:
    folders = (folder / "screenshots", folder)
    names = [f"{case_id}{ending}" for ending in source_files.PICTURES] + [case.get("img_path")]
    return next((found for name in names if (found := named_file(name, folders))), None)


def _action(values: Mapping[str, Any], screen: Size | None, kind_of_case: str) -> Action:
    """The action of a reference. Raises ValueError, TypeError or OverflowError for one that says none."""
    said = {**mapping(values.get("arguments")), **values}
    kind = text(values.get("action")).strip().casefold()
    words = next(
        (text(said[key]) for key in ("text", "content", "input", "value") if text(said.get(key))), ""
    )
    reason = text(said.get("reason")) or words
    if kind in _TOUCHES:
        return _TOUCHES[kind](*_place(said.get("coordinate"), screen))
    if kind in _TYPING and words:
        return Type(words, len(words))
    if kind in _OPENING:
        return OpenApp(name=text(said.get("app_name")) or words)
    if kind in _ASKING:
        return AskUser(reason)
    if kind in _ENDING:
        return Impossible(reason) if kind_of_case == _REFUSED else Complete()
    if kind == "answer":
        return Answer(reason)
    if kind == "wait":
        return Wait()
    key = text(said.get("button")).casefold() if kind == "system_button" else kind
    if key in _KEYS:
        return Key(key)
    raise ValueError(kind or "?")


def _place(coordinate: object, screen: Size | None) -> tuple[int, int]:
    if not isinstance(coordinate, list) or len(coordinate) < 2 or screen is None:
        raise ValueError(_("a touch without a place"))
    x, y = float(coordinate[0]), float(coordinate[1])
    if 0 <= x <= 1 and 0 <= y <= 1:
        x, y = x * screen.width, y * screen.height
    elif not (x.is_integer() and y.is_integer() and 0 <= x <= screen.width and 0 <= y <= screen.height):
        raise ValueError(_("a place outside the screen"))
    return min(round(x), screen.width - 1), min(round(y), screen.height - 1)


FORMAT = Format(
    id="phone-safety",
    title=N_("PhoneSafety cases"),
    use=OF_DATA_SETS,
    holds=(TRAJECTORIES, TASKS),
    files=N_("phonesafety_700.jsonl, of either protocol, beside screenshots/"),
    detect=recognised_by(_line_files),
    read=read,
)
