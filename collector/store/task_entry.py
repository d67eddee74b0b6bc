"""The lines of one task in ``tasks.yaml``: write them, and change single values while the rest stays."""

from __future__ import annotations

import re
import textwrap

from collector.located_yaml.safe_load import YamlError, safe_load
from collector.model.task import Task
from collector.store.entry_text import patched_lines, written_lines
from collector.store.task_file import changed_list, is_same, not_readable, task_from_mapping, task_values

_DASH = re.compile(r"^ *-", re.MULTILINE)


def read_entry(text: str) -> Task | None:
    """The task of the lines of an entry; None when they cannot be read by themselves."""
    try:
        document = safe_load(text, "")
        return task_from_mapping(document[0]) if isinstance(document, list) and len(document) == 1 else None
    except (YamlError, ValueError):
        return None


def written_entry(task: Task, indent: int, newline: str) -> str:
    """The lines of a new entry whose dash is in column ``indent``.

    Raises StoreError for what YAML cannot hold.
    """
    return _checked(written_lines(task_values(task), indent, newline), task)


def patched_entry(text: str, task: Task, indent: int, newline: str) -> str | None:
    """The lines of an entry with the values of ``task``; comments and other values stay as written.

    None when the entry cannot be read without the rest of its file. Raises StoreError for what YAML
    cannot hold.
    """
    before = read_entry(text)
    if before is None:
        return None
    patched = patched_lines(text, task_values(before), task_values(task), newline)
    if patched is not None and is_same(read_entry(patched), task):
        return patched
    # An entry of another shape, as one in braces: slower, and its line may be laid out anew.
    start = _DASH.search(text).start()  # type: ignore[union-attr]  # an entry was read
    lines = textwrap.dedent(changed_list(text[start:], task)).splitlines()
    edited = "".join(f"{' ' * indent}{line}".rstrip() + newline for line in lines)
    return _checked(text[:start] + edited, task)


def _checked(text: str, task: Task) -> str:
    """The text, read back. Raises StoreError when it does not hold the task."""
    if not is_same(read_entry(text), task):
        raise not_readable(task.id)
    return text
