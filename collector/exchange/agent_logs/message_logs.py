"""Messages with a model, of UI-TARS, AutoGLM and others: a JSON list, or lines with ``messages``.

Pictures in Base64, or in ``images``. Answers are read in their dialect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from collector.exchange.agent_logs.answered_steps import add_answer, dialect_of
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.format import OF_AGENTS, TASKS, TRAJECTORIES, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import make_run
from collector.exchange.source.extracted import extraction_folder, picture_of_url, write_picture
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import (
    line_records,
    mappings,
    named_file,
    read_record,
    text,
)
from collector.model.episode import Episode
from collector.model.i18n import N_, _
from collector.model.task import Task

_MARKS = b'"role"', b'"content"'
_WITHIN = 512 * 1024
_INSTRUCTION = re.compile(r"(?:##? ?User Instruction|###? ?User Task)\s*\n(.*?)(?:\n##|\Z)", re.DOTALL)
_CONTEXT = re.compile(r"\s*(?:\*\* Screen Info \*\*\s*)?\{\"current_app\".*\Z", re.DOTALL)
"""What AutoGLM adds to the words of the user."""
_PLACEHOLDER = "<image>"
_LOOKED_AT = 200_000
"""Characters of prompts and answers in which the dialect shows."""


def _message_files(root: Path) -> Iterator[Path]:
    """Files of messages in a known dialect."""
    for path in marked_files(root, "*.json*", *_MARKS, within=_WITHIN):
        if path.suffix in (".json", ".jsonl"):
            start = source_files.read_text(path, _WITHIN)
            if dialect_of(start) is not None:
                yield path


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One run for each list of messages."""
    for file in _message_files(path):
        log.where = file.stem
        for number, (messages, images) in enumerate(_conversations(file, log)):
            name = file.stem if number == 0 else f"{file.stem}-{number + 1}"
            log.where = name
            pictures = [named_file(image, (file.parent, path)) for image in images]
            with extraction_folder() as folder:
                yield _trajectory(name, messages, pictures, folder, log)


def _conversations(file: Path, log: ExchangeLog) -> Iterator[tuple[list[dict[str, Any]], list[Any]]]:
    """The messages of each conversation in a file, and the names of the pictures beside them."""
    for line in _lines(file, log):
        images = line.get("images")
        if messages := mappings(line.get("messages")):
            yield messages, images if isinstance(images, list) else []


def _lines(file: Path, log: ExchangeLog) -> Iterator[dict[str, Any]]:
    """The mappings of a file with messages."""
    if file.suffix == ".jsonl":
        yield from line_records(file, log, _("A line holds no messages and was passed over"))
        return
    value = read_record(file, log)
    if any("role" in entry for entry in mappings(value)):
        yield {"messages": value}
        return
    lines = mappings(value if isinstance(value, list) else [value])
    for number, line in enumerate(lines):
        log.read_to(file, number, len(lines))
        yield line
    log.read_to(file, 1, 1)


def _trajectory(
    name: str,
    messages: Sequence[Mapping[str, Any]],
    pictures: list[Path | None],
    folder: Path,
    log: ExchangeLog,
) -> SourceTrajectory:
    said = [_Message.of(message) for message in messages]
    dialect = dialect_of("\n".join(message.text for message in said if message.is_answer)[:_LOOKED_AT])
    dialect = dialect or dialect_of("\n".join(message.text for message in said)[:_LOOKED_AT])
    steps: list[SourceStep] = []
    shown: Path | None = None
    for message in said:
        if not message.is_answer:
            shown = message.picture(folder, len(steps), pictures) or shown
            continue
        step = SourceStep(str(len(steps)), shown)
        add_answer(step, dialect, message.text, log)
        steps.append(step)
        shown = None
    if shown is not None or not steps:
        steps.append(SourceStep(str(len(steps)), shown))
    instruction = _instruction([message.text for message in said if message.role == "user"])
    trajectory = SourceTrajectory(name, Task(name, instruction or name), steps)
    make_run(trajectory, Episode(agent=dialect.id if dialect else "", modality="screenshot"))
    return trajectory


class _Message:
    """A message: its role, its words, and its pictures in Base64 or by placeholders."""

    def __init__(self, role: str, words: str, pictures: list[bytes], placeholders: int) -> None:
        self.role, self.text = role, words
        self._pictures, self._placeholders = pictures, placeholders

    @classmethod
    def of(cls, message: Mapping[str, Any]) -> _Message:
        """The message of a mapping with ``role`` and ``content``."""
        content = message.get("content")
        parts = mappings(content) if isinstance(content, list) else [{"type": "text", "text": content}]
        words = "\n".join(text(part.get("text")) for part in parts if part.get("type", "text") == "text")
        found = [picture for part in parts if (picture := picture_of_url(_address(part)))]
        placeholders = words.count(_PLACEHOLDER)
        placeholders += sum(part.get("type") == "image" and not _address(part) for part in parts)
        return cls(text(message.get("role")), words, found, placeholders)

    @property
    def is_answer(self) -> bool:
        return self.role == "assistant"

    def picture(self, folder: Path, number: int, named: list[Path | None]) -> Path | None:
        """The last picture of the message, written out or found by its name; it uses up what it names."""
        taken = [named.pop(0) for _placeholder in range(min(self._placeholders, len(named)))]
        if self._pictures:
            return write_picture(folder, f"{number:04}", self._pictures[-1])
        return taken[-1] if taken else None


def _address(part: Mapping[str, Any]) -> Any:
    """The address of a picture in a part of a message, in the shapes of several programs."""
    given = part.get("image_url") or part.get("image") or part.get("source")
    return (given.get("url") or given.get("data")) if isinstance(given, dict) else given


def _instruction(said: Sequence[str]) -> str:
    """What the user asked for: the marked part of a prompt, or the first words that are no prompt."""
    for words in said:
        if match := _INSTRUCTION.search(words):
            return match[1].strip()
    words = next((words for words in said if words.strip()), "")
    return _CONTEXT.sub("", words).replace(_PLACEHOLDER, "").strip()


FORMAT = Format(
    id="messages",
    title=N_("Message logs of UI-TARS, AutoGLM and others"),
    use=OF_AGENTS,
    holds=(TRAJECTORIES, TASKS),
    files=N_("JSON lists of messages with role and content, or a line of JSON with messages each"),
    detect=recognised_by(_message_files, 0.6),
    read=read,
)
