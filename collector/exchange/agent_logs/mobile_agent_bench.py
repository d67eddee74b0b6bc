"""``<task>/<task>.json`` beside ``screenshots/0001.png`` ..., each taken after its action.

Actions are sentences, kept as answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.format import OF_AGENTS, TASKS, TRAJECTORIES, VERDICTS, Format
from collector.exchange.source.answers import make_run, usage_of
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import mappings, named_file, pick, read_mapping, text
from collector.model.episode import AgentTurn, Episode
from collector.model.i18n import N_, _
from collector.model.task import Task


def _records(root: Path) -> Iterator[Path]:
    """JSON files with the log of a task of MobileAgentBench."""
    return marked_files(root, "*.json", b'"stop_after_finish"', b'"prompt"', b'"actions"')


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One run for each task."""
    for record in _records(path):
        log.where = record.stem
        yield _trajectory(record, read_mapping(record, log), log)


def _trajectory(record: Path, values: Mapping[str, Any], log: ExchangeLog) -> SourceTrajectory:
    entries = mappings(values.get("actions"))
    folders = (record.parent / "screenshots", record.parent)
    after = [named_file(entry.get("screenshot"), folders) for entry in entries]
    first = entries[0].get("begin_timestamp") if entries else None
    steps = []
    for number, entry in enumerate(entries):
        step = SourceStep(text(entry.get("step")) or str(number), after[number - 1] if number else None)
        used = usage_of(entry, "input_tokens", "output_tokens")
        step.agent = AgentTurn(raw=text(entry.get("action")), usage=used)
        step.t_ms = _since(first, entry.get("begin_timestamp"))
        steps.append(step)
    if entries:
        last = _since(first, entries[-1].get("end_timestamp"))
        steps.append(SourceStep("end", after[-1], t_ms=last))
        text_ = _("Actions are sentences of the agent: each was kept as its answer, and none can be replayed")
        log.add("actions-in-words", text_)
    name = text(values.get("task")) or record.stem
    trajectory = SourceTrajectory(record.stem, Task(name, text(values.get("prompt")) or name), steps)
    trajectory.extra = pick(values, "stop_after_finish")
    make_run(trajectory, Episode(experiment=record.parent.parent.name), values.get("finished"))
    return trajectory


def _since(first: object, time: object) -> int | None:
    """Milliseconds from one time in seconds to another."""
    if not isinstance(first, (int, float)) or not isinstance(time, (int, float)):
        return None
    try:
        return max(0, round(1000 * (time - first)))
    except (ValueError, OverflowError):
        return None


FORMAT = Format(
    id="mobile-agent-bench",
    title=N_("MobileAgentBench runs"),
    use=OF_AGENTS,
    holds=(TRAJECTORIES, TASKS, VERDICTS),
    files=N_("A folder for each task: a JSON file of its name, and screenshots/"),
    detect=recognised_by(_records),
    read=read,
)
