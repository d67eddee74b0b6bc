"""The first sample of a source or of an export, as a reader of its format sees it: for a preview."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.source import files as source_files
from collector.exchange.source.model import SourceItem, SourceStep, SourceTasks, SourceTrajectory
from collector.hierarchy.captions import caption
from collector.model.action import Action
from collector.model.errors import UserError
from collector.model.geometry import Rect
from collector.model.i18n import _
from collector.pictures.limits import MAX_BYTES

Read = Callable[[Path, ExchangeLog], Iterator[SourceItem]]
_PARQUET = ".parquet"
_TEXTS = (_PARQUET, ".jsonl", ".json", ".csv", ".yaml", ".yml", ".xml", ".py", ".sh", ".txt", ".md")
"""Endings of files that are shown as text, those that hold samples first."""
_COMPARED = ("chosen", "rejected", "rejected_response")
_SAID = ("messages", "conversations", "prompt", "problem", *_COMPARED, "answer", "reward_model")
"""Keys of samples of trainers, in the order in which they are read."""
_MOST_TEXT, _MOST_READ, _MOST_ITEMS = 4_000, 1 << 20, 50


@dataclass(frozen=True, slots=True)
class SampleMessage:
    """A text of a sample."""

    who: str
    """Who says it, or what it is, for a person: a role, a title or the name of a file."""
    text: str


@dataclass(frozen=True, slots=True)
class FormatSample:
    """What is shown of a sample: its texts, its picture, and the action on it."""

    messages: tuple[SampleMessage, ...]
    picture: bytes | None = None
    """Encoded."""
    action: Action | None = None
    """In pixels of the picture."""
    boxes: tuple[Rect, ...] = ()
    """What it says of places, in pixels of the picture."""


def sample_by_reading(read: Read, path: Path) -> FormatSample | None:
    """The sample that an import of ``path`` would get first, a trajectory before a task; None without one."""
    found = None
    with contextlib.suppress(UserError, OSError):
        for item in itertools.islice(read(path, ExchangeLog()), _MOST_ITEMS):
            if isinstance(item, SourceTrajectory) and item.steps:
                return _of_trajectory(item)
            if found is None and isinstance(item, SourceTasks) and item.tasks:
                task = item.tasks[0]
                found = FormatSample((SampleMessage(_("Task {id}", id=task.id), task.instruction),))
    return found


def _of_trajectory(source: SourceTrajectory) -> FormatSample:
    step = next((step for step in source.steps if step.action and step.screenshot), source.steps[0])
    messages = [SampleMessage(_("Task {id}", id=source.task.id), source.task.instruction), *_texts_of(step)]
    picture = _bytes_of(step.screenshot) if step.screenshot is not None else None
    return FormatSample(tuple(messages), picture, step.action)


def _texts_of(step: SourceStep) -> Iterator[SampleMessage]:
    said = step.agent.raw or step.agent.thought if step.agent is not None else ""
    for who, text in (
        (_("Intention"), step.intention),
        (_("Agent"), said),
        (_("Action"), caption(step.action, None) if step.action is not None else ""),
    ):
        if text:
            yield SampleMessage(who, text[:_MOST_TEXT])


def sample_by_text(path: Path) -> FormatSample | None:
    """The first sample in the text files at or below ``path``, with the picture that it names."""
    with contextlib.suppress(UserError, OSError):
        file = _first_text(path)
        return _of_text(file) if file is not None else None
    return None


def first_row(path: Path) -> Mapping[str, Any]:
    """The row that :func:`sample_by_text` shows; empty where it shows none."""
    with contextlib.suppress(UserError, OSError):
        file = _first_text(path)
        value = _first_value(file)[0] if file is not None else None
        return value if isinstance(value, Mapping) else {}
    return {}


def _first_text(path: Path) -> Path | None:
    found = [file for file in few_files(path) if file.suffix in _TEXTS and file.stat().st_size]
    return min(found, key=lambda file: _TEXTS.index(file.suffix), default=None)


def few_files(path: Path) -> Iterator[Path]:
    """The first files at or below a path."""
    return itertools.islice(source_files.files(path), _MOST_ITEMS * _MOST_ITEMS)


def _of_text(file: Path) -> FormatSample:
    value, text = _first_value(file)
    if not isinstance(value, Mapping):
        return FormatSample((SampleMessage(file.name, text[:_MOST_TEXT]),))
    messages = tuple(_messages_of(value)) or (SampleMessage(file.name, _pretty(value)),)
    return FormatSample(messages, _picture_in(value, file.parent))


def _first_value(file: Path) -> tuple[object, str]:
    """The first row, line or entry of a file; None and the text of one that has no such."""
    if file.suffix == _PARQUET:
        return _first_row(file), ""
    text = source_files.read_text(file, _MOST_READ)
    first = text.partition("\n")[0] if file.suffix == ".jsonl" else text
    value = None
    if file.suffix in (".jsonl", ".json"):
        with contextlib.suppress(ValueError, RecursionError):
            value = json.loads(first)
    return value[0] if isinstance(value, list) and value else value, first


def _first_row(file: Path) -> object:
    """The first row of a parquet file, or what it is called when it cannot be read."""
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        return None
    try:
        with ParquetFile(file) as rows:
            batch = next(rows.iter_batches(batch_size=1), None)
            return batch.to_pylist()[0] if batch is not None and batch.num_rows else None
    except ArrowException:
        return None


def _messages_of(sample: Mapping[str, Any]) -> Iterator[SampleMessage]:
    """What is said in a sample, in the forms that trainers read."""
    for key in _SAID:
        turns = sample.get(key)
        for turn in turns if isinstance(turns, list) else ():
            if isinstance(turn, Mapping):
                who = turn.get("role") or turn.get("from") or key
                who = key if key in _COMPARED else who
                yield SampleMessage(
                    str(who), _content(turn.get("content", turn.get("value", "")))[:_MOST_TEXT]
                )
        if isinstance(turns, str):
            yield SampleMessage(key, turns[:_MOST_TEXT])
        elif isinstance(turns, Mapping):
            content = turns.get("content", turns.get("ground_truth", turns))
            yield SampleMessage(key, _content(content)[:_MOST_TEXT])


def _content(content: object) -> str:
    """The text of a message; its pictures by their kind."""
    if not isinstance(content, list):
        return str(content)
    parts = (part.get("text") or f"<{part.get('type')}>" for part in content if isinstance(part, Mapping))
    return "\n".join(map(str, parts))


def _picture_in(value: object, folder: Path) -> bytes | None:
    """The first picture of a sample: its bytes, or a path inside the folder of the sample's file."""
    if isinstance(value, bytes):
        return value or None
    if isinstance(value, str):
        is_name = value.lower().endswith(source_files.PICTURES) and len(value) < 1024
        place = folder / value
        is_inside = is_name and place.resolve().is_relative_to(folder.resolve())
        return _bytes_of(place) if is_inside and place.is_file() else None
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    found = (_picture_in(part, folder) for part in parts)
    return next((picture for picture in found if picture is not None), None)


def _bytes_of(path: Path) -> bytes | None:
    with contextlib.suppress(UserError, OSError):
        return source_files.read_start(path, MAX_BYTES)
    return None


def _pretty(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)[:_MOST_TEXT]
