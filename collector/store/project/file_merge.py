"""Merge two versions of a file of a project: entry by entry, and key by key within an entry."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from collector.located_yaml.entry_merge import MergeConflict, merge
from collector.located_yaml.source import read_entry, read_source
from collector.located_yaml.yaml_patch.documents import changed_entry
from collector.located_yaml.yaml_patch.errors import DocumentError
from collector.model.editing.three_way_merge import merge as merge_values
from collector.store.files import yaml_files

_OURS, _MIDDLE, _THEIRS = "<<<<<<< ours\n", "=======\n", ">>>>>>> theirs\n"


@dataclass(frozen=True, slots=True)
class MergedFile:
    """The text with the changes of both; in a conflict it has ours."""

    text: str
    conflicts: tuple[MergeConflict, ...] = ()
    """Entries that both changed in different ways, or that one changed and the other deleted."""

    @property
    def with_markers(self) -> str:
        """The text with both versions of each conflict between the marks of version control."""
        text = self.text
        for conflict in self.conflicts:
            both = (_OURS, _ended(conflict.ours), _MIDDLE, _ended(conflict.theirs), _THEIRS)
            text = replace(conflict, theirs="".join(both)).resolved(text)
        return text


def merge_file(base: str, ours: str, theirs: str, name: str) -> MergedFile:
    """``ours`` with what ``theirs`` changed since ``base``; comments of both stay.

    Versions are texts that can be loaded. Raises Damaged when what comes of both cannot; ``name`` is that of
    the file.
    """
    merged = merge(base, ours, theirs)
    text, left = merged.text, []
    for conflict in merged.conflicts:
        entry = _merged_entry(conflict)
        if entry is None:
            left.append(conflict)
        else:
            text = replace(conflict, theirs=entry).resolved(text)
    yaml_files.parse(text.encode(), name)
    return MergedFile(text, tuple(left))


def whole_conflict(ours: bytes, theirs: bytes) -> bytes:
    """Both versions between the marks of version control, where one of them cannot be read."""
    sides = (version if version.endswith(b"\n") else version + b"\n" for version in (ours, theirs))
    return b"".join((_OURS.encode(), next(sides), _MIDDLE.encode(), next(sides), _THEIRS.encode()))


def _merged_entry(conflict: MergeConflict) -> str | None:
    """The lines of an entry of which both changed different keys; None when they changed the same."""
    if not conflict.ours or not conflict.theirs:
        return None
    if _plain(conflict.ours) == _plain(conflict.theirs):
        return _with_comments(conflict.ours, conflict)
    base, ours, theirs = (_values(text) for text in (conflict.base, conflict.ours, conflict.theirs))
    if not conflict.rule_id or ours is None or theirs is None:
        return None
    merged = merge_values(base or {"id": ours.get("id")}, ours, theirs, ("id",))
    if merged.conflicts:
        return None
    try:
        return _with_comments(changed_entry(conflict.ours, ours, merged.value), conflict)
    except DocumentError:
        return None


def _with_comments(text: str, conflict: MergeConflict) -> str:
    """The lines of ours with the comments that theirs added, each behind the line it follows there."""
    lines, theirs = text.splitlines(keepends=True), conflict.theirs.splitlines(keepends=True)
    known = {*lines, *conflict.base.splitlines(keepends=True)}
    at = 0
    for line in theirs:
        if line in lines[at:]:
            at = lines.index(line, at) + 1
        elif line.lstrip().startswith("#") and line not in known:
            lines.insert(at, _ended(line))
            at += 1
    return "".join(lines)


def _plain(text: str) -> Any:
    """The plain value of some lines."""
    root = read_source(text).root
    return root.plain if root is not None else None


def _values(text: str) -> dict[str, Any] | None:
    """The values of an entry of a list; None for other lines."""
    root = read_entry(text).root
    plain = root.plain if root is not None else None
    if isinstance(plain, list) and len(plain) == 1 and isinstance(plain[0], dict):
        return plain[0]
    return None


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"
