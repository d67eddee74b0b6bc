"""Keep ``tasks.yaml`` cut into tasks: an edit or a change from outside costs little in a large file."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from collector.located_yaml.safe_load import MAX_BYTES, YamlError, safe_load
from collector.model.i18n import _
from collector.model.task import Task
from collector.store import format_versions as versions
from collector.store.errors import StoreError
from collector.store.task_entry import patched_entry, read_entry, written_entry
from collector.store.task_file import check_limits, check_readable, edited_file, new_file, read_tasks
from collector.store.task_text import TaskLines, TaskText, split

_ANCHOR = re.compile(r"(?:^|[\s\[{,:-])&[^\s&]")
_REMEMBERED = 20
"""Former entries of a task that are remembered, so that undo brings back their comments and layout."""


class TaskFileEditor:
    """Reads and edits the text of a task file. Only entries that differ are parsed or written anew.

    A file that cannot be cut into tasks, as one with all tasks in one line, is read and written whole.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pieces: TaskText | None = None
        self._known: dict[str, tuple[Task, TaskLines]] = {}
        self._former: dict[str, deque[tuple[Task, TaskLines]]] = {}

    def read(self, data: bytes) -> tuple[Task, ...]:
        """The tasks of the file, whose content is ``data``. Raises Damaged."""
        pieces = _pieces(data)
        if pieces is None or not self._known or not _is_separable(pieces):
            tasks = read_tasks(self._path)
        else:
            tasks = self._read_entries(pieces) or read_tasks(self._path)
        self._note(pieces, tasks)
        return tasks

    def edited(self, data: bytes, tasks: Sequence[Task]) -> bytes:
        """The content ``data``, as read last, with other tasks; call :meth:`written` once it is on the disk.

        Raises StoreError for a task that YAML cannot hold.
        """
        pieces = self._pieces
        if not data.strip() or pieces is None or not tasks or not _is_separable(pieces):
            return self._edited_whole(data, tasks)
        entries: dict[str, TaskLines] = {}
        for task in tasks:
            entry = self._entry(task, pieces)
            if entry is None:
                return self._edited_whole(data, tasks)
            entries[task.id] = entry
        if self._drops_an_anchor(entries):
            return self._edited_whole(data, tasks)
        result = _with_entries(pieces, list(self._known), entries)
        mark = "\ufeff" if data.startswith(b"\xef\xbb\xbf") else ""
        edited = (mark + result.joined()).encode()
        check_limits(edited, tasks)
        return edited

    def written(self, data: bytes, tasks: tuple[Task, ...]) -> None:
        """Note what was written to the file."""
        kept = {id(task) for task in tasks}
        for task_id, pair in self._known.items():
            if id(pair[0]) not in kept:
                self._former.setdefault(task_id, deque(maxlen=_REMEMBERED)).append(pair)
        self._note(_pieces(data), tasks)

    def _note(self, pieces: TaskText | None, tasks: tuple[Task, ...]) -> None:
        if pieces is None or len(pieces.entries) != len(tasks) or not _fits_last(pieces, tasks):
            self._pieces, self._known = None, {}
            return
        self._pieces = pieces
        self._known = {task.id: (task, entry) for task, entry in zip(tasks, pieces.entries, strict=True)}

    def _read_entries(self, pieces: TaskText) -> tuple[Task, ...] | None:
        """Read entries that are not known; None when one cannot be read by itself, or an id comes twice."""
        by_text = {entry.text: task for task, entry in self._known.values()}
        tasks: dict[str, Task] = {}
        for entry in pieces.entries:
            task = by_text.get(entry.text) or read_entry(entry.text)
            if task is None or task.id in tasks:
                return None
            tasks[task.id] = task
        return tuple(tasks.values())

    def _edited_whole(self, data: bytes, tasks: Sequence[Task]) -> bytes:
        """Write the whole file anew; without its comments where they cannot be kept."""
        if data.strip():
            try:
                edited = edited_file(self._path, tasks)
                check_readable(edited, tasks)
            except (UnicodeError, StoreError):
                pass
            else:
                return edited
        try:
            written = new_file(tasks)
        except UnicodeError as error:
            raise StoreError(
                _("{name} is not saved, because it could not be read again", name=self._path.name),
                str(error),
                _("The file on the disk is as it was"),
            ) from None
        check_readable(written, tasks)
        return written

    def _drops_an_anchor(self, entries: Mapping[str, TaskLines]) -> bool:
        """Whether an entry that others may refer to would go or change."""
        kept = {entry.text for entry in entries.values()}
        return any(
            entry.text not in kept and _ANCHOR.search(entry.text) for _task, entry in self._known.values()
        )

    def _entry(self, task: Task, pieces: TaskText) -> TaskLines | None:
        known = self._known.get(task.id)
        if known is not None and (known[0] is task or known[0] == task):
            return known[1]
        pairs = self._former.get(task.id, ())
        former = next((entry for other, entry in reversed(pairs) if other == task), None)
        if former is not None:
            return former
        if known is not None:
            text = patched_entry(known[1].text, task, pieces.indent, pieces.newline)
            return replace(known[1], text=text) if text is not None else None
        return TaskLines("", written_entry(task, pieces.indent, pieces.newline))


def _pieces(data: bytes) -> TaskText | None:
    if len(data) > MAX_BYTES:
        return None
    try:
        return split(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return None


def _is_separable(pieces: TaskText) -> bool:
    """Whether the text around the entries is a task file without them, so that no text spans an entry."""
    try:
        document = safe_load(pieces.head + pieces.tail, "")
        return isinstance(document, Mapping) and versions.TASKS.upgrade(document, "").get("tasks", 0) is None
    except (YamlError, StoreError):
        return False


def _fits_last(pieces: TaskText, tasks: Sequence[Task]) -> bool:
    """Whether the last entry was cut where it ends: a text in quotation marks may go on at the margin."""
    return not tasks or read_entry(pieces.entries[-1].text) == tasks[-1]


def _with_entries(pieces: TaskText, known: Sequence[str], entries: Mapping[str, TaskLines]) -> TaskText:
    """The file with other entries, by id; ``known`` are the ids of its entries now.

    Comments between tasks stay, also where a task beside them goes; a task that comes back takes its
    own again.
    """
    gaps = {task_id: entry.gap for task_id, entry in entries.items()}
    tail, carried = pieces.tail, ""
    for task_id, entry in zip(known, pieces.entries, strict=True):
        if task_id in gaps:
            gaps[task_id], carried = carried + entry.gap, ""
        elif "#" in entry.gap:
            carried += entry.gap
    tail = carried + tail
    present, returned = set(known), list[str]()
    for task_id in (*entries, ""):
        if task_id and task_id not in present:
            returned.append(task_id)
            continue
        behind = gaps[task_id] if task_id else tail
        for other in returned:
            if "#" in gaps[other] and not behind.startswith(gaps[other]):
                gaps[other] = ""
            elif "#" in gaps[other]:
                behind = behind.removeprefix(gaps[other])
        returned.clear()
        if task_id:
            gaps[task_id] = behind
        else:
            tail = behind
    result = tuple(replace(entry, gap=gaps[task_id]) for task_id, entry in entries.items())
    return replace(pieces, entries=result, tail=tail)
