"""Follow an essential state that got another id in what people and judges said of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from collector.store.files import layout
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged
from collector.store.files.format_versions import ANNOTATIONS
from collector.store.project.project import Project
from collector.store.trajectory import codec
from collector.store.trajectory.achieved_states import ACHIEVED_STATES, MISSED_STATES
from collector.store.trajectory.trajectory_files import read_document, read_lines


def rename_in_labels(project: Project, old: str, new: str, disk: Disk | None = None) -> int:
    """Name the state ``old`` by its id ``new`` in all annotations and judgements of a project.

    Return the number of files that were written; each is whole or unchanged. Everything else in them is kept,
    and damaged files and those behind links stay as they are. Raises StoreError.
    """
    project.require_writable()
    disk, count = disk or Disk(), 0
    for path in _files_that_name(project, old):
        data = _renamed_lines(path, old, new) if path.suffix == ".jsonl" else _renamed_marks(path, old, new)
        if data is not None:
            disk.write(path, data)
            count += 1
    return count


def _files_that_name(project: Project, state_id: str) -> Iterator[Path]:
    """The files of labels that have the id in them as a text; most trajectories have no such file."""
    texts = {json.dumps(state_id, ensure_ascii=plain).encode() for plain in (False, True)}
    for folder in project.trajectory_folders():
        for place, pattern in ((layout.ANNOTATIONS, "*.json"), (layout.JUDGEMENTS, "*.jsonl")):
            if (folder / place).is_symlink():
                continue
            for path in sorted((folder / place).glob(pattern)):
                if not path.is_symlink() and any(text in path.read_bytes() for text in texts):
                    yield path


def _renamed_marks(path: Path, old: str, new: str) -> bytes | None:
    """A file of annotations with the new id; None when it does not name the old one.

    Marks of version 1 say sentences and no ids.
    """
    try:
        document = read_document(path)
    except Damaged:
        return None
    if not isinstance(document, dict) or document.get("version") != ANNOTATIONS.version:
        return None
    marks, missed = document.get(ACHIEVED_STATES), document.get(MISSED_STATES)
    changed = dict(document)
    if isinstance(marks, list):
        changed[ACHIEVED_STATES] = [_with_new_id(mark, old, new) for mark in marks]
    if isinstance(missed, list):
        changed[MISSED_STATES] = [new if state == old else state for state in missed]
    return codec.dump_document(changed) if changed != document else None


def _renamed_lines(path: Path, old: str, new: str) -> bytes | None:
    """A file of judgements with the new id; None when none is about the old one."""
    file = read_lines(path)
    changed = b"".join(_renamed_line(raw, old, new) for raw in file.raw_lines())
    return changed + file.torn if changed != file.data else None


def _renamed_line(raw: bytes, old: str, new: str) -> bytes:
    try:
        line = codec.load_json(raw)
    except ValueError:
        return raw
    if not isinstance(line, dict) or not isinstance(line.get("subject"), dict):
        return raw
    subject = _with_new_id(line["subject"], old, new)
    return raw if subject == line["subject"] else codec.dump_line({**line, "subject": subject})


def _with_new_id(entry: object, old: str, new: str) -> object:
    """A mark, or the subject of a judgement, with the new id of its state."""
    if isinstance(entry, dict) and entry.get("state") == old:
        return {**entry, "state": new}
    return entry
