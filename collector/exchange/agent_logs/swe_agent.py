"""``<instance>.traj``: thought, action and observation per step, pictures in Base64. Actions in a known
dialect are read; others are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from collector.exchange.agent_logs.answered_steps import add_answer, dialect_of
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.format import OF_AGENTS, TASKS, TRAJECTORIES, Format
from collector.exchange.source.answers import make_run, usage_of
from collector.exchange.source.extracted import extraction_folder, picture_of_url, write_picture
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import mapping, mappings, pick, read_mapping, text
from collector.model.episode import AgentTurn, Episode
from collector.model.i18n import N_, _
from collector.model.task import Task

_PICTURE = re.compile(r"data:image/[a-z]+;base64,[A-Za-z0-9+/=]+")
_TEXT = 20_000
"""Characters of an observation that are kept with its step."""


def _files(root: Path) -> Iterator[Path]:
    """Each ``.traj`` file with the steps of an agent."""
    return marked_files(root, "*.traj", b'"trajectory"', b'"observation"', within=4 * 1024 * 1024)


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One run for each file."""
    for file in _files(path):
        log.where = file.stem
        with extraction_folder() as folder:
            yield _trajectory(file.stem, read_mapping(file, log), folder, log)


def _trajectory(name: str, values: Mapping[str, Any], folder: Path, log: ExchangeLog) -> SourceTrajectory:
    entries = mappings(values.get("trajectory"))
    steps: list[SourceStep] = []
    shown: Path | None = None
    for number, entry in enumerate(entries):
        step = SourceStep(str(number), shown)
        _add_action(step, entry, log)
        seen = text(entry.get("observation"))
        step.extra = {"observation": _PICTURE.sub("", seen)[:_TEXT], **pick(entry, "state", "execution_time")}
        steps.append(step)
        pictures = [picture for url in _PICTURE.findall(seen) if (picture := picture_of_url(url))]
        shown = write_picture(folder, f"{number:04}", pictures[-1]) if pictures else None
    if shown is not None:
        steps.append(SourceStep(str(len(steps)), shown))
    trajectory = SourceTrajectory(name, Task(name, _asked(values) or name), steps)
    info = mapping(values.get("info"))
    trajectory.extra = pick(values, "environment") | pick(info, "exit_status", "model_stats")
    used = usage_of(mapping(info.get("model_stats")), "tokens_sent", "tokens_received", "instance_cost")
    make_run(trajectory, Episode(agent="SWE-agent"), reason=text(info.get("exit_status")), usage=used)
    return trajectory


def _add_action(step: SourceStep, entry: Mapping[str, Any], log: ExchangeLog) -> None:
    said, raw = text(entry.get("action")), text(entry.get("response"))
    dialect = dialect_of(said) or dialect_of(raw)
    if dialect is not None:
        add_answer(step, dialect, said if dialect_of(said) else raw, log)
    elif said:
        text_ = _(
            "There is no action for {what}; it is noted with its step as the source has it", what=said[:80]
        )
        log.add("no-such-action", text_, step=step.name)
    predicted = step.agent.predicted if step.agent else None
    turn = step.agent or AgentTurn(predicted=predicted)
    step.agent = replace(turn, thought=text(entry.get("thought")) or turn.thought, raw=raw or said)


def _asked(values: Mapping[str, Any]) -> str:
    """The first words of the user in the history of a run."""
    first = mappings(values.get("trajectory"))[:1]
    histories: Sequence[Any] = (values.get("history"), *(entry.get("query") for entry in first))
    for history in histories:
        for message in mappings(history):
            if message.get("role") == "user" and not message.get("is_demo"):
                content = message.get("content")
                parts = mappings(content) if isinstance(content, list) else [{"text": content}]
                if words := "\n".join(filter(None, (text(part.get("text")) for part in parts))).strip():
                    return words
    return ""


FORMAT = Format(
    id="swe-agent",
    title=N_("SWE-agent trajectories"),
    use=OF_AGENTS,
    holds=(TRAJECTORIES, TASKS),
    files=N_("A .traj file for each run"),
    detect=recognised_by(_files),
    read=read,
)
