"""D-GARA's agent runs: ``LOGFINAL/<condition>/<condition>-<task>/`` with two logs and ``<i>_screen.png``.

``eva_log.jsonl`` holds the agent's decisions and the injections, ``run_log.jsonl`` the executed actions.
The format has no trees.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange import source_files
from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.registry import Importer
from collector.exchange.source_model import SourceEvent, SourceItem, SourceStep, SourceTrajectory
from collector.model.action import Action, Complete, Key, Swipe, Tap, Type, Wait
from collector.model.episode import Episode
from collector.model.i18n import _
from collector.model.judgement import RULE, TASK, VERDICTS, Judgement, Subject
from collector.model.task import Task
from collector.model.trajectory import RUN

DECISIONS = "eva_log.jsonl"
ACTIONS = "run_log.jsonl"
_LAST_SECOND = 253_402_300_799
"""The end of the year 9999, the last that dates are written for."""
_KEYS = {"back": "back", "home": "home", "enter": "enter"}


def detect(path: Path) -> float:
    """Sure when a folder holds ``eva_log.jsonl``."""
    return 0.95 if any((folder / DECISIONS).is_file() for folder in source_files.folders(path)) else 0.0


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One trajectory for each folder with a log of decisions."""
    for folder in source_files.folders(path):
        if (folder / DECISIONS).is_file():
            log.where = folder.name
            yield _trajectory(folder, log)


def _trajectory(folder: Path, log: ExchangeLog) -> SourceTrajectory:
    decisions, carried_out = _log(folder / DECISIONS, log), _log(folder / ACTIONS, log)
    start = next((line for line in decisions if line.get("type") == "task_start"), {})
    begin = _seconds(start) or _seconds(decisions[0] if decisions else {})
    condition, _dash, task_id = folder.name.partition("-")
    trajectory = SourceTrajectory(
        folder.name,
        # D-GARA writes the goal's text where it says task_id.
        Task(
            task_id or folder.name, str(start.get("task_id") or ""), rule_key=str(start.get("rule_key") or "")
        ),
        [],
        kind=RUN,
        episode=Episode(condition=condition if task_id else ""),
        device={"serial": str(start.get("device_id") or "")},
    )
    _add_steps(trajectory, folder, decisions, begin, log)
    _add_events(trajectory, folder, decisions, carried_out, begin, log)
    grids = list(folder.glob("*_screen_gridded.png"))
    if grids:
        log.use(*grids)
        log.add(
            "derived", _("Screenshots with a grid are copies of the others and were left out"), severity=NOTE
        )
    return trajectory


def _log(path: Path, log: ExchangeLog) -> list[dict[str, Any]]:
    if not path.is_file():
        log.add("file-missing", _("{name} is missing", name=path.name))
        return []
    log.use(path)
    try:
        lines, bad = source_files.read_json_lines(path)
    except ExchangeError as error:
        log.add("record-unreadable", str(error))
        return []
    for number in bad:
        log.add(
            "line-unreadable",
            _("A line of {name} is no JSON and was passed over", name=path.name),
            step=number,
        )
    return lines


def _seconds(line: Mapping[str, Any]) -> float:
    value = line.get("timestamp")
    if isinstance(value, (int, float)) and 0 <= value <= _LAST_SECOND:
        return float(value)
    return 0.0


def _add_steps(
    trajectory: SourceTrajectory,
    folder: Path,
    decisions: list[dict[str, Any]],
    begin: float,
    log: ExchangeLog,
) -> None:
    shots = source_files.numbered(folder, r"(\d+)_screen\.png")
    by_step = {
        line["step"]: line
        for line in decisions
        if line.get("type") == "agent_decision_vlm" and type(line.get("step")) is int
    }
    for number in sorted(shots.keys() | by_step.keys()):
        line = by_step.get(number, {})
        decision: Any = line.get("decision")
        decision = decision if isinstance(decision, dict) else {}
        step = SourceStep(str(number), shots.get(number))
        step.t_ms = round(1000 * max(0.0, _seconds(line) - begin)) if line else None
        if line:
            moment = dt.datetime.fromtimestamp(_seconds(line), dt.UTC)
            step.wall_time = moment.isoformat(timespec="milliseconds")
            step.intention = str(decision.get("thought") or "")
            step.extra["source_action"] = decision
            try:
                step.action = action_from(decision)
            except ValueError as error:
                log.add("action-unknown", _("An action is not understood: {why}", why=error), step=number)
        trajectory.steps.append(step)
    last = 0
    for step in trajectory.steps:  # the final state has no time of its own
        step.t_ms = last = last if step.t_ms is None else step.t_ms


def action_from(decision: Mapping[str, Any]) -> Action | None:
    """The action of an agent's decision. Raises ValueError when it is unknown or incomplete."""
    kind = str(decision.get("action") or "").lower()
    coords, text = decision.get("coords"), decision.get("input_text")
    if kind in ("text", "input", "type"):
        return Type(str(text or ""), len(str(text or "")))
    if kind in _KEYS:
        return Key(_KEYS[kind])
    if kind == "wait":
        return Wait(1000)
    if kind == "done":
        return Complete()
    try:
        if kind in ("tap", "click"):
            return Tap(*(round(float(part)) for part in coords))  # type: ignore[union-attr]
        if kind == "swipe":
            (x1, y1), (x2, y2) = _ends(coords)
            return Swipe(round(x1), round(y1), round(x2), round(y2), duration_ms=300)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{kind} without a place") from None
    raise ValueError(f"unknown action {kind!r}")


def _ends(coords: Any) -> tuple[tuple[float, float], tuple[float, float]]:
    """The ends of a swipe, written ``[x1, y1, x2, y2]`` or ``[[x1, y1], [x2, y2]]``."""
    flat = [part for coord in coords for part in (coord if isinstance(coord, list) else [coord])]
    x1, y1, x2, y2 = (float(part) for part in flat)
    return (x1, y1), (x2, y2)


def _add_events(
    trajectory: SourceTrajectory,
    folder: Path,
    decisions: list[dict[str, Any]],
    carried_out: list[dict[str, Any]],
    begin: float,
    log: ExchangeLog,
) -> None:
    known = {"task_start", "agent_decision_vlm"}
    for line in sorted([*decisions, *carried_out], key=_seconds):
        kind = str(line.get("type", "unknown"))
        if kind not in known:
            rest = {
                key: value for key, value in line.items() if key not in ("type", "timestamp", "kind", "t_ms")
            }
            trajectory.events.append(SourceEvent(kind, round(1000 * max(0.0, _seconds(line) - begin)), rest))
    times = {step.name: step.t_ms or 0 for step in trajectory.steps}
    for number, path in source_files.numbered(folder, r"step_(\d+)_monitor_event\.txt").items():
        log.use(path)
        event_text = source_files.read_text(path).strip()
        trajectory.events.append(
            SourceEvent("answer", times.get(str(number), 0), {"step": number, "event": event_text})
        )
    trajectory.events.sort(key=lambda event: event.t_ms)
    end = next((line for line in reversed(decisions) if line.get("type") == "task_end"), None)
    if end is None:
        log.add("cut-short", _("The log has no end: the run was cut short"), severity=NOTE)
        return
    status = str(end.get("status") or "")
    if status in VERDICTS[TASK]:
        reason = str(end.get("reason") or "")
        trajectory.judgements.append(Judgement("D-GARA", RULE, "", Subject(TASK), status, reason=reason))


IMPORTER = Importer("dgara-runs", "D-GARA agent runs", detect, read)
