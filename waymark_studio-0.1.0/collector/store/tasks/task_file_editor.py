"""Keep ``tasks.yaml`` cut into tasks: an edit or a change from outside costs little in a large file."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from collector.located_yaml.safe_load import MAX_BYTES, YamlError, safe_load
from collector.located_yaml.yaml_patch.errors import DocumentError
from collector.model.i18n import _
from collector.model.task import Task
from collector.store.files import format_versions as versions
from collector.store.files.errors import StoreError
from collector.store.files.list_text import EntryLines, ListText, split
from collector.store.tasks.task_entry import patched_entry, read_entry, written_entry
from collector.store.tasks.task_file import (
    StoredTasks,
    check_limits,
    check_readable,
    edited_file,
    new_file,
    read_tasks,
    version_of,
)

_ANCHOR = re.compile(r"(?:^|[\s\[{,:-])&[^\s&]")
_VERSION = re.compile(r"^version[ \t]*:[ \t]*\d+", re.MULTILINE)
_REMEMBERED = 20
"""Former entries of a task that are remembered, so that undo brings back their comments and layout."""


class TaskFileEditor:
    """Reads and edits the text of a task file. Only entries that differ are parsed or written anew.

    A file that cannot be cut into tasks, as one with all tasks in one line, is read and written whole.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pieces: ListText | None = None
        self._tasks: tuple[Task, ...] = ()
        """The tasks of the pieces, in their order and as they are written there."""
        self._version = versions.TASKS.version
        """Of the file, as read last."""
        self._edited: tuple[bytes, ListText | None] = (b"", None)
        self._former: dict[str, deque[tuple[Task, EntryLines]]] = {}

    def read(self, data: bytes) -> StoredTasks:
        """The tasks of the file, whose content is ``data``. Raises Damaged."""
        pieces = _pieces(data)
        stored = None
        if pieces is not None and self._tasks:
            stored = self._read_entries(pieces, _version_around(pieces))
        stored = stored or read_tasks(self._path)
        self._note(pieces, stored)
        return stored

    def edited(self, data: bytes, tasks: Sequence[Task]) -> bytes:
        """The content ``data``, as read last, with other tasks; call :meth:`written` once it is on the disk.

        Raises StoreError for a task that YAML cannot hold.
        """
        pieces = self._pieces
        if not data.strip() or pieces is None or not tasks or _version_around(pieces) is None:
            return self._edited_whole(data, tasks)
        result = self._with_tasks(pieces, tasks)
        if result is not None and self._version != versions.TASKS.version:
            result = _with_newest_version(result)
        if result is None:
            return self._edited_whole(data, tasks)
        mark = "\ufeff" if data.startswith(b"\xef\xbb\xbf") else ""
        edited = (mark + result.joined()).encode()
        check_limits(edited, tasks)
        self._edited = (edited, result)
        return edited

    def written(self, data: bytes, tasks: tuple[Task, ...]) -> None:
        """Note what was written to the file."""
        if self._pieces is not None:
            first, behind = _differing(self._tasks, tasks)
            until = len(self._tasks) - behind
            pairs = zip(self._tasks[first:until], self._pieces.entries[first:until], strict=True)
            for task, entry in pairs:
                self._former.setdefault(task.id, deque(maxlen=_REMEMBERED)).append((task, entry))
        pieces = self._edited[1] if self._edited[0] is data else _pieces(data)
        self._edited = (b"", None)
        self._note(pieces, StoredTasks(tasks))

    def _note(self, pieces: ListText | None, stored: StoredTasks) -> None:
        self._version = stored.version
        if pieces is None or len(pieces.entries) != len(stored.tasks) or not _fits_last(pieces, stored.tasks):
            self._pieces, self._tasks = None, ()
        else:
            self._pieces, self._tasks = pieces, stored.tasks

    def _read_entries(self, pieces: ListText, version: int | None) -> StoredTasks | None:
        """Read entries that are not known; None when one cannot be read by itself, or an id comes twice."""
        if version is None:
            return None
        known = self._pieces.entries if self._pieces is not None else ()
        by_text = {entry.text: task for task, entry in zip(self._tasks, known, strict=True)}
        tasks: dict[str, Task] = {}
        for entry in pieces.entries:
            task = by_text.get(entry.text) or read_entry(entry.text)
            if task is None or task.id in tasks:
                return None
            tasks[task.id] = task
        return StoredTasks(tuple(tasks.values()), version) if tasks else None

    def _with_tasks(self, pieces: ListText, tasks: Sequence[Task]) -> ListText | None:
        """The file with other tasks; None when the whole of it is needed for that.

        Only the part where the tasks differ is looked at, with the first entry behind it: its gap may change.
        """
        first, behind = _differing(self._tasks, tasks)
        behind = max(behind - 1, 0)
        old_end, new_end = len(self._tasks) - behind, len(tasks) - behind
        old = pieces.entries[first:old_end]
        known = {task.id: (task, entry) for task, entry in zip(self._tasks[first:old_end], old, strict=True)}
        entries: dict[str, EntryLines] = {}
        for task in tasks[first:new_end]:
            entry = self._entry(task, known.get(task.id), pieces)
            if entry is None:
                return None
            entries[task.id] = entry
        kept = {entry.text for entry in entries.values()}
        if any(entry.text not in kept and _ANCHOR.search(entry.text) for entry in old):
            return None  # other tasks may refer to what would go
        part = _with_entries(replace(pieces, entries=old), list(known), entries)
        whole = (*pieces.entries[:first], *part.entries, *pieces.entries[old_end:])
        return replace(part, entries=whole)

    def _edited_whole(self, data: bytes, tasks: Sequence[Task]) -> bytes:
        """Write the whole file anew; without its comments where they cannot be kept."""
        if data.strip():
            try:
                edited = edited_file(data, tasks)
                check_readable(edited, tasks)
            except (UnicodeError, DocumentError, StoreError):
                pass
            else:
                return edited
        try:
            written = new_file(tasks)
        except DocumentError as error:
            raise StoreError(
                _("{name} is not saved, because it could not be read again", name=self._path.name),
                error.what,
                _("The file on the disk is as it was"),
            ) from None
        check_readable(written, tasks)
        return written

    def _entry(
        self, task: Task, known: tuple[Task, EntryLines] | None, pieces: ListText
    ) -> EntryLines | None:
        if known is not None and known[0] == task:
            return known[1]
        pairs = self._former.get(task.id, ())
        former = next((entry for other, entry in reversed(pairs) if other == task), None)
        if former is not None:
            return former
        if known is not None:
            text = patched_entry(known[1].text, task)
            return replace(known[1], text=text) if text is not None else None
        return EntryLines("", written_entry(task, pieces.indent, pieces.newline))


def _differing(old: Sequence[Task], new: Sequence[Task]) -> tuple[int, int]:
    """How many tasks are the same objects at the start, and how many of the others at the end."""
    shorter = min(len(old), len(new))
    first = next((at for at in range(shorter) if old[at] is not new[at]), shorter)
    most = shorter - first
    behind = next((at for at in range(most) if old[-1 - at] is not new[-1 - at]), most)
    return first, behind


def _pieces(data: bytes) -> ListText | None:
    if len(data) > MAX_BYTES:
        return None
    try:
        return split(data.decode("utf-8-sig"), "tasks")
    except UnicodeDecodeError:
        return None


def _version_around(pieces: ListText) -> int | None:
    """The version that the text around the entries says; None when it is not a task file without them.

    Then a text may span entries, and the file is read and written whole.
    """
    try:
        document = safe_load(pieces.head + pieces.tail, "")
        if (
            not isinstance(document, Mapping)
            or versions.TASKS.upgrade(document, "").get("tasks", 0) is not None
        ):
            return None
    except (YamlError, StoreError):
        return None
    return version_of(document)


def _with_newest_version(pieces: ListText) -> ListText | None:
    """The file with the newest version in its head; None when the version is written elsewhere."""
    newest = f"version: {versions.TASKS.version}"
    head, count = _VERSION.subn(newest, pieces.head)
    if not count and "version" not in pieces.tail:
        place = pieces.head.rstrip("\r\n").rfind("\n") + 1
        head, count = f"{pieces.head[:place]}{newest}{pieces.newline}{pieces.head[place:]}", 1
    if count != 1 or _version_around(replace(pieces, head=head)) != versions.TASKS.version:
        return None
    return replace(pieces, head=head)


def _fits_last(pieces: ListText, tasks: Sequence[Task]) -> bool:
    """Whether the last entry was cut where it ends: a text in quotation marks may go on at the margin."""
    return not tasks or read_entry(pieces.entries[-1].text) == tasks[-1]


def _with_entries(pieces: ListText, known: Sequence[str], entries: Mapping[str, EntryLines]) -> ListText:
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
    result = tuple(
        entry if entry.gap == gaps[task_id] else replace(entry, gap=gaps[task_id])
        for task_id, entry in entries.items()
    )
    return replace(pieces, entries=result, tail=tail)
