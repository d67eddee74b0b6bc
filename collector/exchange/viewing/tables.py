"""Tables as CSV: trajectories, steps and verdicts, a line each."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.exported_trajectories import (
    ExportedTrajectory,
    exported_trajectories,
    report_people,
)
from collector.exchange.format import FOR_VIEWING, TRAJECTORIES, VERDICTS, Format
from collector.model.action import action_to_dict
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.i18n import N_, _
from collector.model.text.csv_cells import plain_cell

TABLES: dict[str, tuple[str, ...]] = {
    "trajectories.csv": (
        "trajectory", "task", "instruction", "kind", "who", "started", "duration_ms", "steps", "experiment",
        "agent", "model", "condition", "modality", "variation", "language", "goal_style", "start", "offline",
        "seed", "repeat", "attempt", "status", "reason", "claimed", "early_stop", "infrastructure",
        "input_tokens",
        "output_tokens", "cost", "currency", "note",
    ),
    "steps.csv": (
        "trajectory", "step", "t_ms", "wall_time", "package", "activity", "width", "height", "rotation",
        "screenshot", "tree", "action", "arguments", "description", "intention", "note", "thought", "answer",
        "input_tokens", "output_tokens", "cost", "time_ms",
    ),
    "verdicts.csv": (
        "trajectory", "judge", "kind", "version", "subject", "state", "first", "last", "verdict",
        "confidence", "reason", "settles", "time",
    ),
}  # fmt: skip
"""Columns by file. Steps are counted from 0, as in the files of a project."""
_Row = Sequence[object]


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    path.mkdir(parents=True, exist_ok=True)
    for name, columns in TABLES.items():
        if not (path / name).exists():
            log.append(path / name, _lines([columns]))
    for exported in exported_trajectories(part, log):
        log.append(path / "trajectories.csv", _lines([_trajectory(exported)]))
        log.append(path / "steps.csv", _lines(_steps(exported)))
        log.append(path / "verdicts.csv", _lines(_verdicts(exported)))
        report_people(exported, log)
        if any(step.state.screenshot or step.state.tree for step in exported.steps):
            log.add("screens-lost", _("Tables name screenshots and dumps, and do not hold them"))
        if exported.stored.interruptions():
            log.add("anomalies-lost", _("Tables have no place for injected anomalies"))


def _lines(rows: Iterable[_Row]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        writer.writerow([plain_cell(str(cell)) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue().encode("utf-8", "replace")


def _trajectory(exported: ExportedTrajectory) -> _Row:
    header = exported.header
    episode, outcome = header.episode or Episode(), header.outcome or Outcome()
    usage = outcome.usage
    return (
        exported.place, header.task_id, exported.instruction, header.kind, header.who, header.started,
        header.duration_ms, sum(step.action is not None for step in exported.steps), episode.experiment,
        episode.agent, episode.model, episode.condition, episode.modality, episode.variation,
        episode.language, episode.goal_style, episode.start, episode.offline,
        episode.seed, episode.repeat, episode.attempt,
        outcome.status, outcome.reason, outcome.claimed, outcome.early_stop, outcome.infrastructure,
        usage.input_tokens, usage.output_tokens, usage.cost, usage.currency, header.note,
    )  # fmt: skip


def _steps(exported: ExportedTrajectory) -> Iterator[_Row]:
    for step in exported.steps:
        state, turn = step.state, step.agent or AgentTurn()
        arguments = action_to_dict(step.action) if step.action is not None else {}
        action = arguments.pop("kind", "")
        yield (
            exported.place, step.index, step.t_ms, step.wall_time, state.package, state.activity,
            state.size.width, state.size.height, state.rotation, state.screenshot, state.tree, action,
            json.dumps(arguments, ensure_ascii=False) if action else "", str(step.description),
            step.intention, step.note, turn.thought, turn.raw, turn.usage.input_tokens,
            turn.usage.output_tokens, turn.usage.cost, turn.usage.time_ms,
        )  # fmt: skip


def _verdicts(exported: ExportedTrajectory) -> Iterator[_Row]:
    for one in exported.judgements:
        subject = one.subject
        yield (
            exported.place, one.judge, one.kind, one.version, subject.kind, subject.state, subject.first,
            subject.last, one.verdict, one.confidence, one.reason, one.settles, one.time,
        )  # fmt: skip


FORMAT = Format(
    id="csv",
    title=N_("CSV tables"),
    use=FOR_VIEWING,
    holds=(TRAJECTORIES, VERDICTS),
    files=N_("trajectories.csv, steps.csv and verdicts.csv"),
    write=_write,
    entries=tuple(TABLES),
)
