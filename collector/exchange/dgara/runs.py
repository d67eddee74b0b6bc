"""``LOGFINAL/<condition>/<condition>-<task>/`` with ``eva_log.jsonl`` (decisions, injections),
``run_log.jsonl`` (executed actions) and ``<i>_screen.png``. There are no trees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.model import Anomaly
from collector.anomalies.reader import read_library
from collector.exchange.dgara.interferences import FindAnomaly, Interference, interferences_of
from collector.exchange.dgara.layout import ACTIONS, BASELINE, DECISIONS, INTERFERENCE
from collector.exchange.dgara.outcome import outcome_of, verdicts_of
from collector.exchange.dgara.turns import (
    DECISION,
    EXECUTED,
    EXECUTION,
    RunTurn,
    first_seconds,
    moment_of,
    seconds_of,
    turns_of,
)
from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import FOR_BENCHMARKS, TRAJECTORIES, VERDICTS, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.model import SourceEvent, SourceItem, SourceStep, SourceTrajectory
from collector.model.action import Invalid
from collector.model.episode import Episode
from collector.model.i18n import N_, _
from collector.model.task import PLACEHOLDER, Task
from collector.model.trajectory import RUN
from collector.store.trajectory.interruptions import EVENT, INTERRUPTED

AGENT = "D-GARA"
"""Who acts: D-GARA's own loop. Its logs do not name the model."""
RUN_TYPE = "dgara_run_type"
"""Key of an episode that says which of D-GARA's folders it lay in: baseline or interference."""
_MODALITY = "screenshot+tree"
_ROOT_OF_ZIP = "unpacked"
_START, _END = "task_start", "task_end"
_READ = frozenset((_START, _END, DECISION, EXECUTION, EXECUTED, "interference_injected"))
_OWN_KEYS = frozenset(("type", "timestamp", "kind", "t_ms", "wall_time"))
Line = dict[str, Any]


def detect(path: Path) -> float:
    """Sure when a folder holds ``eva_log.jsonl``."""
    return 0.95 if any((folder / DECISIONS).is_file() for folder in source_files.folders(path)) else 0.0


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One trajectory for each folder with a log of decisions."""
    find = _finder(path, log)
    for folder in source_files.folders(path):
        if (folder / DECISIONS).is_file():
            log.where = folder.name
            yield _trajectory(folder, path, find, log)


def _finder(root: Path, log: ExchangeLog) -> FindAnomaly:
    """Finds the anomalies of the source's own library, then those the project has."""
    libraries = []
    for path in source_files.files(root):
        if path.suffix.lower() in (".yaml", ".yml"):
            text = source_files.read_text(path)
            if "interference_library" in text:
                libraries.append(read_library(text))
    source = AnomalySource(log.project) if log.project is not None else None

    def find(anomaly_id: str) -> Anomaly | None:
        known = (anomaly for library in libraries if (anomaly := library.get(anomaly_id)))
        return next(known, None) or (source.find(anomaly_id) if source is not None else None)

    return find


def _trajectory(folder: Path, root: Path, find: FindAnomaly, log: ExchangeLog) -> SourceTrajectory:
    decisions, carried_out = _log(folder / DECISIONS, log), _log(folder / ACTIONS, log)
    start = next((line for line in decisions if line.get("type") == _START), {})
    begin = seconds_of(start) or first_seconds(decisions, carried_out)
    run_type, _dash, task_id = folder.name.partition("-")
    rule_key = str(start.get("rule_key") or "")
    turns = turns_of(decisions, carried_out)
    ends = [line for line in (*decisions, *carried_out) if line.get("type") == _END]
    trajectory = SourceTrajectory(
        folder.name,
        # D-GARA writes the goal's text where it says task_id.
        Task(
            task_id or folder.name,
            str(start.get("task_id") or ""),
            rule_key="" if rule_key == PLACEHOLDER else rule_key,
            human_validation=rule_key == PLACEHOLDER,
        ),
        _steps(folder, turns, begin, first_seconds(ends), log),
        kind=RUN,
        started=moment_of(begin),
        device={"serial": str(start.get("device_id") or "")} if start.get("device_id") else {},
    )
    if not ends:
        log.add("cut-short", _("The log has no end: the run was cut short"), severity=NOTE)
    trajectory.outcome = outcome_of(rule_key, turns, ends)
    trajectory.judgements = verdicts_of(rule_key, ends)
    interferences = _add_interferences(trajectory, folder, decisions, turns, begin, find, log)
    trajectory.episode = Episode(
        experiment=_experiment(folder, root),
        agent=str(start.get("agent") or AGENT),
        model=str(start.get("model") or ""),
        condition=",".join(dict.fromkeys(interference.anomaly for interference in interferences)),
        modality=_MODALITY,
        buttons=_buttons(interferences),
        extra={RUN_TYPE: run_type} if task_id else {},
    )
    _add_events(trajectory, [*decisions, *carried_out], begin)
    grids = list(folder.glob("*_screen_gridded.png"))
    if grids:
        log.use(*grids)
        text = _("Screenshots with a grid are copies of the others and were left out")
        log.add("derived", text, severity=NOTE)
    return trajectory


def _log(path: Path, log: ExchangeLog) -> list[Line]:
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


def _steps(
    folder: Path, turns: Mapping[int, RunTurn], begin: float, end: float, log: ExchangeLog
) -> list[SourceStep]:
    shots = source_files.numbered(folder, r"(\d+)_screen" + source_files.PICTURE)
    steps = []
    last = begin
    for number in sorted(shots.keys() | turns.keys()):
        step = SourceStep(str(number), shots.get(number))
        turn = turns.get(number)
        # A state without an action is the final one, which D-GARA takes as the run ends.
        seconds = turn.seconds if turn is not None else end
        if turn is not None:
            _set_turn(step, turn, log)
        if seconds:
            step.wall_time = moment_of(seconds)
        last = max(last, seconds)
        step.t_ms = round(1000 * max(0.0, last - begin))
        steps.append(step)
    return steps


def _set_turn(step: SourceStep, turn: RunTurn, log: ExchangeLog) -> None:
    step.agent, step.action = turn.agent, turn.action
    if turn.decision:
        step.extra["source_action"] = turn.said
    execution = {key: value for key, value in turn.executed.items() if key not in ("type", "timestamp")}
    if execution:
        step.extra["source_execution"] = execution
    if isinstance(step.action, Invalid):
        text = _("Answers that D-GARA did not carry out are kept as invalid actions")
        log.add("invalid-action", text, step=turn.number, severity=NOTE)


def _add_interferences(
    trajectory: SourceTrajectory,
    folder: Path,
    decisions: list[Line],
    turns: Mapping[int, RunTurn],
    begin: float,
    find: FindAnomaly,
    log: ExchangeLog,
) -> list[Interference]:
    pressed = source_files.numbered(folder, r"step_(\d+)_monitor_event\.txt")
    log.use(*pressed.values())
    places = {int(step.name): place for place, step in enumerate(trajectory.steps)}
    interferences = interferences_of(decisions, turns, places, pressed, begin, find, log)
    for interference in interferences:
        trajectory.events += interference.events
        if interference.step in places:
            trajectory.steps[places[interference.step]].extra[EVENT] = {"injection": interference.id}
    if interferences:
        trajectory.extra[INTERRUPTED] = [interference.anomaly for interference in interferences]
    return interferences


def _buttons(interferences: list[Interference]) -> int | None:
    counts = {interference.buttons for interference in interferences}
    return counts.pop() if len(counts) == 1 else None


def _experiment(folder: Path, root: Path) -> str:
    """The name of the folder around those of baseline and interference, when it is imported too."""
    outer = folder.parent.parent
    is_imported = outer == root or root in outer.parents
    is_layout = folder.parent.name in (BASELINE, INTERFERENCE)
    return outer.name if is_imported and is_layout and outer.name != _ROOT_OF_ZIP else ""


def _add_events(trajectory: SourceTrajectory, lines: list[Line], begin: float) -> None:
    """Keep the lines that nothing else was made of."""
    for line in sorted(lines, key=seconds_of):
        kind = str(line.get("type", "unknown"))
        if kind not in _READ:
            rest = {key: value for key, value in line.items() if key not in _OWN_KEYS}
            rest["wall_time"] = moment_of(seconds_of(line))
            t_ms = round(1000 * max(0.0, seconds_of(line) - begin))
            trajectory.events.append(SourceEvent(kind, t_ms, rest))
    trajectory.events.sort(key=lambda event: event.t_ms)


FORMAT = Format(
    id="dgara-runs",
    title=N_("D-GARA agent runs"),
    use=FOR_BENCHMARKS,
    holds=(TRAJECTORIES, VERDICTS),
    files=N_("LOGFINAL: a folder for each run, with two logs and numbered screenshots"),
    detect=detect,
    read=read,
    licence=N_("D-GARA names no licence"),
)
