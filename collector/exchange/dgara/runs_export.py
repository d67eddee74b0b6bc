"""Runs as D-GARA's ``LOGFINAL``: two logs, numbered screenshots, and the events of pressed buttons."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from collector.agents.translators.dgara import decision_of
from collector.exchange.dgara import layout as names
from collector.exchange.dgara.outcome import JUDGE
from collector.exchange.dgara.runs import AGENT, RUN_TYPE
from collector.exchange.dgara.turns import DECISION, EXECUTED, EXECUTION, SKIPPED, WARNING, RunTurn
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.exported_picture import write_picture
from collector.model.action import (
    Action,
    Answer,
    Complete,
    Impossible,
    Invalid,
    Swipe,
    Tap,
    Type,
    action_to_dict,
)
from collector.model.episode import Episode, Outcome
from collector.model.i18n import _
from collector.model.task import PLACEHOLDER, Task
from collector.model.trajectory import RECORDING, Step
from collector.model.verdicts.judgement import SUCCESS, UNCOMPLETED, Judgement
from collector.store.files.errors import StoreError
from collector.store.trajectory.interruptions import EVENT
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory, read_header

Line = dict[str, Any]
RUNS_FORMAT = "dgara-runs"
_HISTORY = 5
"""Decisions before a step that D-GARA logs with it."""
_OWN_EVENT_KEYS = frozenset(("kind", "t_ms", "wall_time"))
_OWN_INJECTION_KEYS = frozenset(("injection", "anomaly", "transition", "step", "rule", *_OWN_EVENT_KEYS))


def export_runs(
    part: ExportedPart, tasks: Mapping[str, Task], numbers: Mapping[str, int], target: Path, log: ExchangeLog
) -> None:
    """Write the newest run of each task with and without anomalies below ``target``; name the others.

    ``tasks`` are those of the task list, by their ids.
    """
    for task_id, run_type, name in _newest_runs(part, log):
        if not log.begin(name):
            continue
        stored = open_trajectory(part.project.folder / name)
        task = tasks.get(task_id) or Task(task_id, stored.header.instruction)
        folder = target / run_type / f"{run_type}-{numbers[task_id]}"
        log.makes(folder)
        _RunExport(stored, task, run_type, folder, log).write()
        log.written.trajectories.append(name)
        log.keep()


def _newest_runs(part: ExportedPart, log: ExchangeLog) -> Iterator[tuple[str, str, str]]:
    """Task, type and folder of each run that is written; of one task at a time the runs are compared."""
    done: set[tuple[str, str]] = set()
    for _task, folders in groupby(part.folders(), key=lambda folder: folder.parent.name):
        newest: dict[tuple[str, str], tuple[str, str]] = {}
        for folder in folders:
            log.where = name = part.project.paths.relative(folder)
            try:
                header = read_header(folder)
            except StoreError:
                continue  # reported with the recordings
            if not header.is_run:
                continue
            if header.status == RECORDING:
                log.add("unfinished", _("A run that was not finished was left out"))
                continue
            place = (header.task_id, _run_type(header.episode or Episode()))
            known = newest.get(place)
            if place not in done and (known is None or header.started >= known[0]):
                newest[place], name = (header.started, name), known[1] if known is not None else ""
            if name:
                log.where = name
                text = _(
                    "D-GARA has one run of each task with anomalies, and one without; an older one was left "
                    "out"
                )
                log.add("another-run", text)
        done.update(newest)
        for (task_id, run_type), (_started, name) in newest.items():
            yield task_id, run_type, name


def task_ids_of(part: ExportedPart) -> set[str]:
    """The tasks that have finished trajectories or runs; headers that cannot be read are left out."""
    ids: set[str] = set()
    for folder in part.folders():
        with contextlib.suppress(StoreError):
            ids.add(read_header(folder).task_id)
    return ids


def _run_type(episode: Episode) -> str:
    given = episode.extra.get(RUN_TYPE)
    if given in (names.BASELINE, names.INTERFERENCE):
        return str(given)
    return names.INTERFERENCE if episode.condition else names.BASELINE


@dataclass(slots=True)
class _RunExport:
    stored: StoredTrajectory
    task: Task
    run_type: str
    folder: Path
    log: ExchangeLog
    decisions: list[tuple[float, Line]] = field(default_factory=list)
    actions: list[tuple[float, Line]] = field(default_factory=list)

    def write(self) -> None:
        self.folder.mkdir(parents=True)
        header, steps = self.stored.header, self.stored.steps
        for problem in self.stored.problems:
            self.log.add("step-unreadable", problem)
        self._decide(
            0, "task_start", device_id=str(header.device.get("serial") or ""), task_id=self.task.instruction,
            rule_key=self.task.rule_key or (PLACEHOLDER if self.task.human_validation else ""),
            interference_enabled=self.run_type == names.INTERFERENCE,
        )  # fmt: skip
        numbers = _numbers(self._is_own, steps)
        events = self.stored.events()
        self._write_events(events, steps, numbers)
        history: list[Any] = []
        for number, step in zip(numbers, steps, strict=True):
            self._write_screenshot(number, step)
            if step.agent is not None or step.action is not None:
                self._write_turn(number, step, list(history), events)
                history = [*history, self._decision_of(step)][-_HISTORY:]
        self._write_end(header.outcome or Outcome(), steps)
        for name, lines in ((names.DECISIONS, self.decisions), (names.ACTIONS, self.actions)):
            lines.sort(key=lambda line: line[0])
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for _t_ms, line in lines)
            (self.folder / name).write_bytes(text.encode("utf-8", "replace"))
        _report_left_out(self.stored, self.log)

    @property
    def _is_own(self) -> bool:
        """Whether the run was D-GARA's before it was the project's."""
        return self.stored.header.extra.get("imported_from") == RUNS_FORMAT

    def _has_given(self, step: Step) -> bool:
        return self._is_own and "source_action" in step.extra

    def _decision_of(self, step: Step) -> Any:
        """What the agent said, as D-GARA parses it: its own words, or those of the action it asked for."""
        if self._has_given(step):
            return step.extra["source_action"]
        turn = step.agent
        action = turn.predicted if turn is not None and turn.predicted is not None else step.action
        thought = {"thought": turn.thought} if turn is not None and turn.thought else {}
        if action is None or isinstance(action, Invalid):
            return None
        return {**thought, **(decision_of(action) or _by_its_own_name(action))}

    def _report_action(self, number: int, decision: Any, action: Action | None) -> None:
        """Report an action that would not be read back as it is."""
        if action is None:
            text = _("D-GARA reads a step without an action as an answer that is none")
            self.log.add("action-changed", text, step=number)
            return
        if decision_of(action) is None:
            text = _("D-GARA has no such action; it is written by its own name")
            self.log.add("action-unsaid", text, step=number)
            return
        executed = {} if isinstance(action, Complete) else _execution_of(action)
        if RunTurn(number, {"decision": decision}, {"step": number}, executed).action != action:
            text = _("D-GARA has no word for all of an action: {kind}", kind=action.kind)
            self.log.add("action-changed", text, step=number)

    def _decide(self, t_ms: float, kind: str, **values: Any) -> None:
        self.decisions.append((t_ms, self._line(t_ms, kind, values)))

    def _act(self, t_ms: float, kind: str, **values: Any) -> None:
        self.actions.append((t_ms, self._line(t_ms, kind, values)))

    def _line(self, t_ms: float, kind: str, values: Mapping[str, Any]) -> Line:
        return {"timestamp": _seconds(self.stored.header.started) + t_ms / 1000, "type": kind, **values}

    def _write_screenshot(self, number: int, step: Step) -> None:
        target = self.folder / f"{number}_screen.png"
        write_picture(self.stored, step, target, self.log, number, as_png=True)

    def _write_turn(
        self, number: int, step: Step, history: list[Any], events: Sequence[Mapping[str, Any]]
    ) -> None:
        t_ms = float(step.t_ms)
        decision, action = self._decision_of(step), step.action
        if not self._has_given(step):
            self._report_action(number, decision, action)
        execution = step.extra.get("source_execution")
        if isinstance(execution, Mapping):
            self._act(t_ms, EXECUTED, **execution)
        elif action is not None and not isinstance(action, Invalid | Complete | Answer | Impossible):
            self._act(t_ms, EXECUTED, **_execution_of(action))
        self._decide(t_ms, DECISION, step=number, decision=decision, history=history)
        if isinstance(action, Invalid) and not isinstance(execution, Mapping):
            if not any(event.get("kind") == WARNING and event.get("step") == number for event in events):
                self._decide(t_ms, WARNING, step=number, reason=action.reason)
            return
        result: Any = SKIPPED
        if not isinstance(action, Complete | Answer | Impossible):
            result = not isinstance(action, Invalid)
        mark = step.extra.get(EVENT)
        injection = mark.get("injection") if isinstance(mark, Mapping) else None
        gone = (event for event in events if _is_end(event, injection))
        self._decide(float(next(gone, {}).get("t_ms", t_ms)), EXECUTION, step=number, result=result)

    def _write_events(
        self, events: Sequence[Mapping[str, Any]], steps: Sequence[Step], numbers: Sequence[int]
    ) -> None:
        under: dict[object, int] = {}
        for number, step in zip(numbers, steps, strict=True):
            mark = step.extra.get(EVENT)
            if isinstance(mark, Mapping):
                under.setdefault(mark.get("injection"), number)
        for event in events:
            t_ms, kind = float(event.get("t_ms", 0)), str(event.get("kind"))
            if kind != EVENT:
                rest = {key: value for key, value in event.items() if key not in _OWN_EVENT_KEYS}
                self._decide(t_ms, kind, **rest)
            elif event.get("transition") == "injected":
                rest = {key: value for key, value in event.items() if key not in _OWN_INJECTION_KEYS}
                params = rest.pop("params", {})
                self._decide(
                    t_ms, "interference_injected", rule_id=str(event.get("rule") or ""),
                    interference_id=str(event.get("anomaly") or ""), params=params,
                )  # fmt: skip
            elif event.get("transition") == "answered" and event.get("injection") in under:
                place = self.folder / f"step_{under[event.get('injection')]}_monitor_event.txt"
                place.write_bytes(str(event.get("event") or "").encode("utf-8", "replace"))

    def _write_end(self, outcome: Outcome, steps: Sequence[Step]) -> None:
        verdict = _verdict_of(self.stored.folder)
        if outcome.infrastructure or not (outcome.status or verdict):
            return  # a run of D-GARA that broke off has no last line either
        last = float(max((step.t_ms for step in steps), default=0))
        start = _seconds(self.stored.header.started)
        end = 1000 * (_seconds(verdict.time) - start) if verdict is not None and verdict.time else last
        is_success = outcome.status == SUCCESS
        reason = outcome.reason
        mode = str(verdict.proof.get("failure_mode") or "") if verdict is not None else ""
        if verdict is None and not is_success:
            is_spent = outcome.status == UNCOMPLETED
            mode = "max_steps_reached" if is_spent else "failed_objective_validation"
        if not reason:
            reason = names.VALIDATION_PASSED if is_success else names.VALIDATION_FAILED
            reason = names.BUDGET_ENDED if outcome.status == UNCOMPLETED else reason
        status = "success" if is_success else "failure"
        rest = {"failure_mode": mode} if mode else {"reason": reason}
        has_final = bool(steps) and steps[-1].action is None and steps[-1].agent is None
        self._act(last if has_final else end, "task_end", status=status, **rest)
        self._decide(max(last, end), "task_end", status=status, reason=reason)


def _is_end(event: Mapping[str, Any], injection: object) -> bool:
    is_over = event.get("transition") in ("answered", "dismissed", "unclear")
    return bool(injection) and event.get("kind") == EVENT and event.get("injection") == injection and is_over


def _seconds(moment: str) -> float:
    """A time of a header in seconds since 1970; the first second of 1970 when it is not known."""
    try:
        return dt.datetime.fromisoformat(moment).timestamp()
    except ValueError:
        return 1.0


def _numbers(is_dgara: bool, steps: Sequence[Step]) -> list[int]:
    """D-GARA's numbers of the steps, or numbers from 1."""
    known = [str(step.extra.get("source_step", "")) for step in steps]
    if is_dgara and all(name.isdecimal() for name in known):
        numbers = list(map(int, known))
        if numbers == sorted(set(numbers)):
            return numbers
    return list(range(1, len(steps) + 1))


def _by_its_own_name(action: Action) -> Line:
    values = action_to_dict(action)
    return {"action": values.pop("kind"), "target": "", "coords": [], "waymark_action": values}


def _execution_of(action: Action) -> Line:
    """The line of D-GARA's executor for an action that was carried out."""
    match action:
        case Swipe():
            places = {
                "start_coordinates": [action.x1, action.y1],
                "end_coordinates": [action.x2, action.y2],
                "duration_ms": action.duration_ms,
            }
        case Tap():
            places = {"target_coordinates": [action.x, action.y]}
        case _:
            places = {}
    decision = decision_of(action) or _by_its_own_name(action)
    text = {"text": action.text} if isinstance(action, Type) else {}
    return {"action": decision["action"], **places, **text, "success": True}


def _verdict_of(folder: Path) -> Judgement | None:
    known = [one for one in read_judgements(folder).judgements if one.judge == JUDGE]
    return known[-1] if known else None


def _report_left_out(stored: StoredTrajectory, log: ExchangeLog) -> None:
    """Name everything of a run that D-GARA's logs have no place for."""
    steps = stored.steps
    for code, text, is_there in _losses(stored, steps):
        if is_there:
            log.add(code, text)


def _losses(stored: StoredTrajectory, steps: Sequence[Step]) -> Iterator[tuple[str, str, bool]]:
    header = stored.header
    episode, outcome = header.episode or Episode(), header.outcome or Outcome()
    turns = [step.agent for step in steps if step.agent is not None]
    yield "trees-lost", _("D-GARA's runs have no trees"), any(step.state.tree for step in steps)
    yield (
        "episode-lost",
        _("D-GARA's runs do not name the agent, its model, the seed and the experiment"),
        (
            episode.agent not in ("", AGENT)
            or bool(episode.model or episode.prompt or episode.variation or episode.language or episode.cell)
            or episode.seed is not None
        ),
    )
    yield (
        "usage-lost",
        _("D-GARA's runs have no tokens, costs and timings"),
        (
            any(turn.timings_ms or turn.usage.input_tokens or turn.usage.cost for turn in turns)
            or bool(outcome.usage.input_tokens or outcome.usage.cost)
        ),
    )
    yield "early-stop-lost", _("D-GARA's runs do not say that they were stopped early"), outcome.early_stop
    yield (
        "texts-lost",
        _("D-GARA's runs have no notes and intentions"),
        any(step.note or step.intention for step in steps),
    )
    yield "annotations-lost", _("D-GARA's runs have no annotations"), bool(stored.annotations())
    others = (one for one in read_judgements(stored.folder).judgements if one.judge != JUDGE)
    yield "judgements-lost", _("D-GARA's runs have the verdict of its own validator alone"), any(others)
