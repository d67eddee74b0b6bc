"""Where new states go in ``rules/states.yaml``: in the order of the tasks.

Two people who define the states of different tasks on two branches then write at different places of the
file, and git merges them. A comment line with the id of a task, its *heading*, keeps the place of a task
without states.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from collector.model.task import Task
from collector.store.files.list_text import ListText

_HEADING = re.compile(r"[ \t]*# (?P<task>\S.*?)[ \t]*\r?\n?")
Groups = Sequence[tuple[str, tuple[str, ...]]]
"""Each task with the ids of its states, in the order of the tasks."""


@dataclass(slots=True)
class _Line:
    """A piece of the file: the body of an entry, or one line outside of all entries."""

    text: str
    state: str = ""

    @property
    def heading(self) -> str:
        """The id of a task when the piece may be its heading."""
        match = _HEADING.fullmatch(self.text) if not self.state else None
        return match["task"] if match else ""

    @property
    def is_comment(self) -> bool:
        return not self.state and self.text.lstrip().startswith("#")


def is_under_git(folder: Path) -> bool:
    """Whether a folder lies in a repository of git, so that people may work on branches."""
    return any((place / ".git").exists() for place in (folder, *folder.resolve().parents))


def groups_of(tasks: Iterable[Task]) -> Groups:
    """The tasks with their states, for the functions below."""
    return [(task.id, task.essential_states) for task in tasks]


def with_new_entries(pieces: ListText, ids: Sequence[str], new: Mapping[str, str], groups: Groups) -> str:
    """The text of a file whose entries are ``ids``, with ``new`` entries (id: lines) in their places."""
    lines = _lines(pieces, ids)
    for state_id, text in sorted(new.items(), key=lambda item: _rank(item[0], groups)):
        lines.insert(_place_of_state(lines, state_id, groups), _Line(text, state_id))
    return pieces.head + "".join(line.text for line in lines)


def with_headings(pieces: ListText, ids: Sequence[str], groups: Groups) -> str:
    """The text of a file with a heading for each task of which it says nothing."""
    lines = _lines(pieces, ids)
    for task, states in groups:
        if _task_end(lines, task, states) is None:
            text = f"{' ' * pieces.indent}# {task}{pieces.newline}"
            lines.insert(_place_of_task(lines, task, groups), _Line(text))
    return pieces.head + "".join(line.text for line in lines)


def _lines(pieces: ListText, ids: Sequence[str]) -> list[_Line]:
    lines: list[_Line] = []
    for state_id, entry in zip(ids, pieces.entries, strict=True):
        lines += map(_Line, entry.gap.splitlines(keepends=True))
        body = entry.text.splitlines(keepends=True)
        comments = next(at for at, line in enumerate(body) if not line.lstrip(" ").startswith("#"))
        lines += map(_Line, body[:comments])
        lines.append(_Line("".join(body[comments:]), state_id))
    return [*lines, *map(_Line, pieces.tail.splitlines(keepends=True))]


def _rank(state_id: str, groups: Groups) -> tuple[int, int]:
    for at, (_task, states) in enumerate(groups):
        if state_id in states:
            return at, states.index(state_id)
    return len(groups), 0


def _place_of_state(lines: Sequence[_Line], state_id: str, groups: Groups) -> int:
    """The index that a new state gets among the lines."""
    at, rank = _rank(state_id, groups)
    if at == len(groups):
        return _behind_last_entry(lines)
    task, states = groups[at]
    places = {line.state: index for index, line in enumerate(lines) if line.state}
    if before := [places[name] for name in states[:rank] if name in places]:
        return before[-1] + 1
    if after := [places[name] for name in states[rank:] if name in places]:
        return _above_comments(lines, after[0], groups)
    end = _task_end(lines, task, ())
    return end if end is not None else _place_of_task(lines, task, groups)


def _place_of_task(lines: Sequence[_Line], task: str, groups: Groups) -> int:
    """Where a task begins of which the lines say nothing: behind the tasks before it."""
    at = next(index for index, (name, _states) in enumerate(groups) if name == task)
    for name, states in reversed(groups[:at]):
        if (end := _task_end(lines, name, states)) is not None:
            return end
    for name, states in groups[at + 1 :]:
        if (start := _task_start(lines, name, states)) is not None:
            return _above_comments(lines, start, groups)
    return _behind_last_entry(lines)


def _task_end(lines: Sequence[_Line], task: str, states: Sequence[str]) -> int | None:
    """The index behind the last line of a task; None when no line is about it."""
    own = [index for index, line in enumerate(lines) if line.state in states or line.heading == task]
    return own[-1] + 1 if own else None


def _task_start(lines: Sequence[_Line], task: str, states: Sequence[str]) -> int | None:
    own = [index for index, line in enumerate(lines) if line.state in states or line.heading == task]
    return own[0] if own else None


def _above_comments(lines: Sequence[_Line], index: int, groups: Groups) -> int:
    """The index of the first comment directly above a line, but below the heading of any task."""
    tasks = {task for task, _states in groups}
    while index and lines[index - 1].is_comment and lines[index - 1].heading not in tasks:
        index -= 1
    return index


def _behind_last_entry(lines: Sequence[_Line]) -> int:
    return max((index + 1 for index, line in enumerate(lines) if line.state), default=0)
